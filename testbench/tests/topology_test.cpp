// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "models/performance/topology_metrics.h"
#include "models/topology/topologies.h"

namespace flitscope {
namespace {

std::string write_file(const std::string& name, const std::string& text) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
}

/// Every link leaves and arrives at the ports that the graph lists it under.
void expect_consistent(const Graph& graph) {
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& l = graph.link(id);
        EXPECT_EQ(graph.out_link(l.from, l.from_port), id);
        EXPECT_EQ(graph.in_link(l.to, l.to_port), id);
    }
}

TEST(Mesh, NumbersPortsPlusBeforeMinusFastestDimensionFirst) {
    const Graph graph = build_mesh({3, 4});
    ASSERT_EQ(graph.node_count(), 12U);
    ASSERT_EQ(graph.port_count(), 5U);
    const NodeId node = 1 * 4 + 2;
    const auto neighbour = [&](PortId port) { return graph.link(graph.out_link(node, port)).to; };
    EXPECT_EQ(neighbour(1), node + 1);
    EXPECT_EQ(neighbour(2), node - 1);
    EXPECT_EQ(neighbour(3), node + 4);
    EXPECT_EQ(neighbour(4), node - 4);
    EXPECT_EQ(graph.out_link(3, 1), kNoLink);   // right edge
    EXPECT_EQ(graph.out_link(0, 2), kNoLink);   // left edge
    EXPECT_EQ(graph.out_link(0, 4), kNoLink);   // top edge
    EXPECT_EQ(graph.out_link(11, 3), kNoLink);  // bottom edge
    expect_consistent(graph);
}

TEST(Mesh, CountsLinksOfEveryShape) {
    for (const std::vector<std::uint32_t>& dims : std::vector<std::vector<std::uint32_t>>{
             {1}, {7}, {1, 9}, {9, 1}, {4, 5}, {2, 3, 4}, {1, 1, 1}, {3, 1, 2, 5}}) {
        const Graph graph = build_mesh(dims);
        std::uint64_t links = 0;
        for (const std::uint32_t d : dims) links += 2ULL * (d - 1) * (graph.node_count() / d);
        EXPECT_EQ(graph.link_count(), links) << graph.description();
        expect_consistent(graph);
    }
}

TEST(Hypercube, JoinsNodesThatDifferInOneBit) {
    for (std::uint32_t n = 0; n <= 6; ++n) {
        const Graph graph = build_hypercube(n);
        EXPECT_EQ(graph.node_count(), 1U << n);
        EXPECT_EQ(graph.link_count(), n << n);
        for (const Link& l : graph.links()) {
            EXPECT_EQ(l.from ^ l.to, 1U << l.dimension);
            EXPECT_EQ(l.from_port, 1 + l.dimension);
            EXPECT_EQ(l.to_port, l.from_port);
        }
        expect_consistent(graph);
    }
}

TEST(Hypercube, WiresAreAsLongAsInARectangle) {
    const Graph graph = build_hypercube(5);  // 8 columns, 4 rows
    for (const Link& l : graph.links()) {
        const auto apart = [](NodeId a, NodeId b) { return a > b ? a - b : b - a; };
        EXPECT_EQ(l.length, apart(l.from % 8, l.to % 8) + apart(l.from / 8, l.to / 8));
    }
}

TEST(Hypercube, GoesUpTo65536Nodes) {
    const Graph graph = build_hypercube(16);
    EXPECT_EQ(graph.node_count(), 65536U);
    EXPECT_EQ(graph.link_count(), 16U << 16);
}

TEST(Graph, RefusesAPortThatIsTaken) {
    Graph graph("custom", {3}, 3);
    Link link;
    link.from = 0;
    link.from_port = 1;
    link.to = 1;
    link.to_port = 1;
    graph.add_link(link);
    EXPECT_THROW(graph.add_link(link), std::invalid_argument);
    link.from_port = 0;
    link.to_port = 2;
    EXPECT_THROW(graph.add_link(link), std::invalid_argument);
    link.from_port = 9;
    EXPECT_THROW(graph.add_link(link), std::invalid_argument);
}

TEST(Graph, NamesLinksAndNodesWithPaddedNumbers) {
    const Graph small = build_mesh({2, 4});
    EXPECT_EQ(small.link_name(small.out_link(5, 1)), "link_005_006");
    EXPECT_EQ(small.node_name("router", 5), "router_005");
    const Graph large = build_hypercube(11);
    EXPECT_EQ(large.node_name("router", 2047), "router_2047");
    EXPECT_EQ(large.node_name("router", 5), "router_0005");
}

TEST(LinkDelay, IsConstantOrLinearInLength) {
    Graph graph = build_mesh({4});
    apply_link_delay(graph, {false, 3, 1});
    EXPECT_EQ(graph.link(0).delay, 3U);
    apply_link_delay(graph, {true, 1, 4});
    EXPECT_EQ(graph.link(0).delay, 1U);
}

TEST(TopologyMetrics, ClosedFormsEqualSearch) {
    std::vector<Graph> graphs;
    for (const std::vector<std::uint32_t>& dims : std::vector<std::vector<std::uint32_t>>{
             {1}, {2}, {7}, {1, 9}, {4, 5}, {8, 8}, {2, 3, 4}, {3, 3, 3}, {2, 2, 2, 2}}) {
        graphs.push_back(build_mesh(dims));
    }
    for (std::uint32_t n = 0; n <= 7; ++n) graphs.push_back(build_hypercube(n));
    for (const Graph& graph : graphs) {
        const TopologyMetrics closed = measure_topology(graph);
        TopologyMetrics searched;
        measure_distances(graph, searched);
        EXPECT_EQ(closed.diameter, searched.diameter) << graph.description();
        EXPECT_NEAR(closed.average_distance, searched.average_distance, 1e-9)
            << graph.description();
    }
}

TEST(TopologyMetrics, CountsChannelsDegreesAndBisection) {
    const TopologyMetrics mesh = measure_topology(build_mesh({8, 8}));
    EXPECT_EQ(mesh.channels, 112U);
    EXPECT_EQ(mesh.links, 224U);
    EXPECT_EQ(mesh.degree_min, 2U);
    EXPECT_EQ(mesh.degree_max, 4U);
    EXPECT_EQ(mesh.bisection, 8U);
    EXPECT_EQ(measure_topology(build_mesh({16, 8})).bisection, 8U);
    EXPECT_EQ(measure_topology(build_mesh({8, 16})).bisection, 8U);
    const TopologyMetrics cube = measure_topology(build_hypercube(6));
    EXPECT_EQ(cube.channels, 192U);
    EXPECT_EQ(cube.degree_min, 6U);
    EXPECT_EQ(cube.bisection, 32U);
}

TEST(CustomGraph, ReadsNodesLinksLengthsAndDelays) {
    const std::string path = write_file("good.yaml",
                                        "nodes: 3\n"
                                        "links:\n"
                                        "  - {from: 0, to: 1, both: true}\n"
                                        "  - {from: 1, to: 2, length: 5}\n"
                                        "  - {from: 2, to: 0, delay: 7}\n");
    const Graph graph = load_custom_graph(path, {true, 1, 2});
    ASSERT_EQ(graph.link_count(), 4U);
    EXPECT_EQ(graph.link(0).to, 1U);
    EXPECT_EQ(graph.link(1).to, 0U);
    EXPECT_EQ(graph.link(2).delay, 3U);  // ceil(5 / 2)
    EXPECT_EQ(graph.link(3).delay, 7U);
    expect_consistent(graph);
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
                                        "  - {from: 0, to: 1}\n");
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
        EXPECT_THAT(all, testing::HasSubstr("link 0 -> 1 appears twice"));
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

}  // namespace
}  // namespace flitscope
