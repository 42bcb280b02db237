// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// GOAL as text: reading, writing and errors.
#include "traffic/traces/goal_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "testbench/verification/tests/traffic/small_traces.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Operation::Kind;

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
    EXPECT_THAT(in_rank("send 5b to 1 nic 256"), HasSubstr("is too large for a network interface"));
    EXPECT_THAT(in_rank("send 5b to 1 tag 4294967295"),
                HasSubstr("3:18: error: '4294967295' stands for any tag"));
    EXPECT_THAT(in_rank("send 5b to 1 tag 8589934591"), HasSubstr("stands for any tag"));
    EXPECT_THAT(in_rank("wait 5"), HasSubstr("expected ':', 'requires' or 'irequires'"));
    EXPECT_THAT(in_rank("a: b"), HasSubstr("expected 'send', 'recv' or 'calc'"));
    EXPECT_THAT(in_rank("b: calc 1\na: calc 1\na: calc 2\nb requires a"),
                HasSubstr("6:12: error: label 'a' is there twice"));
    EXPECT_THAT(in_rank("b: calc 1\na: calc 1\nb requires a\na: calc 2"),
                HasSubstr("6:1: error: label 'a' is there twice"));
    EXPECT_THAT(in_rank("a requires b\na: calc 1\nb: calc 1\nb: calc 1"),
                HasSubstr("3:12: error: label 'b' is there twice"));
    EXPECT_THAT(in_rank("a: calc 1\na requires b"),
                HasSubstr("4:12: error: this rank has no label 'b'"));
    EXPECT_THAT(in_rank("/* calc 1"), HasSubstr("3:1: error: this comment does not end"));
    EXPECT_THAT(in_rank("send 5b to 7"), HasSubstr("t.goal:3: error: rank 0 sends to rank 7"));
    EXPECT_THAT(in_rank("send 5b to 0"), HasSubstr("rank 0 sends to itself"));
}

TEST(GoalText, TagsAreTakenModulo32BitsAsByItsConverter) {
    const Trace trace = goal(
        "num_ranks 2\nrank 0 {\nsend 1b to 1 tag 5000012103\n"
        "send 1b to 1 tag 340282366920938463463374607431768211463\nsend 1b to 1 tag 7\n}\n"
        "rank 1 {\nrecv 1b from 0 tag 4294967295\nrecv 1b from 0 tag 7\n"
        "recv 1b from 0 tag 705044807\n}\n");
    EXPECT_EQ(trace.ranks[0].operations[0].tag, 705044807U);
    EXPECT_EQ(trace.ranks[0].operations[1].tag, 7U);  // 2^128 + 7
    EXPECT_EQ(trace.ranks[0].operations[2].tag, 7U);
    EXPECT_EQ(trace.ranks[1].operations[0].tag, kAnyTag);  // its words for -1
    EXPECT_EQ(trace.notes.count(TraceNote::kLargeTag), 2U);
    EXPECT_THAT(trace.notes.sentences(),
                ElementsAre("2 tags beyond 32 bits are taken modulo 2^32, as by txt2bin of "
                            "LogGOPSim (first: line 3)"));
}

TEST(GoalText, InterfacesAreSharedUnlessThatIsRefused) {
    const std::string text =
        "num_ranks 2\nrank 0 {\nsend 1b to 1 nic 0\nsend 1b to 1 cpu 2 nic 3\n}\n"
        "rank 1 {\nrecv 1b from 0\nrecv 1b from 0 nic 1\n}\n";
    EXPECT_EQ(goal(text).notes.count(TraceNote::kInterface), 2U);
    TraceReadingConfig strict;
    strict.interfaces = TraceInterfaces::kRefused;
    EXPECT_THAT(refusal([&] { parse_goal_text(text, "t.goal", strict); }),
                HasSubstr("t.goal:4:24: error: network interface 3 of a rank (set "
                          "traffic.trace.interfaces: shared or planes)"));
    TraceReadingConfig rails;
    rails.interfaces = TraceInterfaces::kPlanes;
    const Trace trace = parse_goal_text(text, "t.goal", rails);
    EXPECT_EQ(trace.notes.count(TraceNote::kInterface), 0U);
    EXPECT_EQ(trace.ranks[0].operations[0].interface, 0U);
    EXPECT_EQ(trace.ranks[0].operations[1].interface, 3U);
}

TEST(GoalText, LabelsThatNobodyUsesMayBeRepeated) {
    const Trace trace = goal(
        "num_ranks 1\nrank 0 {\na: calc 1\na: calc 2\nb: calc 3\nb: calc 4\nc: calc 5\n"
        "d: calc 6\nd requires c\n}\n");
    EXPECT_EQ(trace.operation_count(), 6U);
    EXPECT_THAT(trace.notes.sentences(),
                ElementsAre("2 labels are there twice, and no dependency uses them (first: 'a' in "
                            "line 4)"));
}

TEST(GoalText, ATraceOfMpiCallsIsOneFindingThatNamesItsConverter) {
    const std::string calls = "MPI_Init:19:-:24\nMPI_Comm_size:30:0:8:31\n";
    for (const std::string& text :
         {"# htor's PMPI Tracer 0.1 Output File\n# time: now\n" + calls, calls}) {
        const std::string said = goal_refusal(text);
        EXPECT_THAT(said, HasSubstr("t.goal:1:1: error: this is a trace of liballprof"));
        EXPECT_THAT(said, HasSubstr("schedgen --ptrn trace --traces"));
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    }
}

TEST(GoalText, ARankOnOneLineIsOneFinding) {
    const auto refused = [](const std::string& operation) {
        return goal_refusal("num_ranks 3\nrank 0 {\nrecv 8b from 1\n}\nrank 1 { s: " + operation +
                            " }\nrank 2 {\ncalc 5\n}\n");
    };
    EXPECT_EQ(
        refused("send 8b to 0"),
        "t.goal:5:26: error: expected the end of the line, found '}' (write } on its own line)\n");
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

}  // namespace
}  // namespace flitscope
