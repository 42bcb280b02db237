// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/models/routing_walks.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/support/ring_graph.h"

namespace flitscope {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<Graph> grids() {
    std::vector<Graph> graphs;
    for (const std::vector<std::uint32_t>& dims : std::vector<std::vector<std::uint32_t>>{
             {1}, {6}, {1, 5}, {4, 5}, {3, 4, 2}, {2, 2, 3, 2}}) {
        graphs.push_back(build_mesh(dims));
    }
    for (std::uint32_t n = 0; n <= 5; ++n) graphs.push_back(build_hypercube(n));
    graphs.push_back(with_nodes_per_router(build_mesh({3, 4}), 2));
    graphs.push_back(with_nodes_per_router(build_hypercube(3), 3));
    return graphs;
}

/// Between the routers of two nodes.
std::uint32_t grid_distance(const Graph& graph, NodeId a, NodeId b) {
    std::uint32_t sum = 0;
    for (std::size_t d = 0; d < graph.dims().size(); ++d) {
        const auto x = graph.coordinate(graph.router_of(a), d);
        const auto y = graph.coordinate(graph.router_of(b), d);
        sum += x > y ? x - y : y - x;
    }
    return sum;
}

TEST(DimensionOrder, IsMinimalAndCorrectsTheFastestDimensionFirst) {
    for (const Graph& graph : grids()) {
        const auto routing = make_dimension_order(graph);
        for (NodeId s = 0; s < graph.node_count(); ++s) {
            for (NodeId d = 0; d < graph.node_count(); ++d) {
                const std::vector<LinkId> path = route_links(graph, *routing, s, d);
                ASSERT_EQ(path.size(), grid_distance(graph, s, d)) << graph.description();
                std::size_t last = 0;
                for (const LinkId id : path) {
                    const std::size_t dimension = graph.dims().size() - graph.link(id).dimension;
                    ASSERT_GE(dimension, last);
                    last = dimension;
                }
            }
        }
    }
}

TEST(DimensionOrder, GoesAlongTheRowFirst) {
    const Graph graph = build_mesh({4, 4});
    const auto routing = make_dimension_order(graph);
    std::vector<std::uint32_t> visited;
    for (const LinkId id : route_links(graph, *routing, 0, 10)) {
        visited.push_back(graph.link(id).to);
    }
    EXPECT_EQ(visited, (std::vector<std::uint32_t>{1, 2, 6, 10}));
}

TEST(DimensionOrder, StatedTurnsCoverAllThatOccur) {
    for (const Graph& graph : grids()) {
        const auto routing = make_dimension_order(graph);
        std::set<std::pair<LinkId, LinkId>> stated;
        std::set<std::pair<LinkId, LinkId>> occurring;
        routing->visit_dependencies(graph, [&](VirtualLink a, VirtualLink b) {
            stated.insert({a.link, b.link});
        });
        routing->Routing::visit_dependencies(graph, [&](VirtualLink a, VirtualLink b) {
            occurring.insert({a.link, b.link});
        });
        EXPECT_TRUE(std::includes(stated.begin(), stated.end(), occurring.begin(), occurring.end()))
            << graph.description();
    }
}

std::uint32_t line_hops(const GridDimension& line, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t distance = a > b ? a - b : b - a;
    if (line.wraps) return std::min(distance, line.side - distance);
    return (distance + line.spans.back() - 1) / line.spans.back();
}

TEST(DimensionOrder, IsMinimalOnToriAndHowsAndStatesItsTurns) {
    std::vector<Graph> graphs;
    for (const std::vector<std::uint32_t>& sides : std::vector<std::vector<std::uint32_t>>{
             {3}, {4}, {5}, {6}, {8}, {4, 5}, {2, 6}, {3, 4, 2}}) {
        graphs.push_back(build_torus(sides));
        graphs.push_back(build_ghc(sides));
    }
    graphs.push_back(build_how({9}, {4}));
    graphs.push_back(build_how({12}, {3}));
    graphs.push_back(build_how({5, 6}, {2, 4}));
    graphs.push_back(with_nodes_per_router(build_torus({5, 4}), 2));
    graphs.push_back(with_nodes_per_router(build_ghc({3, 4}), 3));
    for (const Graph& graph : graphs) {
        SCOPED_TRACE(graph.description());
        for (const std::uint32_t vcs : {1U, 2U, 5U}) {
            const auto routing = make_dimension_order(graph, vcs);
            for (NodeId s = 0; s < graph.node_count(); ++s) {
                for (NodeId d = 0; d < graph.node_count(); ++d) {
                    std::uint32_t hops = 0;
                    for (std::size_t k = 0; k < graph.dims().size(); ++k) {
                        hops += line_hops(graph.wiring()->dimensions()[k],
                                          graph.coordinate(graph.router_of(s), k),
                                          graph.coordinate(graph.router_of(d), k));
                    }
                    ASSERT_EQ(route_links(graph, *routing, s, d).size(), hops);
                }
            }
            using Channel = std::pair<LinkId, std::uint32_t>;
            std::set<std::pair<Channel, Channel>> stated;
            std::set<std::pair<Channel, Channel>> occurring;
            const auto into = [](auto& set) {
                return [&set](VirtualLink a, VirtualLink b) {
                    set.insert({{a.link, a.vc}, {b.link, b.vc}});
                };
            };
            routing->visit_dependencies(graph, into(stated));
            routing->Routing::visit_dependencies(graph, into(occurring));
            EXPECT_TRUE(
                std::includes(stated.begin(), stated.end(), occurring.begin(), occurring.end()));
            const std::uint32_t longest =
                *std::max_element(graph.dims().begin(), graph.dims().end());
            const bool can_deadlock = graph.wiring()->has_rings() && vcs == 1 && longest > 4;
            EXPECT_EQ(find_dependency_cycle(graph, *routing).empty(), !can_deadlock);
        }
    }
}

/// No way towards the destination along a line has fewer hops, and the stated turns are exactly
/// those that occur.
TEST(DimensionOrder, TakesTheFewestHopsOfASparseHammingGraphThatDoNotOvershoot) {
    const std::vector<std::vector<std::uint32_t>> all_offsets = {
        {}, {2}, {4}, {3, 4}, {2, 5}, {5, 7}, {2, 3, 9}, {11}, {3, 7, 8}};
    for (const auto& offsets : all_offsets) {
        const Graph line = build_sparse_hamming({12}, {offsets});
        SCOPED_TRACE(line.description());
        const auto routing = make_dimension_order(line);
        for (NodeId from = 0; from < 12; ++from) {
            std::vector<std::uint32_t> hops(12, UINT32_MAX);  // to those ahead, place by place
            hops[from] = 0;
            for (NodeId to = from + 1; to < 12; ++to) {
                for (NodeId before = from; before < to; ++before) {
                    if (line.link_between(RouterId(before), RouterId(to), 0) == kNoLink) continue;
                    hops[to] = std::min(hops[to], hops[before] + 1);
                }
                const std::vector<LinkId> path = route_links(line, *routing, from, to);
                EXPECT_EQ(path.size(), hops[to]);
                for (std::size_t i = 1; i < path.size(); ++i) {  // the longest first
                    EXPECT_GE(line.link(path[i - 1]).length, line.link(path[i]).length);
                }
                EXPECT_EQ(route_links(line, *routing, to, from).size(), hops[to]);
            }
        }
        const Graph grid = build_sparse_hamming({4, 12}, {{3}, offsets});
        for (const Graph* const graph : {&line, &grid}) {
            const auto order = make_dimension_order(*graph);
            std::set<std::pair<LinkId, LinkId>> stated;
            std::set<std::pair<LinkId, LinkId>> occurring;
            order->visit_dependencies(*graph, [&](VirtualLink a, VirtualLink b) {
                stated.insert({a.link, b.link});
            });
            order->Routing::visit_dependencies(*graph, [&](VirtualLink a, VirtualLink b) {
                occurring.insert({a.link, b.link});
            });
            EXPECT_EQ(stated, occurring);
            EXPECT_TRUE(find_dependency_cycle(*graph, *order).empty());
        }
    }
}

TEST(DimensionOrder, GoesEitherWayRoundARingToTheOtherSide) {
    for (const std::uint32_t side : {4U, 8U, 12U}) {
        const Graph graph = build_torus({side});
        const auto routing = make_dimension_order(graph, 2);
        std::uint32_t plus = 0;
        for (RouterId router; router < side; ++router) {
            plus += routing->route(router, (router + side / 2) % side).port == 1 ? 1 : 0;
        }
        EXPECT_EQ(plus, side / 2);
    }
}

TEST(DeadlockCheck, FindsNoCycleInDimensionOrder) {
    for (const Graph& graph : grids()) {
        EXPECT_TRUE(find_dependency_cycle(graph, *make_dimension_order(graph)).empty());
    }
}

TEST(DeadlockCheck, NamesTheCycleOfARing) {
    const Graph graph = ring(4);
    const auto routing = make_shortest_path(graph);
    const std::vector<VirtualLink> cycle = find_dependency_cycle(graph, *routing);
    ASSERT_EQ(cycle.size(), 4U);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        EXPECT_EQ(graph.link(cycle[i].link).to, graph.link(cycle[(i + 1) % 4].link).from);
    }
    EXPECT_EQ(describe_cycle(graph, cycle),
              "link_000_001 -> link_001_002 -> link_002_003 -> link_003_000 -> link_000_001");
}

TEST(DeadlockCheck, SaysWhatCannotDeadlockWhereLinksLeadOneWay) {
    const Config config;
    const Graph graph = ring(4);
    const auto cycle = find_dependency_cycle(graph, *make_shortest_path(graph));
    EXPECT_THAT(refused_with([&] { require_deadlock_freedom(config, graph, cycle); }),
                AllOf(HasSubstr("use routing lash, which keeps to shortest paths in 2 virtual "
                                "channels or more, add the opposites of all links"),
                      HasSubstr("fabric.allow_deadlock: true")));
}

TEST(DeadlockCheck, OffersASecondVirtualChannelToDimensionOrderAlone) {
    Config config;
    const Graph torus = build_torus({8});
    const auto said = [&](const Graph& graph, const Routing& routing) {
        return refused_with([&] {
            require_deadlock_freedom(config, graph, find_dependency_cycle(graph, routing));
        });
    };
    EXPECT_THAT(said(torus, *make_dimension_order(torus, 1)),
                HasSubstr("set fabric.virtual_channels: 2 (datelines)"));
    TopologyConfig topology;
    topology.dims = {5, 5};
    topology.segment = 2;
    topology.layout = ExpressLayout::kCompound;
    const Graph compound = build_express_mesh(topology);
    EXPECT_THAT(said(compound, *make_compound_order(compound, 1)),
                HasSubstr("set fabric.virtual_channels: 2 (for either end of a path)"));
    config.fabric.routing = "shortest_path";
    EXPECT_THAT(said(torus, *make_shortest_path(torus)),
                AllOf(Not(HasSubstr("virtual_channels: 2")), HasSubstr("use routing up_down")));
}

TEST(DeadlockCheck, PassesARingThatIsTooShortToWaitRound) {
    // Three nodes one way: no packet that holds a link waits for the one before it... two hops do.
    EXPECT_FALSE(find_dependency_cycle(ring(3), *make_shortest_path(ring(3))).empty());
    EXPECT_TRUE(find_dependency_cycle(ring(2), *make_shortest_path(ring(2))).empty());
}

TEST(DeadlockCheck, CatchesARoutingThatMixesDimensionOrders) {
    // Even destinations XY, odd ones YX: together they allow all four turns of a cycle.
    class Mixed final : public Routing {
    public:
        explicit Mixed(const Graph& graph) : Routing(graph.shared_places()) {}
        std::string name() const override { return "mixed"; }

    private:
        RouteChoice hop(RouterId at, NodeId destination) const override {
            const RouterId to = router_of(destination);
            const std::uint32_t ax = at % 4, ay = at / 4, tx = to % 4, ty = to / 4;
            const auto x = [&] { return RouteChoice{tx > ax ? 1U : 2U}; };
            const auto y = [&] { return RouteChoice{ty > ay ? 3U : 4U}; };
            if (at == to) return {kLocalPort};
            if (to % 2 == 0) return ax != tx ? x() : y();
            return ay != ty ? y() : x();
        }
    };
    const Graph graph = build_mesh({4, 4});
    EXPECT_FALSE(find_dependency_cycle(graph, Mixed(graph)).empty());
}

TEST(ShortestPath, IsMinimalOnGrids) {
    for (const Graph& graph : grids()) {
        const auto routing = make_shortest_path(graph);
        for (NodeId s = 0; s < graph.node_count(); ++s) {
            for (NodeId d = 0; d < graph.node_count(); ++d) {
                ASSERT_EQ(route_links(graph, *routing, s, d).size(), grid_distance(graph, s, d));
            }
        }
    }
}

TEST(RoutingFactory, RefusesDimensionOrderWithoutCoordinates) {
    Config config;
    const Graph graph = ring(4);
    EXPECT_EQ(make_routing(config, graph)->name(), "shortest_path");
    config.fabric.routing = "dimension_order";
    EXPECT_THROW(make_routing(config, graph), ConfigError);
}

}  // namespace
}  // namespace flitscope
