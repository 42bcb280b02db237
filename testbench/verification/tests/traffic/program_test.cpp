// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs as data: their per-node form, the check that they can be played, and reports.
#include "traffic/program/program.h"
#include "models/config/config.h"
#include "models/topology/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/traffic/small_programs.h"
#include "traffic/program/program_flows.h"
#include "traffic/program/program_report.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// --- Barrier cost --------------------------------------------------------------------------------

TEST(BarrierCost, IsRoundedUpAndNeverNegative) {
    EXPECT_EQ((BarrierCost{271, -134}.cycles(64)), 1492U);
    EXPECT_EQ((BarrierCost{27.1, -134}.cycles(64)), 29U);  // 28.6
    EXPECT_EQ((BarrierCost{27.1, -134}.cycles(16)), 0U);   // -25.6
    EXPECT_EQ((BarrierCost{10, 0}.cycles(48)), 56U);       // 10 * 5.58496
    EXPECT_EQ((BarrierCost{1.1, 0}.cycles(1024)), 11U);    // not 12 for 11.000000000000002
    EXPECT_EQ((BarrierCost{10, 3}.cycles(1)), 3U);
    EXPECT_EQ((BarrierCost{10, 0.25}.cycles(2)), 11U);
}

// --- Node programs -------------------------------------------------------------------------------

/// One entry as text: step, sends, receives, time.
std::string entry(const NodeSteps& programs, const NodeStep& step) {
    std::ostringstream text;
    text << step.step << ':';
    for (std::uint32_t i = 0; i < step.send_count; ++i) {
        text << " s" << programs.sends[step.first_send + i];
    }
    for (std::uint32_t i = 0; i < step.receive_count; ++i) {
        text << " r" << programs.receives[step.first_receive + i];
    }
    if (step.not_before > 0) text << " @" << step.not_before;
    return text.str();
}

std::vector<std::string> entries(const NodeSteps& programs, NodeId node) {
    std::vector<std::string> result;
    for (std::uint32_t i = programs.first_step[node]; i < programs.first_step[node + 1]; ++i) {
        result.push_back(entry(programs, programs.steps[i]));
    }
    return result;
}

TEST(NodePrograms, GroupStepsByNodeAndPassOverStepsWithoutPart) {
    const Program program = step_program(
        4, {step_send(0, 1, 0), step_send(0, 2, 0), step_send(1, 0, 2), step_send(2, 1, 2)});
    EXPECT_EQ(program.step_count(), 3U);
    const NodeSteps programs(program);
    EXPECT_THAT(programs.first_step, SizeIs(5));
    EXPECT_THAT(entries(programs, 0), ElementsAre("0: s0 s1", "2: r2"));
    EXPECT_THAT(entries(programs, 1), ElementsAre("0: r0", "2: s2 r3"));
    EXPECT_THAT(entries(programs, 2), ElementsAre("0: r1", "2: s3"));
    EXPECT_THAT(entries(programs, 3), IsEmpty());
}

TEST(NodePrograms, SortStepsButKeepTheOrderWithinAStep) {
    const Program program = step_program(3, {step_send(0, 1, 4000000000U), step_send(0, 2, 1),
                                             step_send(0, 1, 1), step_send(1, 0, 0)});
    const NodeSteps programs(program);
    EXPECT_THAT(entries(programs, 0), ElementsAre("0: r3", "1: s1 s2", "4000000000: s0"));
    EXPECT_THAT(step_order(program), ElementsAre(3, 1, 2, 0));
}

TEST(NodePrograms, TimedEntriesHoldOneSendAndWhatItComesAfter) {
    const Program program =
        timed_program(3, {timed_send(0, 1, 5), timed_send(1, 2, 0, {0}), timed_send(0, 2, 3),
                          timed_send(1, 0, 7, {0}), timed_send(2, 0, 0, {1, 2})});
    const NodeSteps programs(program);
    EXPECT_THAT(entries(programs, 0), ElementsAre("0: s2 @3", "0: s0 @5"));
    EXPECT_THAT(entries(programs, 1), ElementsAre("0: s1 r0", "0: s3 r0 @7"));
    EXPECT_THAT(entries(programs, 2), ElementsAre("0: s4 r1 r2"));
}

TEST(NodePrograms, OfAnEmptyProgramHaveNoEntries) {
    for (const NodeId nodes : {0, 1, 5}) {
        const NodeSteps programs(step_program(nodes, {}));
        EXPECT_THAT(programs.first_step, SizeIs(nodes + 1));
        EXPECT_THAT(programs.steps, IsEmpty());
        EXPECT_EQ(step_program(nodes, {}).step_count(), 0U);
    }
}

TEST(NodePrograms, RefuseNodesThatDoNotExist) {
    EXPECT_THROW(NodeSteps(step_program(2, {step_send(0, 2, 0)})), std::invalid_argument);
}

TEST(NodePrograms, OfALargeExchangeHoldEveryMessageTwice) {
    const Program program = pex(512, 1);
    const NodeSteps programs(program);
    EXPECT_THAT(programs.sends, SizeIs(512 * 511));
    EXPECT_THAT(programs.receives, SizeIs(512 * 511));
    EXPECT_THAT(programs.steps, SizeIs(512 * 511));
    for (const NodeStep& step : programs.steps) {
        ASSERT_EQ(step.send_count, 1U);
        ASSERT_EQ(step.receive_count, 1U);
    }
}

// --- Validation ----------------------------------------------------------------------------------

TEST(Validate, NamesEveryTransferThatCannotBe) {
    const std::vector<Diagnostic> findings =
        validate(step_program(4, {step_send(0, 4, 0), step_send(9, 1, 0), step_send(2, 2, 0),
                                  step_send(0, 1, 0), step_send(0, 1, 4294967295U)}));
    ASSERT_THAT(findings, SizeIs(4));
    EXPECT_EQ(findings[0].what, "destination 4 of message 0 does not exist");
    EXPECT_EQ(findings[0].hint, "nodes are 0 .. 3");
    EXPECT_EQ(findings[1].what, "source 9 of message 1 does not exist");
    EXPECT_EQ(findings[2].what, "message 2 goes from node 2 to itself");
    EXPECT_EQ(findings[3].what, "step 4294967295 of message 4 is too large");
}

TEST(Validate, AMessageCanOnlyComeAfterOneThatItsSenderReceives) {
    const std::vector<Diagnostic> findings =
        validate(timed_program(3, {timed_send(0, 1, 0), timed_send(2, 0, 0, {0}),
                                   timed_send(1, 2, 0, {7}), timed_send(1, 0, 0, {0, 0})}));
    ASSERT_THAT(findings, SizeIs(3));
    EXPECT_THAT(findings[0].what, HasSubstr("message 1 of node 2 comes after message 0 (0->1)"));
    EXPECT_THAT(findings[1].what, HasSubstr("message 7, which does not exist"));
    EXPECT_THAT(findings[2].what, HasSubstr("names message 0 twice"));
}

TEST(Validate, TakesAMessageThatComesAfterVeryMany) {
    constexpr MessageId kMany = 200'000;
    Program program = timed_program(2, std::vector<Transfer>(kMany, timed_send(0, 1, 0)));
    program.transfers.push_back(timed_send(1, 0, 0));
    const auto name_all = [](Transfer& t) {
        for (MessageId id = 0; id < kMany; ++id) t.after.push_back(kMany - 1 - id);
    };
    program.transfers.change(kMany, name_all);
    EXPECT_THAT(validate(program), SizeIs(0));  // in seconds, were every pair compared
    program.transfers.change(kMany, [](Transfer& t) { t.after.insert(t.after.end(), {7, 5, 7}); });
    const std::vector<Diagnostic> findings = validate(program);
    ASSERT_THAT(findings, SizeIs(3));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(findings[i].what, "message 200000 names message " +
                                        std::string(i == 1 ? "5" : "7") + " twice in `after`");
    }
}

TEST(Validate, NamesACycleOfMessagesThatWaitForEachOther) {
    const Program program = timed_program(3, {timed_send(0, 1, 0), timed_send(1, 2, 0, {3}),
                                              timed_send(2, 0, 0, {1}), timed_send(0, 1, 9, {2})});
    const std::vector<Diagnostic> findings = validate(program, [](MessageId id) {
        return Location{"f.csv", id + 10, 1};
    });
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].where.str(), "f.csv:11:1");
    EXPECT_THAT(findings[0].what,
                HasSubstr("message 1 (1->2) comes after message 3 (0->1) comes after "
                          "message 2 (2->0) comes after message 1"));
}

TEST(Validate, ACycleMayRunThroughTheOrderOfASender) {
    // Message 1 is the second of node 0, and its first waits for the answer to it.
    const Program program =
        timed_program(2, {timed_send(0, 1, 0, {2}), timed_send(0, 1, 0), timed_send(1, 0, 0, {1})});
    const std::vector<Diagnostic> findings = validate(program);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_THAT(findings[0].what, HasSubstr("message 1 (0->1) follows message 0"));
    // In the other order of the two there is none.
    EXPECT_THAT(validate(timed_program(
                    2, {timed_send(0, 1, 1, {2}), timed_send(0, 1, 0), timed_send(1, 0, 0, {1})})),
                IsEmpty());
}

TEST(Validate, ReferencesMayPointForward) {
    EXPECT_THAT(validate(timed_program(2, {timed_send(0, 1, 0, {1}), timed_send(1, 0, 0)})),
                IsEmpty());
}

// --- Reports -------------------------------------------------------------------------------------

TEST(Report, CountsLinksNodesAndFlitsPerStep) {
    const Graph graph = build_mesh({4});
    const auto routing = make_routing(Config(), graph);
    const Program program = step_program(
        4, {step_send(0, 3, 0), step_send(1, 3, 0), step_send(0, 2, 0), step_send(3, 2, 5)});
    const auto report = analyse(program, graph, *routing, PacketFormat{64, 1, 0});
    ASSERT_THAT(report, SizeIs(2));
    EXPECT_EQ(report[0].step, 0U);
    EXPECT_EQ(report[0].transfers, 3U);
    EXPECT_EQ(report[0].flits, 27U);
    EXPECT_EQ(report[0].max_link_contention, 3U);
    EXPECT_EQ(graph.link_name(report[0].busiest_link),
              graph.link_name(graph.out_link(RouterId(1), 1)));
    EXPECT_EQ(report[0].max_sends, 2U);
    EXPECT_EQ(report[0].max_receives, 2U);
    EXPECT_EQ(report[1].step, 5U);
    EXPECT_EQ(report[1].first, 3U);
    EXPECT_EQ(report[1].max_link_contention, 1U);
}

TEST(Report, SaysWhatIsWrongWithAnExchange) {
    Program program = gen(4, 1);
    program.transfers.change(0,
                             [](Transfer& t) { t.destination = 2; });  // 0->1 becomes a second 0->2
    program.transfers.change(1, [](Transfer& t) { t.destination = 1; });  // 1->2 becomes 1->1
    const ExchangeReport report = check_complete_exchange(program);
    EXPECT_FALSE(report.complete());
    EXPECT_EQ(report.missing, 2U);
    EXPECT_EQ(report.repeated, 1U);
    EXPECT_EQ(report.self, 1U);
    EXPECT_THAT(report.examples,
                ElementsAre("0->1 missing", "0->2 sent 2 times", "1->1 to itself", "1->2 missing"));
}

TEST(Report, FlowsCountHeadersOfEveryPacket) {
    Program program = step_program(2, {step_send(0, 1, 0)});
    program.transfers.change(0, [](Transfer& t) { t.bytes = 100; });
    const ProgramFlows list(program, PacketFormat{64, 2, 32});
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].flits, 3U * (2 + 4) + (2 + 1));
}

}  // namespace
}  // namespace flitscope
