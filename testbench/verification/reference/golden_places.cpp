// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/golden_places.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/config/topology_config.h"
#include "models/topology/families/fat_tree_shape.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

/// Nodes are numbered row by row over a grid that is finer than that of routers: `block` nodes per
/// router along each dimension.
std::uint32_t router_on_grid(const std::vector<std::uint32_t>& dims,
                             const std::vector<std::uint32_t>& block, NodeId node) {
    std::uint32_t router = 0;
    std::uint32_t routers_per_step = 1;
    for (std::size_t dim = dims.size(); dim-- > 0;) {
        const std::uint32_t side = dims[dim] * block[dim];
        router += node % side / block[dim] * routers_per_step;
        routers_per_step *= dims[dim];
        node /= side;
    }
    return router;
}

std::uint32_t router_of_node(const TopologyConfig& topology, const Graph& graph, NodeId node) {
    if (const auto* const tree = graph.shape<FatTreeShape>()) return node / tree->arity;
    const std::vector<std::uint32_t>& block = topology.concentration;
    if (block.empty()) return node;
    if (topology.dims.size() != block.size()) return node / block.front();
    return router_on_grid(topology.dims, block, node);
}

}  // namespace

GoldenPlaces::GoldenPlaces(const TopologyConfig& topology, const Graph& graph) {
    const auto size = topology_size(topology);
    const bool is_described =
        size && size->nodes == graph.node_count() && size->routers == graph.router_count();
    const auto extra = static_cast<NodeId>(topology.extra_nodes.size());
    const NodeId others = graph.node_count() - (is_described ? extra : 0);
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        RouterId router = graph.router_of(node);
        if (is_described && node < others) router = RouterId(router_of_node(topology, graph, node));
        if (is_described && node >= others) {
            router = RouterId(topology.extra_nodes[node - others].router);
        }
        if (router >= graph.router_count()) {
            throw std::logic_error("golden model: node " + std::to_string(node) + " has no router");
        }
        const auto port = std::count(router_of_.begin(), router_of_.end(), router);
        router_of_.push_back(router);
        port_of_.push_back(static_cast<PortId>(port));
        local_ports_ = std::max(local_ports_, port_of_.back() + 1);
    }
}

NodeId GoldenPlaces::node_at(RouterId router, PortId port) const {
    for (NodeId node = 0; node < node_count(); ++node) {
        if (router_of_[node] == router && port_of_[node] == port) return node;
    }
    return kNoNode;
}

RouteChoice GoldenPlaces::placed(RouteChoice choice, RouterId at, NodeId destination) const {
    if (router_of_[destination] == at) {
        choice.port = port_of_[destination];
    } else if (choice.port < local_ports_) {
        throw std::logic_error("golden model: a packet to node " + std::to_string(destination) +
                               " leaves at router " + std::to_string(at.number()));
    }
    return choice;
}

}  // namespace flitscope
