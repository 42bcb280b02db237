// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks with several nodes on a router against closed forms: which node is where, how many hops
// packets take, and what the busiest link allows. BookSim2's cmesh, flatfly and dragonfly have the
// same mean hops (its figures count routers: one more).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/performance/topology_metrics.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/patterns/pattern.h"
#include "traffic/patterns/pattern_load.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Network {
    explicit Network(const std::string& topology, const std::string& pattern = "uniform")
        : config(parse_config("fabric: {virtual_channels: 2, topology: {" + topology +
                                  "}}\ntraffic: {pattern: " + pattern +
                                  ", injection_rate: 0.01, message_bytes: 0}\n",
                              "nodes_on_routers_test")),
          graph(build_topology(config)),
          routing(make_routing(config, graph)) {}

    double mean_hops() const { return measure_routing(graph, *routing).mean_hops; }
    /// The rate at which the busiest link is full, in flits per node and cycle.
    double bound() const {
        const Pattern all(config, graph);
        return 0.01 / pattern_load(config, graph, *routing, all).link;
    }

    Config config;
    Graph graph;
    std::unique_ptr<Routing> routing;
};

std::vector<NodeId> nodes_at(const Graph& graph, std::uint32_t router) {
    const NodesOfRouter nodes = graph.nodes_at(RouterId(router));
    return {nodes.begin(), nodes.end()};
}

TEST(Concentration, NodesAreRowMajorOverTheirOwnGrid) {
    const Network cmesh("kind: mesh, dims: [4, 4], concentration: [2, 2]");
    EXPECT_EQ(cmesh.graph.node_count(), 64U);
    EXPECT_EQ(cmesh.graph.router_count(), 16U);
    EXPECT_THAT(nodes_at(cmesh.graph, 0), ElementsAre(0, 1, 8, 9));
    EXPECT_THAT(nodes_at(cmesh.graph, 1), ElementsAre(2, 3, 10, 11));
    EXPECT_THAT(nodes_at(cmesh.graph, 4), ElementsAre(16, 17, 24, 25));
    EXPECT_EQ(cmesh.graph.local_port(9), 3U);
    EXPECT_THAT(cmesh.graph.node_dims(), ElementsAre(8, 8));
}

TEST(Concentration, ARowOfNodesIsSuperSimsNumbering) {
    const Network cmesh("kind: mesh, dims: [4, 4], concentration: [1, 4]");
    EXPECT_THAT(nodes_at(cmesh.graph, 0), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(nodes_at(cmesh.graph, 5), ElementsAre(20, 21, 22, 23));
}

TEST(Concentration, RoutersStandAsFarApartAsTheirBlocksAreLarge) {
    const Network cmesh("kind: mesh, dims: [4, 4], concentration: [2, 3]");
    for (const Link& link : cmesh.graph.links()) {
        EXPECT_EQ(link.length, link.dimension == 0 ? 2U : 3U);
    }
}

TEST(Concentration, MeanHopsAndBoundsOfUniformTraffic) {
    const Network cmesh("kind: mesh, dims: [4, 4], concentration: [2, 2]");
    EXPECT_NEAR(cmesh.mean_hops(), 160.0 / 63, 1e-9);
    EXPECT_NEAR(cmesh.bound(), 63.0 / 256, 1e-9);
    EXPECT_NEAR(Network("kind: ghc, dims: [4, 4], concentration: [2, 2]").mean_hops(), 96.0 / 63,
                1e-9);
    EXPECT_NEAR(
        Network("kind: dragonfly, groups: 9, group_size: 4, global_links: 2, concentration: 2")
            .mean_hops(),
        166.0 / 71, 1e-9);
    EXPECT_NEAR(Network("kind: mesh, dims: [8, 8]").bound(), 63.0 / 128, 1e-9);
}

struct PatternCase {
    const char* pattern;
    double hops;
    double bound;
};

class ConcentratedPattern : public testing::TestWithParam<PatternCase> {};

TEST_P(ConcentratedPattern, HasTheBoundOfItsBusiestLink) {
    const PatternCase& expected = GetParam();
    const Network cmesh("kind: mesh, dims: [4, 4], concentration: [2, 2]", expected.pattern);
    EXPECT_NEAR(cmesh.bound(), expected.bound, 1e-9);
    const Pattern pattern(cmesh.config, cmesh.graph);
    double hops = 0;
    double senders = 0;
    for (NodeId node = 0; node < cmesh.graph.node_count(); ++node) {
        if (!pattern.sends(node)) continue;
        ++senders;
        for (NodeId to = 0; to < cmesh.graph.node_count(); ++to) {
            hops += pattern.share(node, to) *
                    static_cast<double>(route_links(cmesh.graph, *cmesh.routing, node, to).size());
        }
    }
    EXPECT_NEAR(hops / senders, expected.hops, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(OfBookSim, ConcentratedPattern,
                         testing::Values(PatternCase{"tornado", 3.5, 1.0 / 6},
                                         PatternCase{"transpose", 20.0 / 7, 1.0 / 12},
                                         PatternCase{"neighbour", 1.5, 1.0 / 2},
                                         PatternCase{"bit_complement", 4, 1.0 / 8}),
                         [](const auto& test) { return test.param.pattern; });

TEST(FatTree, ItsNodesAreOnItsFirstSwitches) {
    const Network tree("kind: fat_tree, arity: 4, height: 3");
    EXPECT_EQ(tree.graph.router_count(), 48U);
    EXPECT_EQ(tree.graph.node_count(), 64U);
    EXPECT_THAT(nodes_at(tree.graph, 1), ElementsAre(4, 5, 6, 7));
    EXPECT_NEAR(tree.mean_hops(), 216.0 / 63, 1e-9);
    EXPECT_NEAR(tree.mean_hops(), 3.4286, 5e-5);
    const Network small("kind: fat_tree, arity: 2, height: 3");
    EXPECT_NEAR(small.mean_hops(), 20.0 / 7, 1e-9);
    EXPECT_EQ(measure_topology(small.graph).diameter, 4U);
}

TEST(ExtraNodes, HangOnTheRoutersThatAreNamed) {
    const Network mesh("kind: mesh, dims: [8, 8], extra_nodes: [0, 7, 56, 63]");
    EXPECT_EQ(mesh.graph.node_count(), 68U);
    EXPECT_EQ(mesh.graph.router_count(), 64U);
    EXPECT_THAT(nodes_at(mesh.graph, 63), ElementsAre(63, 67));
    EXPECT_THAT(nodes_at(mesh.graph, 1), ElementsAre(1));
    EXPECT_EQ(mesh.graph.local_ports(), 2U);
    EXPECT_TRUE(route_links(mesh.graph, *mesh.routing, 7, 65).empty());
    EXPECT_EQ(route_links(mesh.graph, *mesh.routing, 64, 67).size(), 14U);
}

TEST(Concentration, AnIntegerForAGridSaysWhatToWrite) {
    EXPECT_THAT(refused_with([] {
                    parse_config(
                        "fabric: {topology: {kind: mesh, dims: [4, 4], concentration: 4}}\n",
                        "text");
                }),
                testing::AllOf(HasSubstr("[2, 2]"), HasSubstr("[1, 4]")));
}

}  // namespace
}  // namespace flitscope
