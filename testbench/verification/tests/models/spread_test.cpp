// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables that spread paths over equal next links (fabric.spread), on networks that have many.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/switch_graphs.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

/// The most that every node can send to all others, in flits per cycle, as far as links are
/// concerned.
double bound(const Graph& graph, const Routing& routing) {
    const NodeId nodes = graph.node_count();
    std::map<LinkId, unsigned> pairs;
    for (NodeId s = 0; s < nodes; ++s) {
        for (NodeId d = 0; d < nodes; ++d) {
            for (const LinkId id : route_links(graph, routing, s, d)) {
                pairs[id] += graph.link(id).rate_cycles;
            }
        }
    }
    unsigned most = 0;
    for (const auto& [id, count] : pairs) most = std::max(most, count);
    return (nodes - 1.0) / most;
}

struct Case {
    Spread spread;
    double bound;
    bool can_deadlock;
};

void expect(const Graph& graph, const std::vector<Case>& cases) {
    for (const Case& expected : cases) {
        SCOPED_TRACE(name_of(expected.spread));
        const auto routing = make_shortest_path(graph, expected.spread);
        EXPECT_NEAR(bound(graph, *routing), expected.bound, 5e-4);
        EXPECT_EQ(!find_dependency_cycle(graph, *routing).empty(), expected.can_deadlock);
    }
}

TEST(Spread, OverTheSpinesOfAClos) {
    expect(clos(4, 4, 4), {{Spread::kNone, 0.3125, false},
                           {Spread::kPorts, 1.25, false},
                           {Spread::kFlow, 1.25, false},
                           {Spread::kPaths, 1.25, false}});
}

/// The spine whose links take a flit in two cycles gets half of what the others get, a fifth.
TEST(Spread, GivesSlowLinksLess) {
    Graph graph = clos(4, 3, 4);
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& link = graph.link(id);
        const RouterId slow(4);
        if (link.from == slow || link.to == slow) graph.set_rate(id, 2);
    }
    expect(graph, {{Spread::kNone, 0.1563, false},
                   {Spread::kPorts, 0.625, false},
                   {Spread::kFlow, 0.625, false},
                   {Spread::kPaths, 0.75, false}});
}

TEST(Spread, OverTheRootsOfATree) {
    // As even as by the digits of destinations, where flows are counted.
    expect(tree_of_switches(4, 3), {{Spread::kNone, 0.0820, false},
                                    {Spread::kPorts, 0.3281, false},
                                    {Spread::kFlow, 1.05, false},
                                    {Spread::kPaths, 1.05, false}});
}

TEST(Spread, OnAMeshIsWorseThanDimensionOrderAndCanDeadlock) {
    expect(mesh_of_switches(4, 4, 4), {{Spread::kNone, 0.2461, false},
                                       {Spread::kPorts, 0.2045, true},
                                       {Spread::kFlow, 0.1853, true},
                                       {Spread::kPaths, 0.2218, true}});
}

/// Not so on random graphs: it has to be tried.
TEST(Spread, OnRandomGraphsOfWholePathsIsBest) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const Graph graph = random_switches(16, 4, 2, seed);
        const double of_paths = bound(graph, *make_shortest_path(graph, Spread::kPaths));
        for (const Spread spread : kSpreads) {
            EXPECT_LE(bound(graph, *make_shortest_path(graph, spread)), of_paths)
                << name_of(spread) << ", seed " << seed;
        }
    }
}

TEST(Spread, KeepsPathsShortest) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const Graph graph = random_switches(12, 4, 2, seed);
        const auto plain = make_shortest_path(graph);
        for (const Spread spread : {Spread::kPorts, Spread::kFlow, Spread::kPaths}) {
            const auto routing = make_shortest_path(graph, spread);
            for (NodeId s = 0; s < graph.node_count(); ++s) {
                for (NodeId d = 0; d < graph.node_count(); ++d) {
                    ASSERT_EQ(route_links(graph, *routing, s, d).size(),
                              route_links(graph, *plain, s, d).size());
                }
            }
        }
    }
}

/// Also where ways down and ways up are equally many, and never up again.
TEST(Spread, OfUpDownKeepsToItsClassesOfLinks) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Graph graph = random_switches(6 + seed % 10, 4, 1 + seed % 3, seed);
        const auto plain = make_up_down(graph);
        for (const Spread spread : {Spread::kPorts, Spread::kFlow, Spread::kPaths}) {
            const auto routing = make_up_down(graph, spread);
            EXPECT_TRUE(find_dependency_cycle(graph, *routing).empty()) << seed;
            for (NodeId s = 0; s < graph.node_count(); ++s) {
                for (NodeId d = 0; d < graph.node_count(); ++d) {
                    ASSERT_EQ(route_links(graph, *routing, s, d).size(),
                              route_links(graph, *plain, s, d).size());
                }
            }
        }
    }
    const Graph leaves = clos(4, 4, 4);
    EXPECT_NEAR(bound(leaves, *make_up_down(leaves)), 0.3125, 5e-4);
    EXPECT_GT(bound(leaves, *make_up_down(leaves, Spread::kFlow)), 0.6);
}

TEST(Spread, OfLashIsThatOfItsPathsAsFarAsLayersHoldThem) {
    const Graph mesh = mesh_of_switches(4, 4, 4);
    const auto flow = make_shortest_path(mesh, Spread::kFlow);
    const auto lash = make_lash(mesh, 4, flow.get(), Spread::kFlow);
    ASSERT_NE(lash, nullptr);
    EXPECT_EQ(lash->name(), "lash/flow");
    EXPECT_TRUE(find_dependency_cycle(mesh, *lash).empty());
    const Graph leaves = clos(4, 4, 4);
    const auto even = make_shortest_path(leaves, Spread::kFlow);
    EXPECT_NEAR(bound(leaves, *make_lash(leaves, 1, even.get(), Spread::kFlow)), 1.25, 5e-4);
}

std::string error_of(const std::string& fabric) {
    try {
        const Config config = parse_config("fabric: {" + fabric + "}\n", "spread_test");
        const Graph graph = build_topology(config);
        return make_routing(config, graph)->name();
    } catch (const ConfigError& error) {
        return error.what();
    }
}

TEST(Spread, IsAKeyOfTables) {
    const std::string cube = "topology: {kind: hypercube, dimensions: 3}, spread: flow, routing: ";
    EXPECT_EQ(error_of(cube + "shortest_path, virtual_channels: 4"), "shortest_path/flow");
    EXPECT_EQ(error_of(cube + "up_down"), "up_down/flow");
    EXPECT_EQ(error_of(cube + "lash, virtual_channels: 4"), "lash/flow");
    EXPECT_THAT(error_of(cube + "dimension_order"), HasSubstr("routing 'dimension_order'"));
    EXPECT_THAT(error_of("topology: {kind: fat_tree, arity: 2, height: 2}, routing: up_down, "
                         "spread: flow"),
                HasSubstr("set fabric.spread: none"));
}

}  // namespace
}  // namespace flitscope
