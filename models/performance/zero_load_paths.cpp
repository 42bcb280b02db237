// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/zero_load_paths.h"

#include <algorithm>
#include <stdexcept>

#include "models/config/hardware_config.h"
#include "models/fabric/channel_timing.h"
#include "models/performance/distances.h"
#include "models/performance/saturating.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

/// The most that is known of any router.
Cycle farthest(const std::vector<Cycle>& delays) {
    Cycle most = 0;
    for (const Cycle delay : delays) {
        if (delay != kNever) most = std::max(most, delay);
    }
    return most;
}

/// Cycles of a head from one router to the next: with circuits its setup, and the way of the data.
Cycle hop_cycles(const FabricConfig& fabric, const Link& link) {
    if (!fabric.switches_circuits()) return ChannelTimings(fabric).link(link).delay;
    return Cycle{fabric.setup_delay} + link.delay + (link.rate_cycles - 1);
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

ZeroLoadMessage::ZeroLoadMessage(const HardwareConfig& config)
    : config_(config), format_(config.packet_format()), pace_(config.fabric) {}

/// Cycles from the first to the last flit of a message over one channel.
Cycle ZeroLoadMessage::span(std::uint64_t flits, Cycle loop, std::uint32_t rate_cycles) const {
    return flits <= first_packet(flits) ? pace_.packet_span(flits, loop, rate_cycles)
                                        : pace_.span(flits, loop, rate_cycles);
}

std::uint64_t ZeroLoadMessage::first_packet(std::uint64_t flits) const {
    if (format_.packet_bytes == 0) return flits;
    return std::min(flits, format_.flits(format_.packet_bytes, 0));
}

/// All packets but the last are full, so its length follows from the number of flits.
std::uint64_t ZeroLoadMessage::last_packet(std::uint64_t flits) const {
    const std::uint64_t full = first_packet(flits);
    return flits > full ? (flits - 1) % full + 1 : flits;
}

/// Cycles from the start of the send until the memory has this many flits ready. A packet leaves
/// only then.
Cycle ZeroLoadMessage::assembled(std::uint64_t flits) const {
    const Rate rate = config_.node.injection_bandwidth;
    if (flits == 0 || !rate.is_slow()) return config_.node.send_overhead;
    return saturating_add(config_.node.send_overhead, assembly_cycles(flits, rate));
}

/// All flits follow the head of the first packet, and the last packet is the last to be ready.
Cycle ZeroLoadMessage::passed(std::uint64_t flits, Cycle loop, Cycle head,
                              std::uint32_t rate_cycles) const {
    const Cycle first = std::max(head, assembled(first_packet(flits)));
    const Cycle last = assembled(flits);
    return std::max(saturating_add(first, span(flits, loop, rate_cycles)),
                    saturating_add(last, pace_.packet_span(last_packet(flits), loop, rate_cycles)));
}

Cycle ZeroLoadMessage::slowest(std::uint64_t flits, Cycle loop, std::uint32_t rate_cycles) const {
    const Cycle start = assembled(flits);
    const std::uint64_t packet = first_packet(flits);
    if (packet == 0) return start;
    const Cycle span = pace_.packet_span(packet, loop, rate_cycles);
    const Cycle next = saturating_add(saturating_add(span, loop), storing(flits, rate_cycles));
    const std::uint64_t others = (flits - 1) / packet;
    return saturating_add(saturating_add(start, span), saturating_multiply(others, next));
}

/// Store-and-forward delay of a packet of this many flits, in all routers but the first and the
/// last: behind all of its `links` but one. A flit takes `flit_cycles` over these together.
Cycle ZeroLoadMessage::stored(std::uint64_t packet, std::uint32_t links,
                              std::uint32_t flit_cycles) const {
    if (!config_.fabric.stores_packets() || links < 2 || packet == 0) return 0;
    return saturating_add(saturating_multiply(flit_cycles, packet - 1),
                          saturating_multiply(links - 1, config_.fabric.combining_delay));
}

Cycle ZeroLoadMessage::delivered(std::uint64_t flits, const ZeroLoadPath& path, Cycle head) const {
    Cycle tail = passed(flits, path.loop, head, path.rate_cycles);
    if (config_.fabric.stores_packets()) {
        // The last packet is stored, after the slowest channel at the latest. So is the first, and
        // every other flit costs a cycle more: after its tail or, if it overtakes in another
        // virtual channel, before it. Cycles lost on the slowest channel are not added to that,
        // since they may be lost before all storing.
        const std::uint32_t others = path.rate_sum - std::min(path.rate_sum, path.rate_cycles);
        const Cycle last = saturating_add(tail, stored(last_packet(flits), path.links, others));
        const Cycle leaves = std::max(head, assembled(first_packet(flits)));
        const Cycle first = saturating_add(saturating_add(leaves, pace_span(flits, 0, 0)),
                                           stored(first_packet(flits), path.links, others));
        tail = std::max(first, last);
    }
    return saturating_add(tail, path.cycles);
}

bool ZeroLoadMessage::is_exact(std::uint64_t flits, const ZeroLoadPath& path) const {
    const std::uint64_t packet = first_packet(flits);
    if (flits <= packet) return true;
    if (config_.fabric.stores_packets() || config_.node.injection_bandwidth.is_slow()) return false;
    const bool waits_for_room = config_.fabric.switching == Switching::kVirtualCutThrough;
    const Cycle room = waits_for_room ? saturating_multiply(packet - 1, path.rate_cycles) : 0;
    const Cycle needed = saturating_add(path.loop, room);
    return config_.fabric.switches_circuits() || config_.fabric.buffer_depth >= needed;
}

Cycle longest_idle(const HardwareConfig& config, const Graph& graph, std::uint64_t flits) {
    const FabricConfig& fabric = config.fabric;
    const ChannelPace pace(fabric);
    const ZeroLoadMessage message(config);
    std::uint32_t loop = pace.injection_loop();
    std::uint32_t rate_cycles = 1;
    std::vector<Cycle> hops;
    hops.reserve(graph.link_count());
    for (const Link& link : graph.links()) {
        hops.push_back(
            saturating_add(hop_cycles(fabric, link), message.storing(flits, link.rate_cycles)));
        loop = std::max(loop, pace.loop(link));
        rate_cycles = std::max(rate_cycles, link.rate_cycles);
    }
    RouterId start;
    while (start < graph.router_count() && !graph.is_alive(start)) ++start;
    Cycle cycles = saturating_add(fabric.router_delay, message.slowest(flits, loop, rate_cycles));
    if (start < graph.router_count()) {  // over that router there is a way from each to each
        for (const Way way : {Way::kTo, Way::kFrom}) {
            const Cycle most = farthest(DelaySearch(graph, way, hops).delays(start));
            cycles = saturating_add(cycles, most);
        }
    }
    return cycles;
}

ZeroLoadPaths::ZeroLoadPaths(const HardwareConfig& config, const Graph& graph,
                             const Routing& routing)
    : graph_(graph),
      routing_(routing),
      places_(graph.places()),
      routers_(graph.router_count()),
      are_fixed_(routing.path_choice() == PathChoice::kFixed),
      circuits_(config.fabric.switches_circuits()),
      injection_(circuits_ ? 0 : config.fabric.router_delay),
      pace_(config.fabric) {
    hops_.reserve(graph.link_count());
    for (const Link& link : graph.links()) {
        hops_.push_back(
            {hop_cycles(config.fabric, link), pace_.loop(link), link.rate_cycles, link.to});
    }
}

ZeroLoadPath ZeroLoadPaths::least() const {
    Cycle links = 0;
    if (graph_.local_ports() == 1 && !hops_.empty()) {
        links = std::min_element(hops_.begin(), hops_.end(), [](const Hop& a, const Hop& b) {
                    return a.cycles < b.cycles;
                })->cycles;
    }
    ZeroLoadPath path;
    path.cycles = total(links);
    path.loop = pace_.injection_loop();
    return path;
}

LinkId ZeroLoadPaths::routed(RouterId at, NodeId destination) const {
    return graph_.out_link(at, routing_.route(at, destination).port);
}

/// The path `rest` with link `first` in front. Cycles are those of the links only.
ZeroLoadPath ZeroLoadPaths::prolonged(LinkId first, ZeroLoadPath rest) const {
    rest.cycles += hops_[first].cycles;
    rest.loop = std::max(rest.loop, hops_[first].loop);
    rest.rate_cycles = std::max(rest.rate_cycles, hops_[first].rate_cycles);
    rest.rate_sum += hops_[first].rate_cycles;
    if (rest.last == kNoLink) rest.last = first;
    rest.first = first;
    ++rest.links;
    return rest;
}

ZeroLoadPath ZeroLoadPaths::walk(RouterId start, NodeId destination) {
    constexpr std::size_t kMostKnown = std::size_t{1} << 20;  // 32 MB
    const std::size_t most_known = std::size_t{places_.node_count()} * routers_;
    const RouterId goal = places_.router_of(destination);
    ZeroLoadPath path;
    path.loop = pace_.injection_loop();
    trail_.clear();
    std::size_t length = 0;
    for (RouterId at = start; at != goal; ++length) {
        if (!known_.empty()) {
            const ZeroLoadPath& rest = known_path(at, destination);
            if (rest.first != kNoLink) {
                path = rest;
                break;
            }
        }
        const LinkId id = routed(at, destination);
        if (id == kNoLink || length > routers_) {
            throw std::logic_error("ZeroLoadPaths: the routing does not reach the destination");
        }
        const Hop& hop = hops_[id];
        at = hop.to;
        if (!known_.empty()) {
            trail_.push_back(id);
            continue;
        }
        path.cycles += hop.cycles;
        path.loop = std::max(path.loop, hop.loop);
        path.rate_cycles = std::max(path.rate_cycles, hop.rate_cycles);
        path.rate_sum += hop.rate_cycles;
        if (length == 0) path.first = id;
        path.last = id;
        ++path.links;
    }
    walked_ += length;
    for (; !trail_.empty(); trail_.pop_back()) {
        path = prolonged(trail_.back(), path);
        const RouterId from = graph_.link(trail_.back()).from;
        known_[destination * std::size_t{routers_} + from] = path;
    }
    if (known_.empty() && most_known <= kMostKnown && walked_ > most_known / 16) {
        known_.resize(most_known);
    }
    return path;
}

/// Finds the path that path() returns.
ZeroLoadPath ZeroLoadPaths::found(NodeId source, NodeId destination, LinkId first) {
    const RouterId from = places_.router_of(source);
    const bool detours = first != kNoLink && from != places_.router_of(destination);
    ZeroLoadPath path = walk(detours ? graph_.link(first).to : from, destination);
    if (detours) path = prolonged(first, path);
    path.cycles = total(path.cycles);
    return path;
}

/// The path with the least delay, if paths are not fixed.
ZeroLoadPath ZeroLoadPaths::quickest(NodeId source, NodeId destination) {
    const RouterId from = places_.router_of(source);
    const RouterId to = places_.router_of(destination);
    if (from != source_) start(from);
    while (!open_.empty() && open_.top().first < delay_[to]) go_on();
    ZeroLoadPath path;
    path.cycles = total(delay_[to]);
    path.loop = pace_.injection_loop();
    return path;
}

void ZeroLoadPaths::start(RouterId source) {
    source_ = source;
    delay_.assign(graph_.router_count(), kNever);
    delay_[source] = 0;
    open_ = {};
    open_.push({0, source});
}

void ZeroLoadPaths::go_on() {
    const auto [delay, router] = open_.top();
    open_.pop();
    if (delay > delay_[router]) return;
    for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
        const LinkId id = graph_.out_link(router, port);
        if (id == kNoLink) continue;
        const Hop& hop = hops_[id];
        const Cycle through = delay + hop.cycles;
        if (through >= delay_[hop.to]) continue;
        delay_[hop.to] = through;
        open_.push({through, hop.to});
    }
}

}  // namespace flitscope
