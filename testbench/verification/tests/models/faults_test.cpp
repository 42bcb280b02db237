// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks with dead links and nodes: the remaining graph, and paths around missing parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/performance/distances.h"
#include "models/performance/fault_cost.h"
#include "models/performance/wire_budget.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/faults/faults.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

struct Network {
    Config config;
    Graph graph;
};

Network network(const std::string& fabric, const std::string& faults) {
    Config config =
        parse_config("fabric: {" + fabric + "}\nfaults: {" + faults + "}\n", "faults_test");
    Graph graph = build_budgeted_topology(config);
    return {std::move(config), std::move(graph)};
}

std::string error_of(const std::string& fabric, const std::string& faults) {
    return refused_with([&] {
        const Network left = network(fabric, faults);
        make_routing(left.config, left.graph);
    });
}

constexpr const char* kMesh = "topology: {kind: mesh, dims: [4, 4]}";

TEST(Faults, KeepNumbersPortsPlacesAndNames) {
    const Network left = network(kMesh, "links: [1-2, link_005_006], nodes: [15]");
    const Graph& whole = left.graph.whole();
    EXPECT_EQ(whole.link_count(), 48);
    EXPECT_EQ(left.graph.link_count(), 48 - 4 - 4);
    EXPECT_EQ(left.graph.router_count(), 16);
    EXPECT_EQ(left.graph.working_node_count(), 15);
    std::set<std::string> missing;
    for (LinkId id = 0; id < whole.link_count(); ++id) missing.insert(whole.link_name(id));
    for (LinkId id = 0; id < left.graph.link_count(); ++id) {
        const Link& link = left.graph.link(id);
        const LinkId before = whole.out_link(link.from, link.from_port);
        ASSERT_NE(before, kNoLink);
        EXPECT_EQ(whole.link(before).to, link.to);
        EXPECT_EQ(whole.link(before).to_port, link.to_port);
        EXPECT_EQ(whole.link(before).length, link.length);
        EXPECT_EQ(left.graph.in_link(link.to, link.to_port), id);
        missing.erase(left.graph.link_name(id));
    }
    EXPECT_THAT(missing,
                ElementsAre("link_001_002", "link_002_001", "link_005_006", "link_006_005",
                            "link_011_015", "link_014_015", "link_015_011", "link_015_014"));
    EXPECT_THAT(dead_channels(left.graph), ElementsAre("1-2", "5-6"));
    EXPECT_THAT(dead_nodes(left.graph), ElementsAre(15));
}

TEST(Faults, OfNodesTakeTheirRouterWithTheLastOfThem) {
    // Nodes 0 and 1 on router 0, 2 and 3 on router 1, and so on.
    const std::string mesh = "topology: {kind: mesh, dims: [3, 3], concentration: [1, 2]}";
    const Network one = network(mesh, "nodes: [1, 2]");
    EXPECT_EQ(one.graph.working_node_count(), 16);
    EXPECT_EQ(one.graph.working_router_count(), 9);
    EXPECT_EQ(one.graph.link_count(), 24);
    EXPECT_THAT(dead_nodes(one.graph), ElementsAre(1, 2));
    EXPECT_THAT(dead_routers(one.graph), ElementsAre());
    for (const char* faults : {"nodes: [1, 0]", "routers: [0]"}) {
        const Network both = network(mesh, faults);
        EXPECT_EQ(both.graph.working_node_count(), 16) << faults;
        EXPECT_EQ(both.graph.working_router_count(), 8) << faults;
        EXPECT_EQ(both.graph.link_count(), 20) << faults;
        EXPECT_THAT(dead_nodes(both.graph), ElementsAre(0, 1)) << faults;
        EXPECT_THAT(dead_routers(both.graph), ElementsAre(RouterId(0))) << faults;
    }
}

TEST(Faults, OfNothingLeaveTheGraphAsItWas) {
    const Network left = network(kMesh, "random_links: 0");
    EXPECT_FALSE(left.graph.has_faults());
    EXPECT_EQ(make_routing(left.config, left.graph)->name(), "dimension_order");
}

TEST(Faults, AreRefusedWhereTheyDoNotExist) {
    EXPECT_THAT(error_of(kMesh, "links: [0-5]"), HasSubstr("no link joins nodes 0 and 5"));
    EXPECT_THAT(error_of(kMesh, "links: [0-99]"), HasSubstr("node 99 of link '0-99'"));
    EXPECT_THAT(error_of(kMesh, "links: [here]"), HasSubstr("'here' names no link"));
    EXPECT_THAT(error_of(kMesh, "nodes: [16]"), HasSubstr("node 16 does not exist"));
    EXPECT_THAT(error_of(kMesh, "routers: [16]"), HasSubstr("there is no router '16'"));
    EXPECT_THAT(error_of(kMesh, "random_links: 25"), HasSubstr("25 channels are to fail"));
    EXPECT_THAT(error_of(kMesh, "random_nodes: 1.0"), HasSubstr("all nodes have failed"));
    EXPECT_THAT(error_of(kMesh, "random_links: 1.5"), HasSubstr("faults_test"));
}

TEST(Faults, ThatCutTheNetworkNameTheCut) {
    const std::string corner = error_of(kMesh, "links: [0-1, 0-4]");
    EXPECT_THAT(corner, HasSubstr("node 0 and the other 15"));
    EXPECT_THAT(corner, HasSubstr("links 0-1, 0-4"));
    const std::string halves = error_of("topology: {kind: mesh, dims: [5]}", "nodes: [1]");
    EXPECT_THAT(halves, HasSubstr("node 0 and the other 3"));
    EXPECT_THAT(halves, HasSubstr("node 1"));
}

TEST(Faults, KeepConnectedPassesOverWhatWouldCut) {
    for (int seed = 0; seed < 50; ++seed) {
        const std::string drawn = "seed: " + std::to_string(seed);
        // A spanning tree is left: 15 of 24 channels.
        const Network tree = network(kMesh, drawn + ", random_links: 9, keep_connected: true");
        EXPECT_EQ(tree.graph.link_count(), 30) << drawn;
        EXPECT_THAT(error_of(kMesh, drawn + ", random_links: 10, keep_connected: true"),
                    HasSubstr("at most 9"));
        const Network one = network(kMesh, drawn + ", random_nodes: 15, keep_connected: true");
        EXPECT_EQ(one.graph.working_node_count(), 1) << drawn;
    }
}

TEST(Faults, KeepConnectedKnowsLinksThatLeadOneWay) {
    const std::string path = testing::TempDir() + "faults_test_graph.csv";
    const auto killed = [&](bool with_one_way, const std::string& faults) {
        std::ofstream file(path);
        file << "# nodes: 10\nfrom,to,both\n";
        // 0 to 7 in a cube; 8 and 9 in a cycle with 7.
        for (NodeId node = 0; node < 8; ++node) {
            for (const NodeId bit : {1U, 2U, 4U}) {
                if ((node & bit) == 0) file << node << ',' << (node | bit) << ",true\n";
            }
        }
        file << "7,8,true\n8,9,true\n";
        file << "9,7," << (with_one_way ? "false" : "true") << '\n';
        file.close();
        return network("topology: {kind: custom, file: '" + path + "'}", faults);
    };
    for (int seed = 0; seed < 40; ++seed) {
        const std::string faults =
            "seed: " + std::to_string(seed) + ", random_links: 5, keep_connected: true, nodes: []";
        // A packet at 7 gets to 8 and 9 only by these two links; back there is another way.
        const Network both = killed(false, faults);
        const Network one_way = killed(true, faults);
        EXPECT_EQ(dead_channels(both.graph).size(), 5);
        EXPECT_EQ(dead_channels(one_way.graph).size(), 5);
        EXPECT_THAT(dead_channels(one_way.graph), Not(Contains("7-8")));
        EXPECT_THAT(dead_channels(one_way.graph), Not(Contains("8-9")));
    }
}

TEST(Faults, KeepConnectedTakesWhatIsDrawnWhereItCutsNobodyOff) {
    int compared = 0;
    for (int seed = 0; seed < 50; ++seed) {
        for (int links = 1; links < 6; ++links) {
            const std::string drawn =
                "seed: " + std::to_string(seed) + ", random_links: " + std::to_string(links);
            if (!error_of(kMesh, drawn).empty()) break;
            EXPECT_EQ(dead_channels(network(kMesh, drawn).graph),
                      dead_channels(network(kMesh, drawn + ", keep_connected: true").graph))
                << drawn;
            ++compared;
        }
    }
    EXPECT_GT(compared, 150);
}

TEST(Faults, OfMoreIncludeThoseOfFewer) {
    std::vector<std::string> before;
    for (int links = 1; links < 9; ++links) {
        const Network left =
            network(kMesh, "seed: 3, keep_connected: true, random_links: " + std::to_string(links));
        std::vector<std::string> dead = dead_channels(left.graph);
        ASSERT_EQ(dead.size(), links);
        std::sort(dead.begin(), dead.end());
        EXPECT_TRUE(std::includes(dead.begin(), dead.end(), before.begin(), before.end()));
        before = std::move(dead);
    }
    EXPECT_NE(dead_channels(network(kMesh, "seed: 1, random_links: 3").graph),
              dead_channels(network(kMesh, "seed: 2, random_links: 3").graph));
}

// ---- Ways around them ---------------------------------------------------------------------------

/// Every pair of the living has a path, which is a shortest one unless the routing is up_down, and
/// none can wait for itself.
void expect_ways(const Network& left, const Routing& routing, const std::string& what) {
    EXPECT_TRUE(find_dependency_cycle(left.graph, routing).empty()) << what << routing.name();
    DistanceSearch search(left.graph, Way::kTo);
    for (NodeId to = 0; to < left.graph.node_count(); ++to) {
        if (!left.graph.is_alive(to)) continue;
        const std::vector<std::uint32_t>& distance = search.distances(left.graph.router_of(to));
        for (NodeId from = 0; from < left.graph.node_count(); ++from) {
            if (!left.graph.is_alive(from)) continue;
            const std::size_t hops = route_links(left.graph, routing, from, to).size();
            const std::uint32_t shortest = distance[left.graph.router_of(from)];
            if (routing.name().rfind("up_down", 0) == 0) {
                ASSERT_GE(hops, shortest) << what;
            } else {
                ASSERT_EQ(hops, shortest) << what << routing.name() << from << "->" << to;
            }
        }
    }
}

/// The routings that `auto` takes with single links of the network dead: every one, or a sample.
std::set<std::string> around_single_faults(const std::string& fabric, std::size_t channels) {
    std::set<std::string> names;
    std::set<std::pair<RouterId, RouterId>> pairs;
    const Graph whole = network(fabric, "").graph;
    for (const Link& link : whole.links()) pairs.insert(std::minmax(link.from, link.to));
    EXPECT_EQ(pairs.size(), channels);
    std::size_t number = 0;
    for (const auto& [a, b] : pairs) {
        if (number++ % 9 != 0 && !takes_all()) continue;
        const std::string dead = std::to_string(a.number()) + '-' + std::to_string(b.number());
        const Network left = network(fabric, "links: [" + dead + "]");
        const auto routing = make_routing(left.config, left.graph);
        expect_ways(left, *routing, dead + ' ');
        names.insert(routing->name().substr(0, routing->name().find('/')));  // without its spread
    }
    return names;
}

/// Which of them `auto` takes is decided by their bounds.
constexpr const char* kTables[] = {"lash", "shortest_path", "up_down"};
constexpr const char* kShortest[] = {"lash", "shortest_path"};

TEST(WaysAroundFaults, OfEverySingleLinkOfAMesh) {
    const std::string mesh = "topology: {kind: mesh, dims: [8, 8]}, virtual_channels: ";
    EXPECT_THAT(around_single_faults(mesh + "2", 112), testing::IsSubsetOf(kTables));
    EXPECT_THAT(around_single_faults(mesh + "1", 112), testing::IsSubsetOf(kTables));
}

TEST(WaysAroundFaults, OfEverySingleLinkOfATorus) {
    const std::string torus = "topology: {kind: torus, dims: [4, 4, 4]}, virtual_channels: ";
    EXPECT_THAT(around_single_faults(torus + "2", 192), ElementsAre("lash"));
    EXPECT_THAT(around_single_faults(torus + "1", 192), ElementsAre("lash"));
}

TEST(WaysAroundFaults, OfEverySingleLinkOfAHypercube) {
    const std::string cube = "topology: {kind: hypercube, dimensions: 6}, virtual_channels: ";
    EXPECT_THAT(around_single_faults(cube + "2", 192), testing::IsSubsetOf(kShortest));
    EXPECT_THAT(around_single_faults(cube + "1", 192), testing::IsSubsetOf(kShortest));
}

TEST(WaysAroundFaults, OfEverySingleLinkOfAHow) {
    const std::string how = "topology: {kind: how, dims: [8, 8], window: 3}, virtual_channels: ";
    EXPECT_THAT(around_single_faults(how + "2", 288), testing::IsSubsetOf(kTables));
    EXPECT_THAT(around_single_faults(how + "1", 288), testing::IsSubsetOf(kTables));
}

/// Those of shortest_path alone all take the lowest ports, and lash keeps to those of the whole
/// tree as far as it can.
TEST(WaysAroundFaults, OfAFatTreeWithOneDeadChannelOf128AreSpread) {
    const auto bound = [](const std::string& routing) {
        const Network left =
            network("topology: {kind: fat_tree, arity: 4, height: 3}, " + routing, "links: [0-16]");
        return uniform_flow(left.graph, *make_routing(left.config, left.graph)).bound;
    };
    EXPECT_NEAR(bound("routing: shortest_path"), 0.09, 0.01);
    EXPECT_NEAR(bound("routing: lash"), 0.53, 0.01);
    EXPECT_NEAR(bound("routing: shortest_path, spread: flow"), 0.53, 0.01);
    EXPECT_NEAR(bound("routing: shortest_path, spread: paths"), 0.7875, 1e-4);
    EXPECT_NEAR(bound("routing: auto"), 0.7875, 1e-4);
}

TEST(WaysAroundFaults, OfRandomSetsOnEveryKindOfNetwork) {
    for (const char* topology :
         {"{kind: mesh, dims: [5, 6]}", "{kind: torus, dims: [5, 5]}",
          "{kind: mesh, dims: [4, 4], concentration: [2, 1], extra_nodes: [5, 5]}",
          "{kind: hypercube, dimensions: 5}", "{kind: ghc, dims: [4, 5]}",
          "{kind: how, dims: [12], window: 3}", "{kind: express_mesh, dims: [9, 5], segment: 4}",
          "{kind: express_mesh, dims: [9, 9], segment: 4, layout: compound}",
          "{kind: fat_tree, arity: 3, height: 3}",
          "{kind: dragonfly, groups: 5, group_size: 4, global_links: 1}"}) {
        for (int seed = 0; seed < 8; ++seed) {
            const int channels = 1 + seed % 3;
            const std::string faults = "seed: " + std::to_string(seed) +
                                       ", random_links: 3, random_nodes: 1, keep_connected: true";
            const std::string what = std::string(topology) + ' ' + faults + ' ';
            const Network left = network(std::string("topology: ") + topology +
                                             ", virtual_channels: " + std::to_string(channels),
                                         faults);
            ASSERT_TRUE(left.graph.has_faults());
            expect_ways(left, *make_routing(left.config, left.graph), what);
            Network up_down = left;
            up_down.config.fabric.routing = "up_down";
            expect_ways(up_down, *make_routing(up_down.config, up_down.graph), what);
        }
    }
}

TEST(WaysAroundFaults, RoutingsThatKnowTheWholeNetworkAloneAreRefused) {
    for (const RoutingKind& kind : routing_kinds()) {
        const bool is_table =
            kind.name == "shortest_path" || kind.name == "up_down" || kind.name == "lash";
        const std::string fabric =
            std::string(kMesh) + ", virtual_channels: 4, routing: " + kind.name;
        const std::string error = error_of(fabric, "links: [1-2]");
        if (is_table) {
            EXPECT_EQ(error, "") << kind.name;
        } else {
            EXPECT_THAT(error, HasSubstr("cannot route around them")) << kind.name;
        }
    }
}

TEST(Lash, TakesAsManyLayersAsItNeedsAndNoMore) {
    // A ring of 5 needs two, and a line one.
    const std::string ring = "topology: {kind: torus, dims: [5]}, routing: lash, ";
    EXPECT_THAT(error_of(ring + "virtual_channels: 1", ""),
                AllOf(HasSubstr("lash finds no shortest paths in 1 virtual channel that"),
                      HasSubstr("set fabric.virtual_channels: 2, or use up_down")));
    const Network two = network(ring + "virtual_channels: 4", "");
    const auto routing = make_routing(two.config, two.graph);
    expect_ways(two, *routing, "");
    std::set<int> masks;
    for (NodeId to = 1; to < 5; ++to)
        masks.insert(routing->route(RouterId(0), to).virtual_channels);
    EXPECT_THAT(masks, ElementsAre(0b0111, 0b1000));  // four destinations to one
    const Network line = network(ring + "virtual_channels: 4", "links: [4-0]");
    EXPECT_EQ(make_routing(line.config, line.graph)->route(RouterId(0), 4).virtual_channels,
              kAllVirtualChannels);
}

TEST(FaultCost, SaysHowMuchLongerPathsAre) {
    // A ring of 4 without a link is a line: 20 / 12 hops instead of 16 / 12.
    const Network left =
        network("topology: {kind: torus, dims: [4]}, virtual_channels: 1", "links: [0-1]");
    const auto routing = make_routing(left.config, left.graph);
    const FaultCost cost = measure_faults(left.config, left.graph, *routing);
    EXPECT_EQ(cost.dead_channels, 1);
    EXPECT_EQ(cost.dead_links, 2);
    EXPECT_EQ(cost.dead_nodes, 0);
    EXPECT_DOUBLE_EQ(cost.left.mean_hops, 20.0 / 12);
    EXPECT_DOUBLE_EQ(cost.whole.mean_hops, 16.0 / 12);
    EXPECT_DOUBLE_EQ(cost.longer(), 0.25);
    EXPECT_EQ(fault_cost_text(cost, *routing),
              "1 channel (2 links) dead; paths of shortest_path are 1.667 hops on average and 3 at "
              "most, those "
              "of dimension_order without the faults 1.333 and 2 (+25.0 %)");
}

}  // namespace
}  // namespace flitscope
