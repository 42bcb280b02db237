// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/reply_cycle.h"

#include <cstdint>
#include <utility>

#include "models/config/workload_config.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/reply_dependencies.h"
#include "traffic/patterns/message_classes.h"
#include "traffic/patterns/pattern.h"

namespace flitscope {

std::vector<VirtualLink> find_reply_cycle(const WorkloadConfig& config, const Pattern& pattern,
                                          const Graph& graph, const Routing& routing) {
    if (config.traffic.reply_queue == 0 || !config.traffic.reply_bytes) return {};
    const MessageClasses classes(config);
    const auto of_replies = config.fabric.class_named(config.traffic.reply_class);
    Exchanges exchanges;
    for (std::uint32_t k = 0; k < config.fabric.class_count(); ++k) {
        const auto of_requests = static_cast<MessageClass>(k);
        if (!classes.sends(of_requests)) continue;
        exchanges.classes.emplace_back(of_requests, of_replies.value_or(of_requests));
    }
    exchanges.may_refuse = [](NodeId) { return true; };
    exchanges.sends = [&pattern](NodeId from, NodeId to) {
        return pattern.sends(from) && pattern.share(from, to) != 0;
    };
    return find_dependency_cycle(graph,
                                 ReplyDependencies(config.fabric, std::move(exchanges), routing));
}

}  // namespace flitscope
