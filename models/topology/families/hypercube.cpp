// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The binary hypercube: the 2 x 2 x ... x 2 grid, bit 0 of a node's number being its
// fastest-varying coordinate, with one port for every bit.
#include <fmt/format.h>

#include <utility>

#include "models/topology/families/grid.h"
#include "models/topology/topologies.h"

namespace flitscope {

Graph build_hypercube(std::uint32_t dimensions) {
    std::vector<GridDimension> lines(dimensions, GridDimension{2, {1}, false});
    if (lines.empty()) lines.emplace_back();  // a single node
    Graph graph("hypercube",
                GridWiring(std::move(lines), HopPlaces::kEverywhere, SharedPorts::kDirections));
    add_grid_links(graph, [](NodeId, std::size_t, std::size_t) { return true; });
    graph.set_description(fmt::format("hypercube {}", dimensions));
    return graph;
}

}  // namespace flitscope
