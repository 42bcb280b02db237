// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The binary hypercube: the 2 x 2 x ... x 2 grid, bit 0 of a router's number being its
// fastest-varying coordinate, with one port for every bit.
#include <fmt/format.h>

#include <utility>

#include "models/config/topology_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/grid.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"

namespace flitscope {

Graph build_hypercube(std::uint32_t dimensions) {
    std::vector<GridDimension> lines(dimensions, GridDimension{2, {1}, false});
    if (lines.empty()) lines.emplace_back();  // a single router
    Graph graph("hypercube",
                GridWiring(std::move(lines), HopPlaces::kEverywhere, SharedPorts::kDirections));
    add_grid_links(graph, [](RouterId, std::size_t, std::size_t) { return true; });
    graph.set_description(fmt::format("hypercube {}", dimensions));
    return graph;
}

TopologyFamily hypercube_family() {
    TopologyFamily family;
    family.name = "hypercube";
    family.summary = "binary hypercube of 2^dimensions nodes: {kind: hypercube, dimensions: 6}";
    family.required_keys = {"dimensions"};
    family.optional_keys = {kConcentration};
    family.size = [](const TopologyConfig& topology) -> std::optional<TopologySize> {
        return TopologySize{std::uint64_t{1} << topology.dimensions, topology.dimensions};
    };
    family.build = [](const TopologyConfig& topology) {
        return build_hypercube(topology.dimensions);
    };
    family.example = "kind: hypercube, dimensions: 4";
    return family;
}

}  // namespace flitscope
