// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/topology_metrics.h"

#include <algorithm>
#include <vector>

#include "models/performance/bounds.h"

namespace flitscope {
namespace {

/// Distances of a grid are sums over its dimensions; the mean of |i - j| over all ordered pairs of
/// k places, equal ones included, is (k^2 - 1) / 3k. A hypercube is the 2 x 2 x ... grid.
void grid_distances(const Graph& graph, TopologyMetrics& metrics) {
    double mean = 0;
    for (const std::uint32_t k : graph.dims()) {
        metrics.diameter += k - 1;
        mean += (static_cast<double>(k) * k - 1) / (3.0 * k);
    }
    const auto n = static_cast<double>(graph.node_count());
    metrics.average_distance = n > 1 ? mean * n / (n - 1) : 0;
}

}  // namespace

void measure_distances(const Graph& graph, TopologyMetrics& metrics) {
    std::vector<std::uint32_t> distance(graph.node_count());
    std::vector<NodeId> open;
    std::uint64_t sum = 0;
    metrics.diameter = 0;
    for (NodeId start = 0; start < graph.node_count(); ++start) {
        std::fill(distance.begin(), distance.end(), UINT32_MAX);
        distance[start] = 0;
        open.assign(1, start);
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (PortId port = 1; port < graph.port_count(); ++port) {
                const LinkId id = graph.out_link(open[i], port);
                if (id == kNoLink || distance[graph.link(id).to] != UINT32_MAX) continue;
                distance[graph.link(id).to] = distance[open[i]] + 1;
                open.push_back(graph.link(id).to);
            }
            sum += distance[open[i]];
        }
        metrics.diameter = std::max(metrics.diameter, distance[open.back()]);
    }
    const auto n = static_cast<double>(graph.node_count());
    metrics.average_distance = n > 1 ? static_cast<double>(sum) / (n * (n - 1)) : 0;
}

TopologyMetrics measure_topology(const Graph& graph) {
    TopologyMetrics metrics;
    metrics.nodes = graph.node_count();
    metrics.links = graph.link_count();
    // A channel is a pair of links; a link without its opposite is a channel of its own.
    std::vector<std::uint32_t> degree(graph.node_count(), 0);
    const Bisection cut = canonical_bisection(graph);
    for (const Link& link : graph.links()) {
        const LinkId back = graph.out_link(link.to, link.to_port);
        const bool paired = back != kNoLink && graph.link(back).to == link.from;
        if (paired && link.from > link.to) continue;
        ++metrics.channels;
        ++degree[link.from];
        ++degree[link.to];
        if (cut.upper[link.from] != cut.upper[link.to]) ++metrics.bisection;
        metrics.wire_length += link.length;
        metrics.longest_wire = std::max(metrics.longest_wire, link.length);
    }
    const auto [lowest, highest] = std::minmax_element(degree.begin(), degree.end());
    metrics.degree_min = *lowest;
    metrics.degree_max = *highest;
    if (graph.kind() == "custom") {
        measure_distances(graph, metrics);
    } else {
        grid_distances(graph, metrics);
    }
    return metrics;
}

}  // namespace flitscope
