// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/working_nodes.h"

#include <algorithm>

#include "models/topology/graph.h"

namespace flitscope {

std::vector<NodeId> working_nodes(const Graph& graph) {
    std::vector<NodeId> nodes;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (graph.is_alive(node)) nodes.push_back(node);
    }
    return nodes;
}

std::uint32_t working_nodes_at(const Graph& graph, RouterId router) {
    const NodesOfRouter nodes = graph.nodes_at(router);
    return static_cast<std::uint32_t>(std::count_if(
        nodes.begin(), nodes.end(), [&graph](NodeId node) { return graph.is_alive(node); }));
}

}  // namespace flitscope
