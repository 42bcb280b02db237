// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/families/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <utility>

#include "models/base/limits.h"
#include "models/config/topology_config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

std::string grid_shape(const std::vector<std::uint32_t>& sides) {
    return fmt::format("{}", fmt::join(sides, "x"));
}

void add_grid_links(Graph& graph, const HasHop& has_hop) {
    const GridWiring& wiring = *graph.wiring();
    const auto add = [&](RouterId from, RouterId to, std::size_t dim, std::size_t span,
                         bool minus) {
        Link link;
        link.from = from;
        link.from_port = wiring.port(dim, span, minus, graph.coordinate(from, dim));
        link.to = to;
        link.to_port = wiring.port(dim, span, !minus, graph.coordinate(to, dim));
        link.dimension = static_cast<std::uint32_t>(dim);
        link.length = distance(graph.position(from), graph.position(to));
        graph.add_link(link);
    };
    for (RouterId router; router < graph.router_count(); ++router) {
        for (std::size_t dim = graph.dims().size(); dim-- > 0;) {
            const GridDimension& line = wiring.dimensions()[dim];
            const std::uint32_t at = graph.coordinate(router, dim);
            const auto neighbour = [&](std::uint32_t position) {
                return RouterId(router - at * graph.stride(dim) +
                                position % line.side * graph.stride(dim));
            };
            for (std::size_t i = 0; i < line.spans.size(); ++i) {
                const std::uint32_t span = line.spans[i];
                if (wiring.has_hop(dim, i, false, at) && has_hop(router, dim, i)) {
                    add(router, neighbour(at + span), dim, i, false);
                }
                if (!wiring.has_hop(dim, i, true, at)) continue;
                const RouterId behind = neighbour(at + line.side - span);
                if (has_hop(behind, dim, i)) add(router, behind, dim, i, true);
            }
        }
    }
}

Graph build_regular_grid(const std::string& kind, std::vector<GridDimension> dimensions,
                         SharedPorts shared) {
    Graph graph(kind, GridWiring(std::move(dimensions), HopPlaces::kEverywhere, shared));
    add_grid_links(graph, [](RouterId, std::size_t, std::size_t) { return true; });
    return graph;
}

std::vector<std::uint32_t> spans_up_to(std::uint32_t longest) {
    std::vector<std::uint32_t> spans(longest);
    std::iota(spans.begin(), spans.end(), 1U);
    return spans;
}

void check_grid(TopologyFindings& findings) {
    const TopologyConfig& topology = findings.topology();
    std::uint64_t routers = 1;
    for (const std::uint32_t side : topology.dims) {
        routers *= side;  // both below 2^17 here
        if (routers <= kMaxNodes) continue;
        const bool is_vowel = std::string("aeiou").find(topology.kind.front()) != std::string::npos;
        findings.fail("dims",
                      fmt::format("{} {} of {} has more than {} nodes", is_vowel ? "an" : "a",
                                  topology.kind, grid_shape(topology.dims), kMaxNodes));
        return;
    }
}

std::optional<TopologySize> grid_size(const TopologyConfig& topology) {
    TopologySize size{1, topology.dims.size()};
    for (const std::uint32_t side : topology.dims) size.routers *= side;
    return size;
}

}  // namespace flitscope
