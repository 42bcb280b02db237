// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/partition.h"

#include <algorithm>
#include <set>
#include <utility>

#include "models/base/metis_cut.h"
#include "models/base/types.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

using Parts = std::vector<std::uint32_t>;

/// Weight of a router: a share of every node and every link, and one if it has no node.
std::int32_t weight_of(const Graph& graph, RouterId router) {
    std::uint32_t weight = std::max(1U, graph.nodes_at(router).size());
    for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
        if (graph.out_link(router, port) != kNoLink) ++weight;
    }
    return static_cast<std::int32_t>(weight);
}

/// Consecutive routers, which on grids are lines, planes and so on.
Parts blocks(const Graph& graph, std::uint32_t parts) {
    Parts part_of(graph.router_count());
    for (RouterId router; router < graph.router_count(); ++router) {
        part_of[router] = static_cast<std::uint32_t>(std::uint64_t{router.number()} * parts /
                                                     graph.router_count());
    }
    return part_of;
}

/// The parts that METIS finds; empty if there are no links, or it leaves a part empty.
Parts cut(const Graph& graph, std::uint32_t parts) {
    std::vector<std::vector<std::int32_t>> neighbours(graph.router_count());
    for (const Link& link : graph.links()) {
        neighbours[link.from].push_back(static_cast<std::int32_t>(link.to.number()));
        neighbours[link.to].push_back(static_cast<std::int32_t>(link.from.number()));
    }
    MetisGraph wanted;
    for (RouterId router; router < graph.router_count(); ++router) {
        std::vector<std::int32_t>& near = neighbours[router];
        std::sort(near.begin(), near.end());
        for (const std::int32_t other : near) {
            if (other == static_cast<std::int32_t>(router.number())) continue;
            const bool is_first = wanted.to.size() == static_cast<std::size_t>(wanted.first.back());
            if (!is_first && wanted.to.back() == other) {
                ++wanted.edge_weights.back();
                continue;
            }
            wanted.to.push_back(other);
            wanted.edge_weights.push_back(1);
        }
        wanted.first.push_back(static_cast<std::int32_t>(wanted.to.size()));
        wanted.vertex_weights.push_back(weight_of(graph, router));
    }
    if (wanted.to.empty()) return {};
    const std::vector<std::int32_t> found =
        metis_cut(std::move(wanted), static_cast<std::int32_t>(parts));
    const std::set<std::int32_t> used(found.begin(), found.end());
    if (used.size() != parts) return {};
    return {found.begin(), found.end()};
}

}  // namespace

std::vector<std::uint32_t> partition(const Graph& graph, std::uint32_t parts) {
    Parts by_number = blocks(graph, parts);
    if (parts == 1) return by_number;
    Parts by_links = cut(graph, parts);
    const bool is_better =
        !by_links.empty() && cut_links(graph, by_links) < cut_links(graph, by_number);
    return is_better ? by_links : by_number;
}

std::size_t cut_links(const Graph& graph, const std::vector<std::uint32_t>& part_of) {
    return static_cast<std::size_t>(
        std::count_if(graph.links().begin(), graph.links().end(),
                      [&](const Link& link) { return part_of[link.from] != part_of[link.to]; }));
}

}  // namespace flitscope
