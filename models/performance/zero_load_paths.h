// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The latency of a message without contention, from hw/TIMING.md.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/config/node_config.h"
#include "models/config/packet_format.h"
#include "models/performance/channel_pace.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;
struct HardwareConfig;

/// Cycles that the node's memory needs to feed `flits` at `rate`: ceil(flits * q / p), cut off at
/// 64 bits.
Cycle assembly_cycles(std::uint64_t flits, Rate rate);

/// The way of a message on an idle network.
struct ZeroLoadPath {
    Cycle cycles = 0;        ///< from the injection of a flit to its ejection
    std::uint32_t loop = 0;  ///< the longest time of its channels until a slot can be filled again
    std::uint32_t rate_cycles = 1;  ///< the most cycles that one of its links needs for a flit
    LinkId first = kNoLink;
    LinkId last = kNoLink;
    std::uint32_t links = 0;     ///< minimum; 0 if unknown
    std::uint32_t rate_sum = 0;  ///< cycles that all its links need for a flit; 0 if unknown
};

/// The earliest cycles in which the tail of a message is injected and delivered.
class ZeroLoadMessage {
public:
    explicit ZeroLoadMessage(const HardwareConfig& config);

    /// Cycles from the start of its send to the injection of its tail: startup, assembly of all
    /// packets but the last, and the flits of that one. `head`: the earliest cycle for its first
    /// flit, counted in the same way.
    Cycle injected(std::uint64_t flits, Cycle head = 0) const {
        return passed(flits, pace_.injection_loop(), head);
    }
    /// Cycles from the start of its send until its tail has passed a channel whose slots can be
    /// filled again after `loop` cycles, and which takes a flit in `rate_cycles`, its delay apart.
    Cycle passed(std::uint64_t flits, Cycle loop, Cycle head = 0,
                 std::uint32_t rate_cycles = 1) const;
    /// Cycles from the start of its send to the delivery of its tail over `path`. Its packets may
    /// wait for each other, which is counted in part only: see is_exact().
    Cycle delivered(std::uint64_t flits, const ZeroLoadPath& path, Cycle head = 0) const;
    /// Whether a message on an idle network takes as long as delivered() says over a path with
    /// known links: it is one packet, or no packet stops, because memory is as fast as the channel
    /// and FIFOs are deep enough.
    bool is_exact(std::uint64_t flits, const ZeroLoadPath& path) const;
    /// Upper bound on the cycles that a message of `flits` flits takes to pass a channel with that
    /// loop and rate, from the start of its send: packets follow as slowly as on one virtual
    /// channel.
    Cycle slowest(std::uint64_t flits, Cycle loop, std::uint32_t rate_cycles) const;
    /// Cycles that the longest of its packets is stored in a router on its way, behind a link that
    /// takes a flit in `rate_cycles`.
    Cycle storing(std::uint64_t flits, std::uint32_t rate_cycles) const {
        return stored(first_packet(flits), 2, rate_cycles);
    }

private:
    std::uint64_t first_packet(std::uint64_t flits) const;
    std::uint64_t last_packet(std::uint64_t flits) const;
    Cycle assembled(std::uint64_t flits) const;
    Cycle span(std::uint64_t flits, Cycle loop, std::uint32_t rate_cycles) const;
    Cycle stored(std::uint64_t packet, std::uint32_t links, std::uint32_t flit_cycles) const;

    const HardwareConfig& config_;
    const PacketFormat format_;
    const ChannelPace pace_;
};

/// Estimates the most cycles that a message of `flits` flits takes on an idle network along
/// shortest paths: no less than between any two nodes, and at most that of a path twice as long.
/// Two searches, whatever the size of the network.
Cycle longest_idle(const HardwareConfig& config, const Graph& graph, std::uint64_t flits);

/// Delays of paths: those of the routing, or if it chooses among several, the one with the least
/// delay.
class ZeroLoadPaths {
public:
    /// All arguments must outlive this object.
    ZeroLoadPaths(const HardwareConfig& config, const Graph& graph, const Routing& routing);

    const Graph& graph() const { return graph_; }
    const Routing& routing() const { return routing_; }
    bool are_fixed() const { return are_fixed_; }
    /// The path of a routing with fixed paths; if `first` is a link, the path begins with it.
    /// Throws std::logic_error when the path does not arrive. Quick for many paths, since the rest
    /// of a path after a router does not depend on the source.
    ZeroLoadPath path(NodeId source, NodeId destination, LinkId first = kNoLink) {
        if (first == kNoLink && !known_.empty()) {
            const ZeroLoadPath& known = known_path(places_.router_of(source), destination);
            if (known.first != kNoLink) {
                ZeroLoadPath path = known;
                path.cycles = total(known.cycles);
                return path;
            }
        }
        return found(source, destination, first);
    }
    /// The path of any routing; quick if calls are grouped by source. If paths are not fixed, it
    /// has no links, and the loop of the injection channel.
    ZeroLoadPath shortest(NodeId source, NodeId destination, LinkId first = kNoLink) {
        return are_fixed_ ? path(source, destination, first) : quickest(source, destination);
    }
    /// A path that takes no longer than any between two nodes of the network.
    ZeroLoadPath least() const;
    /// The link from `at` towards `destination`, which is attached to another router, for a routing
    /// with fixed paths; kNoLink if there is no such link.
    LinkId next(RouterId at, NodeId destination) const {
        if (!known_.empty()) {
            const LinkId known = known_path(at, destination).first;
            if (known != kNoLink) return known;
        }
        return routed(at, destination);
    }

private:
    using Reached = std::pair<Cycle, RouterId>;

    /// A flit is delivered in its last cycle on a circuit, not in the one after it.
    Cycle total(Cycle links) const {
        return injection_ + links - (circuits_ && links != 0 ? 1 : 0);
    }
    const ZeroLoadPath& known_path(RouterId at, NodeId destination) const {
        return known_[destination * std::size_t{routers_} + at];
    }
    LinkId routed(RouterId at, NodeId destination) const;
    ZeroLoadPath found(NodeId source, NodeId destination, LinkId first);
    ZeroLoadPath quickest(NodeId source, NodeId destination);
    ZeroLoadPath prolonged(LinkId first, ZeroLoadPath rest) const;
    ZeroLoadPath walk(RouterId start, NodeId destination);
    void start(RouterId source);
    void go_on();

    const Graph& graph_;
    const Routing& routing_;
    const NodePlaces& places_;
    const std::uint32_t routers_;
    const bool are_fixed_;
    // What a path adds to the time of a message without contention; before a circuit is used, the
    // time of its set-up.
    const bool circuits_;
    const Cycle injection_;
    const ChannelPace pace_;
    struct Hop {  // a link as a path uses it
        Cycle cycles;
        std::uint32_t loop;
        std::uint32_t rate_cycles;
        RouterId to;
    };
    std::vector<Hop> hops_;
    // Known fixed paths, as given by prolonged(): per destination and router, without a first link
    // if unknown. Empty until enough was walked for it to pay.
    std::vector<ZeroLoadPath> known_;
    std::size_t walked_ = 0;     // links
    std::vector<LinkId> trail_;  // path of walk(), if something is known
    // Dijkstra's algorithm from source_, as far as was needed.
    RouterId source_{UINT32_MAX};
    std::vector<Cycle> delay_;  // per router
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open_;
};

}  // namespace flitscope
