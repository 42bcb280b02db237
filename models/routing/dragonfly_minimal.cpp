// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The shortest way between groups of a dragonfly (Kim, Dally, Scott and Abts 2008, Section 4.1).
#include "models/routing/channel_halves.h"
#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

/// Goes to the router that has a global channel to the group of the destination, over that channel,
/// and to the destination: at most three hops. If there are several such channels, the number of
/// the destination chooses one; if there are more than routers in a group, a router that has some
/// takes one of these. A packet that has still to leave its group takes the lower half of
/// the virtual channels, one that is in the group of its destination the upper half: local channels
/// are waited for by global ones and wait for them, but never the same ones.
class DragonflyMinimal final : public Routing {
public:
    DragonflyMinimal(const Graph& graph, std::uint32_t virtual_channels)
        : Routing(graph.shared_places()),
          shape_(*graph.shape<DragonflyShape>()),
          first_port_(graph.local_ports()),
          leaving_(ChannelHalves(virtual_channels).lower.mask),
          arriving_(ChannelHalves(virtual_channels).upper.mask) {}

    std::string name() const override { return "dragonfly_minimal"; }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        const RouterId last = router_of(destination);
        if (at == last) return {kLocalPort};
        const std::uint32_t from = shape_.group(at);
        const std::uint32_t to = shape_.group(last);
        const std::uint32_t place = shape_.place(at);
        if (from == to) return {port_to(place, shape_.place(last)), arriving_};
        const std::uint32_t channel = shape_.channel(from, to, round(at, destination));
        const std::uint32_t owner = shape_.owner(channel);
        if (place == owner) return {first_port_ + shape_.global_port(channel)};
        return {port_to(place, owner), leaving_};
    }

    /// Local, global, local: of each router, whatever the destination.
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        const std::uint32_t leaving = lowest_channel(leaving_);
        const std::uint32_t arriving = lowest_channel(arriving_);
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const bool is_global = shape_.group(link.from) != shape_.group(link.to);
            const PortId first_global = first_port_ + shape_.global_port(0);
            const PortId first = is_global ? first_port_ : first_global;
            const PortId end = is_global ? first_global : graph.port_count();
            for (PortId port = first; port < end; ++port) {
                const LinkId wanted = graph.out_link(link.to, port);
                if (wanted == kNoLink) continue;
                if (is_global) {
                    visit({id, 0}, {wanted, arriving});
                } else {
                    visit({id, leaving}, {wanted, 0});
                }
            }
        }
    }

private:
    /// The round of the channel to the group of the destination. If the channel belongs to another
    /// router, that one chooses again: the same, or another of its channels.
    std::uint32_t round(RouterId at, NodeId destination) const {
        const RouterId last = router_of(destination);
        const std::uint32_t per_pair = shape_.channels_per_pair();
        if (per_pair > shape_.group_size) {
            const auto [first, end] = shape_.rounds_of(at, shape_.group(last));
            if (first < end) return first + destination % (end - first);
        }
        return shape_.place(last) % per_pair;
    }
    PortId port_to(std::uint32_t place, std::uint32_t other) const {
        return first_port_ + DragonflyShape::port_to(place, other);
    }

    DragonflyShape shape_;
    PortId first_port_;
    VcMask leaving_;
    VcMask arriving_;
};

}  // namespace

std::unique_ptr<Routing> make_dragonfly_minimal(const Graph& dragonfly,
                                                std::uint32_t virtual_channels) {
    return std::make_unique<DragonflyMinimal>(dragonfly, virtual_channels);
}

}  // namespace flitscope
