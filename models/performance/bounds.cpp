// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lower bounds by counting flits at channels. Each holds for every engine that obeys
// hw/TIMING.md: a channel moves at most one flit per cycle, and cycle 0 is the first.
#include "models/performance/bounds.h"

#include "models/performance/bisection.h"
#include "models/performance/link_load.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>
#include <utility>

namespace flitscope {
namespace {

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t sum = a + b;
    return sum < a ? std::numeric_limits<std::uint64_t>::max() : sum;
}

void add_to(std::uint64_t& sum, std::uint64_t flits) { sum = saturating_add(sum, flits); }

/// Cycles that the node's memory needs to feed `flits` at `rate`: ceil(flits * q / p). A bound may
/// only err downwards, so a product beyond 64 bits is cut off.
Cycle assembly_cycles(std::uint64_t flits, Rate rate) {
    if (rate.numerator == rate.denominator) return flits;
    const std::uint64_t p = rate.numerator;
    const std::uint64_t q = rate.denominator;
    const std::uint64_t whole = flits / p;
    const std::uint64_t part = (flits % p * q + p - 1) / p;
    if (whole > std::numeric_limits<std::uint64_t>::max() / q) {
        return std::numeric_limits<std::uint64_t>::max();
    }
    return saturating_add(whole * q, part);
}

/// What a path adds to the time of a message when nothing is in its way: cycles from the injection
/// of a flit to its ejection, and before that those of the set-up of a circuit.
struct PathCost {
    explicit PathCost(const Config& config)
        : circuits(config.fabric.switches_circuits()),
          per_link(circuits ? config.fabric.setup_delay : config.fabric.router_delay),
          injection(circuits ? 0 : config.fabric.router_delay) {}

    /// A flit is delivered in its last cycle on a circuit, not in the one after it.
    Cycle total(Cycle links) const { return injection + links - (circuits && links != 0 ? 1 : 0); }

    bool circuits;
    Cycle per_link;  ///< beside the delay of the wire
    Cycle injection;
};

/// The way of a flow on an idle network.
struct Path {
    Cycle cycles = 0;  ///< from the injection of a flit to its ejection
    LinkId first = kNoLink;
    LinkId last = kNoLink;
};

Path path_of(const Config& config, const Graph& graph, const Routing& routing, const Flow& flow) {
    Path path;
    const PathCost cost(config);
    Cycle cycles = 0;
    NodeId hops = 0;
    for (NodeId at = flow.source; at != flow.destination;) {
        const bool detours = hops == 0 && flow.first != kNoLink;
        const LinkId id =
            detours ? flow.first : graph.out_link(at, routing.route(at, flow.destination).port);
        if (id == kNoLink || hops++ > graph.node_count()) {
            throw std::logic_error("lower_bounds: the routing does not reach the destination");
        }
        cycles += cost.per_link + graph.link(id).delay;
        if (path.first == kNoLink) path.first = id;
        path.last = id;
        at = graph.link(id).to;
    }
    path.cycles = cost.total(cycles);
    return path;
}

/// The same over the paths with the least delay, whatever the routing.
class ShortestDelays {
public:
    ShortestDelays(const Config& config, const Graph& graph) : graph_(graph), cost_(config) {}

    Cycle path_cycles(NodeId source, NodeId destination) {
        if (source != source_) start(source);
        while (!open_.empty() && open_.top().first < delay_[destination]) go_on();
        return cost_.total(delay_[destination]);
    }

private:
    using Reached = std::pair<Cycle, NodeId>;

    void start(NodeId source) {
        source_ = source;
        delay_.assign(graph_.node_count(), kNever);
        delay_[source] = 0;
        open_ = {};
        open_.push({0, source});
    }
    /// A step of Dijkstra's algorithm.
    void go_on() {
        const auto [delay, node] = open_.top();
        open_.pop();
        if (delay > delay_[node]) return;
        for (PortId port = 1; port < graph_.port_count(); ++port) {
            const LinkId id = graph_.out_link(node, port);
            if (id == kNoLink) continue;
            const Link& link = graph_.link(id);
            const Cycle through = delay + cost_.per_link + link.delay;
            if (through >= delay_[link.to]) continue;
            delay_[link.to] = through;
            open_.push({through, link.to});
        }
    }

    const Graph& graph_;
    PathCost cost_;
    NodeId source_ = UINT32_MAX;  // of delay_
    std::vector<Cycle> delay_;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open_;
};

/// Earliest cycle, after the begin of a send, in which the tail of its last packet is injected.
Cycle last_injection(const Config& config, std::uint64_t flits) {
    const Rate rate = config.node.injection_rate;
    const Cycle startup = config.node.send_startup;
    if (flits == 0) return startup;
    if (rate.numerator >= rate.denominator) return saturating_add(startup, flits - 1);
    // The last packet leaves only after all flits of the message are assembled. All packets but
    // the last are full, so the length of the last follows from the number of flits.
    const PacketFormat format = config.packet_format();
    std::uint64_t last = flits;
    if (format.packet_bytes != 0) {
        const std::uint64_t full = format.flits(format.packet_bytes, 0);
        if (full != 0 && flits > full) last = (flits - 1) % full + 1;
    }
    return saturating_add(startup, saturating_add(assembly_cycles(flits, rate), last - 1));
}

/// Flits that must cross the canonical cut, over the links that can carry them.
class CutBound {
public:
    explicit CutBound(const Graph& graph) : cut_(canonical_bisection(graph)) {
        links_[0] = cut_.links_per_direction;
        for (const Link& link : graph.links()) {
            if (cut_.upper[link.from] && !cut_.upper[link.to]) ++links_[1];
        }
    }

    /// Flows come with falling begin.
    void add(const Flow& flow) {
        if (cut_.upper[flow.source] == cut_.upper[flow.destination]) return;
        const int side = cut_.upper[flow.source] ? 1 : 0;
        if (links_[side] == 0) return;  // then nothing can cross; routing reports that
        add_to(flits_[side], flow.flits);
        const Cycle full = flits_[side] / links_[side];
        const Cycle cycles = full + (flits_[side] % links_[side] != 0 ? 1 : 0);
        bound_ = std::max(bound_, saturating_add(flow.begin, cycles));
    }
    Cycle bound() const { return bound_; }

private:
    Bisection cut_;
    std::uint64_t links_[2] = {0, 0};  // to the upper side, to the lower
    std::uint64_t flits_[2] = {0, 0};
    Cycle bound_ = 0;
};

/// The time that messages take one after the other at the node that sends them, whatever else
/// they wait for.
class SourceTime {
public:
    explicit SourceTime(const Config& config)
        : rate_(config.node.injection_rate),
          startup_(config.node.send_startup),
          circuits_(config.fabric.switches_circuits()),
          serial_(config.node.serial_startup) {}

    /// What a message adds to the sum of its node.
    std::uint64_t share(std::uint64_t flits) const {
        // The set-up of the next circuit starts with the first flit of this one.
        if (circuits_) return std::max<std::uint64_t>(startup_, flits);
        return serial_ ? saturating_add(startup_, assembly_cycles(flits, rate_)) : flits;
    }
    Cycle cycles(std::uint64_t sum) const {
        return circuits_ || serial_ ? sum : assembly_cycles(sum, rate_);
    }

private:
    Rate rate_;
    Cycle startup_;
    bool circuits_;
    bool serial_;
};

/// What channels have to carry, added with falling begin of the messages.
class ChannelSums {
public:
    explicit ChannelSums(std::size_t channels) : sums_(channels) {}

    /// Returns the sum of the channel.
    std::uint64_t add(std::size_t channel, std::uint64_t amount) {
        add_to(sums_[channel], amount);
        return sums_[channel];
    }

private:
    std::vector<std::uint64_t> sums_;
};

/// The message that ends last if each has the network for itself. `flows` in any order.
Cycle latency_bound(const Config& config, const Graph& graph, const Routing& routing,
                    const std::vector<Flow>& flows) {
    const bool has_fixed_paths = routing.path_choice() == PathChoice::kFixed;
    std::vector<Flow> by_source;  // one search per source
    if (!has_fixed_paths) {
        by_source = flows;
        std::stable_sort(by_source.begin(), by_source.end(),
                         [](const Flow& a, const Flow& b) { return a.source < b.source; });
    }
    ShortestDelays shortest(config, graph);
    Cycle bound = 0;
    for (const Flow& flow : has_fixed_paths ? flows : by_source) {
        const Cycle path = has_fixed_paths ? path_of(config, graph, routing, flow).cycles
                                           : shortest.path_cycles(flow.source, flow.destination);
        const Cycle tail = saturating_add(last_injection(config, flow.flits), path);
        bound = std::max(bound, saturating_add(saturating_add(flow.begin, tail), 1));
    }
    return bound;
}

}  // namespace

Cycle LowerBounds::max() const { return std::max({injection, ejection, link, bisection, latency}); }

LowerBounds lower_bounds(const Config& config, const Graph& graph, const Routing& routing,
                         const std::vector<Flow>& flows) {
    LowerBounds bounds;
    bounds.latency = latency_bound(config, graph, routing, flows);
    const auto begins_later = [](const Flow& a, const Flow& b) { return a.begin > b.begin; };
    std::vector<Flow> from_the_end;
    const bool in_order = std::is_sorted(flows.begin(), flows.end(), begins_later);
    if (!in_order) {
        from_the_end = flows;
        std::stable_sort(from_the_end.begin(), from_the_end.end(), begins_later);
    }
    // Per injection and ejection channel: of a node, or of a link.
    const bool per_link = graph.has_per_link_endpoints();
    const bool one_queue = config.node.port_model == PortModel::kOneOutput;
    const std::size_t channels = per_link ? graph.link_count() : graph.node_count();
    const SourceTime source(config);
    ChannelSums sent(one_queue ? graph.node_count() : channels);
    ChannelSums received(channels);
    LinkLoad load(graph, routing);
    CutBound cut(graph);
    const bool has_fixed_paths = routing.path_choice() == PathChoice::kFixed;
    for (const Flow& flow : in_order ? flows : from_the_end) {
        if (has_fixed_paths) {
            load.add(flow.source, flow.destination, flow.flits, flow.first, flow.begin);
        }
        cut.add(flow);
        std::size_t from = flow.source;
        std::size_t to = flow.destination;
        if (per_link) {
            if (flow.source == flow.destination) continue;  // over no channel
            const Path path = path_of(config, graph, routing, flow);
            if (!one_queue) from = path.first;
            to = path.last;
        }
        const Cycle injected = source.cycles(sent.add(from, source.share(flow.flits)));
        bounds.injection = std::max(bounds.injection, saturating_add(flow.begin, injected));
        const Cycle ejected = received.add(to, flow.flits);
        bounds.ejection = std::max(bounds.ejection, saturating_add(flow.begin, ejected));
    }
    bounds.link = load.busy_until();
    bounds.bisection = cut.bound();
    return bounds;
}

Cycle source_cycles(const Config& config, std::uint64_t flits) {
    const SourceTime source(config);
    return source.cycles(source.share(flits));
}

Bisection canonical_bisection(const Graph& graph) {
    // Across the longest dimension the cut is smallest; the first of equals is the slowest-varying
    // (in a hypercube the top address bit). A network without a grid is cut in node order.
    // One with switches that are no nodes is cut into halves of its nodes.
    const auto longest = std::max_element(graph.dims().begin(), graph.dims().end());
    Bisection cut;
    cut.upper.resize(graph.node_count());
    if (longest == graph.dims().end()) return cut;
    const auto dim = static_cast<std::size_t>(longest - graph.dims().begin());
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        cut.upper[node] = graph.coordinate(node, dim) >= *longest / 2;
    }
    if (graph.endpoint_count() != graph.node_count()) cut.upper = cut_into_halves(graph).upper;
    for (const Link& link : graph.links()) {
        if (!cut.upper[link.from] && cut.upper[link.to]) ++cut.links_per_direction;
    }
    return cut;
}

}  // namespace flitscope
