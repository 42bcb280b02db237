// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing by table, for any graph: shortest paths, and up*/down*.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "models/routing/path_spreader.h"
#include "models/routing/path_table.h"
#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

/// Forgets ways that no packet takes. Packets begin at nodes, or right after one if a message names
/// its port, which requires nodes with a channel for every link; a switch that no packet passes
/// requests nothing. With its ways in the table the deadlock check would see waits that cannot
/// occur.
class UnusedWays {
public:
    explicit UnusedWays(const Graph& graph) : graph_(graph) {
        std::vector<bool> begins(graph.node_count());
        for (NodeId node = 0; node < graph.endpoint_count(); ++node) begins[node] = true;
        for (const Link& link : graph.links()) {
            const bool names_it =
                graph.has_per_link_endpoints() && link.from < graph.endpoint_count();
            if (names_it) begins[link.to] = true;
        }
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            if (begins[node]) begins_.push_back(node);
        }
    }

    void forget(NodeId destination, std::uint16_t* ports) {
        is_passed_.assign(graph_.node_count(), false);
        for (NodeId at : begins_) {
            while (at != destination && ports[at] != kLocalPort && !is_passed_[at]) {
                is_passed_[at] = true;
                at = graph_.link(graph_.out_link(at, ports[at])).to;
            }
        }
        for (NodeId node = 0; node < graph_.node_count(); ++node) {
            if (!is_passed_[node]) ports[node] = kLocalPort;
        }
    }

private:
    const Graph& graph_;
    std::vector<NodeId> begins_;
    std::vector<bool> is_passed_;
};

}  // namespace

std::unique_ptr<Routing> make_shortest_path(const Graph& graph, Spread spread) {
    auto table =
        std::make_unique<TableRouting>(spread_name("shortest_path", spread), graph.node_count());
    Search search(graph);
    PathSpreader spreader(graph, spread);
    UnusedWays unused(graph);
    const auto any_link = [](const Link&) { return true; };
    for (NodeId destination = 0; destination < graph.endpoint_count(); ++destination) {
        std::uint16_t* const ports = table->towards(destination);
        search.run(destination, ports, any_link);
        spreader.spread(search.distance(), any_link, ports);
        if (graph.has_switches()) unused.forget(destination, ports);
    }
    return table;
}

std::unique_ptr<Routing> make_up_down(const Graph& graph, Spread spread) {
    // Levels of a breadth-first tree from node 0, or the first that is alive; a link leads up when
    // it leads to a lower level, or within one to a lower number (Schroeder et al. 1991). `order`
    // has higher nodes first.
    Search search(graph);
    std::vector<std::uint16_t> unused(graph.node_count());
    NodeId root = 0;
    while (root + 1 < graph.node_count() && !graph.is_alive(root)) ++root;
    std::vector<NodeId> order = search.run(root, unused.data(), [](const Link&) { return true; });
    const std::vector<std::uint32_t> level = search.distance();
    std::sort(order.begin(), order.end(), [&level](NodeId a, NodeId b) {
        return std::pair(level[a], a) < std::pair(level[b], b);
    });
    std::vector<std::uint32_t> rank(graph.node_count());
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;

    auto table = std::make_unique<TableRouting>(spread_name("up_down", spread), graph.node_count());
    PathSpreader spreader(graph, spread);
    const auto leads_down = [&rank](const Link& link) { return rank[link.from] < rank[link.to]; };
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        // A packet that can go down all the way does so: one that has gone down never requests a
        // link that leads up.
        std::uint16_t* const ports = table->towards(destination);
        std::vector<bool> goes_down(graph.node_count());
        for (const NodeId node : search.run(destination, ports, leads_down)) {
            goes_down[node] = true;
        }
        // All others go up, the shortest way to one of those; higher nodes are settled first.
        Relaxation relax(search.distance(), ports);
        for (const NodeId node : order) {
            if (search.distance()[node] == kUnreached) continue;
            for (const Link& link : search.neighbours().into(node)) {
                if (!goes_down[link.from] && rank[link.from] > rank[link.to]) relax(link);
            }
        }
        if (destination >= graph.endpoint_count()) continue;  // nobody sends there
        spreader.spread(
            search.distance(),
            [&](const Link& link) {
                return leads_down(link) ? goes_down[link.to] : !goes_down[link.from];
            },
            ports);
    }
    return table;
}

}  // namespace flitscope
