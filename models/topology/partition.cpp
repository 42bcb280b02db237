// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/partition.h"

#include <metis.h>

#include <algorithm>
#include <set>

#include "models/base/metis_guard.h"

namespace flitscope {
namespace {

using Parts = std::vector<std::uint32_t>;

/// What a node counts: its router's share, and that of every link.
idx_t weight_of(const Graph& graph, NodeId node) {
    idx_t weight = 1;
    for (PortId port = 1; port < graph.port_count(); ++port) {
        if (graph.out_link(node, port) != kNoLink) ++weight;
    }
    return weight;
}

/// Consecutive nodes, which on grids are lines, planes and so on.
Parts blocks(const Graph& graph, std::uint32_t parts) {
    Parts part_of(graph.node_count());
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        part_of[node] =
            static_cast<std::uint32_t>(std::uint64_t{node} * parts / graph.node_count());
    }
    return part_of;
}

/// What METIS finds; empty where it finds nothing, for want of memory too, or leaves a part empty.
Parts cut(const Graph& graph, std::uint32_t parts) {
    const NodeId nodes = graph.node_count();
    std::vector<std::vector<idx_t>> neighbours(nodes);
    for (const Link& link : graph.links()) {
        neighbours[link.from].push_back(static_cast<idx_t>(link.to));
        neighbours[link.to].push_back(static_cast<idx_t>(link.from));
    }
    std::vector<idx_t> first{0};
    std::vector<idx_t> to;
    std::vector<idx_t> links;
    std::vector<idx_t> weights;
    for (NodeId node = 0; node < nodes; ++node) {
        std::vector<idx_t>& near = neighbours[node];
        std::sort(near.begin(), near.end());
        for (const idx_t other : near) {
            if (other == static_cast<idx_t>(node)) continue;
            if (to.size() > static_cast<std::size_t>(first.back()) && to.back() == other) {
                ++links.back();
                continue;
            }
            to.push_back(other);
            links.push_back(1);
        }
        first.push_back(static_cast<idx_t>(to.size()));
        weights.push_back(weight_of(graph, node));
    }
    if (to.empty()) return {};
    auto vertices = static_cast<idx_t>(nodes);
    auto wanted = static_cast<idx_t>(parts);
    idx_t constraints = 1;
    idx_t cut_weight = 0;
    std::vector<idx_t> options(METIS_NOPTIONS);
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = 1;
    std::vector<idx_t> found(nodes);
    const int status = [&] {
        const MetisGuard while_it_cuts;
        return METIS_PartGraphRecursive(&vertices, &constraints, first.data(), to.data(),
                                        weights.data(), nullptr, links.data(), &wanted, nullptr,
                                        nullptr, options.data(), &cut_weight, found.data());
    }();
    const std::set<idx_t> used(found.begin(), found.end());
    if (status != METIS_OK || used.size() != parts) return {};
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
