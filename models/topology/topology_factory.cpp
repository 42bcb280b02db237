// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "models/topology/topologies.h"

namespace flitscope {

void apply_link_delay(Graph& graph, const LinkDelayConfig& model) {
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        graph.set_delay(id, model.delay(graph.link(id).length));
    }
}

Graph build_topology(const Config& config) {
    const TopologyConfig& topology = config.fabric.topology;
    if (topology.kind == "custom") {
        return load_custom_graph(topology.file, config.fabric.link_delay,
                                 config.where("fabric.topology.file"));
    }
    Graph graph =
        topology.kind == "mesh" ? build_mesh(topology.dims) : build_hypercube(topology.dimensions);
    apply_link_delay(graph, config.fabric.link_delay);
    return graph;
}

const std::vector<TopologyKind>& topology_kinds() {
    static const std::vector<TopologyKind> kinds = {
        {"mesh", "n-dimensional rectangular mesh, any sides: {kind: mesh, dims: [8, 8]}"},
        {"hypercube", "binary hypercube of 2^dimensions nodes: {kind: hypercube, dimensions: 6}"},
        {"custom", "nodes and directed links from a file: {kind: custom, file: graph.yaml}"},
    };
    return kinds;
}

}  // namespace flitscope
