// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/addresses/response_cycle.h"

#include <set>
#include <utility>

#include "models/config/config.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/reply_dependencies.h"

namespace flitscope {

MessageClass request_class(const Config& config) {
    return config.fabric.class_named(config.interconnect->request_class).value_or(0);
}

MessageClass response_class(const Config& config) {
    return config.fabric.class_named(config.interconnect->response_class)
        .value_or(request_class(config));
}

std::vector<VirtualLink> find_response_cycle(const Config& config, const Graph& graph,
                                             const Routing& routing) {
    const InterconnectConfig& interconnect = *config.interconnect;
    if (interconnect.request_queue == 0) return {};
    const std::set<NodeId> initiators(interconnect.initiators.begin(),
                                      interconnect.initiators.end());
    std::set<NodeId> targets;
    for (const InterconnectTarget& target : interconnect.targets) targets.insert(target.node);
    Exchanges exchanges;
    exchanges.classes = {{request_class(config), response_class(config)}};
    exchanges.may_refuse = [&targets](NodeId node) { return targets.count(node) != 0; };
    exchanges.sends = [&initiators](NodeId from, NodeId) { return initiators.count(from) != 0; };
    return find_dependency_cycle(graph,
                                 ReplyDependencies(config.fabric, std::move(exchanges), routing));
}

void require_responses(const Config& config, const Graph& graph,
                       const std::vector<VirtualLink>& cycle) {
    if (cycle.empty() || config.fabric.allow_deadlock) return;
    throw ConfigError(
        config.where("interconnect.request_queue"),
        "requests and responses can deadlock: if a node accepts no more requests, packets may wait "
        "in the cycle " +
            describe_cycle(graph, cycle),
        "name a class for responses only (fabric.classes, interconnect.response_class), leave "
        "interconnect.request_queue out, or set fabric.allow_deadlock: true");
}

}  // namespace flitscope
