// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which links are slow: those of graph files, of dragonflies, and of meshes of several dies.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/routing/route_flow.h"
#include "models/routing/routing_factory.h"
#include "models/topology/export/export.h"
#include "models/topology/families/dragonfly_shape.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/verification/tests/models/graph_files.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::uint32_t> rates_of(const Graph& graph) {
    std::vector<std::uint32_t> rates;
    for (const Link& link : graph.links()) rates.push_back(link.rate_cycles);
    return rates;
}

TEST(LinkRates, AreReadFromFilesOfEveryFormat) {
    EXPECT_THAT(rates_of(load("rates.yaml",
                              "nodes: 3\nlinks:\n  - {from: 0, to: 1, rate: 1/4, both: true}\n"
                              "  - {from: 1, to: 2, rate: 1}\n  - {from: 2, to: 0}\n")),
                ElementsAre(4, 4, 1, 1));
    EXPECT_THAT(rates_of(load("rates.csv", "from,to,rate\n0,1,1/4\n1,2,1\n2,0,\n")),
                ElementsAre(4, 1, 1));
    EXPECT_THAT(rates_of(load("rates.dot",
                              "digraph { edge [rate=\"1/2\"]; 0 -> 1; 1 -> 2 [rate=\"1/64\"]; "
                              "2 -> 0 [rate=1]; }")),
                ElementsAre(2, 64, 1));
    EXPECT_THAT(rates_of(load("rates.graphml",
                              "<graphml><key id=\"r\" for=\"edge\" attr.name=\"rate\"/>"
                              "<graph edgedefault=\"directed\"><node id=\"0\"/><node id=\"1\"/>"
                              "<edge source=\"0\" target=\"1\"><data key=\"r\">1/3</data></edge>"
                              "<edge source=\"1\" target=\"0\"/></graph></graphml>")),
                ElementsAre(3, 1));
}

TEST(LinkRates, AreOneOverAWholeNumber) {
    for (const char* const text : {"2", "2/3", "1/0", "1/65", "1/", "1/x", "0.5", "1/-2", "1/04"}) {
        const std::vector<std::string> found = findings(
            "bad_rate.yaml",
            fmt::format("nodes: 2\nlinks: [{{from: 0, to: 1, both: true, rate: {}}}]\n", text));
        ASSERT_EQ(found.size(), 1U) << text;
        EXPECT_THAT(found[0], HasSubstr(fmt::format(
                                  "'rate' must be 1/k with k from 1 to 64, found '{}'", text)));
    }
}

TEST(LinkRates, AreWrittenAndReadAgain) {
    const Graph graph =
        load("written.yaml",
             "nodes: 3\nlinks:\n  - {from: 0, to: 1, rate: 1/4, both: true}\n"
             "  - {from: 1, to: 2, rate: 1/7}\n  - {from: 2, to: 1}\n  - {from: 2, to: 0}\n");
    std::ostringstream yaml;
    write_graph_yaml(yaml, graph);
    EXPECT_EQ(rates_of(load("again.yaml", yaml.str())), rates_of(graph));
    std::ostringstream dot;
    write_graph_dot(dot, graph);
    const Graph drawn = load("again.dot", dot.str());
    for (const Link& link : drawn.links()) {
        EXPECT_EQ(graph.link(graph.out_link(link.from, link.from_port)).rate_cycles,
                  link.rate_cycles);
    }
    std::ostringstream json;
    write_graph_json(json, graph);
    EXPECT_THAT(json.str(), HasSubstr("\"rate_cycles\": 7"));
}

TEST(LinkRates, GlobalLinksOfADragonflyAreSlow) {
    Config config;
    config.fabric.topology.kind = "dragonfly";
    config.fabric.topology.parameters = {{"groups", 5}, {"group_size", 4}, {"global_links", 1}};
    config.fabric.virtual_channels = 2;
    config.fabric.link_rate.global = {1, 3};
    const Graph graph = build_topology(config);
    const auto& shape = *graph.shape<DragonflyShape>();
    for (const Link& link : graph.links()) {
        EXPECT_EQ(link.rate_cycles, shape.group(link.from) == shape.group(link.to) ? 1U : 3U);
    }
}

TEST(LinkRates, LinksBetweenDiesOfAMeshAreSlowAndMayBeLonger) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {4, 6};
    config.fabric.link_rate.die = {2, 3};
    config.fabric.link_rate.between = {1, 2};
    for (const bool is_longer : {false, true}) {
        if (is_longer) config.fabric.link_rate.delay = 7;
        const Graph graph = build_topology(config);
        std::size_t slow = 0;
        for (const Link& link : graph.links()) {
            const auto die = [&](RouterId router) { return router / 12 * 2 + router % 6 / 3; };
            const bool is_between = die(link.from) != die(link.to);
            EXPECT_EQ(link.rate_cycles, is_between ? 2U : 1U);
            EXPECT_EQ(link.delay, is_between && is_longer ? 7U : 1U);
            slow += is_between ? 1 : 0;
        }
        EXPECT_EQ(slow, 2U * (6 + 4));
    }
}

TEST(LinkRates, DiesDivideTheMesh) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {4, 6};
    config.fabric.link_rate.between = {1, 2};
    for (const std::vector<std::uint32_t>& die :
         {std::vector<std::uint32_t>{4}, {2, 4}, {8, 6}, {2, 3, 1}}) {
        config.fabric.link_rate.die = die;
        EXPECT_THROW(build_topology(config), ConfigError);
    }
}

TEST(LinkRates, WhatCannotHaveThemIsRefused) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {4};
    config.fabric.link_rate.die = {2};
    config.fabric.link_rate.between = {1, 2};
    config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    EXPECT_NO_THROW(build_topology(config)) << "one virtual channel holds nothing";
    config.fabric.virtual_channels = 2;
    EXPECT_THROW(build_topology(config), ConfigError);
    config.fabric.switch_arbitration = SwitchArbitration::kRoundRobin;
    EXPECT_NO_THROW(build_topology(config));
    config.fabric.virtual_channels = 1;
    config.fabric.switching = Switching::kCircuit;
    EXPECT_THROW(build_topology(config), ConfigError);
}

TEST(LinkRates, BoundUniformTraffic) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {4};
    const auto bound = [&] {
        const Graph graph = build_topology(config);
        return uniform_flow(graph, *make_routing(config, graph)).bound;
    };
    EXPECT_DOUBLE_EQ(bound(), 3.0 / 4);  // four pairs cross the middle each way
    config.fabric.link_rate.die = {2};
    config.fabric.link_rate.between = {1, 3};
    EXPECT_DOUBLE_EQ(bound(), 3.0 / 12);
}

}  // namespace
}  // namespace flitscope
