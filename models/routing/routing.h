// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which output a packet requests. A routing function is a pure function of the RouteQuery, so the
// same object serves the simulators, the bounds and the deadlock check.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/base/types.h"
#include "models/routing/packet_coin.h"
#include "models/topology/node_places.h"

namespace flitscope {

class Graph;
class LinkQueues;

inline constexpr VcMask kAllVirtualChannels = static_cast<VcMask>(~0U);

/// The request of a head flit: an output port, and the virtual channels of that output that it may
/// be given (bit v = virtual channel v).
struct RouteChoice {
    PortId port = kLocalPort;
    VcMask virtual_channels = kAllVirtualChannels;
};

/// A head flit at a router: all that a routing function may look at.
struct RouteQuery {
    RouterId at;
    PortId in_port = kLocalPort;
    std::uint32_t in_vc = 0;
    NodeId source = 0;
    NodeId destination = 0;
    std::uint32_t sequence = 0;  ///< number of the packet at its source, modulo 2^32
    bool is_injected = false;    ///< in_port is that of its source

    /// The head of a packet at the router of its source, before its first hop.
    static RouteQuery injected(const NodePlaces& places, NodeId source, NodeId destination,
                               std::uint32_t sequence) {
        return {places.router_of(source),
                places.local_port(source),
                0,
                source,
                destination,
                sequence,
                true};
    }
};

/// The freedom that a routing leaves when a packet is at a router.
enum class PathChoice : std::uint8_t {
    kFixed,      ///< the output follows from router and destination: it fits in a table
    kPerPacket,  ///< one output, which follows from the RouteQuery (oblivious)
    kAdaptive,   ///< several outputs; the router takes one that is free (hw/TIMING.md, step 1)
    kByQueues,   ///< one output, chosen once by what is queued (hw/TIMING.md, "Routing by queues")
};

/// Whether other packets have an influence on the path of a packet.
inline bool depends_on_traffic(PathChoice choice) {
    return choice == PathChoice::kAdaptive || choice == PathChoice::kByQueues;
}

/// The outputs that an adaptive routing offers, in order of preference. Outputs from `escape` on
/// count only if none of those before is available. If there is an escape, the outputs before it
/// may make packets wait for each other cyclically. So these are available only while the FIFO
/// that they lead to is empty: otherwise a packet could wait there without an escape for a packet
/// that also waits (Duato 1993).
class RouteChoices {
public:
    static constexpr std::size_t kMost = 64;

    void clear() { size_ = escape_ = 0; }
    /// An output before the escape. Ports are distinct there. Outputs beyond the size of the list
    /// are dropped; one entry is kept for the escape.
    void add(RouteChoice choice) {
        if (size_ + 1 < kMost) choices_[size_++] = choice;
        escape_ = size_;
    }
    /// Adds an escape after all outputs that have been added.
    void add_escape(RouteChoice choice) {
        if (size_ < kMost) choices_[size_++] = choice;
    }

    /// Changes the port of the only choice: that of a packet which has arrived.
    void set_port(PortId port) { choices_[0].port = port; }

    std::size_t size() const { return size_; }
    std::size_t escape() const { return escape_; }
    bool has_escape() const { return escape_ != size_; }
    const RouteChoice& operator[](std::size_t i) const { return choices_[i]; }

private:
    std::array<RouteChoice, kMost> choices_;
    std::size_t size_ = 0;
    std::size_t escape_ = 0;
};

/// A class of virtual channels of a link between which a routing makes no difference, named by its
/// lowest member. Ids from link_count() on are not links but places of a routing's own through
/// which packets pass on their way from link to link.
struct VirtualLink {
    LinkId link = 0;
    std::uint32_t vc = 0;
};

class Routing {
public:
    virtual ~Routing() = default;

    virtual std::string name() const = 0;
    virtual PathChoice path_choice() const { return PathChoice::kFixed; }
    /// Whether a packet always takes the fastest-varying dimension in which it has not yet arrived:
    /// then logic that compares coordinates routes like this, and needs no table.
    virtual bool takes_dimensions_in_order() const { return false; }
    /// kPerPacket: set if a packet has one of two paths, by a coin where it is injected, after that
    /// by the virtual channel on which it came, and if nothing else but router and destination
    /// counts.
    virtual std::optional<PathCoin> path_coin() const { return std::nullopt; }

    /// The choice at router `at` for a packet to `destination`; the port is that of the node
    /// exactly if it is attached to this router. If the path is not fixed this is the choice of
    /// dimension order, or of another path that a packet may take, as shown in reports.
    RouteChoice route(RouterId at, NodeId destination) const {
        return placed(hop(at, destination), destination);
    }
    /// kPerPacket: the one choice of this packet. kByQueues: that while nothing is queued.
    RouteChoice route(const RouteQuery& query) const {
        return placed(hop(query), query.destination);
    }
    /// kByQueues: the choice of this packet if it makes it in cycle `now`.
    RouteChoice route(const RouteQuery& query, const LinkQueues& queues, Cycle now) const {
        return placed(hop(query, queues, now), query.destination);
    }
    /// kAdaptive: all choices of this packet, at least one.
    void route(const RouteQuery& query, RouteChoices& choices) const {
        hops(query, choices);
        if (choices[0].port == kLocalPort) {
            choices.set_port(places_->local_port(query.destination));
        }
    }

    /// The places of nodes, for a routing based on this one.
    const std::shared_ptr<const NodePlaces>& places() const { return places_; }

    /// Calls `visit(a, b)` for pairs such that a packet may hold `a` while it waits for `b`: every
    /// pair that can occur, possibly more. With an escape only the channels of the escape count,
    /// and `b` is a channel that a packet may request after any number of other channels (Duato
    /// 1993). The default follows every destination of a fixed routing, nodes^2 route() calls;
    /// override it if the turns are known, and whenever the path is not fixed.
    using DependencyVisitor = std::function<void(VirtualLink holds, VirtualLink wants)>;
    virtual void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const;

protected:
    explicit Routing(std::shared_ptr<const NodePlaces> places) : places_(std::move(places)) {}

    /// The basis of route(): `kLocalPort` says that the packet is at the router of its destination,
    /// whatever the port of that node.
    virtual RouteChoice hop(RouterId at, NodeId destination) const = 0;
    virtual RouteChoice hop(const RouteQuery& query) const {
        return hop(query.at, query.destination);
    }
    virtual RouteChoice hop(const RouteQuery& query, const LinkQueues& /*queues*/,
                            Cycle /*now*/) const {
        return hop(query);
    }
    virtual void hops(const RouteQuery& query, RouteChoices& choices) const {
        choices.clear();
        choices.add(hop(query));
    }

    RouterId router_of(NodeId node) const { return places_->router_of(node); }

private:
    RouteChoice placed(RouteChoice choice, NodeId destination) const {
        if (choice.port == kLocalPort) choice.port = places_->local_port(destination);
        return choice;
    }

    std::shared_ptr<const NodePlaces> places_;
};

/// The class that a mask of virtual channels names.
inline std::uint32_t lowest_channel(VcMask virtual_channels) {
    return virtual_channels == 0 ? 0 : static_cast<std::uint32_t>(__builtin_ctz(virtual_channels));
}

/// The links of route(at, destination) from the router of `source` on, in order (empty when that of
/// the destination is the same). Throws std::logic_error when the route does not arrive within
/// router_count() hops.
std::vector<LinkId> route_links(const Graph& graph, const Routing& routing, NodeId source,
                                NodeId destination);

}  // namespace flitscope
