// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/random_places.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/config/topology_config.h"
#include "models/topology/families/topology_families.h"
#include "testbench/verification/reference/random_networks.h"

namespace flitscope {
namespace {

/// The router of each node of a graph.
std::vector<RouterId> draw_routers(Draw& draw, std::uint32_t routers) {
    std::vector<RouterId> places;
    for (RouterId router; router < routers; ++router) {
        const auto nodes = draw.pick<std::size_t>({0, 0, 1, 1, 1, 2, 3, 4});
        places.insert(places.end(), nodes, router);
    }
    if (places.empty()) places.emplace_back(0);
    if (draw.percent(50)) draw.shuffle(places);
    return places;
}

/// The routers that may have further nodes: of a fat tree those at the bottom.
std::uint32_t routers_for_more(const TopologyConfig& topology, const TopologySize& size) {
    const bool is_tree = !has_node_per_router(topology);
    return static_cast<std::uint32_t>(is_tree ? size.nodes / topology.parameter("arity")
                                              : size.routers);
}

/// So many nodes along each of `dimensions` that machines stay small.
std::vector<std::uint32_t> draw_block(Draw& draw, std::size_t dimensions, std::uint32_t routers) {
    std::uint32_t left = std::clamp(64 / routers, 2U, 8U);
    std::vector<std::uint32_t> block;
    for (std::size_t dim = 0; dim < dimensions; ++dim) {
        block.push_back(draw.between(1, std::min(left, 4U)));
        left /= block.back();
    }
    draw.shuffle(block);
    return block;
}

}  // namespace

NodeId node_count(const RandomCase& random) {
    const TopologyConfig& topology = random.config.fabric.topology;
    if (!random.places.empty()) return static_cast<NodeId>(random.places.size());
    const auto size = topology_size(topology);
    return size ? static_cast<NodeId>(size->nodes) : topology.dims[0];
}

bool has_drawn_places(const RandomCase& random) {
    const TopologyConfig& topology = random.config.fabric.topology;
    return !random.places.empty() || !topology.concentration.empty() ||
           !topology.extra_nodes.empty();
}

void vary_places(Draw& draw, RandomCase& random) {
    if (!draw.percent(33)) return;
    TopologyConfig& topology = random.config.fabric.topology;
    if (is_random_graph(topology)) {
        random.places = draw_routers(draw, topology.dims[0]);
        return;
    }
    const TopologySize size = topology_size(topology).value();
    const bool has_more = draw.percent(40);
    const bool has_several = !has_more || draw.percent(60);
    const std::size_t dimensions = std::max<std::size_t>(topology.dims.size(), 1);
    if (has_several && find_topology_family(topology.kind)->reads("concentration") &&
        topology.layout != ExpressLayout::kCompound) {
        topology.concentration =
            draw_block(draw, dimensions, static_cast<std::uint32_t>(size.routers));
    }
    const std::uint32_t routers = routers_for_more(topology, size);
    for (std::uint32_t count = has_more ? draw.between(1, 4) : 0; count != 0; --count) {
        topology.extra_nodes.push_back({"", static_cast<std::uint32_t>(draw.below(routers))});
    }
}

}  // namespace flitscope
