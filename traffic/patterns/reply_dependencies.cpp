// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/reply_dependencies.h"

#include "models/config/workload_config.h"
#include "models/routing/channel_dependency.h"
#include "models/topology/graph.h"
#include "traffic/patterns/message_classes.h"

namespace flitscope {

ReplyDependencies::ReplyDependencies(const WorkloadConfig& config, const Routing& routing)
    : routing_(routing),
      networks_(config.fabric.class_count()),
      channels_(config.fabric.channels_per_class()) {
    const MessageClasses classes(config);
    const auto of_replies = config.fabric.class_named(config.traffic.reply_class);
    for (std::uint32_t k = 0; k < networks_; ++k) {
        if (!classes.sends(static_cast<MessageClass>(k))) continue;
        exchanges_.emplace_back(k, of_replies.value_or(static_cast<MessageClass>(k)));
    }
}

void ReplyDependencies::visit_dependencies(const Graph& graph,
                                           const DependencyVisitor& visit) const {
    // Per link, the virtual channels of a network between which the routing makes a difference.
    std::vector<std::uint8_t> known(graph.link_count(), 0);
    const auto note = [&](const VirtualLink& channel) {
        if (channel.link >= known.size()) return;
        known[channel.link] = static_cast<std::uint8_t>(known[channel.link] | 1U << channel.vc);
    };
    routing_.visit_dependencies(graph, [&](VirtualLink holds, VirtualLink wants) {
        note(holds);
        note(wants);
        for (std::uint32_t k = 0; k < networks_; ++k) {
            visit({holds.link, holds.vc + k * channels_}, {wants.link, wants.vc + k * channels_});
        }
    });
    const auto for_each_channel = [&](LinkId link, std::uint32_t network, auto tell) {
        const std::uint32_t channels = known[link] == 0 ? 1U : known[link];
        for (std::uint32_t vc = 0; vc < channels_; ++vc) {
            if ((channels >> vc & 1) != 0) tell(VirtualLink{link, network * channels_ + vc});
        }
    };
    for (NodeId node = 0; node < graph.endpoint_count(); ++node) {
        for (PortId in = 1; in < graph.port_count(); ++in) {
            const LinkId arrives = graph.in_link(node, in);
            if (arrives == kNoLink) continue;
            for (PortId out = 1; out < graph.port_count(); ++out) {
                const LinkId leaves = graph.out_link(node, out);
                if (leaves == kNoLink) continue;
                // No structured binding: clang 14 lambdas cannot refer to one.
                for (const auto& exchange : exchanges_) {
                    for_each_channel(arrives, exchange.first, [&](VirtualLink holds) {
                        for_each_channel(leaves, exchange.second,
                                         [&](VirtualLink wants) { visit(holds, wants); });
                    });
                }
            }
        }
    }
}

std::vector<VirtualLink> find_reply_cycle(const WorkloadConfig& config, const Graph& graph,
                                          const Routing& routing) {
    if (config.traffic.reply_queue == 0 || !config.traffic.reply_bytes) return {};
    return find_dependency_cycle(graph, ReplyDependencies(config, routing));
}

}  // namespace flitscope
