// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routings seen from outside: the choices that a packet has at a router, the dependencies that are
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
#include "models/topology/node_places.h"

namespace flitscope {

using Sides = std::vector<std::uint32_t>;
using Dependencies = std::set<std::pair<std::pair<LinkId, std::uint32_t>,  //
                                        std::pair<LinkId, std::uint32_t>>>;

// Ports of routers of meshes and tori in two dimensions.
constexpr PortId kEast = 1;
constexpr PortId kWest = 2;
constexpr PortId kSouth = 3;
constexpr PortId kNorth = 4;

/// The network with so many nodes on each router: node n on router n / each.
inline Graph with_nodes_per_router(Graph graph, NodeId each) {
    std::vector<RouterId> places;
    for (NodeId node = 0; node < each * graph.router_count(); ++node) {
        places.emplace_back(node / each);
    }
    std::vector<std::uint32_t> node_dims = graph.dims();
    node_dims.back() *= each;
    graph.attach(NodePlaces(std::move(places), graph.router_count()), std::move(node_dims));
    return graph;
}

/// Links from every router to that of the destination.
inline std::vector<std::uint32_t> distances_to(const Graph& graph, NodeId destination) {
    std::vector<std::uint32_t> distance(graph.router_count(), UINT32_MAX);
    std::queue<RouterId> open;
    open.push(graph.router_of(destination));
    distance[open.front()] = 0;
    for (; !open.empty(); open.pop()) {
        for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
            const LinkId id = graph.in_link(open.front(), port);
            if (id == kNoLink || distance[graph.link(id).from] != UINT32_MAX) continue;
            distance[graph.link(id).from] = distance[open.front()] + 1;
            open.push(graph.link(id).from);
        }
    }
    return distance;
}

/// At the router with the number `at`.
inline RouteChoices choices_of(const Routing& routing, std::uint32_t at, NodeId source,
                               NodeId destination) {
    RouteQuery query;
    query.at = RouterId(at);
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
