// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The fat tree of constant switches, or k-ary n-tree (Petrini and Vanneschi 1997).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/config/topology_config.h"
#include "models/topology/families/fat_tree_shape.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

constexpr const char* kArity = "arity";
constexpr const char* kHeight = "height";

FatTreeShape fat_tree_shape_of(const TopologyConfig& topology) {
    return {topology.parameter(kArity), topology.parameter(kHeight)};
}

void check_fat_tree(TopologyFindings& findings) {
    const std::uint32_t k = findings.topology().parameter(kArity);
    const std::uint32_t n = findings.topology().parameter(kHeight);
    const double nodes = std::pow(k, n);
    const double switches = n * std::pow(k, n - 1.0);
    if (std::max(nodes, switches) <= kMaxNodes) return;
    findings.fail(kHeight,
                  fmt::format("a fat_tree of arity {} and height {} has {:.0f} nodes and {:.0f} "
                              "switches, more than {}",
                              k, n, nodes, switches, kMaxNodes),
                  "a smaller arity or height");
}

std::optional<TopologySize> fat_tree_size(const TopologyConfig& topology) {
    const FatTreeShape shape = fat_tree_shape_of(topology);
    return TopologySize{shape.routers(), 0, shape.leaves()};
}

/// Leaf l on the router of stage 0 at place l / k.
NodePlaces leaf_places(const FatTreeShape& shape) {
    std::vector<RouterId> router_of;
    router_of.reserve(shape.leaves());
    for (NodeId leaf = 0; leaf < shape.leaves(); ++leaf) {
        router_of.push_back(shape.router_at(0, leaf / shape.arity));
    }
    return NodePlaces(std::move(router_of), shape.routers());
}

/// The tiles of the nodes below a router, and how a level of subtrees splits them.
struct TreeBlock {
    std::uint32_t rows = 1;     ///< of a subtree of the level
    std::uint32_t columns = 1;  ///< the same
    std::uint32_t abreast = 1;  ///< subtrees in a row, to the next level
};

/// Per level from the nodes on: as near to a square as the factors of the arity allow.
std::vector<TreeBlock> tree_blocks(const FatTreeShape& shape) {
    std::vector<TreeBlock> blocks(1);
    for (std::uint32_t level = 0; level < shape.height; ++level) {
        TreeBlock& inner = blocks.back();
        TreeBlock outer;
        std::uint32_t least = UINT32_MAX;
        for (std::uint32_t abreast = shape.arity; abreast > 0; --abreast) {
            if (shape.arity % abreast != 0) continue;
            const std::uint32_t rows = inner.rows * (shape.arity / abreast);
            const std::uint32_t columns = inner.columns * abreast;
            if (std::max(rows, columns) >= least) continue;
            least = std::max(rows, columns);
            inner.abreast = abreast;
            outer.rows = rows;
            outer.columns = columns;
        }
        blocks.push_back(outer);
    }
    return blocks;
}

/// An H-tree (Leiserson 1980): every router in the middle of the tiles of the nodes below it.
void lay_out(Graph& graph, const FatTreeShape& shape) {
    const std::vector<TreeBlock> blocks = tree_blocks(shape);
    for (RouterId router; router < shape.routers(); ++router) {
        const TreeBlock& own = blocks[shape.stage(router) + 1];
        Site site{(own.rows - 1) / 2.0, (own.columns - 1) / 2.0};
        for (std::uint32_t level = shape.stage(router) + 1; level < shape.height; ++level) {
            const std::uint32_t digit = shape.digit(shape.place(router), level - 1);
            site.row += digit / blocks[level].abreast * blocks[level].rows;
            site.column += digit % blocks[level].abreast * blocks[level].columns;
        }
        graph.set_site(router, site);
    }
    graph.set_block({blocks[1].rows, blocks[1].columns});
    graph.measure_wires();
}

}  // namespace

Graph build_fat_tree(std::uint32_t arity, std::uint32_t height) {
    const FatTreeShape shape{arity, height};
    Graph graph("fat_tree", {shape.routers()}, 1 + shape.link_ports());
    graph.set_description(fmt::format("fat_tree arity {} height {}", arity, height));
    graph.attach(leaf_places(shape), {shape.leaves()});
    graph.set_shape(shape);
    // Drawn with the roots at the top, every router over the middle of the k leaves that its place
    // has in stage 0.
    for (RouterId router; router < shape.routers(); ++router) {
        graph.set_position(router, {height - 1 - shape.stage(router),
                                    shape.place(router) * arity + (arity - 1) / 2});
    }
    const auto join = [&graph](RouterId below, PortId up, RouterId above, PortId down) {
        Link link;
        link.from = below;
        link.from_port = graph.local_ports() + up;
        link.to = above;
        link.to_port = graph.local_ports() + down;
        graph.add_link(link);
        std::swap(link.from, link.to);
        std::swap(link.from_port, link.to_port);
        graph.add_link(link);
    };
    for (std::uint32_t stage = 0; stage + 1 < height; ++stage) {
        const std::uint32_t weight = FatTreeShape::power(arity, stage);
        for (std::uint32_t place = 0; place < shape.switches_per_stage(); ++place) {
            const std::uint32_t own = shape.digit(place, stage);
            for (std::uint32_t digit = 0; digit < arity; ++digit) {
                const std::uint32_t above = place - own * weight + digit * weight;
                join(shape.router_at(stage, place), shape.up_port(digit),
                     shape.router_at(stage + 1, above), FatTreeShape::down_port(own));
            }
        }
    }
    lay_out(graph, shape);
    return graph;
}

TopologyFamily fat_tree_family() {
    TopologyFamily family;
    family.name = "fat_tree";
    family.summary = "k-ary n-tree, nodes below switches: {kind: fat_tree, arity: 4, height: 3}";
    family.parameters = {
        {kArity, 2, 128, "number of links of a switch up and down; arity^height nodes"},
        {kHeight, 1, 15, "number of stages of switches; the lowest has the nodes"},
    };
    family.check = check_fat_tree;
    family.size = fat_tree_size;
    family.build = [](const TopologyConfig& topology) {
        const FatTreeShape shape = fat_tree_shape_of(topology);
        return build_fat_tree(shape.arity, shape.height);
    };
    family.example = "kind: fat_tree, arity: 2, height: 3";
    return family;
}

}  // namespace flitscope
