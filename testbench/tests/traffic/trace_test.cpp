// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Traces of applications: what the readers take and refuse, what becomes of it, and the player of
// operations on its own.
#include "traffic/traces/trace.h"

#include "models/base/shuffle.h"
#include "models/base/split_mix.h"
#include "models/topology/families/topologies.h"
#include "testbench/configuration/configuration.h"
#include "testbench/tests/support/trace_texts.h"
#include "traffic/program/operation_player.h"
#include "traffic/program/program.h"
#include "traffic/schedules/schedule_factory.h"
#include "traffic/traces/goal_text.h"
#include "traffic/traces/lowering.h"
#include "traffic/traces/placement.h"
#include "traffic/traces/rendezvous.h"
#include "traffic/traces/trace_program.h"
#include "traffic/traces/volume_placement.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <initializer_list>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Operation::Kind;

Config config(const std::string& more = "") {
    return parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
        "traffic: {trace: {file: t.goal}}\n" +
            more,
        "c.yaml");
}

std::string goal_refusal(const std::string& text) {
    return refusal([&] { check_trace(goal(text)); });
}

// --- Algorithms of collectives -------------------------------------------------------------------

/// The findings of a configuration with this list.
std::string refusal_of_algorithms(const std::string& list, const std::string& format = "chakra") {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
        "traffic: {trace: {file: t, format: " +
        format + ", algorithms: " + list + "}}\n";
    return refusal([&] { parse_config(text, "c.yaml"); });
}

TEST(CollectiveAlgorithms, AreThoseOfSchedulesThatCollectivesBecome) {
    EXPECT_EQ(refusal_of_algorithms("[allreduce/ring, scatter/binomial, reduce-scatter/ring]"),
              "not refused");
    EXPECT_EQ(refusal_of_algorithms("[]", "goal"), "not refused");
    const std::string is_none = " names no algorithm of a schedule that collectives become ";
    const auto refused = [&](const std::string& entry, const std::string& remedy) {
        EXPECT_EQ(refusal_of_algorithms('[' + entry + ']'),
                  "c.yaml:2:56: error: '" + entry + '\'' + is_none + '(' + remedy + ")\n");
    };
    refused("allreduce/rnig",
            "did you mean 'ring'? choices: recursive_doubling, rabenseifner, ring, "
            "reduce_broadcast");
    refused("all-reduce/ring",
            "did you mean 'allreduce'? schedules: allreduce, reduce, allgather, scatter, "
            "broadcast, gen, reduce-scatter");
    refused("naive/from_zero",
            "schedules: allreduce, reduce, allgather, scatter, broadcast, gen, reduce-scatter");
    refused("gen/ring", "leave it out: this schedule has no variants");
    for (const char* const half : {"ring", "allreduce"}) {
        refused(half, "write schedule/algorithm, such as allreduce/ring (flitscope list)");
    }
    refused("allreduce/", "choices: recursive_doubling, rabenseifner, ring, reduce_broadcast");
}

TEST(CollectiveAlgorithms, AreOneForASchedule) {
    EXPECT_EQ(refusal_of_algorithms("[allreduce/ring, allgather/ring, allreduce/rabenseifner]"),
              "c.yaml:2:56: error: 'allreduce/ring' and 'allreduce/rabenseifner' both choose the "
              "algorithm of schedule 'allreduce' (leave one of them out)\n");
    EXPECT_THAT(refusal_of_algorithms("[allreduce/ring, allreduce/ring]"),
                HasSubstr("'allreduce/ring' and 'allreduce/ring' both choose"));
}

TEST(CollectiveAlgorithms, AreOfTracesThatHaveCollectives) {
    for (const std::string format : {"goal", "csv"}) {
        EXPECT_THAT(refusal_of_algorithms("[allreduce/ring]", format),
                    HasSubstr("error: a trace of format '" + format +
                              "' has no collectives that could have algorithms (leave algorithms "
                              "out; traces of format 'chakra' have collectives)\n"));
    }
}

TEST(CollectiveAlgorithms, OfAConfigurationMadeInCodeAreCheckedToo) {
    Config made = config();
    made.traffic.trace.algorithms = {"allreduce/ring"};
    EXPECT_THAT(refusal([&] {
                    build_program(made, build_mesh({4, 4}));
                }),
                HasSubstr("format 'goal' has no collectives"));
}

// --- GOAL text -----------------------------------------------------------------------------------

TEST(GoalText, HasOperationsWithTheirPlacesAndDependencies) {
    const Trace trace = goal(
        "\xef\xbb\xbf// a trace\nnum_ranks 3\n\nrank 1 {\r\n"
        "calc 100 cpu 2\n"
        "a_1: send 16b to 2 tag 9 cpu 1 nic 0 // out\n"
        "  b: recv 8 b from -1 tag -1\n"
        "b requires a_1\na_1 irequires c\n/* two\nlines */ c: calc 7\n}\n"
        "rank 0 { }\n");
    ASSERT_EQ(trace.ranks.size(), 3U);
    EXPECT_THAT(trace.ranks[0].operations, IsEmpty());
    EXPECT_THAT(trace.ranks[2].operations, IsEmpty());
    const RankTrace& rank = trace.ranks[1];
    ASSERT_EQ(rank.operations.size(), 4U);
    EXPECT_EQ(rank.operations[0].kind, Kind::kCompute);
    EXPECT_EQ(rank.operations[0].amount, 100U);
    EXPECT_EQ(rank.operations[0].stream, 2U);
    EXPECT_EQ(rank.operations[0].line, 5U);
    EXPECT_EQ(rank.operations[1].kind, Kind::kSend);
    EXPECT_EQ(rank.operations[1].amount, 16U);
    EXPECT_EQ(rank.operations[1].peer, 2U);
    EXPECT_EQ(rank.operations[1].tag, 9U);
    EXPECT_EQ(rank.operations[1].stream, 1U);
    EXPECT_EQ(rank.operations[2].kind, Kind::kReceive);
    EXPECT_EQ(rank.operations[2].peer, kAnySource);
    EXPECT_EQ(rank.operations[2].tag, kAnyTag);
    EXPECT_EQ(rank.operations[3].line, 11U);
    ASSERT_EQ(rank.dependencies.size(), 2U);
    EXPECT_EQ(rank.dependencies[0].operation, 2U);
    EXPECT_EQ(rank.dependencies[0].on, 1U);
    EXPECT_FALSE(rank.dependencies[0].on_begin);
    EXPECT_EQ(rank.dependencies[1].operation, 1U);
    EXPECT_EQ(rank.dependencies[1].on, 3U);
    EXPECT_TRUE(rank.dependencies[1].on_begin);
}

TEST(GoalText, IsWrittenAndReadAgain) {
    const std::string text =
        "num_ranks 2\n\nrank 0 {\nl0: calc 5 cpu 1\nl1: send 8b to 1 tag 3\nl1 requires l0\n}\n"
        "\nrank 1 {\nl0: recv 8b from -1 tag -1 cpu 2\nl1: recv 8b from 0\nl1 irequires l0\n}\n";
    std::ostringstream out;
    write_goal_text(goal(text), out);
    EXPECT_EQ(out.str(), text);
}

TEST(GoalText, RefusesWithLineAndColumn) {
    EXPECT_THAT(goal_refusal(""), HasSubstr("there is no num_ranks"));
    EXPECT_THAT(goal_refusal("num_ranks 0\n"), HasSubstr("t.goal:1:1: error: there are no ranks"));
    EXPECT_THAT(goal_refusal("num_ranks 99999999999999999999\n"), HasSubstr("t.goal:1:11"));
    EXPECT_THAT(goal_refusal("num_ranks 70000\n"), HasSubstr("0 to 65536"));
    EXPECT_THAT(goal_refusal("num_ranks 2\nnum_ranks 2\n"), HasSubstr("t.goal:2:1: error: num"));
    EXPECT_THAT(goal_refusal("rank 0 {\n}\n"), HasSubstr("a rank before num_ranks"));
    EXPECT_THAT(goal_refusal("num_ranks 2\nrank 2 {\n}\n"),
                HasSubstr("t.goal:2:6: error: there is no rank 2"));
    EXPECT_THAT(goal_refusal("num_ranks 2\nrank 1 {\n}\nrank 1 {\n}\n"),
                HasSubstr("t.goal:4:6: error: rank 1 is there twice"));
    EXPECT_THAT(goal_refusal("num_ranks 2\nrank 1 {\n"),
                HasSubstr("t.goal:2:1: error: this rank does not end"));
    const auto in_rank = [](const std::string& line) {
        return goal_refusal("num_ranks 2\nrank 0 {\n" + line + "\n}\n");
    };
    EXPECT_THAT(in_rank("calc"), HasSubstr("3:5: error: expected nanoseconds, found the end of"));
    EXPECT_THAT(in_rank("calc -5"), HasSubstr("3:6: error: expected nanoseconds, found '-'"));
    EXPECT_THAT(in_rank("calc 9999999999999999"), HasSubstr("0 to 1000000000000000"));
    EXPECT_THAT(in_rank("calc 5 cpu 256"), HasSubstr("3:12: error: '256' is too large"));
    EXPECT_THAT(in_rank("calc 5 nic 0"), HasSubstr("3:8: error: expected the end of the line"));
    EXPECT_THAT(in_rank("send 5 to 1"), HasSubstr("3:8: error: expected 'b', found 'to'"));
    EXPECT_THAT(in_rank("send 5b from 1"), HasSubstr("expected 'to'"));
    EXPECT_THAT(in_rank("send 5b to -1"), HasSubstr("expected a rank, found '-1'"));
    EXPECT_THAT(in_rank("send 5b to 1 tag -1"), HasSubstr("expected a tag, found '-1'"));
    EXPECT_THAT(in_rank("send 5b to 1 nic 1"), HasSubstr("nodes have one, nic 0"));
    EXPECT_THAT(in_rank("send 5b to 1 tag 4294967295"), HasSubstr("is too large for a tag"));
    EXPECT_THAT(in_rank("wait 5"), HasSubstr("expected ':', 'requires' or 'irequires'"));
    EXPECT_THAT(in_rank("a: b"), HasSubstr("expected 'send', 'recv' or 'calc'"));
    EXPECT_THAT(in_rank("a: calc 1\na: calc 2"), HasSubstr("4:1: error: label 'a' is there twice"));
    EXPECT_THAT(in_rank("a: calc 1\na requires b"),
                HasSubstr("4:12: error: this rank has no label 'b'"));
    EXPECT_THAT(in_rank("/* calc 1"), HasSubstr("3:1: error: this comment does not end"));
    EXPECT_THAT(in_rank("send 5b to 7"), HasSubstr("t.goal:3: error: rank 0 sends to rank 7"));
    EXPECT_THAT(in_rank("send 5b to 0"), HasSubstr("rank 0 sends to itself"));
}

TEST(GoalText, ARankOnOneLineIsOneFinding) {
    const auto refused = [](const std::string& operation) {
        return goal_refusal("num_ranks 3\nrank 0 {\nrecv 8b from 1\n}\nrank 1 { s: " + operation +
                            " }\nrank 2 {\ncalc 5\n}\n");
    };
    EXPECT_EQ(refused("send 8b to 0"),
              "t.goal:5:26: error: expected the end of the line, found '}' (write } on a line of "
              "its own)\n");
    EXPECT_EQ(refused("send 8 to 0"), "t.goal:5:20: error: expected 'b', found 'to'\n");
}

TEST(GoalText, ATableIsOneFindingThatNamesTheFormat) {
    const std::string rows = "source,destination,bytes,time\n0,1,8,0\n1,0,8,5\n";
    EXPECT_EQ(refusal([&] { parse_goal_text(rows, "t.csv"); }),
              "t.csv:1:1: error: expected 'num_ranks' or 'rank', found 'source' (for CSV set "
              "traffic.trace.format: csv; import takes GOAL and Chakra)\n");
    EXPECT_THAT(goal_refusal(rows),
                testing::AllOf(HasSubstr("t.goal:3:1"), testing::Not(HasSubstr("CSV"))));
    const std::string text = "num_ranks 1\nrank 0 {\ncalc 5\n}\n";  // whatever it is called
    EXPECT_EQ(parse_goal_text(text, "t.csv").operation_count(), 1U);
}

TEST(GoalText, SeveralFindingsComeTogetherAndStopSomewhere) {
    std::string lines;
    for (int i = 0; i < 100; ++i) lines += "calc x\n";
    const std::string all = goal_refusal("num_ranks 1\nrank 0 {\n" + lines + "}\n");
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 21);
    EXPECT_THAT(all, HasSubstr("too many errors"));
}

// --- Sends and receives --------------------------------------------------------------------------

TEST(TraceCheck, EveryMessageIsReceivedOnce) {
    const auto two = [](const std::string& zero, const std::string& one) {
        return goal_refusal("num_ranks 3\nrank 0 {\n" + zero + "\n}\nrank 1 {\n" + one + "\n}\n");
    };
    EXPECT_THAT(two("send 5b to 1", "recv 5b from 0"), HasSubstr("not refused"));
    EXPECT_THAT(two("send 5b to 1", "recv 9b from 0"), HasSubstr("not refused"));
    EXPECT_THAT(two("send 5b to 1", "recv 4b from 0"),
                HasSubstr("t.goal:6: error: rank 1 receives 4 bytes of a message of 5 bytes"));
    EXPECT_THAT(two("send 5b to 1", "calc 1"),
                HasSubstr("t.goal:3: error: rank 1 never receives this message from rank 0"));
    EXPECT_THAT(two("send 5b to 1 tag 2", "recv 5b from 0 tag 3"),
                HasSubstr("rank 1 waits for a message from rank 0, tag 3, which is never sent"));
    EXPECT_THAT(two("send 5b to 1 tag 2", "recv 5b from -1 tag 2"), HasSubstr("not refused"));
    EXPECT_THAT(two("send 5b to 1 tag 2", "recv 5b from -1\nrecv 5b from 0 tag -1"),
                HasSubstr("rank 1 receives 2 messages, and 1 are sent to it"));
}

// --- Programs ------------------------------------------------------------------------------------

const char* const kPair =
    "num_ranks 2\nrank 0 {\na: calc 10\nb: send 5b to 1 tag 4\nb requires a\n}\n"
    "rank 1 {\nrecv 5b from 0 tag 4 cpu 3\n}\n";

TEST(TraceProgram, HasCyclesOfTheClockAndNodesOfThePlacement) {
    const Program program = trace_program(goal(kPair), config("clock_ns: 4\n"), 16);
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
    Config random = config();
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
    std::vector<bool> dead(whole.node_count());
    for (const NodeId node : nodes) dead[node] = true;
    return whole.without(std::vector<bool>(whole.link_count()), dead);
}

TEST(TraceProgram, PlacesRanksOnNodesThatAreAlive) {
    Config with = config();
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
    Config random = config("seed: 5\n");
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
    EXPECT_THAT(refusal([] { place_ranks(config(), 17, 16); }),
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
                                  config(), 16);
                }),
                HasSubstr("t.goal:4: error: rank 0 computes for more than"));
    EXPECT_THAT(refusal([] {
                    trace_program(goal("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\n"
                                       "a requires b\nb irequires a\n}\n"),
                                  config(), 16);
                }),
                HasSubstr("operations wait for each other"));
    Config ports = config("node: {port_model: one_output}\n");
    EXPECT_THAT(refusal([&] { trace_program(goal(kPair), ports, 16); }),
                HasSubstr("nodes with one channel"));
}

// Whichever file they come from.
TEST(TraceProgram, HasAsManyOperationsAsThereMayBe) {
    const Trace pair =
        goal("num_ranks 2\nrank 0 {\ncalc 1\ncalc 1\n}\nrank 1 {\ncalc 1\ncalc 1\n}\n");
    const auto lowered = [&pair](std::uint64_t most) {
        const Config with = config();  // outlives the lowering
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

// --- The player ----------------------------------------------------------------------------------

constexpr Cycle kStartup = 10;
constexpr Cycle kOverhead = 5;

/// Rank 0 of a trace, played by hand.
class Player {
public:
    explicit Player(const std::string& lines, const std::string& others = "",
                    bool sends_block = false)
        : program_(make(lines, others, sends_block)),
          run_(*program_.operations, kStartup, kOverhead),
          player_(run_, 0) {}

    /// "message@begin" of the next send, "-" where there is none.
    std::string next() {
        const auto send = player_.next();
        if (!send) return "-";
        return std::to_string(send->message) + '@' + std::to_string(send->begin);
    }
    std::string take() {
        const std::string text = next();
        if (text != "-") player_.hand_over();
        return text;
    }
    /// The message that rank 1 sends as its n-th.
    bool deliver(std::uint32_t n, Cycle cycle) {
        const Operations& operations = *program_.operations;
        OperationId id = operations.first(1);
        for (; n != 0; ++id) n -= operations[id].kind == Kind::kSend ? 1 : 0;
        while (operations[id].kind != Kind::kSend) ++id;
        Message message;
        message.id = operations[id].message;
        message.source = 1;
        return player_.delivered(message, cycle);
    }
    /// All that rank 1 sends, one after the other from `cycle` on.
    void deliver_all(Cycle cycle) {
        const Operations& operations = *program_.operations;
        for (OperationId id = operations.first(1); id < operations.last(1); ++id) {
            if (operations[id].kind != Kind::kSend) continue;
            Message message;
            message.id = operations[id].message;
            message.source = 1;
            player_.delivered(message, cycle++);
        }
    }
    void inject(MessageId id, Cycle cycle) {
        Message message;
        message.id = id;
        player_.injected(message, cycle);
    }
    std::string end() {
        player_.finish();
        return player_.has_finished() ? std::to_string(player_.end()) : player_.waiting_for();
    }

private:
    static Program make(const std::string& lines, const std::string& others, bool sends_block) {
        Config settings = config();
        settings.traffic.trace.sends_block = sends_block;
        return trace_program(
            goal("num_ranks 2\nrank 0 {\n" + lines + "}\nrank 1 {\n" + others + "}\n"), settings,
            16);
    }

    Program program_;
    OperationRun run_;
    OperationPlayer player_;
};

TEST(OperationPlayer, ComputesInTurnOnAStreamAndSideBySideOnSeveral) {
    EXPECT_EQ(Player("calc 100\ncalc 50\n").end(), "150");
    EXPECT_EQ(Player("calc 100\ncalc 50 cpu 1\n").end(), "100");
    EXPECT_EQ(Player("a: calc 100\nb: calc 50 cpu 1\nb requires a\n").end(), "150");
    EXPECT_EQ(Player("a: calc 100\nb: calc 50 cpu 1\nb irequires a\n").end(), "100");
    EXPECT_EQ(Player("a: calc 0\nb: calc 0\na requires b\n").end(), "0");
}

TEST(OperationPlayer, SendKeepsItsStreamForTheStartup) {
    Player player("a: send 1b to 1\nb: calc 7\nc: send 1b to 1\nc requires b\n");
    EXPECT_EQ(player.take(), "0@0");
    player.inject(0, 40);
    EXPECT_EQ(player.take(), "1@17");
    player.inject(1, 60);
    EXPECT_EQ(player.next(), "-");
    EXPECT_EQ(player.end(), "27");
}

TEST(OperationPlayer, SendThatBlocksCompletesWhenItIsInjected) {
    Player player("a: send 1b to 1\nb: calc 7\nb requires a\nc: calc 1000\n", "", true);
    EXPECT_EQ(player.take(), "0@0");
    player.inject(0, 40);
    EXPECT_EQ(player.end(), "1017");  // c from 10 to 1010, then b, which was ready in 41
}

TEST(OperationPlayer, ReceiveTakesSourceAndTagInTheOrderOfPosting) {
    const std::string sends = "send 1b to 0 tag 1\nsend 1b to 0 tag 2\n";
    Player player("a: recv 1b from 1 tag 2\nb: recv 1b from -1 tag -1\nc: calc 100\nc requires a\n",
                  sends);
    EXPECT_FALSE(player.deliver(0, 19));  // tag 1: b, which takes it until 25
    EXPECT_FALSE(player.deliver(1, 21));  // tag 2: a, when the stream is free
    EXPECT_EQ(player.end(), "130");
    Player first(
        "a: recv 1b from -1 tag -1\nb: recv 1b from 1 tag 2\nc: calc 100\n"
        "c requires a\n",
        sends);
    first.deliver(1, 19);  // fits both, and goes to a
    first.deliver(0, 60);  // so that b waits for ever
    EXPECT_THAT(first.end(), HasSubstr("line 4: receive from rank 1, tag 2 waits"));
    Player stolen("a: recv 1b from -1 tag -1\nb: recv 1b from -1 tag 2\n", sends);
    stolen.deliver(1, 19);
    stolen.deliver(0, 30);
    EXPECT_THAT(stolen.end(), HasSubstr("rank 0, line 4: receive from any rank, tag 2 waits; "
                                        "messages that have arrived and fit no receive: 1"));
}

TEST(OperationPlayer, MessageThatComesBeforeItsReceiveIsKept) {
    Player player("a: calc 100\nb: recv 1b from 1\nb requires a\n", "send 1b to 0\n");
    player.deliver(0, 3);
    EXPECT_EQ(player.end(), "105");
}

TEST(OperationPlayer, ReceiveTakesWhatCameFirstOfAllThatItMayTake) {
    const std::string receives =
        "a: calc 100\nb: recv 1b from 1 tag -1\nc: recv 1b from -1 tag -1\n"
        "d: recv 1b from -1 tag 2\ne: recv 1b from 1 tag 1\n"
        "b requires a\nc requires b\nd requires c\ne requires d\n";
    const auto sends = [](std::initializer_list<int> tags) {
        std::string text;
        for (const int tag : tags) text += "send 1b to 0 tag " + std::to_string(tag) + '\n';
        return text;
    };
    const auto all = [&](std::initializer_list<int> tags) {
        Player player(receives, sends(tags));
        for (std::uint32_t n = 0; n < tags.size(); ++n) player.deliver(n, 3 + n);
        return player.end();
    };
    EXPECT_EQ(all({3, 3, 2, 1}), "120");
    EXPECT_EQ(all({1, 2, 2, 1}), "120");
    EXPECT_EQ(all({3, 3, 1, 2}), "120");
    EXPECT_THAT(all({1, 2, 2}), HasSubstr("line 7: receive from rank 1, tag 1 waits"));
    EXPECT_THAT(all({1, 2, 2, 3}), HasSubstr("tag 1 waits; messages that have arrived and fit no "
                                             "receive: 1"));
    EXPECT_THAT(all({2, 2, 1, 3}), HasSubstr("receive from any rank, tag 2 waits; messages that "
                                             "have arrived and fit no receive: 2"));
    // What came first need not have been sent first.
    Player turned(
        "a: calc 100\nb: recv 1b from -1 tag -1\nc: recv 1b from 1 tag 1\n"
        "b requires a\nc requires b\n",
        sends({1, 2}));
    turned.deliver(1, 3);
    turned.deliver(0, 4);
    EXPECT_EQ(turned.end(), "110");
}

/// Where each look for a message passed over all that are kept this would take half a minute.
TEST(OperationPlayer, KeepsManyMessagesForReceivesOfAnySource) {
    constexpr int kMessages = 40000;
    std::string receives = "c: calc 1000000\n";
    std::string sends;
    for (int tag = 1; tag <= kMessages; ++tag) {
        const int last = kMessages + 1 - tag;  // in the other order
        receives += fmt::format("r{}: recv 1b from -1 tag {}\nr{} requires c\n", tag, last, tag);
        sends += fmt::format("send 1b to 0 tag {}\n", tag);
    }
    Player player(receives, sends);
    player.deliver_all(3);
    const std::clock_t begin = std::clock();
    EXPECT_EQ(player.end(), std::to_string(1000000 + kOverhead * kMessages));
    EXPECT_LT(std::clock() - begin, 6 * CLOCKS_PER_SEC);  // processor time
}

TEST(OperationPlayer, SendThatLiesAheadGivesWayToWhatArrives) {
    const std::string lines =
        "a: calc 100\nb: send 1b to 1\nb requires a\nc: recv 1b from 1 cpu 1\n"
        "d: send 1b to 1 cpu 1\nd requires c\n";
    Player player(lines, "send 1b to 0\n");
    EXPECT_EQ(player.take(), "0@100");
    EXPECT_TRUE(player.deliver(0, 30));  // received in 31 .. 36
    EXPECT_EQ(player.take(), "1@36");
    player.inject(1, 50);
    EXPECT_EQ(player.take(), "0@100");
    Player late(lines, "send 1b to 0\n");
    EXPECT_EQ(late.take(), "0@100");
    EXPECT_FALSE(late.deliver(0, 99));  // begins in the next cycle: too late to take it back
    late.inject(0, 140);
    EXPECT_EQ(late.take(), "1@105");
}

TEST(TraceBalance, IsEvenWhereBothEndsOfEveryMessageAreAlike) {
    const auto even = [](const std::string& sends, const std::string& receives) {
        return is_even(goal("num_ranks 3\nrank 0 {\n" + sends + "\ncalc 7\n}\nrank 1 {\n" +
                            receives + "\n}\n"));
    };
    EXPECT_TRUE(even("", ""));
    EXPECT_TRUE(even("send 5b to 1 tag 4", "recv 5b from 0 tag 4"));
    EXPECT_TRUE(even("send 5b to 1 tag 4\nsend 6b to 1 tag 3",
                     "recv 6b from 0 tag 3\nrecv 5b from 0 tag 4"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", ""));
    EXPECT_FALSE(even("", "recv 5b from 0 tag 4"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", "recv 5b from 0 tag 3"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", "recv 5b from 2 tag 4"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", "recv 4b from 0 tag 4"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", "recv 6b from 0 tag 4"));  // which check_trace() takes
    EXPECT_FALSE(even("send 5b to 2 tag 4", "recv 5b from 0 tag 4"));
    EXPECT_FALSE(even("send 5b to 1 tag 4\nsend 6b to 1 tag 3",
                      "recv 5b from 0 tag 3\nrecv 6b from 0 tag 4"));
    // Whoever takes any message is sent as many as it takes.
    EXPECT_TRUE(even("send 5b to 1 tag 4", "recv 8b from -1 tag 4"));
    EXPECT_TRUE(even("send 5b to 1 tag 4", "recv 8b from 0 tag -1"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", "recv 8b from -1 tag 4\nrecv 8b from -1"));
    // Peers that there are not.
    EXPECT_FALSE(even("send 5b to 3 tag 4", "recv 5b from 0 tag 4"));
    EXPECT_FALSE(even("send 5b to 0 tag 4", "recv 5b from 0 tag 4"));
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
        const Config with = config();
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

/// So many that they lie in files.
TEST(Operations, AreReadFromFilesAsTheyWereAdded) {
    constexpr OperationId kEach = 150000;
    const auto operation = [](NodeId node, OperationId place) {
        Operation made;
        made.cycles = split_mix(std::uint64_t{node} << 32 | place) % 1000;
        made.stream = static_cast<std::uint16_t>(place % (node + 2));
        return made;
    };
    Operations operations(3);
    for (const NodeId node : {2, 0}) {  // 1 does nothing
        OperationList list;
        list.rank = 10 + node;
        for (OperationId id = 0; id < kEach; ++id) {
            list.all.push_back(operation(node, id));
            list.lines.push_back(id + 1);
            if (id >= 2) list.dependencies.push_back({id, id - 2, id % 3 == 0});
            if (id >= 9) list.dependencies.push_back({id, id - 9, false});
        }
        operations.add(node, list);
    }
    operations.close();
    EXPECT_EQ(operations.size(), 2 * kEach);
    EXPECT_EQ(operations.ranks(), 2U);
    EXPECT_EQ(operations.first(1), operations.last(1));
    for (int again = 0; again < 2; ++again) {
        for (const NodeId node : {0, 2}) {
            EXPECT_EQ(operations.rank(node), 10 + node);
            EXPECT_EQ(operations.streams(node), node + 2);
            const OperationId first = operations.first(node);
            ASSERT_EQ(operations.last(node) - first, kEach);
            for (OperationId id = 0; id < kEach; ++id) {
                ASSERT_EQ(operations[first + id].cycles, operation(node, id).cycles);
                ASSERT_EQ(operations[first + id].stream, operation(node, id).stream);
                ASSERT_EQ(operations.line(first + id), id + 1);
                ASSERT_EQ(operations.waits(first + id), (id >= 2 ? 1U : 0U) + (id >= 9 ? 1U : 0U));
                ASSERT_EQ(operations.node_of(first + id), node);
                std::vector<std::pair<OperationId, bool>> successors;
                operations.visit_successors(first + id, [&](const Successor& next) {
                    successors.emplace_back(next.operation - first, next.on_begin);
                });
                std::vector<std::pair<OperationId, bool>> expected;
                if (id + 2 < kEach) expected.emplace_back(id + 2, (id + 2) % 3 == 0);
                if (id + 9 < kEach) expected.emplace_back(id + 9, false);
                ASSERT_EQ(successors, expected);
            }
        }
        operations.forget();
    }
    EXPECT_THAT(validate(operations, Transfers(), "big"), IsEmpty());
}

TEST(Operations, AreValidated) {
    const Program sound = trace_program(goal(kPair), config(), 2);
    using Lists = std::vector<OperationList>;
    const auto broken = [&](auto change) {
        const Operations& all = *sound.operations;
        Lists lists(all.nodes());
        for (NodeId node = 0; node < all.nodes(); ++node) {
            const OperationId first = all.first(node);
            for (OperationId id = first; id < all.last(node); ++id) {
                lists[node].all.push_back(all[id]);
                all.visit_successors(id, [&](const Successor& next) {
                    lists[node].dependencies.push_back(
                        {next.operation - first, id - first, next.on_begin});
                });
            }
        }
        change(lists);
        auto operations = std::make_shared<Operations>(static_cast<NodeId>(lists.size()));
        for (NodeId node = 0; node < lists.size(); ++node) operations->add(node, lists[node]);
        operations->close();
        Program program = sound;
        program.operations = std::move(operations);
        return validate(program).empty() ? "sound" : validate(program).front().what;
    };
    EXPECT_EQ(broken([](Lists&) {}), "sound");
    EXPECT_THAT(broken([](Lists& o) { o.pop_back(); }), HasSubstr("do not fit"));
    EXPECT_THAT(broken([](Lists& o) { o[0].all[1].message = 1; }), HasSubstr("is none"));
    EXPECT_THAT(broken([](Lists& o) { o[0].all[1].kind = Kind::kCompute; }),
                HasSubstr("never sent"));
    EXPECT_THAT(broken([](Lists& o) { o[0].all[0].stream = 256; }), HasSubstr("no stream 256"));
    EXPECT_THAT(broken([](Lists& o) { std::swap(o[0], o[1]); }),
                HasSubstr("another node than its source"));
    EXPECT_THAT(broken([](Lists& o) {
                    o[0].dependencies.push_back({0, 1, false});
                }),
                HasSubstr("wait for each other"));
    EXPECT_THROW(broken([](Lists& o) {
                     o[1].dependencies.push_back({0, 1, false});
                 }),
                 std::invalid_argument);
}

}  // namespace
}  // namespace flitscope
