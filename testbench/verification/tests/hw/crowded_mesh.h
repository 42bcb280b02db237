// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A mesh whose routers have several nodes, one, or none.
#pragma once

#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/node_places.h"

namespace flitscope {

/// 3 x 2 routers: nodes 1, 2 and 6 on router 0, nodes 3 and 5 on router 1, none on router 2.
inline Graph crowded_mesh() {
    Graph graph = build_mesh({3, 2});
    std::vector<RouterId> places;
    for (const std::uint32_t router : {4U, 0U, 0U, 1U, 5U, 1U, 0U, 3U}) places.emplace_back(router);
    const auto nodes = static_cast<NodeId>(places.size());
    graph.attach(NodePlaces(std::move(places), graph.router_count()), {nodes});
    return graph;
}

}  // namespace flitscope
