// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/random_networks.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/link_delay_config.h"
#include "models/config/topology_config.h"
#include "models/topology/families/dragonfly_shape.h"
#include "models/topology/families/express_shape.h"
#include "models/topology/families/fat_tree_shape.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

TopologyConfig draw_topology(Draw& draw) {
    TopologyConfig topology;
    if (draw.percent(30)) {
        topology.kind = "hypercube";
        topology.dimensions = draw.pick<std::uint32_t>({0, 1, 2, 2, 3, 3, 3, 4, 4, 5});
        return topology;
    }
    topology.kind = "mesh";
    switch (draw.below(4)) {
        case 0:
            topology.dims = {draw.between(1, 12)};
            break;
        case 1:
            topology.dims = {1, draw.between(1, 10)};
            if (draw.percent(50)) std::swap(topology.dims[0], topology.dims[1]);
            break;
        case 2:
            topology.dims = {draw.between(2, 6), draw.between(2, 5)};
            break;
        default:
            topology.dims = {draw.between(1, 3), draw.between(2, 4), draw.between(1, 3)};
            break;
    }
    return topology;
}

TopologyConfig draw_torus(Draw& draw, bool has_datelines) {
    TopologyConfig torus;
    torus.kind = "torus";
    const std::uint32_t longest = has_datelines ? 7 : 4;  // rings that need no datelines
    switch (draw.below(3)) {
        case 0:
            torus.dims = {draw.between(1, has_datelines ? 12 : 4)};
            break;
        case 1:
            torus.dims = {draw.between(2, longest), draw.between(2, 5)};
            torus.dims[1] = std::min(torus.dims[1], longest);
            break;
        default:
            torus.dims = {draw.between(2, 4), draw.between(1, 3), draw.between(2, 4)};
            break;
    }
    torus.folded = draw.percent(30);
    return torus;
}

/// Some of the offsets that fit.
std::vector<std::vector<std::uint32_t>> draw_offsets(Draw& draw,
                                                     const std::vector<std::uint32_t>& sides) {
    std::vector<std::vector<std::uint32_t>> offsets;
    for (const std::uint32_t side : sides) {
        offsets.emplace_back();
        for (std::uint32_t offset = 2; offset < side; ++offset) {
            if (draw.percent(30)) offsets.back().push_back(offset);
        }
    }
    return offsets;
}

/// A HOW, or with the widest windows the generalized hypercube that it is then, or without windows
/// a sparse Hamming graph.
TopologyConfig draw_how(Draw& draw) {
    TopologyConfig how;
    const bool has_windows = draw.percent(70);
    how.kind = has_windows ? "how" : "ghc";
    switch (draw.below(3)) {
        case 0:
            how.dims = {draw.between(2, 14)};
            break;
        case 1:
            how.dims = {draw.between(2, 6), draw.between(2, 6)};
            break;
        default:
            how.dims = {draw.between(1, 3), draw.between(2, 4), draw.between(1, 4)};
            break;
    }
    if (!has_windows) return how;
    if (draw.percent(40)) {
        how.kind = "sparse_hamming";
        how.offsets = draw_offsets(draw, how.dims);
        return how;
    }
    for (const std::uint32_t side : how.dims) {
        how.windows.push_back(draw.between(1, std::max(side - 1, 1U)));
    }
    return how;
}

TopologyConfig draw_express_mesh(Draw& draw) {
    TopologyConfig mesh;
    mesh.kind = "express_mesh";
    mesh.layout = draw.pick<ExpressLayout>(
        {ExpressLayout::kFull, ExpressLayout::kFull, ExpressLayout::kFull, ExpressLayout::kSparse,
         ExpressLayout::kSparse, ExpressLayout::kSparse, ExpressLayout::kShifted,
         ExpressLayout::kCompound, ExpressLayout::kHierarchy});
    mesh.segment = mesh.layout == ExpressLayout::kShifted ? 4 : draw.between(2, 4);
    if (mesh.layout == ExpressLayout::kHierarchy) {
        mesh.segment = 2;
        mesh.levels = draw.between(1, 2);
    }
    if (mesh.layout != ExpressLayout::kCompound && draw.percent(30)) {
        mesh.dims = {draw.between(5, 15)};
    } else {
        mesh.dims = {draw.between(5, 7), draw.between(5, 8)};
    }
    return mesh;
}

/// Few nodes below many switches, or many below few.
TopologyConfig draw_fat_tree(Draw& draw) {
    TopologyConfig tree;
    tree.kind = "fat_tree";
    const std::uint32_t arity = draw.between(2, 4);
    tree.parameters["arity"] = arity;
    tree.parameters["height"] = draw.between(1, arity == 2 ? 4 : 2);
    return tree;
}

/// Draws a dragonfly with all global channels connected, with some left over, or with several
/// between two groups.
TopologyConfig draw_dragonfly(Draw& draw) {
    TopologyConfig dragonfly;
    dragonfly.kind = "dragonfly";
    const std::uint32_t routers = draw.between(1, 4);
    const std::uint32_t links = draw.between(1, 3);
    dragonfly.parameters["group_size"] = routers;
    dragonfly.parameters["global_links"] = links;
    dragonfly.parameters["groups"] = draw.between(links + 1, std::min(routers * links + 1, 8U));
    return dragonfly;
}

/// The routings other than `auto` that suit the machine without deadlock.
std::vector<std::string> routings_for(const FabricConfig& fabric) {
    Config config;
    config.fabric = fabric;
    const Graph graph = build_topology(config);
    const std::uint32_t vcs = fabric.virtual_channels;
    std::vector<std::string> names{"up_down"};
    if (graph.shape<DragonflyShape>() != nullptr) {
        if (vcs > 1) names.emplace_back("dragonfly_minimal");
        if (vcs > 3) names.insert(names.end(), {"valiant", "valiant"});
    }
    if (graph.shape<FatTreeShape>() != nullptr) names.emplace_back("up_down_adaptive");
    if (!graph.wiring()) return names;
    const GridWiring& wiring = *graph.wiring();
    if (wiring.has_rings() && vcs > 1) {
        names.insert(names.end(), {"dimension_order_balanced", "dimension_order_balanced"});
    }
    if (wiring.is_mesh() && graph.dims().size() == 2) {
        names.insert(names.end(), {"west_first", "odd_even", "west_first", "odd_even"});
        if (vcs > 1) names.insert(names.end(), {"o1turn", "o1turn"});
    }
    if (wiring.is_mesh()) names.emplace_back("negative_first");
    if (wiring.has_port_per_direction() && wiring.has_equal_windows() &&
        vcs > (wiring.has_rings() ? 2 : 1)) {
        names.insert(names.end(), {"minimal_adaptive", "minimal_adaptive"});
    }
    if (vcs > (wiring.has_rings() ? 3 : 1)) names.emplace_back("valiant");
    const auto* const express = graph.shape<ExpressShape>();
    if (express != nullptr && vcs > 1 && express->joins_terminals()) {
        names.insert(names.end(), {"express_shortest", "express_shortest", "express_shortest"});
    }
    return names;
}

}  // namespace

bool has_node_per_router(const TopologyConfig& topology) {
    const TopologyFamily* const family = find_topology_family(topology.kind);
    return family->build == nullptr || family->build(topology).has_node_per_router();
}

bool goes_by_queues(const FabricConfig& fabric) {
    return fabric.routing == "ugal_local" || fabric.routing == "ugal_global" ||
           fabric.routing == "progressive_adaptive";
}

bool is_random_graph(const TopologyConfig& topology) { return !topology_size(topology); }

FabricConfig draw_fabric(Draw& draw) {
    FabricConfig fabric;
    fabric.topology = draw_topology(draw);
    if (draw.percent(20)) fabric.routing = "dimension_order";
    fabric.virtual_channels = draw.pick<std::uint32_t>({1, 1, 1, 1, 1, 2, 2, 2, 3, 4, 4, 5, 8});
    fabric.buffer_depth = draw.pick<std::uint32_t>({1, 1, 2, 2, 3, 4, 4, 5, 8, 8, 16});
    fabric.flit_bits = draw.pick<std::uint32_t>({64, 64, 64, 64, 32, 128});
    fabric.router_delay = draw.pick<std::uint32_t>({1, 1, 1, 2, 2, 3, 4});
    if (draw.percent(15)) {
        fabric.link_delay.model = LinkDelayModel::kLinear;
        fabric.link_delay.reach = draw.between(1, 3);
    } else {
        fabric.link_delay.cycles = draw.pick<std::uint32_t>({1, 1, 1, 1, 2, 2, 3, 4, 5, 6});
    }
    return fabric;
}

void vary_wires(Draw& draw, Config& config) {
    LinkDelayConfig& wires = config.fabric.link_delay;
    wires.model = LinkDelayModel::kPhysical;
    wires.pitch_mm = draw.between(1, 20) / 10.0;
    wires.ns_per_mm = draw.between(1, 10) / 10.0;
    config.clock_ns = draw.between(10, 50) / 10.0;
}

FabricConfig draw_wide_fabric(Draw& draw) {
    FabricConfig fabric;
    if (draw.percent(25)) {
        fabric.topology.kind = "custom";
        fabric.topology.dims = {draw.between(2, 20)};
    } else {
        fabric.topology = draw_topology(draw);
    }
    fabric.virtual_channels = draw.pick<std::uint32_t>({1, 1, 1, 1, 1, 1, 2, 2, 3, 4});
    fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    fabric.buffer_depth = draw.percent(50) ? draw.between(1, 10) : draw.between(1, 40);
    fabric.router_delay = draw.pick<std::uint32_t>({1, 1, 1, 2, 3, 5});
    if (draw.percent(50)) fabric.link_delay.cycles = draw.between(1, 4);
    if (draw.percent(25)) fabric.link_delay.cycles = draw.between(5, 10);
    return fabric;
}

void vary_family(Draw& draw, FabricConfig& fabric) {
    if (is_random_graph(fabric.topology) || !draw.percent(12)) return;
    fabric.topology = draw.percent(50) ? draw_fat_tree(draw) : draw_dragonfly(draw);
    fabric.routing = draw.percent(50) ? "auto" : draw.pick(routings_for(fabric));
}

void vary_queues(Draw& draw, FabricConfig& fabric) {
    if (is_random_graph(fabric.topology) || !draw.percent(6)) return;
    fabric.topology = draw_dragonfly(draw);
    fabric.routing = draw.pick<std::string>({"ugal_local", "ugal_global", "progressive_adaptive"});
    fabric.virtual_channels = draw.pick<std::uint32_t>({4, 4, 5, 8});
    if (fabric.routing != "progressive_adaptive" && draw.percent(40)) fabric.virtual_channels = 3;
}

void vary_network(Draw& draw, FabricConfig& fabric) {
    if (is_random_graph(fabric.topology)) return;
    const bool rewired = draw.percent(35);
    if (rewired) {
        fabric.routing = "auto";
        switch (draw.below(4)) {
            case 0:
                fabric.topology = draw_torus(draw, fabric.virtual_channels > 1);
                break;
            case 1:
            case 2:
                fabric.topology = draw_how(draw);
                break;
            default:
                fabric.topology = draw_express_mesh(draw);
                break;
        }
    }
    if (draw.percent(rewired ? 60 : 50)) fabric.routing = draw.pick(routings_for(fabric));
}

}  // namespace flitscope
