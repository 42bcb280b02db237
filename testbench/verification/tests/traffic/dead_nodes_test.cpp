// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic of networks some of whose nodes are dead: the rest of programs and patterns, counts of
// dropped messages, and loads of the rest.
#include "traffic/program/dead_nodes.h"
#include "models/config/config.h"
#include "models/topology/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/performance/bisection.h"
#include "models/performance/wire_budget.h"
#include "models/routing/routing_factory.h"
#include "models/topology/faults/faults.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/patterns/pattern_load.h"
#include "traffic/patterns/pattern_source.h"
#include "traffic/schedules/schedule_factory.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Left {
    Config config;
    Graph graph;
};

/// A mesh of 4 x 4 without these nodes.
Left mesh_without(const std::string& nodes, const std::string& traffic,
                  const std::string& faults = ", traffic: drop") {
    Config config = parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
        "faults: {nodes: [" +
            nodes + "]" + faults +
            "}\n"
            "traffic: {" +
            traffic + "}\n",
        "dead_nodes_test");
    Graph graph = build_budgeted_topology(config);
    return {std::move(config), std::move(graph)};
}

Transfer message(NodeId source, NodeId destination, std::vector<MessageId> after = {}) {
    Transfer transfer{source, destination, 8};
    transfer.after = std::move(after);
    return transfer;
}

Program timed(std::vector<Transfer> transfers) {
    Program program;
    program.name = "test";
    program.nodes = 16;
    program.ordering = Ordering::kTimed;
    program.transfers = std::move(transfers);
    return program;
}

Program living(const Program& program, const Left& left) {
    return on_working_nodes(program, left.config, left.graph, {"here", 0, 0});
}

std::string error_of(const Program& program, const Left& left) {
    return refused_with([&] { living(program, left); });
}

TEST(DeadNodes, LeaveTheOtherMessagesAndTheirNumbers) {
    const Left left = mesh_without("3", "schedule: pex");
    // The last one waits for one that is left, listed after it, and for two that are not.
    Program program = timed({message(0, 3), message(1, 2), message(3, 5), message(5, 6, {2}),
                             message(6, 7, {5, 2, 3}), message(4, 6)});
    program.numbers = {10, 11, 12, 13, 14, 15};
    const Program rest = living(program, left);
    EXPECT_EQ(rest.dropped_dead, 2U);
    ASSERT_EQ(rest.transfers.size(), 4U);
    EXPECT_THAT(rest.numbers, ElementsAre(11U, 13U, 14U, 15U));
    EXPECT_EQ(rest.transfers[1].source, 5U);
    EXPECT_THAT(rest.transfers[1].after, IsEmpty());
    EXPECT_THAT(rest.transfers[2].after, ElementsAre(3U, 1U));
    EXPECT_THAT(validate(rest), IsEmpty());
}

TEST(DeadNodes, ChangeNothingOfProgramsWithoutThem) {
    const Left left = mesh_without("3", "schedule: pex");
    const Program rest = living(timed({message(0, 1), message(1, 2, {0})}), left);
    EXPECT_EQ(rest.transfers.size(), 2U);
    EXPECT_EQ(rest.dropped_dead, 0U);
    EXPECT_THAT(rest.numbers, IsEmpty());
}

TEST(DeadNodes, LeaveTheValueToTheFirstCopyOfAMessageThatIsLeftOut) {
    const Left left = mesh_without("3", "schedule: pex");
    Program program =
        timed({message(2, 3), message(2, 1), message(2, 6), message(5, 1), message(5, 4)});
    for (const MessageId copy : {1, 2, 4})
        program.transfers.change(copy, [](Transfer& t) { t.is_copy = true; });
    const Program rest = living(program, left);
    ASSERT_EQ(rest.transfers.size(), 4U);
    EXPECT_FALSE(rest.transfers[0].is_copy);
    EXPECT_TRUE(rest.transfers[1].is_copy);
    EXPECT_FALSE(rest.transfers[2].is_copy);
    EXPECT_TRUE(rest.transfers[3].is_copy);
}

TEST(DeadNodes, AreRefusedWhereTheirMessagesAreNotToBeDropped) {
    const Left refusing = mesh_without("3", "schedule: pex", "");
    EXPECT_THAT(error_of(timed({message(0, 1), message(2, 3)}), refusing),
                HasSubstr("node 3 of test is dead"));
    EXPECT_EQ(error_of(timed({message(0, 1)}), refusing), "");
    const Left dropping = mesh_without("3", "schedule: pex");
    Program streams = timed({message(3, 2), message(2, 1, {0})});
    streams.transfers.change(1, [](Transfer& t) { t.streams = true; });
    EXPECT_THAT(error_of(streams, dropping),
                HasSubstr("message 1 streams the flits of message 0, which node 3 sends"));
    streams.transfers.change(1, [](Transfer& t) { t.destination = 3; });  // then both are left out
    EXPECT_EQ(error_of(streams, dropping), "");
}

TEST(DeadNodes, LeaveBarriersToThoseThatAreAlive) {
    const std::string pex = "schedule: pex, barrier: {per_doubling: 10, fixed: 0}";
    Config whole = mesh_without("", pex).config;
    whole.faults.reset();
    const Graph graph = build_budgeted_topology(whole);
    EXPECT_EQ(build_program(whole, graph).barrier_cycles, Cycle{40});
    const Left left = mesh_without("12, 13, 14, 15, 8, 9, 10, 11", pex);
    const Program program = build_program(left.config, left.graph);
    EXPECT_EQ(program.barrier_cycles, Cycle{30});
    EXPECT_EQ(program.transfers.size(), 8U * 7);
    EXPECT_EQ(program.dropped_dead, 16U * 15 - 8 * 7);
}

TEST(DeadNodes, LeaveBarriersOfProgramFilesToThoseThatAreAlive) {
    const std::string path = testing::TempDir() + "dead_nodes_test.yaml";
    std::ofstream(path) << "barrier: {per_doubling: 10}\n"
                           "transfers:\n"
                           "  - {source: 0, destination: 1, bytes: 64, step: 0}\n"
                           "  - {source: 1, destination: 0, bytes: 64, step: 1}\n";
    const Left left =
        mesh_without("12, 13, 14, 15, 8, 9, 10, 11", "program: " + path + ", handshake: true");
    EXPECT_EQ(build_program(left.config, left.graph.whole()).barrier_cycles, Cycle{40});
    EXPECT_EQ(build_program(left.config, left.graph).barrier_cycles, Cycle{30});
    std::remove(path.c_str());
}

// ---- Patterns -----------------------------------------------------------------------------------

constexpr const char* kUniform =
    "pattern: uniform, injection_rate: 0.3, message_bytes: 16, warmup_cycles: 50, "
    "measure_cycles: 900";

TEST(DeadNodes, AreSentNothingAndWhatIsDroppedIsCountedUpToAnyCycle) {
    const Left left = mesh_without("3, 9", kUniform);
    Left whole = mesh_without("", kUniform);
    whole.config.faults.reset();
    const auto traffic = std::make_shared<const PatternTraffic>(left.config, left.graph);
    const auto all = std::make_shared<const PatternTraffic>(whole.config, whole.graph);
    std::uint64_t dropped_in_all = 0;
    for (NodeId node = 0; node < 16; ++node) {
        // The sends of a source of the whole network, with the cycles in which they begin.
        std::vector<std::pair<Cycle, NodeId>> sent;
        PatternSource of_whole(all, node);
        Message m;
        Cycle begin = 0;
        while (of_whole.next(m, begin)) sent.emplace_back(begin, m.destination);
        const bool is_dead = node == 3 || node == 9;
        for (const Cycle end : {Cycle{60}, Cycle{500}, Cycle{950}}) {
            std::uint64_t messages = 0;
            std::uint64_t dropped = 0;
            for (const auto& [cycle, destination] : sent) {
                if (is_dead || cycle < 50 || cycle >= end) continue;
                ++(destination == 3 || destination == 9 ? dropped : messages);
            }
            PatternSource source(traffic, node);
            for (int i = 0; i < 3; ++i) source.next(m, begin);  // ahead, or not
            const GeneratedTraffic generated = source.generated_before(end);
            EXPECT_EQ(generated.messages, messages) << node << ' ' << end;
            EXPECT_EQ(generated.dropped, dropped) << node << ' ' << end;
            if (end == 950) dropped_in_all += dropped;
        }
        PatternSource counted(traffic, node);
        FlitWindows window(traffic->end);
        counted.count_in(window);
        counted.count_before(traffic->end);
        const auto kept = std::count_if(sent.begin(), sent.end(), [is_dead](const auto& one) {
            return !is_dead && one.second != 3 && one.second != 9;
        });
        EXPECT_EQ(window.take(0),
                  static_cast<std::uint64_t>(kept) * traffic->lengths.all().front().flits)
            << node;
        PatternSource source(traffic, node);
        for (const auto& [cycle, destination] : sent) {
            if (is_dead || destination == 3 || destination == 9) continue;
            ASSERT_TRUE(source.next(m, begin));
            EXPECT_EQ(begin, cycle);
            EXPECT_EQ(m.destination, destination);
        }
        EXPECT_FALSE(source.next(m, begin));
    }
    EXPECT_GT(dropped_in_all, 100U);
}

TEST(DeadNodes, ThatReceiveAllOfANodesMessagesEndItsTraffic) {
    const Left left =
        mesh_without("4", "pattern: transpose, injection_rate: 0.5, message_bytes: 8");
    const auto traffic = std::make_shared<const PatternTraffic>(left.config, left.graph);
    EXPECT_TRUE(traffic->pattern.sends(1));
    EXPECT_FALSE(traffic->pattern.sends(4));
    EXPECT_EQ(traffic->pattern.kept(1), 0);
    EXPECT_EQ(traffic->pattern.senders(), 16U - 4 - 2);
    EXPECT_EQ(traffic->pattern.offered(), 10);
    PatternSource source(traffic, 1);
    Message m;
    Cycle begin = 0;
    EXPECT_FALSE(source.next(m, begin));
    EXPECT_GT(source.generated_before(traffic->end).dropped, 1000U);
    EXPECT_EQ(PatternSource(traffic, 2).generated_before(traffic->end).dropped, 0U);
}

TEST(DeadNodes, LoadsAreThoseOfWhatIsLeft) {
    // 0 to 3 in a line, 3 dead: of three nodes each sends a third of its messages to either of the
    // two others, and the last third nowhere.
    Config config = parse_config(
        "fabric: {topology: {kind: mesh, dims: [4]}}\n"
        "faults: {nodes: [3], traffic: drop}\n"
        "traffic: {pattern: uniform, injection_rate: 0.6}\n",
        "dead_nodes_test");
    const Graph graph = build_budgeted_topology(config);
    const auto routing = make_routing(config, graph);
    const Pattern pattern(config, graph);
    const PatternLoad load = pattern_load(config, graph, *routing, pattern);
    EXPECT_NEAR(load.injection, 0.4, 1e-12);
    EXPECT_NEAR(load.ejection, 0.4, 1e-12);
    EXPECT_NEAR(load.link, 0.4, 1e-12);  // 0 and 1 to 2, or back
    EXPECT_NEAR(pattern.offered(), 2, 1e-12);
    config.traffic.reply_bytes = 8;
    const PatternLoad replies = pattern_load(config, graph, *routing, Pattern(config, graph));
    EXPECT_NEAR(replies.injection, 0.4, 1e-12);
    EXPECT_NEAR(replies.ejection, 0.4, 1e-12);
}

TEST(DeadNodes, AreOnNeitherSideOfACutIntoHalves) {
    // Rows 0 and 1 have 4 nodes that are alive, rows 2 and 3 all 8: the halves are of 6.
    const Left left = mesh_without("0, 1, 4, 5", kUniform);
    const HalvesCut cut = cut_into_halves(left.graph);
    NodeId upper = 0;
    for (NodeId node = 0; node < 16; ++node) {
        upper += cut.upper[node] && left.graph.is_alive(node) ? 1 : 0;
    }
    EXPECT_EQ(upper, 6U);
    EXPECT_EQ(cut.proof, "");
}

}  // namespace
}  // namespace flitscope
