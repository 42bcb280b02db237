// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The generalized hypercube: all routers of a line are neighbours.
#include <algorithm>
#include <utility>

#include "models/config/topology_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/grid.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

void check_ghc(TopologyFindings& findings) {
    check_grid(findings);
    if (!findings.empty()) return;
    std::uint64_t ports = 0;
    for (const std::uint32_t radix : findings.topology().dims) ports += radix - 1;
    check_ports(findings, "dims", grid_size(findings.topology())->routers, ports,
                "more dimensions of smaller radices");
}

}  // namespace

Graph build_ghc(const std::vector<std::uint32_t>& radices) {
    std::vector<GridDimension> dimensions;
    for (const std::uint32_t radix : radices) {
        dimensions.push_back({radix, spans_up_to(std::max(radix - 1, 1U)), false});
    }
    Graph graph = build_regular_grid("ghc", std::move(dimensions), SharedPorts::kByPlace);
    graph.set_description("ghc " + grid_shape(radices));
    return graph;
}

TopologyFamily ghc_family() {
    TopologyFamily family;
    family.name = "ghc";
    family.summary = "generalized hypercube, every line fully joined: {kind: ghc, dims: [4, 3]}";
    family.required_keys = {"dims"};
    family.optional_keys = {kConcentration};
    family.check = check_ghc;
    family.size = grid_size;
    family.build = [](const TopologyConfig& topology) { return build_ghc(topology.dims); };
    family.example = "kind: ghc, dims: [4, 5]";
    return family;
}

}  // namespace flitscope
