// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/pattern_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/fabric/faulted_network.h"
#include "models/fabric/run_control.h"
#include "models/topology/faults/faults.h"
#include "traffic/patterns/load_units.h"

namespace flitscope {
namespace {

/// Generation end, saturated so that warm-up plus measurement cannot wrap.
Cycle generation_end(const Config& config) {
    if (config.steady) return config.steady->max_cycles;
    const TrafficConfig& traffic = config.traffic;
    const Cycle end = traffic.warmup_cycles + traffic.measure_cycles;
    return end < traffic.warmup_cycles ? kNever : end;
}

void check_rate(const Config& config) {
    const TrafficConfig& traffic = config.traffic;
    const double rate = traffic.injection_rate;
    const double most = most_injected(config);
    if (!(rate >= 0 && rate <= most)) {
        throw ConfigError(
            config.where("traffic.injection_rate"),
            fmt::format("injection_rate {} is not a rate", rate),
            fmt::format("0 .. {:.6g} flits per node and cycle, headers included", most));
    }
    if (traffic.arrivals == ArrivalKind::kBursty && rate > traffic.burst_rate) {
        throw ConfigError(
            config.where("traffic.injection_rate"),
            fmt::format("injection_rate {} is more than a bursty source offers in its "
                        "bursts, burst_rate {}",
                        rate, traffic.burst_rate),
            "lower injection_rate or raise burst_rate");
    }
}

/// Whether the clock reaches the end of generation, and message ids suffice.
void check_length(const Config& config, const Graph& graph) {
    const std::optional<Replies> replies = replies_of(config);
    const Arrivals arrivals(config.traffic, config.traffic.injection_rate,
                            exchange_flits(MessageLengths(config), replies));
    const double nodes = graph.node_count() * (replies ? 2.0 : 1.0);
    const double cycles = static_cast<double>(generation_end(config));
    // Ten standard deviations above the mean, and never more than one message per cycle.
    const double mean = cycles * arrivals.messages_per_cycle();
    const double most = std::min(cycles, mean + 10 * std::sqrt(arrivals.dispersion() * mean) + 100);
    const char* const length = config.steady ? "steady.max_cycles" : "traffic.measure_cycles";
    if (most * nodes >= 4294967295.0) {
        throw ConfigError(config.where(length),
                          fmt::format("about {:.3g} messages would be sent", mean * nodes),
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
        check_rate(config);
        check_length(config, graph);
    } catch (const ConfigError& error) {
        gather(error);
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    if (const std::optional<NodeId> dead = pattern->dead_party();
        dead && !config.faults->drops_messages) {
        throw dead_node_error(config.where("traffic.pattern"),
                              fmt::format("node {} of pattern {}", *dead, config.traffic.pattern));
    }
    return std::move(*pattern);
}

}  // namespace

PatternTraffic::PatternTraffic(const Config& config, const Graph& graph,
                               std::shared_ptr<const FaultedNetwork> faulted_network)
    : pattern(checked_pattern(config, graph)),
      lengths(config),
      replies(replies_of(config)),
      outstanding(config.traffic.outstanding),
      classes(config),
      nodes(graph.node_count()),
      planes(config.fabric.planes),
      seed(config.seed),
      measured_from(config.steady ? 0 : config.traffic.warmup_cycles),
      end(generation_end(config)),
      later(std::move(faulted_network)) {
    std::map<double, std::uint32_t> known;
    for (NodeId node = 0; node < nodes; ++node) {
        const double rate = pattern.offered(node) * config.traffic.injection_rate;
        const auto at = known.try_emplace(rate, static_cast<std::uint32_t>(arrivals_.size())).first;
        if (at->second == arrivals_.size()) {
            arrivals_.emplace_back(config.traffic, rate, exchange_flits(lengths, replies));
        }
        arrivals_of_.push_back(at->second);
    }
}

bool PatternTraffic::is_cut_off(NodeId source, NodeId destination) const {
    return !later->are_alive(source, destination);
}

void PatternTraffic::count(Cycle begin, std::uint64_t flits, bool futile,
                           GeneratedTraffic& generated) const {
    ++generated.begun;
    if (begin < measured_from || begin >= end) return;
    const std::size_t half = begin >= middle() ? 1 : 0;
    ++generated.messages;
    generated.flits[half] += flits;
    if (futile) generated.futile[half] += flits;
}

double PatternTraffic::variance(NodeId node, std::uint64_t messages) const {
    const std::uint64_t reply = replies ? replies->flits() : 0;
    const double mean = exchange_flits(lengths, replies);
    const double mean_square = lengths.mean([reply](const MessageLength& l) {
        return static_cast<double>(l.flits + reply) * (l.flits + reply);
    });
    // Variance of a sum of a random number of lengths: both the number and each length vary.
    return static_cast<double>(messages) *
           (mean_square + (arrivals(node).dispersion() - 1) * mean * mean);
}

double PatternTraffic::messages_per_cycle(NodeId node) const {
    return arrivals(node).messages_per_cycle() * pattern.kept(node);
}

double PatternTraffic::variance_per_cycle() const {
    constexpr std::uint64_t kOne = 1;
    double sum = 0;
    for (NodeId node = 0; node < nodes; ++node) {
        sum += messages_per_cycle(node) * variance(node, kOne);
    }
    return sum;
}

double PatternTraffic::correlation_cycles() const {
    double longest = replies ? static_cast<double>(replies->begin(0)) : 0;
    for (const Arrivals& arrivals : arrivals_) {
        longest = std::max(longest, arrivals.correlation_cycles());
    }
    return longest;
}

double PatternTraffic::rarest_interval_cycles() const {
    const double share = std::min(lengths.rarest_share(), classes.rarest_share());
    if (share == 1) return 0;
    double messages = 0;
    for (NodeId node = 0; node < nodes; ++node) messages += messages_per_cycle(node);
    return messages > 0 ? 1 / (messages * share) : 0;
}

PatternSource::PatternSource(std::shared_ptr<const PatternTraffic> traffic, NodeId node)
    : traffic_(std::move(traffic)),
      node_(node),
      rng_(traffic_->seed, node),
      arrivals_(traffic_->arrivals(node), traffic_->end, rng_) {
    if (!traffic_->classes.are_drawn()) return;
    class_rng_ = std::make_unique<Rng>(traffic_->seed, kMaxNodes + std::uint64_t{node});
}

PatternSource::Draw PatternSource::draw(Rng& rng) const {
    const NodeId destination = traffic_->pattern.destination(node_, rng);
    return {destination, &traffic_->lengths.draw(rng)};
}

void PatternSource::count(Cycle begin, const Draw& drawn, Tally& tally) const {
    tally.until = begin + 1;
    const bool is_measured = begin >= traffic_->measured_from;
    if (traffic_->pattern.is_dead(drawn.destination)) {
        tally.generated.dropped += is_measured ? 1 : 0;
        return;
    }
    const bool is_futile = traffic_->is_futile(node_, drawn.destination);
    traffic_->count(begin, drawn.length->flits, is_futile, tally.generated);
    if (is_futile && is_measured) ++tally.futile;
}

void PatternSource::count_in_windows(Cycle begin, const Draw& drawn) {
    if (begin < counted_until_ || traffic_->pattern.is_dead(drawn.destination)) return;
    windows_->add(begin, drawn.length->flits);
}

template <class Visit>
void PatternSource::visit_before(Cycle end, const Visit& visit) const {
    if (last_begin_ != kNever) {
        if (last_begin_ >= end) return;
        visit(last_begin_, last_);
    }
    Rng rng = rng_;
    ArrivalStream arrivals = arrivals_;
    for (Cycle begin = arrivals.next(rng); begin < end; begin = arrivals.next(rng)) {
        visit(begin, draw(rng));
    }
}

void PatternSource::count_before(Cycle end) {
    if (traffic_->pattern.sends(node_)) {
        visit_before(end, [&](Cycle begin, const Draw& drawn) { count_in_windows(begin, drawn); });
    }
    counted_until_ = end;
}

GeneratedTraffic PatternSource::generated_before(Cycle end) const {
    if (!traffic_->pattern.sends(node_)) return {};
    // next() may be far ahead of the run, in search of a message of one class or past many that are
    // dropped: then everything is drawn once more.
    if (tally_.until > end) return PatternSource(traffic_, node_).generated_before(end);
    Tally tally = tally_;
    visit_before(end, [&](Cycle begin, const Draw& drawn) { count(begin, drawn, tally); });
    const bool die_before = traffic_->later != nullptr && traffic_->later->at < end;
    const std::uint64_t gone = die_before ? tally.futile : 0;
    tally.generated.variance = traffic_->variance(node_, tally.generated.messages - gone);
    return tally.generated;
}

bool PatternSource::next(Message& message, Cycle& begin) {
    if (traffic_->pattern.kept(node_) == 0) return false;
    do {
        if (last_begin_ != kNever) {
            count(last_begin_, last_, tally_);
            if (windows_ != nullptr) count_in_windows(last_begin_, last_);
        }
        last_begin_ = arrivals_.next(rng_);
        if (last_begin_ == kNever) return false;
        last_ = draw(rng_);
    } while (traffic_->pattern.is_dead(last_.destination));
    const std::uint64_t number = sequence_ * traffic_->nodes + node_;
    const std::uint64_t id = traffic_->replies ? 2 * number : number;
    if (id >= kNoMessage - (traffic_->replies ? 1 : 0)) {  // the reply has the next number
        throw std::overflow_error(
            fmt::format("node {} has sent {} messages, and the next one would have no number: "
                        "message numbers have 32 bits",
                        node_, sequence_));
    }
    begin = last_begin_;
    message = Message{};
    message.plane = plane_;
    plane_ = plane_ + 1U == traffic_->planes ? 0 : plane_ + 1;
    ++sequence_;
    message.id = static_cast<MessageId>(id);
    message.source = node_;
    message.destination = last_.destination;
    message.bytes = last_.length->bytes;
    if (traffic_->replies) message.role = MessageRole::kRequest;
    message.message_class = traffic_->classes.of_next(message.bytes, class_rng_.get());
    return true;
}

Program materialise(const Config& config, const Graph& graph) {
    const auto traffic = std::make_shared<const PatternTraffic>(config, graph);
    Program program;
    program.name = config.traffic.pattern;
    program.nodes = traffic->nodes;
    program.ordering = Ordering::kTimed;
    std::vector<Transfer> transfers;
    for (NodeId node = 0; node < traffic->nodes; ++node) {
        PatternSource source(traffic, node);
        Message message;
        Cycle begin = 0;
        while (source.next(message, begin)) {
            Transfer transfer{node, message.destination, message.bytes};
            transfer.time = begin;
            transfer.message_class = message.message_class;
            transfer.plane = message.plane;
            transfers.push_back(std::move(transfer));
        }
    }
    // Collected by node, so that equal times keep the order of the sources.
    std::stable_sort(transfers.begin(), transfers.end(),
                     [](const Transfer& a, const Transfer& b) { return a.time < b.time; });
    for (const Transfer& transfer : transfers) program.transfers.push_back(transfer);
    return program;
}

}  // namespace flitscope
