// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Meshes with express links (Cheung and Lau 1995): ordinary links that are stretched to join
// routers further apart. Terminals are at multiples of the segment length.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/limits.h"
#include "models/config/topology_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/compound_shape.h"
#include "models/topology/families/express_shape.h"
#include "models/topology/families/grid.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

using Sides = std::vector<std::uint32_t>;

/// Whether the line of `router` along `dim` is one out of every `pitch`: whether all its other
/// coordinates are multiples.
bool on_express_line(const Graph& graph, RouterId router, std::size_t dim, std::uint32_t pitch) {
    for (std::size_t other = 0; other < graph.dims().size(); ++other) {
        if (other != dim && graph.coordinate(router, other) % pitch != 0) return false;
    }
    return true;
}

GridWiring wiring_of(const Sides& sides, const std::vector<std::uint32_t>& spans, HopPlaces places,
                     SharedPorts shared) {
    std::vector<GridDimension> dimensions;
    for (const std::uint32_t side : sides) dimensions.push_back({side, spans, false});
    return GridWiring(std::move(dimensions), places, shared);
}

/// Sections 2, 6 and 8: express links in every line, in one line out of every `segment`, or in
/// levels of b, b^2, ..., the k-th in one line out of every b^k.
Graph build_layered(const Sides& sides, const std::vector<std::uint32_t>& spans, bool every_line) {
    // The only line of a network is one out of as many as you like.
    const bool alike = every_line || sides.size() == 1;
    const HopPlaces places = alike ? HopPlaces::kAtMultiples : HopPlaces::kInSomeLines;
    Graph graph("express_mesh", wiring_of(sides, spans, places, SharedPorts::kByPlace));
    add_grid_links(graph, [&](RouterId router, std::size_t dim, std::size_t i) {
        if (i == 0) return true;
        return every_line || on_express_line(graph, router, dim, spans[i]);
    });
    return graph;
}

/// Section 7, Figure 4(b): express links shortened and shifted so that no two meet at a node. In a
/// row they join columns jL + 1 and (j + 1)L, in a column rows jL + 2 and (j + 1)L + 1.
Graph build_shifted(const Sides& sides, std::uint32_t segment) {
    Graph graph("express_mesh", wiring_of(sides, {1, segment - 1}, HopPlaces::kAtOtherPlaces,
                                          SharedPorts::kExpressHops));
    add_grid_links(graph, [&](RouterId router, std::size_t dim, std::size_t i) {
        if (i == 0) return true;
        const auto shift = static_cast<std::uint32_t>(graph.dims().size() - dim);  // rows: 1
        return graph.coordinate(router, dim) % segment == shift &&
               on_express_line(graph, router, dim, segment);
    });
    return graph;
}

/// Section 7, Figure 4(a): every terminal of the sparse layout is two routers. The one at its place
/// in the grid has the links of its row, the other one, numbered after the grid in order of
/// terminals, those of its column; a link joins them. Ports: the two ordinary links of the row and
/// the two of the column if a router has both, then express links, then the link within.
Graph build_compound(const Sides& sides, std::uint32_t segment) {
    const Graph sparse = build_layered(sides, {1, segment}, false);
    const CompoundShape shape{sides[0], sides[1], segment};
    Graph graph("express_mesh", {shape.routers()}, 1 + CompoundShape::kLinkPorts);
    for (RouterId router; router < shape.routers(); ++router) {
        graph.set_position(router, sparse.position(RouterId(shape.place(router))));
    }
    const PortId first = graph.local_ports();
    for (const Link& old : sparse.links()) {
        Link link = old;
        const bool column = old.dimension == 0;
        link.dimension = kNoDimension;
        const bool express = old.length > 1;
        const bool minus = old.to < old.from;
        link.from = RouterId(shape.end(old.from, column));
        link.to = RouterId(shape.end(old.to, column));
        link.from_port = first + shape.port(old.from, column, express, minus);
        link.to_port = first + shape.port(old.to, column, express, !minus);
        graph.add_link(link);
    }
    for (RouterId router; router < shape.places(); ++router) {
        if (!shape.is_terminal(router)) continue;
        Link link;
        link.from = router;
        link.to = RouterId(shape.twin(router));
        link.from_port = link.to_port = first + CompoundShape::kInnerPort;
        graph.add_link(link);
        std::swap(link.from, link.to);
        graph.add_link(link);
    }
    return graph;
}

/// Length of the longest express link; kMaxNodes means that or more.
std::uint64_t longest_link(const TopologyConfig& topology) {
    const bool has_levels = topology.layout == ExpressLayout::kHierarchy;
    std::uint64_t longest = 1;
    for (std::uint32_t level = 0; level < (has_levels ? topology.levels : 1); ++level) {
        longest = std::min<std::uint64_t>(longest * topology.segment, kMaxNodes);
    }
    return longest;
}

CompoundShape compound_shape(const TopologyConfig& topology) {
    return {topology.dims[0], topology.dims[1], topology.segment};
}

void check_express_mesh(TopologyFindings& findings) {
    check_grid(findings);
    const TopologyConfig& topology = findings.topology();
    const std::uint32_t segment = topology.segment;
    const std::size_t dims = topology.dims.size();
    if (topology.layout == ExpressLayout::kShifted && (dims > 2 || segment < 4)) {
        findings.fail("layout",
                      "the shifted layout is for one or two dimensions and segments of 4 up",
                      segment < 4 ? "closer together two express links would meet at a node" : "");
        return;
    }
    const bool is_compound = topology.layout == ExpressLayout::kCompound;
    if (is_compound && dims != 2) {
        findings.fail("layout",
                      fmt::format("the compound layout is for two dimensions, not {}", dims));
        return;
    }
    const std::uint64_t longest = longest_link(topology);
    const std::uint32_t shortest_side =
        *std::min_element(topology.dims.begin(), topology.dims.end());
    if (longest >= shortest_side) {
        const bool has_levels = topology.layout == ExpressLayout::kHierarchy;
        findings.fail(
            has_levels ? "levels" : "segment",
            fmt::format("express links of {} node pitches do not fit a side of {} nodes",
                        longest == kMaxNodes ? fmt::format("{}^{}", segment, topology.levels)
                                             : std::to_string(longest),
                        shortest_side),
            fmt::format("a link joins nodes that are at most {} apart", shortest_side - 1));
        return;
    }
    if (!is_compound) return;
    if (nodes_per_router(topology) > 1) {
        findings.fail(kConcentration,
                      "the compound layout has one node on each of the two routers of a terminal",
                      "another 'layout', or more nodes on some routers: 'extra_nodes'");
    }
    const std::uint32_t routers = compound_shape(topology).routers();
    if (routers <= kMaxNodes) return;
    findings.fail("dims", fmt::format("with the second node of each terminal there are {} nodes, "
                                      "more than {}",
                                      routers, kMaxNodes));
}

std::optional<TopologySize> express_mesh_size(const TopologyConfig& topology) {
    if (topology.layout != ExpressLayout::kCompound) return grid_size(topology);
    return TopologySize{compound_shape(topology).routers()};
}

/// 1 and the lengths of the express links of every level.
std::vector<std::uint32_t> level_spans(const TopologyConfig& topology) {
    std::vector<std::uint32_t> spans{1};
    for (std::uint32_t level = 0; level < topology.levels; ++level) {
        spans.push_back(spans.back() * topology.segment);
    }
    return spans;
}

Graph build_layout(const TopologyConfig& topology) {
    switch (topology.layout) {
        case ExpressLayout::kFull:
            return build_layered(topology.dims, {1, topology.segment}, true);
        case ExpressLayout::kSparse:
            return build_layered(topology.dims, {1, topology.segment}, false);
        case ExpressLayout::kShifted:
            return build_shifted(topology.dims, topology.segment);
        case ExpressLayout::kCompound:
            return build_compound(topology.dims, topology.segment);
        case ExpressLayout::kHierarchy:
            break;
    }
    return build_layered(topology.dims, level_spans(topology), false);
}

}  // namespace

Graph build_express_mesh(const TopologyConfig& config) {
    Graph graph = build_layout(config);
    graph.set_shape(ExpressShape{config.dims, config.segment, config.layout, config.levels});
    std::string text = fmt::format("express_mesh {} {} segment {}", grid_shape(config.dims),
                                   name_of(config.layout), config.segment);
    if (config.layout == ExpressLayout::kHierarchy) {
        text += fmt::format(" levels {}", config.levels);
    }
    graph.set_description(std::move(text));
    return graph;
}

TopologyFamily express_mesh_family() {
    TopologyFamily family;
    family.name = "express_mesh";
    family.summary =
        "mesh with express links: {kind: express_mesh, dims: [16, 16], segment: 4}; layout: "
        "full, sparse, shifted, compound, hierarchy";
    family.required_keys = {"dims", "segment"};
    family.optional_keys = {"layout", "levels", kConcentration};
    family.check = check_express_mesh;
    family.size = express_mesh_size;
    family.build = [](const TopologyConfig& topology) { return build_express_mesh(topology); };
    family.example = "kind: express_mesh, dims: [9, 9], segment: 4";
    return family;
}

}  // namespace flitscope
