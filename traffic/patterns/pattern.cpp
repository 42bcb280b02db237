// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/config/traffic_config.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/patterns/permutations.h"

namespace flitscope {
namespace {

constexpr const char* kMixed = "mixed";
constexpr const char* kMixKey = "traffic.mix";

/// Arguments of the builder of a pattern.
struct Request {
    const WorkloadConfig& config;
    const Graph& graph;

    const TrafficConfig& traffic() const { return config.traffic; }
    NodeId nodes() const { return graph.node_count(); }
};

using DestinationsPtr = std::unique_ptr<Destinations>;
DestinationsPtr build(const std::string& pattern, const char* key, const Request& request);

DestinationsPtr uniform(const Request& request) { return uniform_destinations(request.nodes()); }

DestinationsPtr random_permutation(const Request& request) {
    return fixed_destinations(drawn_permutation(request.nodes(), request.config.seed));
}

/// The nodes of the region, once each.
std::vector<NodeId> hot_region(const Request& request, std::vector<Diagnostic>& findings) {
    const TrafficConfig& traffic = request.traffic();
    const std::string exist = fmt::format("nodes are 0 .. {}", request.nodes() - 1);
    if (traffic.hot_nodes.empty()) {
        if (traffic.root < request.nodes()) return {traffic.root};
        findings.push_back({request.config.where("traffic.root"),
                            fmt::format("root {} does not exist", traffic.root), exist});
        return {};
    }
    const Location where = request.config.where("traffic.hot_nodes");
    std::set<NodeId> region;
    for (const NodeId node : traffic.hot_nodes) {
        if (node >= request.nodes()) {
            findings.push_back({where, fmt::format("hot node {} does not exist", node), exist});
        } else if (!region.insert(node).second) {
            findings.push_back({where, fmt::format("hot node {} is listed twice", node),
                                "list every node once: all of them get the same"});
        }
    }
    return {region.begin(), region.end()};
}

DestinationsPtr hotspot(const Request& request) {
    const double fraction = request.traffic().hotspot_fraction;
    std::vector<Diagnostic> findings;
    const std::vector<NodeId> region = hot_region(request, findings);
    if (!(fraction >= 0 && fraction <= 1)) {
        findings.push_back({request.config.where("traffic.hotspot_fraction"),
                            fmt::format("hotspot_fraction {} is not a fraction", fraction),
                            "0 .. 1"});
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    return hot_destinations(request.nodes(), region, fraction);
}

DestinationsPtr matrix(const Request& request) {
    const std::string& file = request.traffic().matrix;
    if (file.empty()) {
        throw ConfigError(request.config.where("traffic.pattern"),
                          "pattern matrix has no matrix: 'traffic.matrix' is not set",
                          "name a file of one row of weights per node, such as matrix: FILE.csv");
    }
    return matrix_destinations(
        read_matrix(file, request.nodes(), request.config.where("traffic.matrix")));
}

DestinationsPtr mixed(const Request& request) {
    const PatternWeights& mix = request.traffic().mix;
    if (mix.empty()) {
        throw ConfigError(request.config.where("traffic.pattern"),
                          "pattern mixed has no parts: 'traffic.mix' is not set",
                          "write the weight of each, such as mix: {uniform: 3, transpose: 1}");
    }
    std::vector<MixPart> parts;
    std::vector<Diagnostic> findings;
    for (const auto& [pattern, weight] : mix) {
        try {
            parts.push_back({build(pattern, kMixKey, request), weight});
        } catch (const ConfigError& error) {
            findings.insert(findings.end(), error.findings().begin(), error.findings().end());
        }
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    return mixed_destinations(std::move(parts));
}

struct PatternEntry {
    PatternKind kind;
    Permutation (*permutation)(const Shape&);  ///< null if destinations are drawn
    DestinationsPtr (*destinations)(const Request&);
};

const std::vector<PatternEntry>& patterns() {
    static const std::vector<PatternEntry> all = {
        {{"uniform", "every other node alike"}, nullptr, uniform},
        {{"transpose",
          "(y, x) to (x, y) in a square grid; elsewhere the halves of a node number, of an even "
          "number of bits, swapped"},
         transpose,
         nullptr},
        {{"bit_reverse", "address bits reversed; power-of-two nodes"}, bit_reverse, nullptr},
        {{"bit_complement", "address bits inverted; power-of-two nodes"}, bit_complement, nullptr},
        {{"shuffle", "address bits rotated left by one; power-of-two nodes"}, shuffle, nullptr},
        {{"tornado",
          "ceil(k/2) - 1 ahead in every dimension of side k; without coordinates all nodes are one "
          "line, by number"},
         tornado,
         nullptr},
        {{"neighbour", "1 ahead in every dimension; without coordinates to the next number"},
         neighbour,
         nullptr},
        {{"random_permutation",
          "one other node, drawn from seed: each is sent to by one, and another seed draws others"},
         nullptr,
         random_permutation},
        {{"hotspot",
          "to traffic.root, or hot_nodes, with probability hotspot_fraction, otherwise uniform",
          {"root", "hot_nodes", "hotspot_fraction"}},
         nullptr,
         hotspot},
        {{"mixed", "every message by one of the patterns of traffic.mix, drawn by weight", {"mix"}},
         nullptr,
         mixed},
        {{"matrix", "by the weights of the file traffic.matrix", {"matrix"}}, nullptr, matrix},
    };
    return all;
}

/// The pattern with the name given at `key`.
DestinationsPtr build(const std::string& pattern, const char* key, const Request& request) {
    const Location where = request.config.where(key);
    const bool is_part = key == std::string(kMixKey);
    std::vector<std::string> names = mix_parts();
    if (!is_part) names.emplace_back(kMixed);
    if (std::find(names.begin(), names.end(), pattern) == names.end()) {
        throw ConfigError(where,
                          is_part ? fmt::format("'{}' cannot be a part of a mix", pattern)
                                  : fmt::format("unknown pattern '{}'", pattern),
                          did_you_mean_of(nearest(pattern, names), "one of", names));
    }
    const auto entry = std::find_if(patterns().begin(), patterns().end(),
                                    [&](const PatternEntry& p) { return p.kind.name == pattern; });
    if (entry->permutation == nullptr) return entry->destinations(request);
    const Shape shape{request.graph, [&](const std::string& what, const std::string& hint) {
                          throw ConfigError(where, what, hint);
                      }};
    const Permutation permutation = entry->permutation(shape);
    const NodeId nodes = request.nodes();
    std::vector<NodeId> destinations(nodes);
    std::iota(destinations.begin(), destinations.end(), NodeId{0});
    bool sends = false;
    for (NodeId node = 0; node < grid_nodes(request.graph); ++node) {
        destinations[node] = permutation(node);
        sends = sends || destinations[node] != node;
    }
    if (nodes > 1 && !sends) {
        throw ConfigError(where,
                          fmt::format("{} maps every node of {} to itself: nothing is sent",
                                      pattern, request.graph.description()),
                          "use uniform or neighbour");
    }
    return fixed_destinations(std::move(destinations));
}

}  // namespace

Pattern::Pattern(const WorkloadConfig& config, const Graph& graph)
    : nodes_(graph.node_count()),
      destinations_(build(config.traffic.pattern, "traffic.pattern", {config, graph})) {
    if (graph.working_node_count() == nodes_) return;
    for (NodeId node = 0; node < nodes_; ++node) dead_.push_back(!graph.is_alive(node));
    kept_.resize(nodes_);
    for (NodeId source = 0; source < nodes_; ++source) {
        if (!sends(source)) continue;
        for (NodeId node = 0; node < nodes_; ++node) kept_[source] += share(source, node);
    }
}

std::optional<NodeId> Pattern::dead_party() const {
    for (NodeId dead = 0; dead < dead_.size(); ++dead) {
        if (!dead_[dead]) continue;
        if (destinations_->sends(dead)) return dead;
        for (NodeId node = 0; node < nodes_; ++node) {
            if (sends(node) && destinations_->share(node, dead) > 0) return dead;
        }
    }
    return std::nullopt;
}

NodeId Pattern::senders() const {
    NodeId count = 0;
    for (NodeId node = 0; node < nodes_; ++node) count += sends(node) && kept(node) > 0 ? 1 : 0;
    return count;
}

double Pattern::offered() const {
    double sum = 0;
    for (NodeId node = 0; node < nodes_; ++node) sum += offered(node) * kept(node);
    return sum;
}

ReceivedRates Pattern::received() const {
    ReceivedRates received(nodes_);
    for (NodeId node = 0; node < nodes_; ++node) {
        if (sends(node)) destinations_->add_received(node, offered(node), received);
    }
    for (NodeId node = 0; node < dead_.size(); ++node) {
        if (dead_[node]) received.remove(node);
    }
    return received;
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

bool pattern_reads(const TrafficConfig& traffic, const std::string& key) {
    const auto reads = [&](const std::string& pattern) {
        const PatternKind* const kind = find_pattern_kind(pattern);
        return kind != nullptr && kind->reads(key);
    };
    if (reads(traffic.pattern)) return true;
    return traffic.pattern == kMixed &&
           std::any_of(traffic.mix.begin(), traffic.mix.end(),
                       [&](const auto& part) { return reads(part.first); });
}

std::vector<std::string> mix_parts() {
    std::vector<std::string> names;
    for (const PatternKind& kind : pattern_kinds()) {
        if (kind.name != kMixed) names.push_back(kind.name);
    }
    return names;
}

}  // namespace flitscope
