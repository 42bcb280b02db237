// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The n-dimensional rectangular mesh.
#include <utility>

#include "models/config/topology_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/grid.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"

namespace flitscope {

Graph build_mesh(const std::vector<std::uint32_t>& sides) {
    std::vector<GridDimension> dimensions;
    for (const std::uint32_t side : sides) dimensions.push_back({side, {1}, false});
    Graph graph = build_regular_grid("mesh", std::move(dimensions));
    graph.set_description("mesh " + grid_shape(sides));
    return graph;
}

TopologyFamily mesh_family() {
    TopologyFamily family;
    family.name = "mesh";
    family.summary = "n-dimensional rectangular mesh, any sides: {kind: mesh, dims: [8, 8]}";
    family.required_keys = {"dims"};
    family.optional_keys = {kConcentration};
    family.check = check_grid;
    family.size = grid_size;
    family.build = [](const TopologyConfig& topology) { return build_mesh(topology.dims); };
    family.example = "kind: mesh, dims: [4, 6]";
    return family;
}

}  // namespace flitscope
