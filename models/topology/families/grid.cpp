// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The grids whose every line is wired alike: meshes, tori, generalized hypercubes and HOWs.
#include "models/topology/families/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/topology/topologies.h"

namespace flitscope {
namespace {

using Sides = std::vector<std::uint32_t>;

Graph build_regular(const std::string& kind, std::vector<GridDimension> dimensions) {
    Graph graph(kind, GridWiring(std::move(dimensions)));
    add_grid_links(graph, [](NodeId, std::size_t, std::size_t) { return true; });
    return graph;
}

/// 1 to `longest`.
std::vector<std::uint32_t> spans_up_to(std::uint32_t longest) {
    std::vector<std::uint32_t> spans(longest);
    std::iota(spans.begin(), spans.end(), 1U);
    return spans;
}

/// Folds every ring flat: its positions lie in the order 0, k-1, 1, k-2, ..., so that neighbours
/// are at most two places apart.
void fold(Graph& graph) {
    const auto place = [](std::uint32_t at, std::uint32_t side) {
        return 2 * at < side ? 2 * at : 2 * (side - at) - 1;
    };
    std::vector<Position> positions;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        NodeId stands_for = 0;  // the node that would be there in an unfolded grid
        for (std::size_t dim = 0; dim < graph.dims().size(); ++dim) {
            stands_for += place(graph.coordinate(node, dim), graph.dims()[dim]) * graph.stride(dim);
        }
        positions.push_back(graph.position(stands_for));
    }
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        graph.set_position(node, positions[node]);
    }
}

}  // namespace

std::string grid_shape(const Sides& sides) { return fmt::format("{}", fmt::join(sides, "x")); }

void add_grid_links(Graph& graph, const HasHop& has_hop) {
    const GridWiring& wiring = *graph.wiring();
    const auto add = [&](NodeId from, NodeId to, std::size_t dim, std::size_t span, bool minus) {
        Link link;
        link.from = from;
        link.from_port = wiring.port(dim, span, minus);
        link.to = to;
        link.to_port = wiring.port(dim, span, !minus);
        link.dimension = static_cast<std::uint32_t>(dim);
        link.length = distance(graph.position(from), graph.position(to));
        graph.add_link(link);
    };
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        for (std::size_t dim = graph.dims().size(); dim-- > 0;) {
            const GridDimension& line = wiring.dimensions()[dim];
            const std::uint32_t at = graph.coordinate(node, dim);
            const auto neighbour = [&](std::uint32_t position) {
                return node - at * graph.stride(dim) + position % line.side * graph.stride(dim);
            };
            for (std::size_t i = 0; i < line.spans.size(); ++i) {
                const std::uint32_t span = line.spans[i];
                if ((line.wraps || at + span < line.side) && has_hop(node, dim, i)) {
                    add(node, neighbour(at + span), dim, i, false);
                }
                if (!line.wraps && at < span) continue;
                const NodeId behind = neighbour(at + line.side - span);
                if (has_hop(behind, dim, i)) add(node, behind, dim, i, true);
            }
        }
    }
}

Graph build_mesh(const Sides& sides) {
    std::vector<GridDimension> dimensions;
    for (const std::uint32_t side : sides) dimensions.push_back({side, {1}, false});
    Graph graph = build_regular("mesh", std::move(dimensions));
    graph.set_description("mesh " + grid_shape(sides));
    return graph;
}

Graph build_torus(const Sides& sides, bool folded) {
    std::vector<GridDimension> dimensions;
    for (const std::uint32_t side : sides) {
        dimensions.push_back({side, {1}, side > 2});  // of two, each is next to the other already
    }
    Graph graph("torus", GridWiring(std::move(dimensions)));
    if (folded) fold(graph);
    add_grid_links(graph, [](NodeId, std::size_t, std::size_t) { return true; });
    graph.set_description((folded ? "folded torus " : "torus ") + grid_shape(sides));
    return graph;
}

Graph build_ghc(const Sides& radices) {
    std::vector<GridDimension> dimensions;
    for (const std::uint32_t radix : radices) {
        dimensions.push_back({radix, spans_up_to(std::max(radix - 1, 1U)), false});
    }
    Graph graph = build_regular("ghc", std::move(dimensions));
    graph.set_description("ghc " + grid_shape(radices));
    return graph;
}

Graph build_how(const Sides& sides, const std::vector<std::uint32_t>& windows) {
    std::vector<GridDimension> dimensions;
    for (std::size_t dim = 0; dim < sides.size(); ++dim) {
        dimensions.push_back({sides[dim], spans_up_to(windows[dim]), false});
    }
    Graph graph = build_regular("how", std::move(dimensions));
    graph.set_description(
        fmt::format("how {} window {}", grid_shape(sides), fmt::join(windows, "x")));
    return graph;
}

}  // namespace flitscope
