// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routings seen from outside: the choices that a packet has at a node, the dependencies that are
// stated, and distances counted apart from them by breadth-first search.
#pragma once

#include <cstdint>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/config/topology_config.h"
#include "models/config/value_named.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"

namespace flitscope {

using Sides = std::vector<std::uint32_t>;
using Dependencies = std::set<std::pair<std::pair<LinkId, std::uint32_t>,  //
                                        std::pair<LinkId, std::uint32_t>>>;

// Ports of routers of meshes and tori in two dimensions.
constexpr PortId kEast = 1;
constexpr PortId kWest = 2;
constexpr PortId kSouth = 3;
constexpr PortId kNorth = 4;

inline std::vector<std::uint32_t> distances_to(const Graph& graph, NodeId destination) {
    std::vector<std::uint32_t> distance(graph.node_count(), UINT32_MAX);
    std::queue<NodeId> open;
    distance[destination] = 0;
    open.push(destination);
    for (; !open.empty(); open.pop()) {
        for (PortId port = 1; port < graph.port_count(); ++port) {
            const LinkId id = graph.in_link(open.front(), port);
            if (id == kNoLink || distance[graph.link(id).from] != UINT32_MAX) continue;
            distance[graph.link(id).from] = distance[open.front()] + 1;
            open.push(graph.link(id).from);
        }
    }
    return distance;
}

inline RouteChoices choices_of(const Routing& routing, NodeId at, NodeId source,
                               NodeId destination) {
    RouteQuery query;
    query.at = at;
    query.source = source;
    query.destination = destination;
    RouteChoices choices;
    routing.route(query, choices);
    return choices;
}

inline std::vector<PortId> ports_of(const RouteChoices& choices) {
    std::vector<PortId> ports;
    for (std::size_t i = 0; i < choices.size(); ++i) ports.push_back(choices[i].port);
    return ports;
}

inline Dependencies stated(const Graph& graph, const Routing& routing) {
    Dependencies dependencies;
    routing.visit_dependencies(graph, [&](VirtualLink a, VirtualLink b) {
        dependencies.insert({{a.link, a.vc}, {b.link, b.vc}});
    });
    return dependencies;
}

inline Graph express(const Sides& dims, std::uint32_t segment, const std::string& layout) {
    TopologyConfig topology;
    topology.kind = "express_mesh";
    topology.dims = dims;
    topology.segment = segment;
    topology.layout = value_named(kExpressLayouts, layout).value();
    return build_express_mesh(topology);
}

}  // namespace flitscope
