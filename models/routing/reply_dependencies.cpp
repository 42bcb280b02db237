// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/reply_dependencies.h"

#include <utility>

#include "models/config/fabric_config.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"

namespace flitscope {

ReplyDependencies::ReplyDependencies(const FabricConfig& fabric, Exchanges exchanges,
                                     const Routing& routing)
    : Routing(routing.places()),
      routing_(routing),
      exchanges_(std::move(exchanges)),
      networks_(fabric.class_count()),
      channels_(fabric.channels_per_class()) {}

void ReplyDependencies::visit_dependencies(const Graph& graph,
                                           const DependencyVisitor& visit) const {
    // Per link, the virtual channels of a network between which the routing makes a difference.
    std::vector<VcMask> known(graph.link_count(), 0);
    const auto note = [&](const VirtualLink& channel) {
        if (channel.link >= known.size()) return;
        known[channel.link] = static_cast<VcMask>(known[channel.link] | 1U << channel.vc);
    };
    // The places of a routing's own stand behind the injection channels.
    const ChannelMap channels(graph);
    const auto moved = [&](LinkId link) {
        return channels.is_link(link) ? link : channels.count() + link - graph.link_count();
    };
    routing_.visit_dependencies(graph, [&](VirtualLink holds, VirtualLink wants) {
        note(holds);
        note(wants);
        holds.link = moved(holds.link);
        wants.link = moved(wants.link);
        for (std::uint32_t k = 0; k < networks_; ++k) {
            visit({holds.link, holds.vc + k * channels_}, {wants.link, wants.vc + k * channels_});
        }
    });
    const auto for_each_channel = [&](LinkId link, std::uint32_t network, auto tell) {
        const std::uint32_t used = known[link] == 0 ? 1U : known[link];
        for (std::uint32_t vc = 0; vc < channels_; ++vc) {
            if ((used >> vc & 1) != 0) tell(VirtualLink{link, network * channels_ + vc});
        }
    };
    const auto injection = [&](NodeId node, std::uint32_t network) {
        return VirtualLink{channels.injection(node), network * channels_};
    };
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (!graph.is_alive(node) || !exchanges_.may_refuse(node)) continue;
        const RouterId router = graph.router_of(node);
        // No structured binding: clang 14 lambdas cannot refer to one.
        for (const auto& exchange : exchanges_.classes) {
            const VirtualLink replies = injection(node, exchange.second);
            for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
                const auto counts = [node](const auto& holds, LinkId link) {
                    return link != kNoLink && (!holds || holds(node, link));
                };
                if (const LinkId in = graph.in_link(router, port); counts(exchanges_.enters, in)) {
                    for_each_channel(in, exchange.first,
                                     [&](VirtualLink holds) { visit(holds, replies); });
                }
                if (const LinkId out = graph.out_link(router, port);
                    counts(exchanges_.leaves, out)) {
                    for_each_channel(out, exchange.second,
                                     [&](VirtualLink wants) { visit(replies, wants); });
                }
            }
            for (const NodeId other : graph.nodes_at(router)) {
                if (!exchanges_.sends(other, node)) continue;
                visit(injection(other, exchange.first), replies);
            }
        }
    }
}

}  // namespace flitscope
