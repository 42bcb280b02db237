// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthetic patterns and the message streams drawn from them.
#include "traffic/patterns/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>

#include "models/base/split_mix.h"
#include "models/fabric/run_control.h"

namespace flitscope {
namespace {

constexpr double kTwo64 = 18446744073709551616.0;

std::uint64_t mixed_seed(std::uint64_t seed, std::uint64_t stream) {
    return split_mix(split_mix(seed) ^ stream);
}

/// Upper half of the 128-bit product, without 128-bit types.
std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t a0 = a & 0xffffffff;
    const std::uint64_t a1 = a >> 32;
    const std::uint64_t b0 = b & 0xffffffff;
    const std::uint64_t b1 = b >> 32;
    const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    const std::uint64_t other = a0 * b1 + (middle & 0xffffffff);
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

std::uint32_t bit_width(std::uint64_t nodes) {
    std::uint32_t bits = 0;
    while ((nodes >> bits) > 1) ++bits;
    return bits;
}

/// The network as the builder of a permutation sees it; `refuse` throws.
struct Shape {
    const Graph& graph;
    std::function<void(const std::string& what, const std::string& hint)> refuse;

    std::uint32_t address_bits(const char* pattern) const {
        const NodeId nodes = graph.endpoint_count();
        if (nodes == 0 || (nodes & (nodes - 1)) != 0) {
            refuse(fmt::format("{} needs a power-of-two number of nodes, but {} has {}", pattern,
                               graph.description(), nodes),
                   "use uniform, tornado or neighbour");
        }
        return bit_width(nodes);
    }
};

NodeId reversed(NodeId node, std::uint32_t bits) {
    NodeId result = 0;
    for (std::uint32_t i = 0; i < bits; ++i) result |= (node >> i & 1U) << (bits - 1 - i);
    return result;
}

/// `ahead(k)` steps forward in every dimension of side k.
template <typename Ahead>
NodeId moved(const Graph& graph, NodeId node, Ahead ahead) {
    const NodeId endpoints = graph.endpoint_count();
    if (endpoints != graph.node_count()) return (node + ahead(endpoints)) % endpoints;  // one line
    NodeId result = 0;
    for (std::size_t dim = 0; dim < graph.dims().size(); ++dim) {
        const NodeId side = graph.dims()[dim];
        result += (graph.coordinate(node, dim) + ahead(side)) % side * graph.stride(dim);
    }
    return result;
}

using Permutation = std::function<NodeId(NodeId)>;

Permutation transpose(const Shape& shape) {
    const std::vector<std::uint32_t>& dims = shape.graph.dims();
    const std::size_t half = dims.size() / 2;
    const bool fits = dims.size() >= 2 && dims.size() % 2 == 0 &&
                      std::equal(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(half),
                                 dims.begin() + static_cast<std::ptrdiff_t>(half));
    if (!fits) {
        shape.refuse(fmt::format("transpose does not fit {}", shape.graph.description()),
                     "it needs a square two-dimensional grid, or a hypercube with an even number "
                     "of dimensions");
    }
    const NodeId side = shape.graph.stride(half - 1);  // nodes of the second half of the dimensions
    return [side](NodeId n) { return n % side * side + n / side; };
}

Permutation bit_reverse(const Shape& shape) {
    const std::uint32_t bits = shape.address_bits("bit_reverse");
    return [bits](NodeId n) { return reversed(n, bits); };
}

Permutation shuffle(const Shape& shape) {
    const std::uint32_t bits = shape.address_bits("shuffle");
    const NodeId nodes = shape.graph.endpoint_count();
    return [bits, nodes](NodeId n) {
        return bits == 0 ? n : (n << 1 | n >> (bits - 1)) & (nodes - 1);
    };
}

Permutation tornado(const Shape& shape) {
    return [&graph = shape.graph](NodeId n) {
        return moved(graph, n, [](NodeId side) { return (side + 1) / 2 - 1; });
    };
}

Permutation neighbour(const Shape& shape) {
    return [&graph = shape.graph](NodeId n) {
        return moved(graph, n, [](NodeId) { return NodeId{1}; });
    };
}

struct PatternEntry {
    PatternKind kind;
    Permutation (*permutation)(const Shape&);  ///< null where destinations are drawn
};

const std::vector<PatternEntry>& patterns() {
    static const std::vector<PatternEntry> all = {
        {{"uniform", "every other node alike"}, nullptr},
        {{"transpose", "(y, x) to (x, y): square 2-D grid, or hypercube of even dimension"},
         transpose},
        {{"bit_reverse", "address bits reversed; power-of-two nodes"}, bit_reverse},
        {{"shuffle", "address bits rotated left by one; power-of-two nodes"}, shuffle},
        {{"tornado", "ceil(k/2) - 1 ahead in every dimension of side k"}, tornado},
        {{"neighbour", "1 ahead in every dimension"}, neighbour},
        {{"hotspot",
          "to traffic.root with probability hotspot_fraction, otherwise uniform",
          {"root", "hotspot_fraction"}},
         nullptr},
    };
    return all;
}

bool is_fraction(double value) { return value >= 0 && value <= 1; }

/// Generation end, saturated so that warm-up plus measurement cannot wrap.
Cycle generation_end(const Config& config) {
    if (config.steady) return config.steady->max_cycles;
    const TrafficConfig& traffic = config.traffic;
    const Cycle end = traffic.warmup_cycles + traffic.measure_cycles;
    return end < traffic.warmup_cycles ? kNever : end;
}

/// Probability that a node begins a message in a cycle. Throws ConfigError when the offered rate
/// is no rate, or when message ids would not suffice.
double message_probability(const Config& config, const Graph& graph) {
    const TrafficConfig& traffic = config.traffic;
    const double rate = traffic.injection_rate;
    if (!is_fraction(rate)) {
        throw ConfigError(config.where("traffic.injection_rate"),
                          fmt::format("injection_rate {} is no rate", rate),
                          "0 .. 1 flits per node and cycle, headers included");
    }
    const std::uint64_t flits = config.packet_format().message_flits(traffic.message_bytes);
    const double probability = rate / static_cast<double>(flits);  // <= 1, since flits >= 1
    const double cycles = static_cast<double>(generation_end(config));
    // Ten standard deviations above the mean, and never more than one message per cycle.
    const double mean = cycles * probability;
    const double most = std::min(cycles, mean + 10 * std::sqrt(mean) + 100);
    const char* const length = config.steady ? "steady.max_cycles" : "traffic.measure_cycles";
    if (most * graph.endpoint_count() >= 4294967295.0) {
        throw ConfigError(
            config.where(length),
            fmt::format("about {:.3g} messages would be sent", mean * graph.endpoint_count()),
            "message numbers have 32 bits: fewer cycles, a lower rate or larger "
            "messages");
    }
    const Cycle clock_end = end_of_time(clock_period_ps(config.clock_ns));
    if (generation_end(config) > clock_end) {
        throw ConfigError(
            config.where(length),
            fmt::format("a clock of {} ns never reaches the end of the measurement, cycle {}",
                        config.clock_ns, generation_end(config)),
            fmt::format("SystemC counts 2^64 ps, {} cycles: fewer of them, or a smaller clock_ns",
                        clock_end));
    }
    return probability;
}

/// The pattern, after its findings and those about the rate have been gathered.
Pattern checked_pattern(const Config& config, const Graph& graph) {
    std::vector<Diagnostic> findings;
    const auto gather = [&](const ConfigError& error) {
        findings.insert(findings.end(), error.findings().begin(), error.findings().end());
    };
    std::optional<Pattern> pattern;
    try {
        pattern.emplace(config, graph);
    } catch (const ConfigError& error) {
        gather(error);
    }
    try {
        message_probability(config, graph);
    } catch (const ConfigError& error) {
        gather(error);
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    return std::move(*pattern);
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t stream) : engine_(mixed_seed(seed, stream)) {}

std::uint64_t Rng::below(std::uint64_t bound) {
    // 2^64 mod bound values at the bottom are rejected; what is left is a multiple of bound.
    const std::uint64_t rejected = (0 - bound) % bound;
    std::uint64_t value = bits();
    while (value < rejected) value = bits();
    return value % bound;
}

Geometric::Geometric(double probability) {
    const double scaled = probability * kTwo64;  // exact: a power of two
    never_ = !(scaled >= 1);
    if (never_) return;
    // (1 - p) * 2^64 as 2^64 - p * 2^64; unsigned arithmetic takes the 2^64 as 0.
    powers_[0] = scaled >= kTwo64 ? 0 : 0 - static_cast<std::uint64_t>(scaled);
    for (std::size_t i = 1; i < kLevels; ++i) {
        powers_[i] = multiply_high(powers_[i - 1], powers_[i - 1]);
    }
}

std::uint64_t Geometric::draw(Rng& rng) const {
    const std::uint64_t u = rng.bits();
    std::uint64_t count = 0;
    std::uint64_t power = 0;  // (1-p)^count * 2^64; 0 stands for 2^64 while count is 0
    for (std::size_t i = kLevels; i-- > 0;) {
        const std::uint64_t next = count == 0 ? powers_[i] : multiply_high(power, powers_[i]);
        if (u >= next) continue;
        power = next;
        count += std::uint64_t{1} << i;
    }
    return count;
}

Pattern::Pattern(const Config& config, const Graph& graph) : nodes_(graph.endpoint_count()) {
    const TrafficConfig& traffic = config.traffic;
    const auto entry =
        std::find_if(patterns().begin(), patterns().end(),
                     [&](const PatternEntry& p) { return p.kind.name == traffic.pattern; });
    if (entry == patterns().end()) {
        std::vector<std::string> names;
        for (const PatternKind& kind : pattern_kinds()) names.push_back(kind.name);
        const std::string near = nearest(traffic.pattern, names);
        throw ConfigError(
            config.where("traffic.pattern"), fmt::format("unknown pattern '{}'", traffic.pattern),
            (near.empty() ? std::string() : fmt::format("did you mean '{}'? ", near)) +
                fmt::format("one of: {}", fmt::join(names, ", ")));
    }
    if (entry->permutation != nullptr) {
        const Shape shape{graph, [&](const std::string& what, const std::string& hint) {
                              throw ConfigError(config.where("traffic.pattern"), what, hint);
                          }};
        const Permutation permutation = entry->permutation(shape);
        fixed_.resize(nodes_);
        for (NodeId node = 0; node < nodes_; ++node) fixed_[node] = permutation(node);
        if (nodes_ > 1 && senders() == 0) {
            throw ConfigError(config.where("traffic.pattern"),
                              fmt::format("{} maps every node of {} to itself: nothing is sent",
                                          traffic.pattern, graph.description()),
                              "use uniform or neighbour");
        }
        return;
    }
    if (!entry->kind.reads("hotspot_fraction")) return;
    std::vector<Diagnostic> findings;
    if (traffic.root >= nodes_) {
        findings.push_back({config.where("traffic.root"),
                            fmt::format("root {} does not exist", traffic.root),
                            fmt::format("nodes are 0 .. {}", nodes_ - 1)});
    }
    if (!is_fraction(traffic.hotspot_fraction)) {
        findings.push_back(
            {config.where("traffic.hotspot_fraction"),
             fmt::format("hotspot_fraction {} is no fraction", traffic.hotspot_fraction),
             "0 .. 1"});
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    hotspot_ = true;
    hotspot_fraction_ = traffic.hotspot_fraction;
    root_ = traffic.root;
    const double scaled = traffic.hotspot_fraction * kTwo64;
    hotspot_threshold_ = scaled >= kTwo64 ? std::numeric_limits<std::uint64_t>::max()
                                          : static_cast<std::uint64_t>(scaled);
}

bool Pattern::sends(NodeId node) const {
    if (nodes_ <= 1) return false;
    return fixed_.empty() || fixed_[node] != node;
}

NodeId Pattern::senders() const {
    NodeId count = 0;
    for (NodeId node = 0; node < nodes_; ++node) count += sends(node) ? 1 : 0;
    return count;
}

double Pattern::share(NodeId source, NodeId destination) const {
    if (source == destination) return 0;
    if (!fixed_.empty()) return fixed_[source] == destination ? 1 : 0;
    const double at_random = 1.0 / (nodes_ - 1);
    if (!hotspot_ || source == root_) return at_random;
    return (destination == root_ ? hotspot_fraction_ : 0) + (1 - hotspot_fraction_) * at_random;
}

NodeId Pattern::destination(NodeId source, Rng& rng) const {
    if (!fixed_.empty()) return fixed_[source];
    if (hotspot_ && source != root_ && rng.bits() < hotspot_threshold_) return root_;
    const auto other = static_cast<NodeId>(rng.below(nodes_ - 1));
    return other < source ? other : other + 1;
}

PatternTraffic::PatternTraffic(const Config& config, const Graph& graph)
    : pattern(checked_pattern(config, graph)),
      gap(message_probability(config, graph)),
      nodes(graph.endpoint_count()),
      bytes(config.traffic.message_bytes),
      seed(config.seed),
      measured_from(config.steady ? 0 : config.traffic.warmup_cycles),
      end(generation_end(config)) {}

PatternSource::PatternSource(std::shared_ptr<const PatternTraffic> traffic, NodeId node)
    : traffic_(std::move(traffic)), node_(node), rng_(traffic_->seed, node) {
    if (!traffic_->pattern.sends(node) || traffic_->gap.never()) cycle_ = traffic_->end;
}

/// Whether there is another message; its begin is begin_ then.
bool PatternSource::draw() {
    if (begin_ != kNever) count(begin_, generated_);
    begin_ = kNever;
    if (cycle_ >= traffic_->end) return false;
    const std::uint64_t gap = traffic_->gap.draw(rng_);
    if (gap >= traffic_->end - cycle_) {
        cycle_ = traffic_->end;
        return false;
    }
    begin_ = cycle_ + gap;
    cycle_ = begin_ + 1;
    return true;
}

void PatternSource::count(Cycle begin, Halves& counts) const {
    if (begin >= traffic_->measured_from) ++counts[begin >= traffic_->middle() ? 1 : 0];
}

Halves PatternSource::generated_before(Cycle end) {
    Message message;
    Cycle begin = 0;
    while (begin_ == kNever || begin_ < end) {
        if (!next(message, begin)) break;
    }
    return generated_;
}

bool PatternSource::next(Message& message, Cycle& begin) {
    if (!draw()) return false;
    const std::uint64_t id = sequence_ * traffic_->nodes + node_;
    if (id > std::numeric_limits<MessageId>::max()) {
        throw std::overflow_error("PatternSource: message ids exceed 32 bits");
    }
    begin = begin_;
    ++sequence_;
    message = Message{};
    message.id = static_cast<MessageId>(id);
    message.source = node_;
    message.destination = traffic_->pattern.destination(node_, rng_);
    message.bytes = traffic_->bytes;
    return true;
}

Program materialise(const Config& config, const Graph& graph) {
    const auto traffic = std::make_shared<const PatternTraffic>(config, graph);
    Program program;
    program.name = config.traffic.pattern;
    program.nodes = traffic->nodes;
    program.ordering = Ordering::kTimed;
    for (NodeId node = 0; node < traffic->nodes; ++node) {
        PatternSource source(traffic, node);
        Message message;
        Cycle begin = 0;
        while (source.next(message, begin)) {
            Transfer transfer;
            transfer.source = node;
            transfer.destination = message.destination;
            transfer.bytes = message.bytes;
            transfer.time = begin;
            program.transfers.push_back(std::move(transfer));
        }
    }
    // Collected by node, so that equal times keep the order of the sources.
    std::stable_sort(program.transfers.begin(), program.transfers.end(),
                     [](const Transfer& a, const Transfer& b) { return a.time < b.time; });
    return program;
}

const std::vector<PatternKind>& pattern_kinds() {
    static const std::vector<PatternKind> kinds = [] {
        std::vector<PatternKind> list;
        for (const PatternEntry& entry : patterns()) list.push_back(entry.kind);
        return list;
    }();
    return kinds;
}

const PatternKind* find_pattern_kind(const std::string& pattern) {
    for (const PatternKind& kind : pattern_kinds()) {
        if (kind.name == pattern) return &kind;
    }
    return nullptr;
}

bool PatternKind::reads(const std::string& key) const {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace flitscope
