// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "models/topology/topologies.h"
#include "models/topology/topology_rules.h"

namespace flitscope {

void apply_link_delay(Graph& graph, const LinkDelayConfig& model) {
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        graph.set_delay(id, model.delay(graph.link(id).length));
    }
}

namespace {

Graph build_wiring(const TopologyConfig& topology) {
    if (topology.kind == "mesh") return build_mesh(topology.dims);
    if (topology.kind == "torus") return build_torus(topology.dims, topology.folded);
    if (topology.kind == "hypercube") return build_hypercube(topology.dimensions);
    if (topology.kind == "ghc") return build_ghc(topology.dims);
    if (topology.kind == "express_mesh") return build_express_mesh(topology);
    std::vector<std::uint32_t> windows = topology.windows;
    windows.resize(topology.dims.size(), windows.front());
    return build_how(topology.dims, windows);
}

}  // namespace

Graph build_topology(const Config& config) {
    const TopologyConfig& topology = config.fabric.topology;
    if (topology.kind == "custom") {
        Graph graph =
            load_custom_graph(topology.file, config.fabric, config.where("fabric.topology.file"));
        if (config.node.has_channels_per_link()) graph.use_per_link_endpoints();
        return graph;
    }
    require_topology(config);
    Graph graph = build_wiring(topology);
    apply_link_delay(graph, config.fabric.link_delay);
    if (config.node.has_channels_per_link()) graph.use_per_link_endpoints();
    return graph;
}

const std::vector<TopologyKind>& topology_kinds() {
    static const std::vector<TopologyKind> kinds = {
        {"mesh", "n-dimensional rectangular mesh, any sides: {kind: mesh, dims: [8, 8]}"},
        {"torus", "k-ary n-cube: {kind: torus, dims: [8, 8]}; folded: true lays rings out flat"},
        {"hypercube", "binary hypercube of 2^dimensions nodes: {kind: hypercube, dimensions: 6}"},
        {"ghc", "generalized hypercube, every line fully joined: {kind: ghc, dims: [4, 3]}"},
        {"how", "links to all nodes within a window: {kind: how, dims: [8, 8], window: 3}"},
        {"express_mesh",
         "mesh with express links: {kind: express_mesh, dims: [16, 16], segment: 4}; layout: "
         "full, sparse, shifted, compound, hierarchy"},
        {"custom", "nodes and directed links from a file: {kind: custom, file: graph.yaml}"},
    };
    return kinds;
}

}  // namespace flitscope
