// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/topology/topologies.h"

namespace flitscope {

Graph build_hypercube(std::uint32_t dimensions) {
    // A hypercube is the 2 x 2 x ... x 2 grid, bit 0 being its fastest-varying coordinate.
    const std::vector<std::uint32_t> dims(dimensions == 0 ? 1 : dimensions,
                                          dimensions == 0 ? 1U : 2U);
    Graph graph("hypercube", dims, 1 + dimensions);
    graph.set_description(fmt::format("hypercube {}", dimensions));
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        for (std::uint32_t bit = 0; bit < dimensions; ++bit) {
            Link link;
            link.from = node;
            link.from_port = 1 + bit;
            link.to = node ^ (1U << bit);
            link.to_port = 1 + bit;
            link.dimension = bit;
            link.length = distance(graph.position(node), graph.position(link.to));
            graph.add_link(link);
        }
    }
    return graph;
}

}  // namespace flitscope
