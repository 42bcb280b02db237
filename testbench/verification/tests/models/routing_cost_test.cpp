// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The costs of routes in hops: against following every path.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/performance/topology_metrics.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/verification/tests/models/network_definitions.h"

namespace flitscope {
namespace {

/// The figures by following every path and searching from every node.
RoutingMetrics follow_all(const Definition& d, const Graph& graph, const Routing& routing) {
    RoutingMetrics result;
    std::vector<std::vector<NodeId>> neighbours(d.nodes);
    for (const auto& [a, b] : d.channels) {
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    }
    double pairs = 0;
    for (NodeId source = 0; source < d.nodes; ++source) {
        std::map<NodeId, std::uint32_t> shortest{{source, 0}};
        std::vector<NodeId> open{source};
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (const NodeId to : neighbours[open[i]]) {
                if (shortest.emplace(to, shortest[open[i]] + 1).second) open.push_back(to);
            }
        }
        for (NodeId destination = 0; destination < d.nodes; ++destination) {
            if (source == destination) continue;
            const auto hops =
                static_cast<std::uint32_t>(route_links(graph, routing, source, destination).size());
            const std::uint32_t extra = hops - shortest[destination];
            ++pairs;
            result.mean_hops += hops;
            result.max_hops = std::max(result.max_hops, hops);
            result.mean_extra_hops += extra;
            result.max_extra_hops = std::max(result.max_extra_hops, extra);
            result.detour_share += extra != 0 ? 1 : 0;
        }
    }
    result.mean_hops /= pairs;
    result.mean_extra_hops /= pairs;
    result.detour_share /= pairs;
    return result;
}

std::unique_ptr<Routing> default_routing(const Definition& d, const Graph& graph,
                                         const std::string& name = "auto") {
    Config config;
    config.fabric.topology = d.config;
    config.fabric.virtual_channels = 2;
    config.fabric.routing = name;
    return make_routing(config, graph);
}

TEST(RoutingCost, IsThatOfFollowingEveryPath) {
    std::vector<Definition> all = {mesh({5, 4}),
                                   torus({6, 5}),
                                   ghc({4, 5}),
                                   hypercube(5),
                                   how({7, 6}, {3, 2}),
                                   express_mesh({9, 9}, "full", 3),
                                   express_mesh({9, 9}, "sparse", 3),
                                   express_mesh({13, 11}, "shifted", 4),
                                   compound({9, 9}, 4),
                                   express_mesh({13, 9}, "hierarchy", 2, 3)};
    for (const Definition& d : all) {
        for (const char* name : {"auto", "up_down"}) {
            SCOPED_TRACE(d.name + ' ' + name);
            const Graph graph = build(d.config);
            const auto routing = default_routing(d, graph, name);
            const RoutingMetrics expected = follow_all(d, graph, *routing);
            const RoutingMetrics m = measure_routing(graph, *routing);
            EXPECT_NEAR(m.mean_hops, expected.mean_hops, 1e-9);
            EXPECT_EQ(m.max_hops, expected.max_hops);
            EXPECT_NEAR(m.mean_extra_hops, expected.mean_extra_hops, 1e-9);
            EXPECT_EQ(m.max_extra_hops, expected.max_extra_hops);
            EXPECT_NEAR(m.detour_share, expected.detour_share, 1e-9);
            EXPECT_EQ(m.destinations, d.nodes);
        }
    }
}

TEST(RoutingCost, NamesTheDetoursOfExpressMeshesAndNoneElsewhere) {
    for (const Definition& d : {mesh({8, 8}), torus({8, 5}), ghc({4, 4, 3}), hypercube(6),
                                how({8, 8}, {3, 3}), how({9, 5}, {8, 2})}) {
        const Graph graph = build(d.config);
        const RoutingMetrics m = measure_routing(graph, *default_routing(d, graph));
        EXPECT_EQ(m.max_extra_hops, 0U) << d.name;
        EXPECT_EQ(m.detour_share, 0.0) << d.name;
        EXPECT_NEAR(m.mean_hops, measure_topology(graph).average_distance, 1e-9) << d.name;
    }
    const Definition sparse = express_mesh({16, 16}, "sparse", 4);
    const Graph graph = build(sparse.config);
    EXPECT_EQ(measure_routing(graph, *default_routing(sparse, graph)).max_extra_hops, 0U);
    const RoutingMetrics m = measure_routing(graph, *make_dimension_order(graph));
    EXPECT_GT(m.detour_share, 0.5);
    EXPECT_EQ(m.max_hops, 30U);
}

TEST(RoutingCost, OfASampleIsNearTheWhole) {
    const Graph graph = build_ghc({40, 40});
    Config config;
    config.fabric.topology = grid("ghc", {40, 40});
    const RoutingMetrics m = measure_routing(graph, *make_routing(config, graph));
    EXPECT_LT(m.destinations, 1600U);
    EXPECT_GT(m.destinations, 200U);
    EXPECT_NEAR(m.mean_hops, measure_topology(graph).average_distance, 1e-9);  // all nodes alike
}

TEST(RoutingCost, OfNoNodesIsNothing) {
    const Graph graph = build_mesh({2, 2});
    for (const char* const name : {"auto", "valiant"}) {
        Config config;
        config.fabric.topology = grid("mesh", {2, 2});
        config.fabric.routing = name;
        config.fabric.virtual_channels = 2;
        const RoutingMetrics m = measure_routing(graph, *make_routing(config, graph), {});
        EXPECT_EQ(m.destinations, 0U);
        EXPECT_EQ(m.mean_hops, 0.0);
    }
}

/// On a line of three fully joined nodes: directly, or, every other packet, over the third one.
class Detours final : public Routing {
public:
    Detours(const Graph& graph, PathChoice choice)
        : Routing(graph.shared_places()), graph_(graph), choice_(choice) {}
    std::string name() const override { return "detours"; }
    PathChoice path_choice() const override { return choice_; }

private:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
            const LinkId id = graph_.out_link(at, port);
            if (id != kNoLink && graph_.link(id).to == router_of(destination)) return {port};
        }
        return {kLocalPort};
    }
    RouteChoice hop(const RouteQuery& query) const override {
        const bool begins = query.is_injected && query.source != query.destination;
        if (!begins || query.sequence % 2 == 0) return hop(query.at, query.destination);
        return hop(query.at, 3 - query.source - query.destination);
    }
    void hops(const RouteQuery& query, RouteChoices& choices) const override {
        choices.clear();
        choices.add(hop(query.at, query.destination));
        choices.add(hop(query));
    }

    const Graph& graph_;
    PathChoice choice_;
};

TEST(RoutingCost, FollowsPacketsWhereThePathIsNotFixed) {
    const Graph graph = build_ghc({3});
    // Sequence numbers are source + destination: odd for the pairs 0-1 and 1-2.
    const RoutingMetrics oblivious = measure_routing(graph, Detours(graph, PathChoice::kPerPacket));
    EXPECT_NEAR(oblivious.mean_hops, (4 * 2 + 2 * 1) / 6.0, 1e-9);
    EXPECT_EQ(oblivious.max_extra_hops, 1U);
    EXPECT_NEAR(oblivious.detour_share, 4 / 6.0, 1e-9);
    const RoutingMetrics adaptive = measure_routing(graph, Detours(graph, PathChoice::kAdaptive));
    EXPECT_NEAR(adaptive.mean_hops, 1.0, 1e-9);
    EXPECT_EQ(adaptive.max_extra_hops, 0U);
}

}  // namespace
}  // namespace flitscope
