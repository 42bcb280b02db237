// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/idle_latency.h"

#include <algorithm>
#include <stdexcept>

#include "models/performance/distances.h"
#include "models/performance/saturating.h"

namespace flitscope {
namespace {

/// The most that is known of any node.
Cycle farthest(const std::vector<Cycle>& delays) {
    Cycle most = 0;
    for (const Cycle delay : delays) {
        if (delay != kNever) most = std::max(most, delay);
    }
    return most;
}

}  // namespace

Cycle assembly_cycles(std::uint64_t flits, Rate rate) {
    if (rate.numerator == rate.denominator) return flits;
    const std::uint64_t p = rate.numerator;
    const std::uint64_t q = rate.denominator;
    const std::uint64_t whole = flits / p;
    const std::uint64_t part = (flits % p * q + p - 1) / p;
    return saturating_add(saturating_multiply(whole, q), part);
}

IdleMessage::IdleMessage(const Config& config)
    : config_(config), format_(config.packet_format()), pace_(config.fabric) {}

/// From the first to the last of its flits over one channel.
Cycle IdleMessage::span(std::uint64_t flits, Cycle loop) const {
    return format_.packet_bytes == 0 ? pace_.packet_span(flits, loop) : pace_.span(flits, loop);
}

Cycle IdleMessage::injected(std::uint64_t flits, Cycle head) const {
    const Rate rate = config_.node.injection_rate;
    head = std::max<Cycle>(head, config_.node.send_startup);
    const Cycle tail = saturating_add(head, span(flits, pace_.injection_loop()));
    if (flits == 0 || rate.numerator >= rate.denominator) return tail;
    // The last packet leaves only after all flits of the message are assembled. All packets but
    // the last are full, so the length of the last follows from the number of flits.
    std::uint64_t last = flits;
    if (format_.packet_bytes != 0) {
        const std::uint64_t full = format_.flits(format_.packet_bytes, 0);
        if (full != 0 && flits > full) last = (flits - 1) % full + 1;
    }
    const Cycle assembled = saturating_add(config_.node.send_startup, assembly_cycles(flits, rate));
    return std::max(tail,
                    saturating_add(assembled, pace_.packet_span(last, pace_.injection_loop())));
}

Cycle IdleMessage::delivered(std::uint64_t flits, const IdlePath& path, Cycle head) const {
    head = std::max<Cycle>(head, config_.node.send_startup);
    const Cycle last =
        std::max(injected(flits, head), saturating_add(head, span(flits, path.loop)));
    return saturating_add(last, path.cycles);
}

Cycle longest_idle(const Config& config, const Graph& graph, std::uint64_t flits) {
    const FabricConfig& fabric = config.fabric;
    const ChannelPace pace(fabric);
    const Cycle per_link = fabric.switches_circuits() ? fabric.setup_delay : fabric.router_delay;
    IdlePath path;
    path.loop = pace.injection_loop();
    std::vector<Cycle> hops;
    hops.reserve(graph.link_count());
    for (const Link& link : graph.links()) {
        hops.push_back(saturating_add(per_link, link.delay));
        path.loop = std::max(path.loop, pace.loop(link));
    }
    NodeId start = 0;
    while (start < graph.node_count() && !graph.is_alive(start)) ++start;
    path.cycles = fabric.router_delay;
    if (start < graph.node_count()) {  // over that node there is a way from each to each
        for (const Way way : {Way::kTo, Way::kFrom}) {
            const Cycle most = farthest(DelaySearch(graph, way, hops).delays(start));
            path.cycles = saturating_add(path.cycles, most);
        }
    }
    return IdleMessage(config).delivered(flits, path);
}

IdlePaths::IdlePaths(const Config& config, const Graph& graph, const Routing& routing)
    : graph_(graph),
      routing_(routing),
      are_fixed_(routing.path_choice() == PathChoice::kFixed),
      circuits_(config.fabric.switches_circuits()),
      per_link_(circuits_ ? config.fabric.setup_delay : config.fabric.router_delay),
      injection_(circuits_ ? 0 : config.fabric.router_delay),
      pace_(config.fabric) {
    hops_.reserve(graph.link_count());
    for (const Link& link : graph.links()) {
        hops_.push_back({per_link_ + link.delay, pace_.loop(link), link.to});
    }
}

/// With another link in front. Cycles are those of the links alone.
IdlePath IdlePaths::prolonged(LinkId first, IdlePath rest) const {
    rest.cycles += hops_[first].cycles;
    rest.loop = std::max(rest.loop, hops_[first].loop);
    if (rest.last == kNoLink) rest.last = first;
    rest.first = first;
    return rest;
}

IdlePath IdlePaths::walk(NodeId source, NodeId destination) {
    constexpr std::size_t kMostKnown = std::size_t{1} << 20;  // 24 MB
    const std::size_t nodes = graph_.node_count();
    IdlePath path;
    path.loop = pace_.injection_loop();
    trail_.clear();
    std::size_t length = 0;
    for (NodeId at = source; at != destination; ++length) {
        if (!known_.empty()) {
            const IdlePath& rest = known_[destination * nodes + at];
            if (rest.first != kNoLink) {
                path = rest;
                break;
            }
        }
        const LinkId id = graph_.out_link(at, routing_.route(at, destination).port);
        if (id == kNoLink || length > nodes) {
            throw std::logic_error("IdlePaths: the routing does not reach the destination");
        }
        const Hop& hop = hops_[id];
        at = hop.to;
        if (!known_.empty()) {
            trail_.push_back(id);
            continue;
        }
        path.cycles += hop.cycles;
        path.loop = std::max(path.loop, hop.loop);
        if (length == 0) path.first = id;
        path.last = id;
    }
    walked_ += length;
    for (; !trail_.empty(); trail_.pop_back()) {
        path = prolonged(trail_.back(), path);
        known_[destination * nodes + graph_.link(trail_.back()).from] = path;
    }
    if (known_.empty() && nodes * nodes <= kMostKnown && walked_ > nodes * nodes / 16) {
        known_.resize(nodes * nodes);
    }
    return path;
}

/// What path() says.
IdlePath IdlePaths::found(NodeId source, NodeId destination, LinkId first) {
    const bool detours = first != kNoLink && source != destination;
    IdlePath path = walk(detours ? graph_.link(first).to : source, destination);
    if (detours) path = prolonged(first, path);
    path.cycles = total(path.cycles);
    return path;
}

/// Where paths are not fixed.
IdlePath IdlePaths::quickest(NodeId source, NodeId destination) {
    if (source != source_) start(source);
    while (!open_.empty() && open_.top().first < delay_[destination]) go_on();
    return {total(delay_[destination]), pace_.injection_loop(), kNoLink, kNoLink};
}

void IdlePaths::start(NodeId source) {
    source_ = source;
    delay_.assign(graph_.node_count(), kNever);
    delay_[source] = 0;
    open_ = {};
    open_.push({0, source});
}

void IdlePaths::go_on() {
    const auto [delay, node] = open_.top();
    open_.pop();
    if (delay > delay_[node]) return;
    for (PortId port = 1; port < graph_.port_count(); ++port) {
        const LinkId id = graph_.out_link(node, port);
        if (id == kNoLink) continue;
        const Hop& hop = hops_[id];
        const Cycle through = delay + hop.cycles;
        if (through >= delay_[hop.to]) continue;
        delay_[hop.to] = through;
        open_.push({through, hop.to});
    }
}

}  // namespace flitscope
