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
        std::vector<bool> begins(graph.router_count());
        const auto has_nodes = [&](RouterId router) { return !graph.nodes_at(router).empty(); };
        for (RouterId router; router < graph.router_count(); ++router) {
            begins[router] = has_nodes(router);
        }
        for (const Link& link : graph.links()) {
            if (graph.has_per_link_endpoints() && has_nodes(link.from)) begins[link.to] = true;
        }
        for (RouterId router; router < graph.router_count(); ++router) {
            if (begins[router]) begins_.push_back(router);
        }
    }

    void forget(RouterId destination, std::uint16_t* ports) {
        is_passed_.assign(graph_.router_count(), false);
        for (RouterId at : begins_) {
            while (at != destination && ports[at] != kLocalPort && !is_passed_[at]) {
                is_passed_[at] = true;
                at = graph_.link(graph_.out_link(at, ports[at])).to;
            }
        }
        for (RouterId router; router < graph_.router_count(); ++router) {
            if (!is_passed_[router]) ports[router] = kLocalPort;
        }
    }

private:
    const Graph& graph_;
    std::vector<RouterId> begins_;
    std::vector<bool> is_passed_;
};

}  // namespace

std::unique_ptr<Routing> make_shortest_path(const Graph& graph, Spread spread) {
    auto table = std::make_unique<TableRouting>(spread_name("shortest_path", spread), graph);
    Search search(graph);
    PathSpreader spreader(graph, spread);
    UnusedWays unused(graph);
    const bool has_switches = graph.has_switches();
    const auto any_link = [](const Link&) { return true; };
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        if (!graph.is_alive(destination)) continue;
        std::uint16_t* const ports = table->towards(destination);
        search.run(graph.router_of(destination), ports, any_link);
        spreader.spread(search.distance(), any_link, ports);
        if (has_switches) unused.forget(graph.router_of(destination), ports);
    }
    return table;
}

std::unique_ptr<Routing> make_up_down(const Graph& graph, Spread spread) {
    // Levels of a breadth-first tree from router 0, or the first that is alive; a link leads up
    // when it leads to a lower level, or within one to a lower number (Schroeder et al. 1991).
    // `order` has higher nodes first.
    Search search(graph);
    std::vector<std::uint16_t> unused(graph.router_count());
    RouterId root;
    while (root + 1 < graph.router_count() && !graph.is_alive(root)) ++root;
    std::vector<RouterId> order = search.run(root, unused.data(), [](const Link&) { return true; });
    const std::vector<std::uint32_t> level = search.distance();
    std::sort(order.begin(), order.end(), [&level](RouterId a, RouterId b) {
        return std::pair(level[a], a.number()) < std::pair(level[b], b.number());
    });
    std::vector<std::uint32_t> rank(graph.router_count());
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;

    auto table = std::make_unique<TableRouting>(spread_name("up_down", spread), graph);
    PathSpreader spreader(graph, spread);
    const auto leads_down = [&rank](const Link& link) { return rank[link.from] < rank[link.to]; };
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        if (!graph.is_alive(destination)) continue;
        // A packet that can go down all the way does so: one that has gone down never requests a
        // link that leads up.
        std::uint16_t* const ports = table->towards(destination);
        std::vector<bool> goes_down(graph.router_count());
        const RouterId last = graph.router_of(destination);
        for (const RouterId router : search.run(last, ports, leads_down)) {
            goes_down[router] = true;
        }
        // All others go up, the shortest way to one of those; higher nodes are settled first.
        Relaxation relax(search.distance(), ports);
        for (const RouterId router : order) {
            if (search.distance()[router] == kUnreached) continue;
            for (const Link& link : search.neighbours().into(router)) {
                if (!goes_down[link.from] && rank[link.from] > rank[link.to]) relax(link);
            }
        }
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
