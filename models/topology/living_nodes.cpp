// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/living_nodes.h"

#include "models/topology/graph.h"

namespace flitscope {

std::vector<NodeId> living_nodes(const Graph& graph) {
    std::vector<NodeId> nodes;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (graph.is_alive(node)) nodes.push_back(node);
    }
    return nodes;
}

}  // namespace flitscope
