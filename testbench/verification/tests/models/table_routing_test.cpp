// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// up*/down*, shortest paths and the order of compound meshes, on graphs that are drawn at random
// and on every grid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/node_places.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/support/ring_graph.h"
#include "testbench/verification/tests/support/switch_graphs.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

/// With links in both directions between the routers of each pair, each with a node.
Graph graph_of(std::uint32_t routers, const std::set<Channel>& pairs) {
    return graph_of_channels(routers, routers, {pairs.begin(), pairs.end()});
}

/// A connected graph: a random tree and `extra` more links.
Graph random_graph(std::uint32_t routers, std::uint32_t extra, std::uint32_t seed) {
    std::mt19937 draw(seed);
    std::set<Channel> pairs;
    for (std::uint32_t i = 1; i < routers; ++i) pairs.insert({draw() % i, i});
    for (std::uint32_t i = 0; i < extra; ++i) {
        const std::uint32_t a = draw() % routers;
        const std::uint32_t b = draw() % routers;
        if (a != b) pairs.insert({std::min(a, b), std::max(a, b)});
    }
    return graph_of(routers, pairs);
}

std::vector<std::uint32_t> distances_from(const Graph& graph, RouterId start) {
    std::vector<std::uint32_t> distance(graph.router_count(), UINT32_MAX);
    std::deque<RouterId> open{start};
    distance[start] = 0;
    while (!open.empty()) {
        const RouterId router = open.front();
        open.pop_front();
        for (const Link& link : graph.links()) {
            if (link.from != router || distance[link.to] != UINT32_MAX) continue;
            distance[link.to] = distance[router] + 1;
            open.push_back(link.to);
        }
    }
    return distance;
}

/// Larger ranks are further down: levels of the tree from router 0, then router numbers.
std::vector<std::pair<std::uint32_t, RouterId>> ranks(const Graph& graph) {
    std::vector<std::pair<std::uint32_t, RouterId>> rank;
    const std::vector<std::uint32_t> level = distances_from(graph, RouterId(0));
    for (RouterId router; router < graph.router_count(); ++router) {
        rank.emplace_back(level[router], router);
    }
    return rank;
}

TEST(UpDown, NeverGoesUpAgainOnRandomGraphs) {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const Graph graph = random_graph(2 + seed % 23, seed, seed);
        const auto routing = make_up_down(graph);
        const auto rank = ranks(graph);
        for (NodeId s = 0; s < graph.node_count(); ++s) {
            for (NodeId d = 0; d < graph.node_count(); ++d) {
                bool down = false;
                for (const LinkId id : route_links(graph, *routing, s, d)) {
                    const bool leads_down = rank[graph.link(id).from] < rank[graph.link(id).to];
                    ASSERT_FALSE(down && !leads_down) << "seed " << seed << ' ' << s << "->" << d;
                    down = leads_down;
                }
            }
        }
        EXPECT_TRUE(find_dependency_cycle(graph, *routing).empty()) << "seed " << seed;
    }
}

TEST(UpDown, IsMinimalOnTrees) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Graph graph = random_graph(3 + seed, 0, seed);
        const auto routing = make_up_down(graph);
        for (NodeId s = 0; s < graph.node_count(); ++s) {
            const std::vector<std::uint32_t> distance = distances_from(graph, graph.router_of(s));
            for (NodeId d = 0; d < graph.node_count(); ++d) {
                ASSERT_EQ(route_links(graph, *routing, s, d).size(), distance[graph.router_of(d)]);
            }
        }
    }
}

TEST(UpDown, CannotDeadlockWhereShortestPathsCan) {
    const Graph torus = build_torus({5, 5});
    EXPECT_FALSE(find_dependency_cycle(torus, *make_shortest_path(torus)).empty());
    EXPECT_TRUE(find_dependency_cycle(torus, *make_up_down(torus)).empty());
}

TEST(UpDown, IsRefusedWhereALinkHasNoOpposite) {
    Config config;
    config.fabric.routing = "up_down";
    EXPECT_THAT(refused_with([&] { make_routing(config, ring(4)); }),
                HasSubstr("use lash with several virtual channels, or add the"));
}

TEST(Lash, CannotDeadlockWhereLinksLeadOneWay) {
    Config config;
    config.fabric.routing = "lash";
    config.fabric.virtual_channels = 2;
    const Graph graph = ring(4);
    EXPECT_TRUE(find_dependency_cycle(graph, *make_routing(config, graph)).empty());
    config.fabric.virtual_channels = 1;
    EXPECT_THAT(refused_with([&] { make_routing(config, graph); }),
                HasSubstr("set fabric.virtual_channels: 2, or add the opposite "
                          "links and use up_down"));
}

TEST(ShortestPath, IsMinimalOnRandomGraphs) {
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        const Graph graph = random_graph(2 + seed % 19, 2 * seed, seed);
        const auto routing = make_shortest_path(graph);
        for (NodeId s = 0; s < graph.node_count(); ++s) {
            const std::vector<std::uint32_t> distance = distances_from(graph, graph.router_of(s));
            for (NodeId d = 0; d < graph.node_count(); ++d) {
                ASSERT_EQ(route_links(graph, *routing, s, d).size(), distance[graph.router_of(d)]);
            }
        }
    }
}

/// The links of the route of a packet that is at `router`.
std::vector<LinkId> links_from(const Graph& graph, const Routing& routing, RouterId router,
                               NodeId destination) {
    std::vector<LinkId> links;
    while (router != graph.router_of(destination)) {
        links.push_back(graph.out_link(router, routing.route(router, destination).port));
        router = graph.link(links.back()).to;
    }
    return links;
}

/// Whether links that follow each other on paths that begin at a node, or right after one where
/// ports can be named, never form a cycle: those that nothing leads to are removed until none is
/// left.
bool are_free_of_cycles(const Graph& graph, const Routing& routing) {
    std::vector<bool> begins(graph.router_count());
    for (NodeId node = 0; node < graph.node_count(); ++node) begins[graph.router_of(node)] = true;
    for (const Link& link : graph.links()) {
        if (graph.has_per_link_endpoints() && !graph.nodes_at(link.from).empty()) {
            begins[link.to] = true;
        }
    }
    std::set<std::pair<LinkId, LinkId>> waits;
    for (RouterId router; router < graph.router_count(); ++router) {
        for (NodeId d = 0; d < graph.node_count() && begins[router]; ++d) {
            const std::vector<LinkId> path = links_from(graph, routing, router, d);
            for (std::size_t i = 1; i < path.size(); ++i) waits.insert({path[i - 1], path[i]});
        }
    }
    for (std::size_t before = 0; before != waits.size();) {
        before = waits.size();
        std::set<LinkId> wanted;
        for (const auto& [holds, wants] : waits) wanted.insert(wants);
        for (auto wait = waits.begin(); wait != waits.end();) {
            wait = wanted.count(wait->first) == 0 ? waits.erase(wait) : std::next(wait);
        }
    }
    return waits.empty();
}

/// Routers attached to a ring of others, some of them to the same, with a few chords.
Graph leaves_on_a_ring(std::uint32_t leaves, std::uint32_t inner, std::uint32_t chords,
                       std::uint32_t seed) {
    std::mt19937 draw(seed);
    const auto any_inner = [&] { return static_cast<std::uint32_t>(leaves + draw() % inner); };
    std::set<Channel> pairs;
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) pairs.insert({leaf, any_inner()});
    for (std::uint32_t i = 0; i < inner; ++i) {
        pairs.insert(std::minmax(leaves + i, leaves + (i + 1) % inner));
    }
    for (std::uint32_t i = 0; i < chords; ++i) {
        const std::uint32_t a = any_inner();
        const std::uint32_t b = any_inner();
        if (a != b) pairs.insert(std::minmax(a, b));
    }
    return graph_of(leaves + inner, pairs);
}

TEST(ShortestPath, WaitsOnlyWherePathsOfNodesLead) {
    unsigned free_for_want_of_senders = 0;
    unsigned deadlocks = 0;
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        const NodeId nodes = 2 + seed % 7;
        Graph graph = leaves_on_a_ring(nodes, 5 + seed % 6, seed % 3, seed);
        const bool can_all_deadlock =
            !find_dependency_cycle(graph, *make_shortest_path(graph)).empty();
        graph.attach(NodePlaces::one_each(nodes, graph.router_count()), {nodes});
        if (seed % 2 == 0) graph.use_per_link_endpoints();
        const auto routing = make_shortest_path(graph);
        for (NodeId s = 0; s < graph.node_count(); ++s) {
            const std::vector<std::uint32_t> distance = distances_from(graph, graph.router_of(s));
            for (NodeId d = 0; d < graph.node_count(); ++d) {
                ASSERT_EQ(route_links(graph, *routing, s, d).size(), distance[graph.router_of(d)]);
            }
        }
        const bool is_free = are_free_of_cycles(graph, *routing);
        EXPECT_EQ(find_dependency_cycle(graph, *routing).empty(), is_free) << "seed " << seed;
        free_for_want_of_senders += is_free && can_all_deadlock ? 1 : 0;
        deadlocks += is_free ? 0 : 1;
    }
    EXPECT_GT(free_for_want_of_senders, 20U);
    EXPECT_GT(deadlocks, 10U);
}

/// The nodes of routers 0 and 1, to each other by way of switch 2 and of switch 3: nothing waits
/// for the other way.
TEST(ShortestPath, WaitsBehindANodeForNothingThatItDoesNotSend) {
    Graph graph("custom", {4}, 3);
    for (const auto& [from, to] : std::vector<Channel>{{0, 2}, {2, 1}, {1, 3}, {3, 0}}) {
        graph.add_link({RouterId(from), 1, RouterId(to), 2, kNoDimension, 1, 1});
    }
    graph.attach(NodePlaces::one_each(2, 4), {2});
    EXPECT_TRUE(find_dependency_cycle(graph, *make_shortest_path(graph)).empty());
    Graph named = graph;  // a packet that names a port begins after it
    named.use_per_link_endpoints();
    EXPECT_FALSE(find_dependency_cycle(named, *make_shortest_path(named)).empty());
}

/// Which is not taken for a router with as many links.
TEST(DeadlockCheck, TakesPortsOfAnyNumber) {
    Graph graph("custom", {2}, 65536);
    graph.add_link({RouterId(0), 65535, RouterId(1), 65535, kNoDimension, 1, 1});
    graph.add_link({RouterId(1), 65535, RouterId(0), 65535, kNoDimension, 1, 1});
    EXPECT_TRUE(find_dependency_cycle(graph, *make_shortest_path(graph)).empty());
}

/// A ring of six, whose links there and back are at separate ports.
TEST(UpDown, TakesLinksBackThroughOtherPorts) {
    Graph graph("custom", {6}, 5);
    for (RouterId router; router < 6; ++router) {
        const RouterId next((router + 1) % 6);
        graph.add_link({router, 1, next, 3, kNoDimension, 1, 1});
        graph.add_link({next, 4, router, 2, kNoDimension, 1, 1});
    }
    Config config;
    config.fabric.routing = "up_down";
    const auto routing = make_routing(config, graph);
    EXPECT_TRUE(find_dependency_cycle(graph, *routing).empty());
    for (NodeId node = 1; node < 6; ++node)
        EXPECT_FALSE(route_links(graph, *routing, node, 0).empty());
    config.fabric.routing = "auto";  // shortest paths go round
    EXPECT_EQ(make_routing(config, graph)->name(), "up_down");
}

TEST(AutomaticRouting, TakesTheBestOfAllTablesThatCannotDeadlock) {
    Config config;
    std::set<std::string> taken;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        config.fabric.virtual_channels = 1 + seed % 2;
        const Graph graph = random_graph(4 + seed % 9, seed % 12, seed);
        const auto routing = make_routing(config, graph);
        EXPECT_TRUE(find_dependency_cycle(graph, *routing).empty());
        const UniformFlow best = uniform_flow(graph, *routing);
        bool is_before = true;  // those that would have been taken had they been as good
        for (const RoutingCandidate& candidate : compared_routings(config, graph)) {
            is_before = is_before && !candidate.is_taken;
            if (candidate.is_taken) {
                EXPECT_EQ(candidate.name, routing->name());
                taken.insert(candidate.name);
            }
            if (!candidate.obstacle.empty()) continue;
            const auto rank = std::pair(-candidate.flow.bound, candidate.flow.mean_hops);
            const auto least = std::pair(-best.bound, best.mean_hops);
            EXPECT_TRUE(is_before ? least < rank : least <= rank) << candidate.name;
        }
    }
    EXPECT_GE(taken.size(), 6U);
}

TEST(AutomaticRouting, SaysWhyATableCannotBeTaken) {
    Config config;
    const auto obstacle = [&config](const Graph& graph, const std::string& name) {
        for (const RoutingCandidate& candidate : compared_routings(config, graph)) {
            if (candidate.name == name) return candidate.obstacle;
        }
        return std::string("not tried");
    };
    EXPECT_EQ(obstacle(ring(4), "shortest_path"), "can deadlock");
    EXPECT_EQ(obstacle(ring(4), "up_down/flow"), "needs links in both directions");
    EXPECT_EQ(obstacle(ring(4), "lash"), "needs more virtual channels");
    config.fabric.routing = "lash";
    EXPECT_TRUE(compared_routings(config, ring(4)).empty());
    config.fabric.routing = "auto";
    EXPECT_TRUE(compared_routings(config, build_torus({4, 4})).empty());
}

TEST(UniformFlow, CountsThePairsOverTheBusiestLink) {
    // A line of four: two by two pairs over each of the links in the middle.
    const Graph line = graph_of(4, {{0, 1}, {1, 2}, {2, 3}});
    const UniformFlow flow = uniform_flow(line, *make_shortest_path(line));
    EXPECT_DOUBLE_EQ(flow.bound, 3.0 / 4);
    EXPECT_DOUBLE_EQ(flow.mean_hops, 20.0 / 12);
    EXPECT_EQ(flow.unused, 0);
    // In a ring of three with a chord through a switch, nobody takes the detour.
    Graph detour = graph_of(4, {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}});
    detour.attach(NodePlaces::one_each(3, 4), {3});
    const UniformFlow direct = uniform_flow(detour, *make_shortest_path(detour));
    EXPECT_DOUBLE_EQ(direct.bound, 2);
    EXPECT_EQ(direct.unused, 4);
    EXPECT_EQ(detour.link_name(direct.first_unused), "link_000_003");
}

struct Compound {
    Graph graph;
    CompoundShape shape;
};

Compound compound(std::uint32_t rows, std::uint32_t columns, std::uint32_t segment) {
    TopologyConfig topology;
    topology.kind = "express_mesh";
    topology.dims = {rows, columns};
    topology.segment = segment;
    topology.layout = ExpressLayout::kCompound;
    return {build_express_mesh(topology), {rows, columns, segment}};
}

TEST(CompoundOrder, GoesAlongTheRowThenAlongTheColumn) {
    const Compound machine = compound(7, 9, 3);
    const auto routing = make_compound_order(machine.graph, 2);
    const auto place = [&](RouterId router) {
        const std::uint32_t grid = machine.shape.place(router);
        return std::pair(grid / 9, grid % 9);
    };
    for (NodeId s = 0; s < machine.graph.node_count(); ++s) {
        for (NodeId d = 0; d < machine.graph.node_count(); ++d) {
            bool turned = false;
            for (const LinkId id : route_links(machine.graph, *routing, s, d)) {
                const auto from = place(machine.graph.link(id).from);
                const auto to = place(machine.graph.link(id).to);
                ASSERT_TRUE(from.first == to.first || from.second == to.second);
                const bool vertical = from.first != to.first;
                ASSERT_FALSE(turned && !vertical && from != to) << s << "->" << d;
                turned = turned || vertical;
            }
        }
    }
}

TEST(CompoundOrder, NeedsTwoVirtualChannels) {
    const Compound machine = compound(7, 7, 3);
    EXPECT_TRUE(
        find_dependency_cycle(machine.graph, *make_compound_order(machine.graph, 2)).empty());
    EXPECT_FALSE(
        find_dependency_cycle(machine.graph, *make_compound_order(machine.graph, 1)).empty());
    Config config;
    config.fabric.topology = {};
    config.fabric.topology.kind = "express_mesh";
    config.fabric.topology.layout = ExpressLayout::kCompound;
    config.fabric.topology.dims = {7, 7};
    config.fabric.topology.segment = 3;
    EXPECT_EQ(make_routing(config, machine.graph)->name(), "up_down");
    config.fabric.virtual_channels = 2;
    EXPECT_EQ(make_routing(config, machine.graph)->name(), "dimension_order");
}

/// A line with express links, walked by the rule in words: the longest hop that does not overshoot.
std::uint32_t hops_on_line(std::uint32_t from, std::uint32_t to, std::uint32_t segment) {
    std::uint32_t hops = 0;
    while (from != to) {
        const bool right = from < to;
        const std::uint32_t left_over = right ? to - from : from - to;
        const std::uint32_t hop = from % segment == 0 && left_over >= segment ? segment : 1;
        from = right ? from + hop : from - hop;
        ++hops;
    }
    return hops;
}

TEST(DimensionOrder, TakesExpressLinksThatDoNotOvershoot) {
    TopologyConfig topology;
    topology.dims = {11, 14};
    topology.segment = 4;
    topology.layout = ExpressLayout::kFull;
    const Graph graph = build_express_mesh(topology);
    const auto routing = make_dimension_order(graph);
    for (NodeId s = 0; s < graph.node_count(); ++s) {
        for (NodeId d = 0; d < graph.node_count(); ++d) {
            EXPECT_EQ(route_links(graph, *routing, s, d).size(),
                      hops_on_line(s % 14, d % 14, 4) + hops_on_line(s / 14, d / 14, 4));
        }
    }
    EXPECT_TRUE(find_dependency_cycle(graph, *routing).empty());
}

TEST(DimensionOrder, OnToriDeadlocksWithoutDatelinesOnly) {
    for (const std::uint32_t side : {3U, 4U, 5U, 6U, 7U, 8U}) {
        const Graph graph = build_torus({side, 3});
        // With up to four nodes in a ring no packet takes two hops where another one would follow.
        EXPECT_EQ(find_dependency_cycle(graph, *make_dimension_order(graph, 1)).empty(), side <= 4)
            << side;
        EXPECT_TRUE(find_dependency_cycle(graph, *make_dimension_order(graph, 2)).empty()) << side;
        EXPECT_TRUE(find_dependency_cycle(graph, *make_dimension_order(graph, 3)).empty()) << side;
    }
}

/// Pairs of nodes that take each link on each half of two virtual channels.
std::map<LinkId, std::array<unsigned, 2>> pairs_by_half(const Graph& graph,
                                                        const Routing& routing) {
    std::map<LinkId, std::array<unsigned, 2>> pairs;
    for (NodeId s = 0; s < graph.node_count(); ++s) {
        for (NodeId d = 0; d < graph.node_count(); ++d) {
            for (RouterId at = graph.router_of(s); at != graph.router_of(d);) {
                const RouteChoice choice = routing.route(at, d);
                const LinkId id = graph.out_link(at, choice.port);
                ++pairs[id][lowest_channel(choice.virtual_channels)];
                at = graph.link(id).to;
            }
        }
    }
    return pairs;
}

/// Links over whose other half hardly anything goes: less than a third.
unsigned unbalanced_links(const Graph& graph, const Routing& routing) {
    unsigned count = 0;
    for (const auto& [id, halves] : pairs_by_half(graph, routing)) {
        if (3 * std::min(halves[0], halves[1]) < halves[0] + halves[1]) ++count;
    }
    return count;
}

TEST(BalancedDatelines, LeaveFewLinksOfARingWithOneHalf) {
    for (const std::uint32_t side : {8U, 12U, 16U, 24U}) {
        SCOPED_TRACE(side);
        const Graph graph = build_torus({side});
        // Of the links in one direction: that across the end, and those behind it.
        EXPECT_LE(unbalanced_links(graph, *make_balanced_dimension_order(graph, 2)), 2 * side / 3);
        EXPECT_GE(unbalanced_links(graph, *make_dimension_order(graph, 2)), side);
    }
}

using Wait = std::tuple<LinkId, std::uint32_t, LinkId, std::uint32_t>;

std::set<Wait> told_by(const Graph& graph, const Routing& routing, bool follows_every_path) {
    std::set<Wait> waits;
    const auto visit = [&](VirtualLink holds, VirtualLink wants) {
        waits.insert({holds.link, holds.vc, wants.link, wants.vc});
    };
    if (follows_every_path) {
        routing.Routing::visit_dependencies(graph, visit);
    } else {
        routing.visit_dependencies(graph, visit);
    }
    return waits;
}

TEST(Datelines, AreProvedFromEveryWaitThatThereIs) {
    for (const std::vector<std::uint32_t>& dims : std::vector<std::vector<std::uint32_t>>{
             {3}, {5}, {8}, {13}, {2, 5}, {4, 6}, {7, 3}, {3, 2, 4}}) {
        const Graph graph = build_torus(dims);
        for (const std::uint32_t virtual_channels : {1U, 2U, 3U, 5U}) {
            for (const bool balances : {false, true}) {
                if (balances && virtual_channels == 1) continue;
                SCOPED_TRACE(graph.description() + " " + std::to_string(virtual_channels));
                const auto routing = balances
                                         ? make_balanced_dimension_order(graph, virtual_channels)
                                         : make_dimension_order(graph, virtual_channels);
                const std::set<Wait> told = told_by(graph, *routing, false);
                const std::set<Wait> all = told_by(graph, *routing, true);
                EXPECT_TRUE(std::includes(told.begin(), told.end(), all.begin(), all.end()));
                if (virtual_channels == 1) continue;
                EXPECT_TRUE(find_dependency_cycle(graph, *routing).empty());
            }
        }
    }
}

TEST(BalancedDatelines, KeepToTheLinksOfDimensionOrder) {
    const Graph graph = build_torus({6, 7});
    const auto plain = make_dimension_order(graph, 4);
    const auto balanced = make_balanced_dimension_order(graph, 4);
    EXPECT_EQ(balanced->name(), "dimension_order_balanced");
    for (NodeId s = 0; s < graph.node_count(); ++s) {
        for (NodeId d = 0; d < graph.node_count(); ++d) {
            const RouterId at = graph.router_of(s);
            EXPECT_EQ(balanced->route(at, d).port, plain->route(at, d).port);
        }
    }
}

/// Each destination has a layer where these suffice; in a ring one way they never do.
TEST(Lash, ClimbsThroughTwoLayersInRingsOfAnyLength) {
    Config config;
    config.fabric.routing = "lash";
    for (const std::uint32_t virtual_channels : {2U, 3U}) {
        config.fabric.virtual_channels = virtual_channels;
        for (const NodeId nodes : {3U, 4U, 5U, 9U, 16U, 33U}) {
            const Graph graph = ring(nodes);
            const auto routing = make_routing(config, graph);
            EXPECT_TRUE(find_dependency_cycle(graph, *routing).empty()) << nodes;
            for (NodeId s = 0; s < nodes; ++s) {
                for (NodeId d = 0; d < nodes; ++d) {
                    EXPECT_EQ(route_links(graph, *routing, s, d).size(), (d + nodes - s) % nodes);
                }
            }
        }
    }
    config.fabric.routing = "auto";
    EXPECT_EQ(make_routing(config, ring(9))->name(), "lash");
}

}  // namespace
}  // namespace flitscope
