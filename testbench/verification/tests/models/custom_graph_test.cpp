// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks that a file lists link by link, in YAML: their contents, and errors.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/config/fabric_config.h"
#include "models/config/link_delay_config.h"
#include "models/performance/topology_metrics.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/verification/tests/models/graph_files.h"

namespace flitscope {
namespace {

constexpr const char* kOneWayRing =
    "links: [{from: 0, to: 1}, {from: 1, to: 2}, {from: 2, to: 3}, {from: 3, to: 0}]\n";

TEST(CustomGraph, CountsTheLongerWireOfAChannel) {
    for (const char* const lengths : {"{from: 0, to: 1, length: 1}, {from: 1, to: 0, length: 9}",
                                      "{from: 0, to: 1, length: 9}, {from: 1, to: 0, length: 1}"}) {
        const Graph graph =
            load("lengths.yaml", fmt::format("nodes: 2\nlinks: [{}]\n", lengths), {});
        const TopologyMetrics metrics = measure_topology(graph);
        EXPECT_EQ(metrics.channels, 1U);
        EXPECT_EQ(metrics.wire_length, 9U);
        EXPECT_EQ(metrics.longest_wire, 9U);
    }
}

TEST(CustomGraph, CountsWiresOfOneDirectionAcrossTheBisection) {
    const TopologyMetrics one_way =
        measure_topology(load("one_way.yaml", std::string("nodes: 4\n") + kOneWayRing, {}));
    EXPECT_EQ(one_way.bisection, 2U);  // channels, each of one link
    EXPECT_EQ(one_way.bisection_links, 1U);
}

TEST(CustomGraph, HasOneLayerWhereItsNodesAreInOneRowWhicheverThatIs) {
    for (const int row : {0, 3}) {
        std::string positions;
        for (int node = 0; node < 4; ++node) positions += fmt::format(", [{}, {}]", row, node);
        const std::string text =
            fmt::format("nodes: 4\npositions: [{}]\n{}", positions.substr(2), kOneWayRing);
        EXPECT_EQ(measure_topology(load("row.yaml", text, {})).layers, 1U) << text;
    }
}

TEST(CustomGraph, ReadsNodesLinksLengthsAndDelays) {
    const std::string path = write_file("good.yaml",
                                        "nodes: 3\n"
                                        "links:\n"
                                        "  - {from: 0, to: 1, both: true}\n"
                                        "  - {from: 1, to: 2, length: 5}\n"
                                        "  - {from: 2, to: 0, delay: 7}\n");
    FabricConfig fabric;
    fabric.link_delay = {LinkDelayModel::kLinear, 1, 2};
    const Graph graph = load_custom_graph(path, fabric);
    ASSERT_EQ(graph.link_count(), 4U);
    EXPECT_EQ(graph.link(0).to, RouterId(1));
    EXPECT_EQ(graph.link(1).to, RouterId(0));
    EXPECT_EQ(graph.link(2).delay, 3U);  // ceil(5 / 2)
    EXPECT_EQ(graph.link(3).delay, 7U);
    expect_consistent(graph);
}

TEST(CustomGraph, HasWiresInMillimetresThatAreAsSlowAsTheClockMakesThem) {
    const std::string path = write_file("physical.yaml",
                                        "nodes: 3\n"
                                        "links:\n"
                                        "  - {from: 0, to: 1, both: true}\n"
                                        "  - {from: 1, to: 2, length: 5}\n"
                                        "  - {from: 2, to: 0, length: 5, delay: 7}\n");
    FabricConfig fabric;
    fabric.link_delay.model = LinkDelayModel::kPhysical;
    fabric.link_delay.pitch_mm = 2;
    fabric.link_delay.ns_per_mm = 0.25;
    const auto delays = [&](double clock_ns) {
        const Graph graph = load_custom_graph(path, fabric, clock_ns);
        std::vector<std::uint32_t> all;
        for (const Link& link : graph.links()) all.push_back(link.delay);
        return all;
    };
    EXPECT_THAT(delays(0.25), testing::ElementsAre(2, 2, 10, 7));
    EXPECT_THAT(delays(1), testing::ElementsAre(1, 1, 3, 7));
    EXPECT_THAT(delays(4), testing::ElementsAre(1, 1, 1, 7));
}

TEST(CustomGraph, ReportsEveryFindingWithItsPlace) {
    const std::string path = write_file("bad.yaml",
                                        "nodes: 3\n"
                                        "links:\n"
                                        "  - {from: 0, to: 9}\n"
                                        "  - {from: 1, to: 1}\n"
                                        "  - {from: 0, to: 1}\n"
                                        "  - {from: 0, to: 1, lenght: 2}\n"
                                        "  - {from: 0, to: 2, delay: soon}\n"
                                        "  - {from: 0, to: 1, from_port: 1}\n");
    try {
        load_custom_graph(path, {});
        FAIL() << "accepted";
    } catch (const ConfigError& e) {
        std::vector<std::size_t> lines;
        std::string all;
        for (const Diagnostic& d : e.findings()) {
            EXPECT_EQ(d.where.source, path);
            lines.push_back(d.where.line);
            all += d.str() + "\n";
        }
        EXPECT_THAT(lines, testing::ElementsAre(3, 4, 6, 7, 8)) << all;
        EXPECT_THAT(all, testing::HasSubstr("did you mean 'length'?"));
        EXPECT_THAT(all, testing::HasSubstr("the link has only one of from_port and to_port"));
    }
}

TEST(CustomGraph, RefusesWhatIsNotConnected) {
    for (const char* links : {"  - {from: 0, to: 1}\n", "  - {from: 1, to: 0}\n"}) {
        const std::string path =
            write_file("parted.yaml", std::string("nodes: 2\nlinks:\n") + links);
        EXPECT_THROW(load_custom_graph(path, {}), ConfigError);
    }
}

TEST(CustomGraph, SurvivesBrokenFiles) {
    for (const char* text :
         {"", "[", "nodes: 3", "nodes: 0\nlinks: []", "nodes: 99999999\nlinks: []",
          "links: [1, 2]\nnodes: 2", "nodes: [1]\nlinks: {}", "- 1", "nodes: 2\nlinks: [[]]",
          "nodes: -3\nlinks: []", "nodes: 123456789012345678901\nlinks: []"}) {
        EXPECT_THROW(load_custom_graph(write_file("broken.yaml", text), {}), ConfigError) << text;
    }
    EXPECT_THROW(load_custom_graph("does/not/exist.yaml", {}), ConfigError);
    EXPECT_THROW(load_custom_graph(testing::TempDir(), {}), ConfigError);
}

TEST(CustomGraph, PlacesNodesInASquareWhenTheFileDoesNot) {
    const Graph graph =
        load("places.yaml",
             "nodes: 5\nlinks:\n"
             "  - {from: 0, to: 1, both: true}\n  - {from: 1, to: 2, both: true}\n"
             "  - {from: 2, to: 3, both: true}\n  - {from: 3, to: 4, both: true}\n");
    EXPECT_EQ(graph.position(RouterId(2)).row, 0U);
    EXPECT_EQ(graph.position(RouterId(2)).column, 2U);
    EXPECT_EQ(graph.position(RouterId(4)).row, 1U);
    EXPECT_EQ(graph.position(RouterId(4)).column, 1U);
    for (const Link& link : graph.links()) EXPECT_EQ(link.length, 1U);
    const Graph square = load("places.csv", "from,to\n0,1\n1,2\n2,3\n3,0\n");
    EXPECT_EQ(square.position(RouterId(2)).row, 1U);
    EXPECT_EQ(square.position(RouterId(2)).column, 0U);
}

TEST(CustomGraph, MeasuresWiresBetweenStatedPositions) {
    FabricConfig fabric;
    fabric.link_delay = {LinkDelayModel::kLinear, 1, 2};
    const Graph graph = load("places.yaml",
                             "nodes: 3\npositions: [[0, 0], [2, 3], [2, 3]]\nlinks:\n"
                             "  - {from: 0, to: 1, both: true}\n"
                             "  - {from: 1, to: 2, both: true}\n"
                             "  - {from: 2, to: 0, length: 9}\n",
                             fabric);
    EXPECT_THAT(links_of(graph),
                testing::ElementsAre("0.1->1.1 length 5 delay 3", "1.1->0.1 length 5 delay 3",
                                     "1.2->2.1 length 1 delay 1", "2.1->1.2 length 1 delay 1",
                                     "2.2->0.2 length 9 delay 5"));
}

TEST(CustomGraph, TakesStatedPorts) {
    const Graph graph =
        load("ports.yaml",
             "nodes: 2\nlinks:\n  - {from: 0, to: 1, from_port: 3, to_port: 2, both: true}\n");
    EXPECT_EQ(graph.port_count(), 4U);
    EXPECT_THAT(links_of(graph),
                testing::ElementsAre("0.3->1.2 length 1 delay 1", "1.2->0.3 length 1 delay 1"));
}

TEST(CustomGraph, RefusesPortsThatDoNotFit) {
    const auto with = [](const std::string& links) {
        return findings("ports.yaml", "nodes: 3\nlinks:\n" + links);
    };
    EXPECT_THAT(
        with("  - {from: 0, to: 1, from_port: 0, to_port: 1}\n"),
        testing::ElementsAre("3:33 'from_port' must be an integer from 1 to 65535, found '0'"));
    EXPECT_THAT(with("  - {from: 0, to: 1, from_port: 1}\n"),
                testing::ElementsAre("3:5 the link has only one of from_port and to_port"));
    EXPECT_THAT(with("  - {from: 0, to: 1, from_port: 1, to_port: 1}\n  - {from: 1, to: 2}\n"),
                testing::ElementsAre("4:5 this link has no ports, those before have some (state "
                                     "from_port and to_port of every link, or of none)"));
    EXPECT_THAT(with("  - {from: 0, to: 1, from_port: 1, to_port: 1}\n"
                     "  - {from: 0, to: 2, from_port: 1, to_port: 1}\n"),
                testing::ElementsAre("4:5 output port 1 of node 0 is used twice"));
    EXPECT_THAT(with("  - {from: 0, to: 2, from_port: 1, to_port: 1}\n"
                     "  - {from: 1, to: 2, from_port: 1, to_port: 1}\n"),
                testing::ElementsAre("4:5 input port 1 of node 2 is used twice"));
    EXPECT_THAT(with("  - {from: 0, to: 1, from_port: 1, to_port: 1}\n"
                     "  - {from: 2, to: 0, from_port: 1, to_port: 1}\n"),
                testing::ElementsAre("4:5 port 1 of node 0 is used twice, for nodes 1 and 2 (a "
                                     "port joins a node to one other node)"));
}

TEST(CustomGraph, RefusesWidthsThatTheFabricDoesNotHave) {
    const std::string text = "nodes: 2\nlinks:\n  - {from: 0, to: 1, width: 32, both: true}\n";
    FabricConfig fabric;
    EXPECT_THAT(findings("width.yaml", text, fabric),
                testing::ElementsAre("3:5 a link of width 32 in a fabric of 64-bit flits (every "
                                     "link moves whole flits: leave the width out, set "
                                     "fabric.flit_bits, or give a narrow link a rate, such as "
                                     "1/2)"));
    fabric.flit_bits = 32;
    EXPECT_THAT(findings("width.yaml", text, fabric), testing::IsEmpty());
    for (auto budget : {&FabricConfig::pin_budget, &FabricConfig::bisection_budget}) {
        FabricConfig divided = fabric;
        divided.*budget = 128;
        EXPECT_THAT(findings("width.yaml", text, divided),
                    testing::ElementsAre("3:5 a link with its own width in a fabric with a wire "
                                         "budget (leave the width out)"));
    }
}

TEST(CustomGraph, RefusesPositionsThatDoNotFit) {
    const auto with = [](const std::string& positions) {
        return findings("places.yaml", "nodes: 2\npositions: " + positions +
                                           "\nlinks: [{from: 0, to: 1, both: true}]\n");
    };
    const std::string hint = " (positions: [[0, 0], [0, 1], ...], row and column of each node)";
    EXPECT_THAT(with("[[0, 0]]"), testing::ElementsAre("2:12 1 positions for 2 nodes" + hint));
    EXPECT_THAT(with("3"),
                testing::ElementsAre("2:12 'positions' must be a list, found '3'" + hint));
    EXPECT_THAT(with("[[0, 0], [1]]"),
                testing::ElementsAre("2:21 a position is a list of row and column ([0, 1])"));
    EXPECT_THAT(with("[[0, 0], [1, -1]]"),
                testing::ElementsAre("2:25 'column' must be a number from 0 to 65535, found '-1'"));
}

}  // namespace
}  // namespace flitscope
