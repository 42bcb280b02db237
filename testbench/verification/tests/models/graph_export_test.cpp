// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs that are written, and read again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/config/link_delay_config.h"
#include "models/config/topology_config.h"
#include "models/topology/export/export.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/verification/tests/models/graph_files.h"

namespace flitscope {
namespace {

std::vector<TopologyConfig> one_of_each_kind() {
    const auto make = [](const char* kind, std::vector<std::uint32_t> dims) {
        TopologyConfig topology;
        topology.kind = kind;
        topology.dims = std::move(dims);
        return topology;
    };
    std::vector<TopologyConfig> all = {make("mesh", {3, 4}),  make("mesh", {2, 3, 3}),
                                       make("torus", {4, 5}), make("torus", {4, 5}),
                                       make("hypercube", {}), make("ghc", {4, 3}),
                                       make("how", {5, 6}),   make("mesh", {1})};
    all.push_back(make("mesh", {2, 3}));
    all.back().concentration = {2, 2};
    all.push_back(make("torus", {4, 3}));
    all.back().extra_nodes = {{"", 5}, {"", 0}, {"", 5}};
    all.push_back(make("fat_tree", {}));
    all.back().parameters = {{"arity", 2}, {"height", 3}};
    all[3].folded = true;
    all[4].dimensions = 4;
    all[6].windows = {3, 2};
    for (const ExpressLayout layout : kExpressLayouts) {
        all.push_back(make("express_mesh", {9, 9}));
        all.back().segment = 4;
        all.back().layout = layout;
        if (all.back().layout == ExpressLayout::kHierarchy) {
            all.back().segment = 2;
            all.back().levels = 3;
        }
    }
    return all;
}

std::vector<Graph> graphs_of_each_kind() {
    std::vector<Graph> graphs;
    for (const TopologyConfig& topology : one_of_each_kind()) {
        Config config;
        config.fabric.topology = topology;
        config.fabric.link_delay = {LinkDelayModel::kLinear, 1, 2};
        graphs.push_back(build_topology(config));
    }
    return graphs;
}

/// As many, in the same places, with as many nodes each.
void expect_same_routers(const Graph& again, const Graph& graph) {
    ASSERT_EQ(again.router_count(), graph.router_count());
    ASSERT_EQ(again.node_count(), graph.node_count());
    for (RouterId router; router < graph.router_count(); ++router) {
        EXPECT_EQ(again.nodes_at(router).size(), graph.nodes_at(router).size());
        EXPECT_EQ(again.position(router).row, graph.position(router).row);
        EXPECT_EQ(again.position(router).column, graph.position(router).column);
    }
}

TEST(Export, YamlReadAgainGivesTheSameNodesLinksPortsLengthsDelaysAndPlaces) {
    for (const Graph& graph : graphs_of_each_kind()) {
        std::ostringstream out;
        write_graph_yaml(out, graph);
        const Graph again = load("again.yaml", out.str());
        SCOPED_TRACE(graph.description());
        expect_same_routers(again, graph);
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            EXPECT_EQ(again.router_of(node), graph.router_of(node));
        }
        EXPECT_EQ(links_of(again), links_of(graph));
        expect_consistent(again);
    }
}

TEST(Export, DotReadAgainGivesTheSameLinksInAnyOrder) {
    for (const Graph& graph : graphs_of_each_kind()) {
        std::ostringstream out;
        write_graph_dot(out, graph);
        const Graph again = load("again.dot", out.str());
        SCOPED_TRACE(graph.description());
        expect_same_routers(again, graph);
        EXPECT_THAT(links_of(again), testing::UnorderedElementsAreArray(links_of(graph)));
    }
}

TEST(Export, DotKeepsLinksApartThatDifferByDirection) {
    Graph graph("custom", {3}, 3);
    graph.add_link({RouterId(0), 1, RouterId(1), 1, kNoDimension, 1, 2});
    graph.add_link({RouterId(1), 1, RouterId(0), 1, kNoDimension, 1, 3});
    graph.add_link({RouterId(1), 2, RouterId(2), 1, kNoDimension, 1, 1});
    graph.add_link({RouterId(2), 2, RouterId(0), 2, kNoDimension, 4, 1});
    std::ostringstream out;
    write_graph_dot(out, graph);
    EXPECT_THAT(links_of(load("again.dot", out.str())), testing::ElementsAreArray(links_of(graph)));
    EXPECT_THAT(out.str(), testing::Not(testing::HasSubstr("both=true")));
    EXPECT_THAT(out.str(), testing::HasSubstr("3 nodes, 3 channels"));
}

TEST(Export, DotShowsTheNodesOfEveryRouter) {
    const auto text_of = [](std::vector<std::uint32_t> block, std::vector<ExtraNode> extra_nodes) {
        Config config;
        config.fabric.topology.kind = "mesh";
        config.fabric.topology.dims = {2, 2};
        config.fabric.topology.concentration = std::move(block);
        config.fabric.topology.extra_nodes = std::move(extra_nodes);
        std::ostringstream out;
        write_graph_dot(out, build_topology(config));
        return out.str();
    };
    const std::string blocks = text_of({2, 2}, {{"", 0}});
    EXPECT_THAT(blocks,
                testing::HasSubstr("label=<R0<font point-size=\"7\"><br/>0 1 4 5 16</font>>"));
    EXPECT_THAT(blocks,
                testing::HasSubstr("label=<R3<font point-size=\"7\"><br/>10 11 14 15</font>>"));
    EXPECT_THAT(text_of({1, 5}, {}), testing::HasSubstr("<br/>5-9</font>>"));
    EXPECT_THAT(text_of({7, 7}, {}), testing::HasSubstr("<br/>49 nodes</font>>"));
    EXPECT_THAT(text_of({}, {}), testing::Not(testing::HasSubstr(", label=<R")));
}

TEST(Export, JsonHoldsNodesAndLinks) {
    Graph graph("mesh", {1, 2}, 3);
    graph.set_description("say \"hi\"");
    graph.add_link({RouterId(0), 1, RouterId(1), 2, 1, 3, 2});
    graph.add_link({RouterId(1), 2, RouterId(0), 1, kNoDimension, 3, 2});
    std::ostringstream out;
    write_graph_json(out, graph);
    EXPECT_EQ(out.str(),
              "{\"topology\": \"say \\\"hi\\\"\", \"kind\": \"mesh\", \"dims\": [1, 2], \"nodes\": "
              "2, \"ports\": 3,\n \"positions\": [[0, 0], [0, 1]],\n \"links\": [\n"
              "  {\"from\": 0, \"from_port\": 1, \"to\": 1, \"to_port\": 2, \"dimension\": 1, "
              "\"length\": 3, \"delay\": 2},\n"
              "  {\"from\": 1, \"from_port\": 2, \"to\": 0, \"to_port\": 1, \"dimension\": null, "
              "\"length\": 3, \"delay\": 2}]}\n");
}

}  // namespace
}  // namespace flitscope
