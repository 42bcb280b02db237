// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network files of BookSim2's anynet: what BookSim2 itself prints about one when it has read it
// (commit 28f43299f171), and texts that are broken on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "models/topology/graph.h"
#include "testbench/verification/tests/models/graph_files.h"

namespace flitscope {
namespace {

std::vector<std::string> findings_in(const std::string& text) {
    return findings("network.anynet", text);
}

/// "1->2 lat 3", in the order of links.
std::vector<std::string> latencies_of(const Graph& graph) {
    std::vector<std::string> links;
    for (const Link& l : graph.links()) {
        std::ostringstream out;
        out << l.from << "->" << l.to << " lat " << l.delay;
        links.push_back(out.str());
    }
    return links;
}

TEST(Anynet, HasTheLinksAndNodesThatBookSimLists) {
    const Graph graph = load("network.anynet",
                             "router 0 router 1 15 node 4 node 0 router 2\n"
                             "router 1 node 1 router 2 3\n"
                             "\n"
                             "node 2 router 2\n"
                             "router 2 router 1 7 node 3 router 0 4\n"
                             "router 3 router 1 router 2 9\n");
    EXPECT_THAT(
        latencies_of(graph),
        testing::ElementsAre("0->1 lat 15", "0->2 lat 1", "1->0 lat 1", "1->2 lat 3", "1->3 lat 1",
                             "2->0 lat 4", "2->1 lat 7", "2->3 lat 1", "3->1 lat 1", "3->2 lat 9"));
    std::vector<std::uint32_t> router_of_node;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        router_of_node.push_back(graph.router_of(node).number());
    }
    EXPECT_THAT(router_of_node, testing::ElementsAre(0, 1, 2, 2, 0));
    EXPECT_EQ(graph.router_count(), 4U);
    expect_consistent(graph);
}

TEST(Anynet, ReadsTheExampleOfBookSim) {
    const Graph graph = load("network.anynet",
                             "router 0 node 0 node 1 node 2 router 1\r\n"
                             "router 1 node 3 node 4 node 5\r\n"
                             "router 2 node 6 node 7 node 8 router 1 router 0");
    EXPECT_EQ(graph.node_count(), 9U);
    EXPECT_EQ(graph.link_count(), 6U);
    EXPECT_EQ(graph.router_of(NodeId(7)), RouterId(2));
}

TEST(Anynet, TheLastMentionOfALinkCounts) {
    const Graph graph = load("network.anynet",
                             "router 0 node 0 router 1 15\nrouter 1 router 0 4 node 1\n"
                             "router 0\trouter 1\n");
    EXPECT_THAT(latencies_of(graph), testing::ElementsAre("0->1 lat 1", "1->0 lat 4"));
}

TEST(Anynet, LatenciesAreCyclesWhateverTheModelOfWires) {
    FabricConfig fabric;
    fabric.link_delay.cycles = 5;
    const Graph graph = load("network.anynet", "router 0 node 0 router 1 15\n", fabric);
    EXPECT_THAT(latencies_of(graph), testing::ElementsAre("0->1 lat 15", "1->0 lat 1"));
}

TEST(Anynet, ReportsFindingsWithTheirPlace) {
    const std::string example = " (lines are such as: router 0 node 0 node 1 router 1 15)";
    EXPECT_THAT(findings_in("# a comment\nrouter 0 node 0 router 1\nRouter 1 node 1\n"
                            "router 1 2\nrouter\nrouter 0 node\nrouter 0 node 0 fast\n"),
                testing::ElementsAre("1:1 '#' is neither 'router' nor 'node'" + example,
                                     "3:1 'Router' is neither 'router' nor 'node'" + example,
                                     "4:10 '2' is neither 'router' nor 'node'" + example,
                                     "5:1 a router without a number" + example,
                                     "6:10 a node without a number" + example,
                                     "7:17 'latency' must be an integer from 1 to 1048576, "
                                     "found 'fast'"));
    EXPECT_THAT(
        findings_in("router 0 node 0 router 65536\nrouter 0 router -1 2\nnode 1 node 2\n"
                    "router 0 router 1 0 router 0\nrouter 1 node 0 5\n"),
        testing::ElementsAre(
            "1:24 'router' must be an integer from 0 to 65535, found '65536'",
            "2:17 'router' must be an integer from 0 to 65535, found '-1'",
            "3:8 node 1 is linked to node 2 (a node is attached to a router)",
            "4:19 'latency' must be an integer from 1 to 1048576, found '0'",
            "5:10 node 0 is 5 cycles from its router (leave the latency out: channels of nodes "
            "have no delay of their own (hw/TIMING.md))",
            "5:10 node 0 is attached to router 0 and to router 1 (a node has one router)",
            "4:21 link from router 0 to itself"));
}

TEST(Anynet, ReportsNumbersThatAreMissing) {
    EXPECT_THAT(findings_in("router 0 node 0 router 1 node 2\n"),
                testing::ElementsAre("1:1 node 1 is attached to no router, and there is a node 2 "
                                     "(number the nodes from 0 on without gaps)"));
    EXPECT_THAT(findings_in("router 0 node 0 router 2\nrouter 2 node 1\n"),
                testing::ElementsAre("1:1 there is no router 1, and there is a router 2 "
                                     "(number the routers from 0 on without gaps)"));
    EXPECT_THAT(findings_in("router 99999999 node 0\n"),
                testing::ElementsAre("1:8 'router' must be an integer from 0 to 65535, found "
                                     "'99999999'"));
    EXPECT_THAT(findings_in("router 0 router 1\n"),
                testing::ElementsAre("1:1 no router of the graph has a node (lines are such as: "
                                     "router 0 node 0 node 1 router 1 15)"));
    EXPECT_THAT(findings_in("\n"), testing::ElementsAre("0:0 the graph file is empty"));
}

}  // namespace
}  // namespace flitscope
