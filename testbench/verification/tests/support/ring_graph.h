// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The smallest network that can deadlock: nodes in a circle, one direction only.
#pragma once

#include "models/base/types.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

/// Links 0 -> 1 -> ... -> 0, link i leaving node i: shortest paths wait for each other all round.
inline Graph ring(NodeId nodes) {
    Graph graph("custom", {nodes}, 3);
    for (NodeId node = 0; node < nodes; ++node) {
        Link link;
        link.from = node;
        link.from_port = 1;
        link.to = (node + 1) % nodes;
        link.to_port = 2;
        graph.add_link(link);
    }
    return graph;
}

}  // namespace flitscope
