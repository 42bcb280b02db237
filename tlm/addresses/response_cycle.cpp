// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/addresses/response_cycle.h"

#include <memory>
#include <set>
#include <utility>

#include "models/config/config.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/reply_dependencies.h"
#include "models/topology/graph.h"

namespace flitscope {

MessageClass request_class(const Config& config) {
    return config.fabric.class_named(config.interconnect->request_class).value_or(0);
}

MessageClass response_class(const Config& config) {
    return config.fabric.class_named(config.interconnect->response_class)
        .value_or(request_class(config));
}

namespace {

/// The links of a platform over which messages enter and leave the routers of its targets, if the
/// routing has fixed paths.
class ExchangeLinks {
public:
    ExchangeLinks(const Config& config, const Graph& graph, const Routing& routing) {
        const InterconnectConfig& interconnect = *config.interconnect;
        const bool shares_class = request_class(config) == response_class(config);
        for (const NodeId initiator : interconnect.initiators) {
            for (const InterconnectTarget& target : interconnect.targets) {
                const auto [out, in] = ends(graph, routing, initiator, target.node);
                enters_.emplace(target.node, in);
                if (shares_class) leaves_.emplace(initiator, out);
                leaves_.emplace(target.node, ends(graph, routing, target.node, initiator).first);
            }
        }
    }
    bool enters(NodeId node, LinkId link) const { return enters_.count({node, link}) != 0; }
    bool leaves(NodeId node, LinkId link) const { return leaves_.count({node, link}) != 0; }

private:
    /// The first and the last link of a path; kNoLink within a router.
    static std::pair<LinkId, LinkId> ends(const Graph& graph, const Routing& routing, NodeId from,
                                          NodeId to) {
        std::pair<LinkId, LinkId> ends(kNoLink, kNoLink);
        for (RouterId at = graph.router_of(from); at != graph.router_of(to);) {
            ends.second = graph.out_link(at, routing.route(at, to).port);
            if (ends.first == kNoLink) ends.first = ends.second;
            at = graph.link(ends.second).to;
        }
        return ends;
    }

    std::set<std::pair<NodeId, LinkId>> enters_;
    std::set<std::pair<NodeId, LinkId>> leaves_;
};

}  // namespace

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
    if (routing.path_choice() == PathChoice::kFixed) {
        const auto links = std::make_shared<const ExchangeLinks>(config, graph, routing);
        exchanges.enters = [links](NodeId node, LinkId link) { return links->enters(node, link); };
        exchanges.leaves = [links](NodeId node, LinkId link) { return links->leaves(node, link); };
    }
    return find_dependency_cycle(graph,
                                 ReplyDependencies(config.fabric, std::move(exchanges), routing));
}

void require_responses(const Config& config, const Graph& graph,
                       const std::vector<VirtualLink>& cycle) {
    if (cycle.empty() || config.fabric.allow_deadlock) return;
    throw ConfigError(
        config.where("interconnect.request_queue"),
        "requests and responses may deadlock: if a node accepts no more requests, packets may wait "
        "in the cycle " +
            describe_cycle(graph, cycle),
        "name a class for responses only (fabric.classes, interconnect.response_class), leave "
        "interconnect.request_queue out, or set fabric.allow_deadlock: true");
}

}  // namespace flitscope
