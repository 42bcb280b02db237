// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs of traces: the placement of ranks, and that rank by rank they are those of whole traces.
#include "traffic/traces/trace_program.h"
#include "models/config/config.h"
#include "models/topology/graph.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <initializer_list>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/shuffle.h"
#include "models/base/split_mix.h"
#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/traffic/small_traces.h"
#include "traffic/traces/lowering.h"
#include "traffic/traces/placement.h"
#include "traffic/traces/rendezvous.h"
#include "traffic/traces/volume_placement.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TraceProgram, HasCyclesOfTheClockAndNodesOfThePlacement) {
    const Program program = trace_program(goal(kPair), trace_config("clock_ns: 4\n"), 16);
    EXPECT_EQ(program.ordering, Ordering::kOperations);
    ASSERT_EQ(program.transfers.size(), 1U);
    EXPECT_EQ(program.transfers[0].source, 0U);
    EXPECT_EQ(program.transfers[0].destination, 1U);
    EXPECT_EQ(program.transfers[0].bytes, 5U);
    const Operations& operations = *program.operations;
    ASSERT_EQ(operations.size(), 3U);
    EXPECT_EQ(operations[0].cycles, 3U);  // 10 ns are 2.5 cycles
    EXPECT_EQ(operations[2].source, 0U);
    EXPECT_EQ(operations[2].stream, 3U);
    EXPECT_EQ(operations.rank(1), 1U);
    EXPECT_EQ(operations.rank(2), kNoRank);
    EXPECT_EQ(operations.describe(1), "rank 0, line 4: send message 0");
    EXPECT_EQ(operations.describe(2), "rank 1, line 8: receive from rank 0, tag 4");
    EXPECT_EQ(operations.completion, SendCompletion::kBuffered);
    EXPECT_THAT(earliest_begins(operations, 100), ElementsAre(0, 3, 0));
}

TEST(TraceProgram, PlacesRanksAtRandomTheSameForASeed) {
    Config random = trace_config();
    random.traffic.trace.placement = RankPlacement::kRandom;
    const std::vector<NodeId> first = place_ranks(random, 16, 16);
    EXPECT_EQ(place_ranks(random, 16, 16), first);
    std::vector<NodeId> sorted = first;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
    EXPECT_EQ(sorted.back(), 15U);
    EXPECT_NE(first, sorted);
    random.seed = 2;
    EXPECT_NE(place_ranks(random, 16, 16), first);
}

/// A mesh of 4 x 4 without these nodes.
Graph mesh_without(std::initializer_list<NodeId> nodes) {
    const Graph whole = build_mesh({4, 4});
    std::vector<bool> dead(whole.router_count());
    for (const NodeId node : nodes) dead[whole.router_of(node)] = true;
    return whole.without(std::vector<bool>(whole.link_count()), dead,
                         std::vector<bool>(whole.node_count()));
}

TEST(TraceProgram, PlacesRanksOnNodesThatAreAlive) {
    Config with = trace_config();
    EXPECT_THAT(place_ranks(with, 5, mesh_without({0, 3, 4}), {}), ElementsAre(1, 2, 5, 6, 7));
    with.traffic.trace.placement = RankPlacement::kRandom;
    const std::vector<NodeId> drawn = place_ranks(with, 13, mesh_without({0, 3, 4}), {});
    EXPECT_THAT(drawn, testing::UnorderedElementsAre(1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    EXPECT_THAT(refusal([&] {
                    place_ranks(with, 14, mesh_without({0, 3, 4}), {});
                }),
                HasSubstr("the trace has 14 ranks, the network 13 nodes that are alive"));
    EXPECT_THAT(refusal([&] { place_ranks(with, 17, mesh_without({}), {}); }),
                HasSubstr("the trace has 17 ranks, the network 16 nodes ("));
}

TEST(TraceProgram, DrawsAmongAllNodesWhereNoneIsDead) {
    Config random = trace_config("seed: 5\n");
    random.traffic.trace.placement = RankPlacement::kRandom;
    std::vector<NodeId> nodes(16);
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    shuffle(nodes, 5);
    nodes.resize(9);
    EXPECT_EQ(place_ranks(random, 9, build_mesh({4, 4}), {}), nodes);
    EXPECT_EQ(place_ranks(random, 9, 16), nodes);
}

/// Bytes times hops of a placement on a mesh.
std::uint64_t byte_hops(const std::vector<NodeId>& nodes, const RankVolumes& volumes,
                        NodeId width) {
    const auto apart = [](NodeId a, NodeId b) { return a > b ? a - b : b - a; };
    std::uint64_t sum = 0;
    for (const auto& [pair, bytes] : volumes.of_pairs()) {
        const NodeId a = nodes[pair.first];
        const NodeId b = nodes[pair.second];
        sum += bytes * (apart(a % width, b % width) + apart(a / width, b / width));
    }
    return sum;
}

/// Everybody sends to everybody, those more to each other whose numbers are alike. Looked at one by
/// one for each partner, the places would take a quarter of a minute.
TEST(PlacementByVolume, PlacesRanksThatAllSendToEachOther) {
    constexpr RankId kRanks = 320;
    RankVolumes volumes;
    for (RankId a = 0; a < kRanks; ++a) {
        for (RankId b = a + 1; b < kRanks; ++b) volumes.add(a, b, a % 16 == b % 16 ? 40U : 8U);
    }
    const Graph graph = build_mesh({20, 16});
    const std::clock_t begin = std::clock();
    const std::vector<NodeId> nodes = place_by_volume(kRanks, volumes, graph);
    EXPECT_LT(std::clock() - begin, 8 * CLOCKS_PER_SEC);  // processor time
    std::vector<NodeId> linear(kRanks);
    std::iota(linear.begin(), linear.end(), NodeId{0});
    EXPECT_LT(byte_hops(nodes, volumes, 16), byte_hops(linear, volumes, 16));
    const std::set<NodeId> all(nodes.begin(), nodes.end());
    EXPECT_EQ(all.size(), kRanks);
}

/// As messages of a file do, in whatever order they are there.
TEST(PlacementByVolume, VolumesOfAPairAddUp) {
    constexpr RankId kRanks = 32;
    RankVolumes once;
    std::vector<std::tuple<RankId, RankId, std::uint64_t>> parts;
    for (RankId a = 0; a < kRanks; ++a) {
        for (RankId b = a + 1; b < kRanks; ++b) {
            const std::uint64_t bytes = split_mix(std::uint64_t{a} * kRanks + b) % 64;
            if (bytes >= 16) continue;
            once.add(a, b, 2 * bytes);
            parts.emplace_back(b, a, bytes);
            parts.emplace_back(a, b, bytes);
        }
    }
    std::reverse(parts.begin(), parts.end());
    parts.emplace_back(3, 3, 1000);  // to itself
    RankVolumes in_parts;
    for (const auto& [a, b, bytes] : parts) in_parts.add(a, b, bytes);
    const Graph graph = build_mesh({6, 6});
    EXPECT_EQ(place_by_volume(kRanks, in_parts, graph), place_by_volume(kRanks, once, graph));
}

TEST(TraceProgram, RefusesWhatDoesNotFit) {
    EXPECT_THAT(refusal([] { place_ranks(trace_config(), 17, 16); }),
                HasSubstr("the trace has 17 ranks, the network 16 nodes"));
    EXPECT_THAT(refusal([] { parse_placement("3\n# one\n\n3\n16\nx\n", "p", 3, 16); }),
                testing::AllOf(HasSubstr("p:4:1: error: node 3 is there twice"),
                               HasSubstr("p:5:1: error: '16' is no node"),
                               HasSubstr("p:6:1: error: 'x' is no node")));
    EXPECT_THAT(refusal([] { parse_placement("3\n", "p", 2, 16); }),
                HasSubstr("there are 1 nodes for 2 ranks"));
    EXPECT_THAT(parse_placement("3\n 0 \n", "p", 2, 16), ElementsAre(3, 0));
    const std::vector<std::string> names = {"cpu0", "cpu-1", "hub"};
    EXPECT_THAT(parse_placement("cpu-1\n0\n", "p", 2, 2, names), ElementsAre(1, 0));
    EXPECT_THAT(
        refusal([&] { parse_placement("cpu_1\nhub\n2\n0\ncpu0\n", "p", 2, 2, names); }),
        testing::AllOf(HasSubstr("p:1:1: error: 'cpu_1' is no node (did you mean 'cpu-1'?)"),
                       HasSubstr("p:2:1: error: 'hub' is a switch (nodes are 0 .. 1, one on each "
                                 "line)"),
                       HasSubstr("p:3:1: error: '2' is a switch"),
                       HasSubstr("p:5:1: error: node 0 is there twice")));
    EXPECT_THAT(refusal([] {
                    trace_program(goal("num_ranks 1\nrank 0 {\ncalc 1000000000000000\ncalc 1\n}\n"),
                                  trace_config(), 16);
                }),
                HasSubstr("t.goal:4: error: rank 0 computes for more than"));
    EXPECT_THAT(refusal([] {
                    trace_program(goal("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\n"
                                       "a requires b\nb irequires a\n}\n"),
                                  trace_config(), 16);
                }),
                HasSubstr("operations wait for each other"));
    Config ports = trace_config("node: {port_model: one_output}\n");
    EXPECT_THAT(refusal([&] { trace_program(goal(kPair), ports, 16); }),
                HasSubstr("nodes with one channel"));
}

// Whichever file they come from.
TEST(TraceProgram, HasAsManyOperationsAsThereMayBe) {
    const Trace pair =
        goal("num_ranks 2\nrank 0 {\ncalc 1\ncalc 1\n}\nrank 1 {\ncalc 1\ncalc 1\n}\n");
    const auto lowered = [&pair](std::uint64_t most) {
        const Config with = trace_config();  // outlives the lowering
        TraceLowering lowering("t.goal", with, 16, {0, 1}, most);
        for (RankId rank = 0; rank < 2; ++rank) lowering.add(rank, pair.ranks[rank]);
        return lowering.take();
    };
    EXPECT_EQ(lowered(4).operations->size(), 4U);
    EXPECT_THAT(refusal([&] { lowered(3); }),
                HasSubstr("t.goal:8: error: there are too many operations (at most 3)"));
    EXPECT_THAT(refusal([&] { lowered(2); }), HasSubstr("t.goal:7: error: there are too many"));
    EXPECT_THAT(refusal([&] { lowered(1); }), HasSubstr("t.goal:4: error: there are too many"));
}

TEST(TraceProgram, IsTheSameRankByRankAndFromTheWholeTrace) {
    std::string text = "num_ranks 9\n";
    for (const int rank : {3, 0, 7, 2, 8, 4, 6}) {  // 0, 2 and 3 send to 4, 6 and 7
        text += fmt::format("rank {} {{\n", rank);
        for (int i = 0; i < 5 && rank < 4; ++i) {
            text += fmt::format("a{0}: send {1}b to {2} tag {3}\nb{0}: calc 3 cpu 1\n", i, 64 * i,
                                rank + 4, i % 2);
            text += fmt::format("b{0} requires a{0}\n", i);
            if (i > 0) text += fmt::format("a{} irequires b0\n", i);
        }
        for (int i = 0; i < 5 && rank >= 4 && rank < 8; ++i) {
            text += fmt::format("recv {}b from {} tag {}\n", 64 * i, rank - 4, i % 2);
        }
        text += "}\n";
    }
    const std::string file = testing::TempDir() + "by_rank.goal";
    std::ofstream(file) << text;
    for (const std::string more : {"", "placement: random", "eager_bytes: 100"}) {
        SCOPED_TRACE(more);
        const Config with = parse_config(
            "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {trace: {file: " + file +
                (more.empty() ? "" : ", " + more) + "}}\n",
            "c.yaml");
        const Graph graph = build_topology(with);
        const Program streamed = application_program(with, graph, {});
        Trace whole = goal(text);
        ASSERT_TRUE(is_even(whole));
        check_trace(whole);
        if (with.traffic.trace.eager_bytes) make_rendezvous(whole, 100);
        EXPECT_EQ(text_of(streamed), text_of(trace_program(whole, with, 16)));
    }
}

TEST(TraceProgram, IsRefusedRankByRankAsTheWholeTraceIs) {
    const std::string file = testing::TempDir() + "odd.goal";
    for (const std::string second : {"recv 5b from 0 tag 3", "recv 4b from 0 tag 4", "",
                                     "recv 5b from 7 tag 4", "recv 5b from 0 tag 4\nx requires y",
                                     "a: calc 1\nb: calc 1\na requires b\nb requires a\n"
                                     "recv 5b from 0 tag 4"}) {
        SCOPED_TRACE(second);
        const std::string text =
            "num_ranks 2\nrank 0 {\nsend 5b to 1 tag 4\n}\nrank 1 {\n" + second + "\n}\n";
        std::ofstream(file) << text;
        const Config with = trace_config();
        const auto streamed = refusal([&] {
            const Config named = parse_config(
                "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {trace: {file: " + file +
                    "}}\n",
                "c.yaml");
            application_program(named, build_topology(named), {});
        });
        const auto whole = refusal([&] {
            const Trace trace = parse_goal_text(text, file);
            check_trace(trace);
            trace_program(trace, with, 16);
        });
        EXPECT_EQ(streamed, whole);
        EXPECT_NE(whole, "not refused");
    }
}

// --- Ranks that wait for each other --------------------------------------------------------------

std::string cycle_of(const std::string& rank_0, const std::string& rank_1) {
    const std::string text = "num_ranks 2\nrank 0 {\n" + rank_0 + "}\nrank 1 {\n" + rank_1 + "}\n";
    return refusal([&] { trace_program(goal(text), trace_config(), 16); });
}

TEST(WaitingCycle, IsNamedOperationByOperation) {
    EXPECT_EQ(cycle_of("a: recv 8b from 1 tag 2\nb: send 8b to 1\nb requires a\n",
                       "a: recv 8b from 0\nb: send 8b to 0 tag 2\nb requires a\n"),
              "t.goal:3: error: ranks wait for each other in a dependency cycle: rank 0, line 3: "
              "receive from "
              "rank 1, tag 2 waits for rank 1, line 9: send message 1 waits for rank 1, line 8: "
              "receive from rank 0, tag 0 waits for rank 0, line 4: send message 0 waits for the "
              "first one (one of these ranks has to send before it receives)\n");
}

TEST(WaitingCycle, IsNoneWhereAnOrderOfMessagesAvoidsIt) {
    const std::string receives_first = "a: recv 8b from 1\nb: send 8b to 1\nb requires a\n";
    EXPECT_EQ(cycle_of(receives_first, "a: recv 8b from 0\nb: send 8b to 0\n"), "not refused");
    // A begin is enough.
    EXPECT_EQ(cycle_of(receives_first, "a: recv 8b from 0\nb: send 8b to 0\nb irequires a\n"),
              "not refused");
    // Which of two equal messages a receive gets is left to the network.
    EXPECT_EQ(cycle_of("a: recv 8b from 1\nb: send 8b to 1\nb requires a\nc: recv 8b from 1\n",
                       "a: send 8b to 0\nb: recv 8b from 0\nc: send 8b to 0\nc requires b\n"),
              "not refused");
}

TEST(WaitingCycle, GoesThroughReceivesOfAnySourceAndTag) {
    for (const std::string any : {"-1 tag 5", "-1 tag -1", "1 tag -1"}) {
        const std::string receives_first =
            "a: recv 8b from " + any + "\nb: send 8b to 1\nb requires a\n";
        EXPECT_THAT(
            cycle_of(receives_first, "b: send 8b to 0 tag 5\na: recv 8b from 0\nb requires a\n"),
            HasSubstr("wait for each other in a dependency cycle"))
            << any;
        EXPECT_EQ(cycle_of(receives_first, "b: send 8b to 0 tag 5\na: recv 8b from 0\n"),
                  "not refused")
            << any;
    }
}

}  // namespace
}  // namespace flitscope
