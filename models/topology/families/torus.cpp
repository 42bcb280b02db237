// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The n-dimensional torus, or k-ary n-cube, flat or folded.
#include <utility>

#include "models/config/topology_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/grid.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

/// Folds every ring flat: its positions are in the order 0, k-1, 1, k-2, ..., so that neighbours
/// are at most two places apart.
void fold(Graph& graph) {
    const auto place = [](std::uint32_t at, std::uint32_t side) {
        return 2 * at < side ? 2 * at : 2 * (side - at) - 1;
    };
    std::vector<Position> positions;
    for (RouterId router; router < graph.router_count(); ++router) {
        std::uint32_t stands_for = 0;  // the router that would be there in an unfolded grid
        for (std::size_t dim = 0; dim < graph.dims().size(); ++dim) {
            stands_for +=
                place(graph.coordinate(router, dim), graph.dims()[dim]) * graph.stride(dim);
        }
        positions.push_back(graph.position(RouterId(stands_for)));
    }
    for (RouterId router; router < graph.router_count(); ++router) {
        graph.set_position(router, positions[router]);
    }
}

}  // namespace

Graph build_torus(const std::vector<std::uint32_t>& sides, bool folded) {
    std::vector<GridDimension> dimensions;
    for (const std::uint32_t side : sides) {
        dimensions.push_back({side, {1}, side > 2});  // two are already neighbours
    }
    Graph graph("torus", GridWiring(std::move(dimensions)));
    if (folded) fold(graph);
    add_grid_links(graph, [](RouterId, std::size_t, std::size_t) { return true; });
    graph.set_description((folded ? "folded torus " : "torus ") + grid_shape(sides));
    return graph;
}

TopologyFamily torus_family() {
    TopologyFamily family;
    family.name = "torus";
    family.summary = "k-ary n-cube: {kind: torus, dims: [8, 8]}; folded: true lays rings out flat";
    family.required_keys = {"dims"};
    family.optional_keys = {"folded", kConcentration};
    family.check = check_grid;
    family.size = grid_size;
    family.build = [](const TopologyConfig& topology) {
        return build_torus(topology.dims, topology.folded);
    };
    family.example = "kind: torus, dims: [5, 6]";
    return family;
}

}  // namespace flitscope
