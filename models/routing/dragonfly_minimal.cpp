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
/// the destination chooses one. A packet that has still to leave its group takes the lower half of
/// the virtual channels, one that is in the group of its destination the upper half: local channels
/// are waited for by global ones and wait for them, but never the same ones.
class DragonflyMinimal final : public Routing {
public:
    DragonflyMinimal(const DragonflyShape& shape, std::uint32_t virtual_channels)
        : shape_(shape),
          leaving_(ChannelHalves(virtual_channels).lower.mask),
          arriving_(ChannelHalves(virtual_channels).upper.mask) {}

    std::string name() const override { return "dragonfly_minimal"; }

    RouteChoice route(NodeId at, NodeId destination) const override {
        if (at == destination) return {kLocalPort};
        const std::uint32_t from = shape_.group(at);
        const std::uint32_t to = shape_.group(destination);
        const std::uint32_t router = shape_.router(at);
        if (from == to) {
            return {DragonflyShape::port_to(router, shape_.router(destination)), arriving_};
        }
        const std::uint32_t round = shape_.router(destination) % shape_.channels_per_pair();
        const std::uint32_t channel = shape_.channel(from, to, round);
        const std::uint32_t owner = shape_.owner(channel);
        if (router == owner) return {shape_.global_port(channel)};
        return {DragonflyShape::port_to(router, owner), leaving_};
    }

    /// Local, global, local: of each router, whatever the destination.
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        const std::uint32_t leaving = lowest_channel(leaving_);
        const std::uint32_t arriving = lowest_channel(arriving_);
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const bool is_global = shape_.group(link.from) != shape_.group(link.to);
            const PortId first = is_global ? 1 : shape_.group_size;
            const PortId end = is_global ? shape_.group_size : graph.port_count();
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
    DragonflyShape shape_;
    std::uint8_t leaving_;
    std::uint8_t arriving_;
};

}  // namespace

std::unique_ptr<Routing> make_dragonfly_minimal(const DragonflyShape& shape,
                                                std::uint32_t virtual_channels) {
    return std::make_unique<DragonflyMinimal>(shape, virtual_channels);
}

}  // namespace flitscope
