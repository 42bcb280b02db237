// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What has failed in a network, as lists for reports and errors.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/config/faults_config.h"
#include "models/config/interconnect_config.h"
#include "models/topology/faults/faults.h"
#include "models/topology/faults/working_network.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

/// The name of a link's channel by which `faults.links` means only that: "3-4", or the name of its
/// first link if others have the same ends.
std::string channel_name(const Graph& graph, LinkId first) {
    const Link& link = graph.link(first);
    const bool has_parallels = graph.link_between(link.from, link.to, 1) != kNoLink ||
                               graph.link_between(link.to, link.from, 1) != kNoLink;
    if (has_parallels) return graph.link_name(first);
    return fmt::format("{}-{}", std::min(link.from, link.to), std::max(link.from, link.to));
}

}  // namespace

std::vector<LinkId> dead_links(const Graph& graph) {
    std::vector<LinkId> dead;
    const Graph& whole = graph.whole();
    for (LinkId id = 0; id < whole.link_count(); ++id) {
        const Link& link = whole.link(id);
        if (!graph.is_alive(link.from) || !graph.is_alive(link.to)) continue;
        if (graph.out_link(link.from, link.from_port) == kNoLink) dead.push_back(id);
    }
    return dead;
}

std::vector<std::string> dead_channels(const Graph& graph) {
    std::vector<std::string> names;
    std::set<LinkId> named;
    for (const LinkId id : dead_links(graph)) {
        const LinkId first = std::min(id, other_link(graph.whole(), id));
        if (named.insert(first).second) names.push_back(channel_name(graph.whole(), first));
    }
    return names;
}

std::vector<NodeId> dead_nodes(const Graph& graph) {
    std::vector<NodeId> nodes;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (!graph.is_alive(node)) nodes.push_back(node);
    }
    if (!graph.places().is_one_each()) return nodes;
    for (const RouterId router : dead_routers(graph)) {
        if (graph.nodes_at(router).empty()) nodes.push_back(router.number());
    }
    return nodes;
}

std::vector<RouterId> dead_routers(const Graph& graph) {
    std::vector<RouterId> routers;
    for (RouterId router; router < graph.router_count(); ++router) {
        if (!graph.is_alive(router)) routers.push_back(router);
    }
    return routers;
}

void require_working_interconnect(const Config& config, const Graph& graph) {
    const InterconnectConfig& interconnect = *config.interconnect;
    const auto require = [&](const char* what, const char* key, NodeId node) {
        if (graph.is_alive(node)) return;
        throw ConfigError(
            config.where(key),
            fmt::format("{} at node {}, which has failed (section faults)", what, node),
            "let it live, or use another node");
    };
    for (const NodeId node : interconnect.initiators) {
        require("an initiator is", "interconnect.initiators", node);
    }
    for (const InterconnectTarget& target : interconnect.targets) {
        require("a target is", "interconnect.targets", target.node);
    }
}

ConfigError dead_node_error(const Location& where, const std::string& what) {
    return {where, what + " is dead (section faults)",
            "set faults.traffic: drop to leave out the messages of failed nodes"};
}

}  // namespace flitscope
