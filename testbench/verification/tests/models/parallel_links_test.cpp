// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Several links from one router to the same other one: their names and files, which of them a text
// means, and that paths use all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/performance/topology_metrics.h"
#include "models/routing/routing_factory.h"
#include "models/topology/channel_map.h"
#include "models/topology/export/export.h"
#include "models/topology/export/placement.h"
#include "models/topology/families/topologies.h"
#include "models/topology/faults/faults.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/models/graph_files.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/patterns/pattern.h"
#include "traffic/patterns/pattern_load.h"

namespace flitscope {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Three channels from router 0 to 1, one from 1 to 2.
constexpr const char* kTriple =
    "nodes: 3\nlinks: [{from: 0, to: 1, both: true}, {from: 1, to: 2, both: true}, "
    "{from: 0, to: 1, both: true, count: 2}]\n";

std::vector<std::string> names_of(const Graph& graph) {
    std::vector<std::string> names;
    for (LinkId id = 0; id < graph.link_count(); ++id) names.push_back(graph.link_name(id));
    return names;
}

TEST(ParallelLinks, HaveNamesOfTheirOwn) {
    const Graph graph = load("triple.yaml", kTriple);
    expect_consistent(graph);
    EXPECT_THAT(names_of(graph), ElementsAre("link_000_001", "link_001_000", "link_001_002",
                                             "link_002_001", "link_000_001_1", "link_001_000_1",
                                             "link_000_001_2", "link_001_000_2"));
    EXPECT_EQ(graph.short_link_name(0), "0-1");
    EXPECT_EQ(graph.short_link_name(7), "1-0_2");
    Graph with_ends = graph;
    with_ends.use_per_link_endpoints();
    const ChannelMap map(with_ends);
    EXPECT_EQ(map.name(map.injection_of(4)), "inject_000_001_1");
    EXPECT_EQ(map.name(map.ejection_of(4)), "eject_000_001_1");
}

TEST(ParallelLinks, AreChannelsWithPortsOfTheirOwn) {
    const Graph graph = load("triple.yaml", kTriple);
    for (const Link& link : graph.links()) {
        const LinkId back = graph.opposite(link);
        ASSERT_NE(back, kNoLink);
        EXPECT_EQ(graph.link(back).rank, link.rank);
    }
    const TopologyMetrics metrics = measure_topology(graph);
    EXPECT_EQ(metrics.channels, 4U);
    EXPECT_EQ(metrics.degree_max, 4U);
    EXPECT_EQ(metrics.bisection, 3U);
    EXPECT_EQ(metrics.diameter, 2U);
}

TEST(ParallelLinks, AreTheSameFromFilesOfEveryKind) {
    const std::vector<std::string> wanted = {
        "0.1->1.1 length 1 delay 1", "1.1->0.1 length 1 delay 1", "1.2->2.1 length 1 delay 1",
        "2.1->1.2 length 1 delay 1", "0.2->1.3 length 1 delay 1", "1.3->0.2 length 1 delay 1",
        "0.3->1.4 length 1 delay 1", "1.4->0.3 length 1 delay 1"};
    EXPECT_EQ(links_of(load("triple.yaml", kTriple)), wanted);
    EXPECT_EQ(
        links_of(load("triple.csv", "from,to,both\n0,1,true\n1,2,true\n0,1,true\n0,1,true\n")),
        wanted);
    EXPECT_EQ(links_of(load("triple.dot", "graph { a -- b -- c; a -- b [count=2] }")), wanted);
    EXPECT_EQ(links_of(load("triple.graphml",
                            "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/>"
                            "<node id='c'/><edge source='a' target='b'/>"
                            "<edge source='b' target='c'/><edge source='a' target='b'/>"
                            "<edge source='a' target='b'/></graph></graphml>")),
              wanted);
}

TEST(ParallelLinks, OfNamedRoutersHaveTheirNames) {
    const Graph graph = load("triple.dot", "graph { a -- b -- c; a -- b; a -- b }");
    EXPECT_EQ(graph.given_link_name(0), "a-b");
    EXPECT_EQ(graph.given_link_name(4), "a-b_1");
    EXPECT_EQ(graph.given_link_name(7), "b-a_2");
}

TEST(ParallelLinks, MayLeadOneWayAloneAndHaveStatedPorts) {
    const Graph one_way =
        load("one_way.yaml", "nodes: 2\nlinks: [{from: 0, to: 1, count: 2}, {from: 1, to: 0}]\n");
    EXPECT_THAT(links_of(one_way),
                ElementsAre("0.1->1.1 length 1 delay 1", "0.2->1.2 length 1 delay 1",
                            "1.1->0.1 length 1 delay 1"));
    EXPECT_EQ(measure_topology(one_way).channels, 2U);
    const std::string crossed =
        "nodes: 2\nlinks:\n"
        "  - {from: 0, to: 1, from_port: 1, to_port: 1}\n"
        "  - {from: 0, to: 1, from_port: 2, to_port: 2}\n"
        "  - {from: 1, to: 0, from_port: 2, to_port: 2}\n"
        "  - {from: 1, to: 0, from_port: 1, to_port: 1}\n";
    const Graph graph = load("crossed.yaml", crossed);
    EXPECT_EQ(graph.opposite(graph.link(0)), 3U);
    EXPECT_EQ(graph.link_name(3), "link_001_000_1");
    EXPECT_THAT(findings("ports.yaml",
                         "nodes: 2\nlinks:\n"
                         "  - {from: 0, to: 1, from_port: 1, to_port: 1, both: true, count: 2}\n"),
                ElementsAre("3:5 2 links with the same ports (list them one by one, each with its "
                            "ports)"));
}

TEST(ParallelLinks, AreRefusedInStrictGraphs) {
    EXPECT_THAT(findings("strict.dot", "strict digraph { a -> b [both=true]\n b -> a }"),
                ElementsAre("2:2 link 'b' -> 'a' appears twice (leave `strict` out if several "
                            "links join them)"));
    EXPECT_EQ(load("strict.dot", "strict graph { a -- b; b -- a }").link_count(), 2U);
}

TEST(ParallelLinks, AreTheSameWhenTheyAreWrittenAndReadAgain) {
    const Graph graph = load("triple.yaml", kTriple);
    std::ostringstream yaml;
    write_graph_yaml(yaml, graph);
    const Graph from_yaml = load("again.yaml", yaml.str());
    EXPECT_EQ(links_of(from_yaml), links_of(graph));
    EXPECT_EQ(names_of(from_yaml), names_of(graph));
    std::ostringstream dot;
    write_graph_dot(dot, graph);
    const Graph from_dot = load("again.dot", dot.str());
    for (const Link& link : graph.links()) {
        const LinkId same = from_dot.out_link(link.from, link.from_port);
        ASSERT_NE(same, kNoLink);
        EXPECT_EQ(text_of(from_dot.link(same)), text_of(link));
        EXPECT_EQ(from_dot.link(same).rank, link.rank);
    }
}

TEST(ParallelLinks, AreDrawnSideBySide) {
    const Graph graph = load("triple.yaml", kTriple);
    const Placement placement(graph);
    std::set<double> bends;
    for (const Link& link : graph.links()) {
        const Link& back = graph.link(graph.opposite(link));
        EXPECT_EQ(placement.bend(link), -placement.bend(back));
        if (link.from == RouterId(0)) bends.insert(placement.bend(link));
    }
    EXPECT_EQ(bends.size(), 3U);
    EXPECT_EQ(placement.bend(graph.link(2)), 0);
}

// ---- Faults -------------------------------------------------------------------------------------

Graph left_by(const std::string& file, const std::string& faults) {
    const Config config = parse_config("fabric: {topology: {kind: custom, file: " + path_of(file) +
                                           "}}\nfaults: {" + faults + "}\n",
                                       "parallel_links_test");
    return with_faults(config, build_topology(config));
}

std::string refusal_of(const std::string& file, const std::string& faults) {
    return refused_with([&] { left_by(file, faults); });
}

TEST(ParallelLinks, FailTogetherOrAlone) {
    write_file("triple.yaml", kTriple);
    const Graph without_one = left_by("triple.yaml", "links: [link_000_001_1]");
    EXPECT_THAT(names_of(without_one),
                ElementsAre("link_000_001", "link_001_000", "link_001_002", "link_002_001",
                            "link_000_001_2", "link_001_000_2"));
    EXPECT_THAT(dead_channels(without_one), ElementsAre("link_000_001_1"));
    EXPECT_EQ(names_of(left_by("triple.yaml", "links: [1-0_1]")), names_of(without_one));
    const Graph without_first = left_by("triple.yaml", "links: [link_001_000]");
    EXPECT_EQ(without_first.link_count(), 6U);
    EXPECT_THAT(dead_channels(without_first), ElementsAre("link_000_001"));
    EXPECT_THAT(refusal_of("triple.yaml", "links: [0-1]"), HasSubstr("failed between them"));
    EXPECT_THAT(refusal_of("triple.yaml", "links: [0-1_3]"),
                HasSubstr("'0-1_3': no link of that number joins nodes 0 and 1"));
    write_file("triple.dot", "graph { a -- b -- c; a -- b; a -- b; a -- c }");
    EXPECT_THAT(dead_channels(left_by("triple.dot", "links: [a-b_2]")),
                ElementsAre("link_000_001_2"));
    EXPECT_THAT(dead_channels(left_by("triple.dot", "links: [b-a]")),
                ElementsAre("link_000_001", "link_000_001_1", "link_000_001_2"));
    EXPECT_THAT(dead_channels(left_by("triple.dot", "links: [c-b]")), ElementsAre("1-2"));
}

TEST(ParallelLinks, FailOneByOneAtRandom) {
    write_file("triple.yaml", kTriple);
    std::set<std::vector<std::string>> drawn;
    for (int seed = 0; seed < 40; ++seed) {
        const Graph left = left_by(
            "triple.yaml", "random_links: 2, keep_connected: true, seed: " + std::to_string(seed));
        EXPECT_EQ(left.link_count(), 4U);
        drawn.insert(dead_channels(left));
    }
    EXPECT_EQ(drawn.size(), 3U);  // two of three
    EXPECT_THAT(refusal_of("triple.yaml", "random_links: 3, keep_connected: true"),
                HasSubstr("at most 2 can fail without disconnecting others"));
}

TEST(ParallelLinks, FailAsChannelsOfTheirPorts) {
    write_file("crossed.yaml",
               "nodes: 2\nlinks:\n"
               "  - {from: 0, to: 1, from_port: 1, to_port: 1}\n"
               "  - {from: 0, to: 1, from_port: 2, to_port: 2}\n"
               "  - {from: 1, to: 0, from_port: 2, to_port: 2}\n"
               "  - {from: 1, to: 0, from_port: 1, to_port: 1}\n");
    EXPECT_THAT(names_of(left_by("crossed.yaml", "links: [link_000_001]")),
                ElementsAre("link_000_001_1", "link_001_000"));
    write_file("uneven.yaml", "nodes: 2\nlinks: [{from: 0, to: 1, count: 3}, {from: 1, to: 0}]\n");
    for (int seed = 0; seed < 20; ++seed) {  // the only link back stays
        const Graph left = left_by(
            "uneven.yaml", "random_links: 2, keep_connected: true, seed: " + std::to_string(seed));
        EXPECT_EQ(names_of(left).back(), "link_001_000");
        EXPECT_EQ(left.link_count(), 2U);
    }
}

// ---- Routing ------------------------------------------------------------------------------------

/// Two routers with four nodes each, and so many channels between them.
Config two_routers(std::uint32_t channels, const std::string& routing) {
    const std::string file = "two_" + std::to_string(channels) + ".yaml";
    write_file(file,
               "routers: 2\nnodes_per_router: 4\nlinks: [{from: 0, to: 1, both: true, count: " +
                   std::to_string(channels) + "}]\n");
    return parse_config("fabric: {topology: {kind: custom, file: " + path_of(file) + "}, " +
                            routing +
                            "}\ntraffic: {pattern: uniform, injection_rate: 0.01, "
                            "message_bytes: 0}\n",
                        "parallel_links_test");
}

/// The rate at which the busiest link is full, in flits per node and cycle.
double bound(std::uint32_t channels, const std::string& routing) {
    const Config config = two_routers(channels, routing);
    const Graph graph = build_topology(config);
    const Pattern uniform(config, graph);
    return 0.01 / pattern_load(config, graph, *make_routing(config, graph), uniform).link;
}

TEST(ParallelLinks, CarryAsMuchAsTheirNumber) {
    // Four nodes send four of seven messages to the other side.
    const double one = 7.0 / 16;
    for (const std::string routing : {"shortest_path", "up_down", "lash"}) {
        SCOPED_TRACE(routing);
        EXPECT_NEAR(bound(1, "routing: " + routing), one, 1e-9);
        EXPECT_NEAR(bound(2, "routing: " + routing), one, 1e-9);  // the lowest port
        for (const std::string spread : {", spread: ports", ", spread: flow", ", spread: paths"}) {
            EXPECT_NEAR(bound(2, "routing: " + routing + spread), 2 * one, 1e-9) << spread;
            EXPECT_NEAR(bound(4, "routing: " + routing + spread), 4 * one, 1e-9) << spread;
        }
    }
    EXPECT_NEAR(bound(2, "routing: auto"), 2 * one, 1e-9);
}

std::string routes_error(const std::string& next) {
    const std::string path = write_file("routes.csv", "at,to,next\n0,*," + next + "\n1,*,0\n");
    Config config = two_routers(2, "routing: auto");
    config.fabric.routing = "file";
    config.fabric.routes_file = path;
    const Graph graph = build_topology(config);
    return refused_with([&] { make_routing(config, graph); });
}

TEST(ParallelLinks, AreNamedByRoutes) {
    const auto several = [](const char* next) {
        return AllOf(HasSubstr(std::string("several links lead from 0 to '") + next + "'"),
                     HasSubstr("links that leave it: link_000_001, link_000_001_1"));
    };
    EXPECT_THAT(routes_error("1"), several("1"));
    EXPECT_THAT(routes_error("0-1"), several("0-1"));
    for (const char* const named : {"link_000_001", "link_000_001_1", "0-1_1"}) {
        // What remains is the other line.
        EXPECT_THAT(routes_error(named), AllOf(HasSubstr("several links lead from 1 to '0'"),
                                               testing::Not(HasSubstr("lead from 0"))));
    }
    EXPECT_THAT(routes_error("link_000_001_2"), HasSubstr("no link leads from 0"));
}

TEST(ParallelLinks, OfADragonflyAreUsedEvenly) {
    for (const std::uint32_t global : {4U, 8U, 16U}) {
        Config config;
        config.fabric.virtual_channels = 2;
        const Graph graph = build_dragonfly(5, 4, global);
        SCOPED_TRACE(graph.description());
        const auto routing = make_routing(config, graph);
        ASSERT_EQ(routing->name(), "dragonfly_minimal");
        std::vector<std::uint32_t> used(graph.link_count());
        for (NodeId from = 0; from < graph.node_count(); ++from) {
            for (NodeId to = 0; to < graph.node_count(); ++to) {
                for (RouterId at(from); at != RouterId(to);) {
                    const LinkId link = graph.out_link(at, routing->route(at, to).port);
                    ++used[link];
                    at = graph.link(link).to;
                }
            }
        }
        // 16 pairs of nodes for every two groups, over as many channels as there are.
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            if (link.from / 4 == link.to / 4) continue;
            EXPECT_EQ(used[id], 16 / global) << graph.link_name(id);
        }
    }
}

}  // namespace
}  // namespace flitscope
