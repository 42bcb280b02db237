// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which keys of a configuration go together, and the errors for those that do not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "models/config/config.h"
#include "models/config/topology_config.h"
#include "models/topology/families/topology_families.h"
#include "testbench/verification/tests/support/config_findings.h"

namespace flitscope {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Config, TopologyKeysGoWithTheKind) {
    EXPECT_EQ(finding(with_topology("kind: hypercube, dimensions: 3, dims: [4]")),
              "c.yaml:1:53: error: key 'dims' does not apply to topology kind 'hypercube' (it "
              "is only for topology kind 'mesh', 'torus', 'ghc', 'how', 'sparse_hamming' or "
              "'express_mesh')");
    EXPECT_THAT(findings(with_topology("kind: hypercube, dims: [4]")),
                ElementsAre("c.yaml:1:10: error: key 'fabric.topology.dimensions' is missing "
                            "(needed for topology kind 'hypercube', 2^dimensions routers: 0 to 16)",
                            "c.yaml:1:38: error: key 'dims' does not apply to topology kind "
                            "'hypercube' (use 'dimensions')"));
    EXPECT_THAT(finding(with_topology("kind: mesh")),
                HasSubstr("c.yaml:1:10: error: key 'fabric.topology.dims' is missing"));
    EXPECT_THAT(finding(with_topology("kind: custom")),
                HasSubstr("key 'fabric.topology.file' is missing"));
    EXPECT_EQ(finding("fabric: {}\ntraffic: {schedule: pex}\n"),
              "c.yaml:1:1: error: key 'fabric.topology.kind' is missing (family of the network: " +
                  listed(topology_families()) + ")");
    for (const TopologyFamily& family : topology_families()) {
        for (const std::string& key : family.required_keys) {
            EXPECT_THAT(findings(with_topology("kind: " + family.name)),
                        Contains(HasSubstr("key 'fabric.topology." + key + "' is missing")));
        }
    }
    EXPECT_THAT(finding(with_topology("kind: how, dims: [4]")),
                HasSubstr("c.yaml:1:10: error: key 'fabric.topology.window' is missing (needed "
                          "for topology kind 'how', "));
    EXPECT_THAT(finding(with_topology("kind: express_mesh, dims: [4]")),
                HasSubstr("c.yaml:1:10: error: key 'fabric.topology.segment' is missing (needed "
                          "for topology kind 'express_mesh', "));
    EXPECT_EQ(finding(with_topology("kind: mesh, dims: [4], window: 1")),
              "c.yaml:1:44: error: key 'window' does not apply to topology kind 'mesh' (it is "
              "only for topology kind 'how')");
    EXPECT_THAT(finding(with_topology("kind: mesh, dims: [4], folded: true")),
                HasSubstr("key 'folded' does not apply to topology kind 'mesh'"));
    EXPECT_THAT(finding(with_topology("kind: how, dims: [4], window: 1, segment: 2")),
                HasSubstr("key 'segment' does not apply to topology kind 'how'"));
    EXPECT_THAT(finding(with_topology("kind: ghc, dims: [4], layout: full")),
                HasSubstr("key 'layout' does not apply to topology kind 'ghc'"));
    EXPECT_THAT(finding(with_topology("kind: express_mesh, dims: [4], segment: 2, levels: 1")),
                HasSubstr("key 'levels' does not apply to layout 'full'"));
}

TEST(Config, TopologiesOfEveryKindAreRead) {
    const auto read = [](const std::string& line) {
        return parse_config(with_topology(line), "c").fabric.topology;
    };
    EXPECT_FALSE(read("kind: torus, dims: [4, 3]").folded);
    EXPECT_TRUE(read("kind: torus, dims: [4, 3], folded: true").folded);
    EXPECT_THAT(read("kind: ghc, dims: [4, 3]").dims, ElementsAre(4, 3));
    EXPECT_THAT(read("kind: how, dims: [4, 3], window: 2").windows, ElementsAre(2));
    EXPECT_THAT(read("kind: how, dims: [4, 3], window: [3, 1]").windows, ElementsAre(3, 1));
    EXPECT_EQ(read("kind: express_mesh, dims: [9], segment: 4").segment, 4U);
    EXPECT_EQ(read("kind: express_mesh, dims: [9], segment: 4").layout, ExpressLayout::kFull);
    EXPECT_EQ(
        read("kind: express_mesh, dims: [9, 9], segment: 2, layout: hierarchy, levels: 3").levels,
        3U);
}

TEST(Config, WindowsFitTheirDimensions) {
    EXPECT_THAT(findings(with_topology("kind: how, dims: [8, 4], window: 3")), ElementsAre());
    EXPECT_THAT(findings(with_topology("kind: how, dims: [8, 1], window: [7, 1]")), ElementsAre());
    EXPECT_EQ(finding(with_topology("kind: how, dims: [8, 4], window: 4")),
              "c.yaml:1:54: error: window 4 does not fit dimension 1 of 4 nodes (at most 3, which "
              "joins every node of the line to every other)");
    EXPECT_THAT(finding(with_topology("kind: how, dims: [8, 4], window: [8, 3]")),
                HasSubstr("window 8 does not fit dimension 0 of 8 nodes (at most 7, "));
    EXPECT_THAT(finding(with_topology("kind: how, dims: [8, 1], window: [3, 2]")),
                HasSubstr("window 2 does not fit dimension 1 of 1 nodes (1 if the side is 1)"));
    EXPECT_EQ(finding(with_topology("kind: how, dims: [8, 4], window: [3, 2, 1]")),
              "c.yaml:1:54: error: 3 windows for 2 dimensions (write one window for all "
              "dimensions, or a list of 2)");
    EXPECT_THAT(finding(with_topology("kind: how, dims: [8, 4], window: 0")),
                HasSubstr("must be an integer from 1 to 65535, found '0'"));
}

TEST(Config, OffsetsFitTheirDimensions) {
    const std::string sparse = "kind: sparse_hamming, dims: ";
    EXPECT_THAT(finding(with_topology(sparse + "[8, 8]")),
                HasSubstr("'fabric.topology.offsets' is missing"));
    EXPECT_THAT(finding(with_topology(sparse + "[8, 8], offsets: [[2], [3], [4]]")),
                HasSubstr("c.yaml:1:66: error: 3 lists of offsets for 2 dimensions (write one list "
                          "for all dimensions, or 2"));
    EXPECT_THAT(finding(with_topology(sparse + "[8, 4], offsets: [2, 4]")),
                HasSubstr("c.yaml:1:66: error: offset 4 does not fit dimension 1 of 4 nodes (a "
                          "link joins nodes that are at most 3"));
    EXPECT_THAT(finding(with_topology(sparse + "[8, 8], offsets: [3, 2]")),
                HasSubstr("c.yaml:1:66: error: offset 2 follows 3 (list them in ascending order; "
                          "links to neighbours"));
    EXPECT_THAT(finding(with_topology(sparse + "[8, 8], offsets: [1]")),
                HasSubstr("from 2 to 65535, found '1'"));
    EXPECT_THAT(finding(with_topology(sparse + "[8, 8], offsets: 2")), HasSubstr("must be a list"));
}

TEST(Config, ExpressLinksFitTheSides) {
    const std::string express = "kind: express_mesh, dims: ";
    EXPECT_THAT(findings(with_topology(express + "[8, 5], segment: 4")), ElementsAre());
    EXPECT_EQ(finding(with_topology(express + "[8, 4], segment: 4")),
              "c.yaml:1:64: error: express links of 4 node pitches do not fit a side of 4 nodes (a "
              "link joins nodes that are at most 3 apart)");
    EXPECT_THAT(finding(with_topology(express + "[8, 8], segment: 1")),
                HasSubstr("must be an integer from 2 to 65535, found '1'"));
    const std::string levels = "[9, 9], segment: 2, layout: hierarchy, levels: ";
    EXPECT_THAT(findings(with_topology(express + levels + "3")), ElementsAre());
    EXPECT_EQ(finding(with_topology(express + levels + "4")),
              "c.yaml:1:94: error: express links of 16 node pitches do not fit a side of 9 nodes "
              "(a link joins nodes that are at most 8 apart)");
    EXPECT_THAT(findings(with_topology(express + "[9, 9], segment: 4, layout: shifted")),
                ElementsAre());
    EXPECT_THAT(finding(with_topology(express + "[9, 9], segment: 3, layout: shifted")),
                HasSubstr("closer together two express links would meet at a node"));
    EXPECT_THAT(finding(with_topology(express + "[9, 9, 9], segment: 4, layout: shifted")),
                HasSubstr("is for one or two dimensions"));
    EXPECT_EQ(finding(with_topology(express + "[9], segment: 4, layout: compound")),
              "c.yaml:1:72: error: the compound layout is for two dimensions, not 1");
}

TEST(Config, NetworkHasAtMost65536Nodes) {
    EXPECT_THAT(findings(with_topology("kind: mesh, dims: [256, 256]")), ElementsAre());
    EXPECT_THAT(findings(with_topology("kind: mesh, dims: [1]")), ElementsAre());
    EXPECT_EQ(finding(with_topology("kind: mesh, dims: [256, 257]")),
              "c.yaml:1:39: error: a mesh of 256x257 has more than 65536 nodes");
    EXPECT_THAT(finding(with_topology("kind: mesh, dims: [65536, 65536, 65536, 65536, 2]")),
                HasSubstr("more than 65536 nodes"));
    EXPECT_EQ(finding(with_topology("kind: mesh, dims: [4, 0]")),
              "c.yaml:1:43: error: 'fabric.topology.dims[1]' must be an integer from 1 to 65536, "
              "found '0'");
    EXPECT_EQ(finding(with_topology("kind: mesh, dims: []")),
              "c.yaml:1:39: error: 'fabric.topology.dims' must have 1 to 32 entries, found 0");
    EXPECT_THAT(finding(with_topology("kind: mesh, dims: 4")), HasSubstr("must be a list"));
    EXPECT_THAT(findings(with_topology("kind: hypercube, dimensions: 16")), ElementsAre());
    EXPECT_EQ(finding(with_topology("kind: express_mesh, dims: [512, 512], segment: 4")),
              "c.yaml:1:47: error: an express_mesh of 512x512 has more than 65536 nodes");
    EXPECT_EQ(finding(with_topology(
                  "kind: express_mesh, dims: [256, 256], segment: 4, layout: compound")),
              "c.yaml:1:47: error: with the second node of each terminal there are 69632 nodes, "
              "more than 65536");
    EXPECT_THAT(finding(with_topology("kind: hypercube, dimensions: 17")), HasSubstr("0 to 16"));
}

TEST(Config, NetworkHasAtMostSixteenMillionPorts) {
    EXPECT_THAT(findings(with_topology("kind: ghc, dims: [16, 16, 16, 16]")), ElementsAre());
    EXPECT_THAT(findings(with_topology("kind: ghc, dims: [4096]")), ElementsAre());
    EXPECT_EQ(finding(with_topology("kind: ghc, dims: [4097]")),
              "c.yaml:1:38: error: 4097 nodes of 4097 ports each have more than 16777216 ports "
              "(more dimensions of smaller radices)");
    EXPECT_EQ(finding(with_topology("kind: ghc, dims: [65536]")),
              "c.yaml:1:38: error: 65536 nodes of 65536 ports each have more than 16777216 ports "
              "(more dimensions of smaller radices)");
    EXPECT_THAT(findings(with_topology("kind: how, dims: [256, 256], window: 63")), ElementsAre());
    EXPECT_EQ(finding(with_topology("kind: how, dims: [256, 256], window: 64")),
              "c.yaml:1:38: error: 65536 nodes of 257 ports each have more than 16777216 ports (a "
              "smaller window, or more dimensions of smaller sides)");
}

TEST(Config, TrafficIsAtMostOneOfThree) {
    EXPECT_EQ(finding(with_traffic("message_bytes: 8")),
              "c.yaml:2:1: error: no traffic: none of 'traffic.schedule', 'traffic.pattern', "
              "'traffic.program', 'traffic.trace.file' is set (set exactly one of them)");
    EXPECT_THAT(findings(with_traffic("schedule: pex, pattern: uniform, root: 1")),
                ElementsAre("c.yaml:2:11: error: 'traffic.schedule' contradicts 'traffic.pattern' "
                            "at c.yaml:2:26 (set exactly one of them)",
                            "c.yaml:2:26: error: 'traffic.pattern' contradicts 'traffic.schedule' "
                            "at c.yaml:2:11 (set exactly one of them)"));
}

/// A configuration of a graph whose file names its nodes: a-b is 0, cpu 1, and the switch hub 2.
std::string with_named_graph(const std::string& lines) {
    const std::string path = ::testing::TempDir() + "named_config.dot";
    std::ofstream(path) << "graph { hub [endpoint=false]; hub -- {\"a-b\" cpu}; \"a-b\" -- cpu }\n";
    return fmt::format("fabric: {{topology: {{kind: custom, file: '{}'}}}}\n{}", path, lines);
}

TEST(Config, KeysTakeNamesOfNodes) {
    const Config config = parse_config(
        with_named_graph("traffic: {schedule: broadcast, root: cpu}\n"
                         "waveform: {nodes: [hub, 1, 'a-b'], rtl_nodes: [cpu]}\n"
                         "faults: {nodes: [hub]}\n"
                         "interconnect: {initiators: [cpu, 0], targets: [{node: a-b, base: 0, "
                         "size: 8}]}\n"),
        "c.yaml",
        {"fabric.router_overrides=[{nodes: [0, hub], router: systemc}, {nodes: [cpu], router: "
         "systemc}]"});
    EXPECT_EQ(config.traffic.root, 1U);
    EXPECT_THAT(config.trace.nodes, ElementsAre(2, 1, 0));
    EXPECT_THAT(config.trace.rtl_nodes, ElementsAre(1));
    EXPECT_THAT(config.faults->nodes, ElementsAre(2));
    EXPECT_THAT(config.interconnect->initiators, ElementsAre(1, 0));
    EXPECT_EQ(config.interconnect->targets.at(0).node, 0U);
    EXPECT_THAT(config.fabric.router_overrides.at(0).nodes, ElementsAre(0, 2));
    EXPECT_THAT(config.fabric.router_overrides.at(1).nodes, ElementsAre(1));
    EXPECT_TRUE(config.named_nodes.empty());
    // The written file has numbers, and is the same.
    EXPECT_THAT(to_yaml(config), HasSubstr("root: 1"));
    EXPECT_EQ(to_yaml(parse_config(to_yaml(config), "again.yaml")), to_yaml(config));
    const Config hot = parse_config(
        with_named_graph("traffic: {pattern: hotspot, hot_nodes: [cpu, a-b]}\n"), "c.yaml");
    EXPECT_THAT(hot.traffic.hot_nodes, ElementsAre(1, 0));
}

TEST(Config, NamesOfNodesThatThereAreNotAreFindings) {
    EXPECT_EQ(finding(with_named_graph("traffic: {schedule: broadcast, root: cpuu}\n")),
              "c.yaml:2:38: error: 'traffic.root' names node 'cpuu', which the graph does not have "
              "(did you mean 'cpu'?)");
    EXPECT_EQ(
        finding(with_named_graph("waveform: {nodes: [cpu, elsewhere]}\n")),
        "c.yaml:2:25: error: 'waveform.nodes[1]' names node 'elsewhere', which the graph does "
        "not have (flitscope topology lists the names of the nodes)");
    // If nodes have only numbers, a name is not a valid value.
    EXPECT_EQ(finding(with_traffic("schedule: broadcast, root: cpu")),
              "c.yaml:2:38: error: 'traffic.root' must be an integer from 0 to 65535, found 'cpu'");
    // A file that is not a graph is reported instead of the names.
    const std::string path = ::testing::TempDir() + "named_broken.dot";
    std::ofstream(path) << "graph { a -- }\n";
    EXPECT_EQ(finding(fmt::format("fabric: {{topology: {{kind: custom, file: '{}'}}}}\n"
                                  "waveform: {{nodes: [cpu]}}\n",
                                  path)),
              path + ":1:14: error: this is not DOT: syntax error near '}'");
}

TEST(Config, ANetworkAloneNeedsNoTraffic) {
    const std::string text = "fabric: {topology: {kind: mesh, dims: [4]}}\n";
    const Config config = parse_config(text, "c.yaml");
    EXPECT_FALSE(config.has_traffic());
    EXPECT_EQ(no_traffic(config).str(),
              "c.yaml: error: no traffic: none of 'traffic.schedule', 'traffic.pattern', "
              "'traffic.program', 'traffic.trace.file' is set (set exactly one of them)");
    EXPECT_THAT(to_yaml(config), Not(HasSubstr("traffic")));
    EXPECT_EQ(to_yaml(parse_config(to_yaml(config), "again.yaml")), to_yaml(config));
    EXPECT_THAT(finding(text + "traffic:\n"), HasSubstr("c.yaml:2:1: error: no traffic"));
}

TEST(Config, TrafficKeysGoWithTheTraffic) {
    for (const char* key : {"injection_rate: 0.5", "hotspot_fraction: 0.5", "warmup_cycles: 5",
                            "measure_cycles: 5", "algorithm: ring", "root: 1"}) {
        EXPECT_THAT(
            finding(with_traffic(std::string("schedule: pex, ") + key)),
            HasSubstr("c.yaml:2:26: error: key '" + std::string(key, std::string(key).find(':')) +
                      "' does not apply to schedule 'pex' (it is only for "))
            << key;
    }
    EXPECT_EQ(finding(with_traffic("pattern: uniform, barrier: true")),
              "c.yaml:2:29: error: key 'barrier' does not apply to pattern 'uniform' (it is only "
              "for a schedule or a program)");
    EXPECT_THAT(finding(with_traffic("pattern: uniform, barrier: {fixed: 3}")),
                HasSubstr("key 'barrier' does not apply to pattern 'uniform'"));
    EXPECT_THAT(finding(with_traffic("program: p.yaml, root: 1")),
                HasSubstr("key 'root' does not apply to a program"));
    EXPECT_THAT(findings(with_traffic("program: p.yaml, barrier: true")), ElementsAre());
    EXPECT_THAT(findings(with_traffic("pattern: hotspot, root: 1, hotspot_fraction: 1")),
                ElementsAre());
}

TEST(Config, AlgorithmGoesWithTheSchedule) {
    for (const char* good :
         {"broadcast, algorithm: binomial", "broadcast, algorithm: dimension_order",
          "allgather, algorithm: ring", "allgather, algorithm: recursive_doubling",
          "scatter, algorithm: direct", "scatter, algorithm: binomial", "scatter",
          "aap, algorithm: interleaved", "naive, algorithm: from_zero",
          "broadcast, algorithm: windows", "relayed-exchange, algorithm: windows_wormhole",
          "bounded-contention, contention: 3"}) {
        EXPECT_THAT(findings(with_traffic(std::string("schedule: ") + good)), ElementsAre());
    }
    EXPECT_EQ(finding(with_traffic("schedule: reduce-scatter, algorithm: binomial")),
              "c.yaml:2:48: error: schedule 'reduce-scatter' has no algorithm 'binomial' (choices: "
              "ring, recursive_halving)");
    EXPECT_THAT(finding(with_traffic("schedule: pex, contention: 2")),
                HasSubstr("key 'contention' does not apply to schedule 'pex'"));
    EXPECT_EQ(finding(with_traffic("schedule: allreduce, algorithm: doubling")),
              "c.yaml:2:43: error: schedule 'allreduce' has no algorithm 'doubling' (did you mean "
              "'recursive_doubling'? choices: recursive_doubling, rabenseifner, ring, "
              "reduce_broadcast)");
    EXPECT_THAT(finding(with_traffic("schedule: allreduce, algorithm: [ring]")),
                HasSubstr("the name of an algorithm"));
    EXPECT_THAT(finding(with_traffic("schedule: allreduce, algorithm: anything")),
                HasSubstr("no algorithm 'anything' (choices: recursive_doubling"));
    EXPECT_THAT(finding(with_traffic("schedule: pex, algorithm: anything")),
                HasSubstr("does not apply"));
    EXPECT_THAT(findings(with_traffic("schedule: reduce, algorithm: pipelined_chain, chunks: 3")),
                ElementsAre());
    EXPECT_EQ(finding(with_traffic("schedule: broadcast, chunks: 3")),
              "c.yaml:2:32: error: key 'chunks' does not apply to schedule 'broadcast' (it is only "
              "for schedule 'synthesized', algorithm 'pipelined_chain' or 'pipelined_tree')");
    // Which keys the algorithm would have is not known.
    EXPECT_THAT(finding(with_traffic("schedule: broadcast, algorithm: ring, chunks: 3")),
                HasSubstr("no algorithm 'ring'"));
    EXPECT_THAT(findings(with_traffic("schedule: allreduce, algorithm: reduce_broadcast, root: 3")),
                ElementsAre());
    EXPECT_THAT(finding(with_traffic("schedule: allreduce, root: 3")),
                HasSubstr("key 'root' does not apply to schedule 'allreduce'"));
}

TEST(Config, NodesAndDimensionsExist) {
    EXPECT_THAT(findings(with_traffic("schedule: scatter, root: 15")), ElementsAre());
    EXPECT_EQ(finding(with_traffic("schedule: scatter, root: 16")),
              "c.yaml:2:36: error: 'traffic.root' names node 16, but the nodes are 0 to 15");
    EXPECT_THAT(finding(kFabric, {"waveform.nodes=[3, 16]"}), HasSubstr("names node 16"));
    EXPECT_EQ(
        finding(kFabric, {"waveform.dimensions=[1, 2]"}),
        "--set waveform.dimensions=[1, 2]: error: 'waveform.dimensions' names dimension 2, but the "
        "network has 2 (dimensions count from 0)");
    // Nothing follows from a topology that is itself wrong.
    EXPECT_THAT(finding("fabric: {topology: {kind: hypercube, dimensions: 99}}\n"
                        "traffic: {schedule: scatter, root: 7}\n"),
                HasSubstr("dimensions"));
}

TEST(Config, TraceEndsAfterItBegins) {
    EXPECT_THAT(findings(kFabric + "waveform: {from: 4, until: 5}\n"), ElementsAre());
    EXPECT_EQ(finding(kFabric + "waveform: {from: 5, until: 5}\n"),
              "c.yaml:4:28: error: the trace ends before it begins: 'waveform.from' is 5, "
              "'waveform.until' is 5");
}

TEST(Config, TimesOfATraceHaveRoom) {
    EXPECT_THAT(findings(kFabric + "waveform: {from: 1000000000000000}\n"), ElementsAre());
    EXPECT_THAT(finding(kFabric + "waveform: {from: 1000000000000001}\n"),
                HasSubstr("'waveform.from' must be an integer from 0 to 1000000000000000"));
    EXPECT_THAT(findings(kFabric + "waveform: {from: 18446744073}\n", {"clock_ns=1e6"}),
                ElementsAre());
    EXPECT_EQ(
        finding(kFabric + "waveform: {from: 18446744074}\n", {"clock_ns=1e6"}),
        "c.yaml:4:18: error: 'waveform.from' is 18446744074, but times of a trace, in units of "
        "1ps, have room for 18446744073 cycles of 1000000 ns");
}

TEST(Config, PacketsOfAMessageCanBeNumbered) {
    EXPECT_THAT(finding(kFabric, {"traffic.message_bytes=4294967296", "node.packet_bytes=1"}),
                HasSubstr("more than 2^32 - 1 packets"));
    EXPECT_THAT(findings(kFabric, {"traffic.message_bytes=4294967295", "node.packet_bytes=1"}),
                ElementsAre());
}

TEST(Config, ReportsAllFindingsSortedByPlace) {
    EXPECT_THAT(
        findings("seed: x\n"
                 "fabric:\n"
                 "  topology: {kind: mesh, dims: [4, 4]}\n"
                 "  flit_bits: 17\n"
                 "traffic: {schedule: pex, algorithm: ring, speed: 3}\n"
                 "seed: 4\n",
                 {"seed.a=1", "clock_ns=0"}),
        ElementsAre(HasSubstr("c.yaml:1:7: error: 'seed'"),
                    HasSubstr("c.yaml:4:14: error: 'fabric.flit_bits' must be a multiple"),
                    HasSubstr("c.yaml:5:26: error: key 'algorithm' does not apply"),
                    HasSubstr("c.yaml:5:43: error: unknown key 'speed'"),
                    HasSubstr("c.yaml:6:1: error: duplicate key 'seed'"),
                    HasSubstr("--set seed.a=1: error: "), HasSubstr("--set clock_ns=0: error: ")));
}

}  // namespace
}  // namespace flitscope
