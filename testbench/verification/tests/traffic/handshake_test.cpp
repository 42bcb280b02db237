// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Handshakes before exchanges: which steps get one, and that nothing else of a program changes.
#include "traffic/program/handshake.h"
#include "models/config/config.h"
#include "models/topology/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <tuple>
#include <vector>

#include "models/topology/families/topologies.h"
#include "traffic/program/program_file.h"
#include "traffic/program/program_report.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"
#include "traffic/schedules/schedule_factory.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Sent = std::tuple<NodeId, NodeId, std::uint64_t, StepId>;  // from, to, bytes, step

std::vector<Sent> sent(const Program& program) {
    std::vector<Sent> all;
    for (const Transfer& t : program.transfers) {
        all.emplace_back(t.source, t.destination, t.bytes, t.step);
    }
    return all;
}

Program of(NodeId nodes, const std::vector<Sent>& messages) {
    Program program;
    program.name = "test";
    program.nodes = nodes;
    for (const auto& [source, destination, bytes, step] : messages) {
        program.transfers.push_back({source, destination, bytes, step});
    }
    return program;
}

TEST(Handshake, PrecedesEveryStepWithPartnersAndNoOther) {
    const Program program = of(4, {{0, 1, 8, 0},  // one way
                                   {0, 2, 8, 2},  // an exchange, and a separate message
                                   {2, 0, 9, 2},
                                   {1, 3, 8, 2},
                                   {1, 2, 8, 3}});  // one way again
    EXPECT_THAT(sent(with_handshakes(program)),
                ElementsAre(Sent{0, 1, 8, 0}, Sent{0, 2, 0, 2}, Sent{2, 0, 0, 2}, Sent{0, 2, 8, 3},
                            Sent{2, 0, 9, 3}, Sent{1, 3, 8, 3}, Sent{1, 2, 8, 4}));
}

TEST(Handshake, IsForNodesThatSendToTheirPartnerAlone) {
    const std::vector<Sent> both_ways = {{0, 1, 8, 0}, {1, 0, 8, 0}, {1, 2, 8, 0}};
    EXPECT_EQ(sent(with_handshakes(of(3, both_ways))), both_ways);
    const Program all_at_once = naive(4, 8);
    EXPECT_EQ(sent(with_handshakes(all_at_once)), sent(all_at_once));
}

TEST(Handshake, OfAnExchangeInPairsDoublesItsStepsAndMessages) {
    const Program program = pex(8, 64);
    const Program with = with_handshakes(program);
    EXPECT_EQ(with.step_count(), 14U);
    std::vector<Sent> data;
    std::vector<Sent> greetings;
    for (const auto& [from, to, bytes, step] : sent(with)) {
        EXPECT_EQ(step % 2, bytes == 0 ? 0U : 1U);
        (bytes == 0 ? greetings : data).emplace_back(from, to, 64, step / 2);
    }
    EXPECT_EQ(data, sent(program));
    EXPECT_EQ(greetings, sent(program));
}

TEST(Handshake, CountsWithTheStepOfTheExchangeThatFollows) {
    const auto steps = [](const Program& program) {
        std::vector<StepId> numbers;
        for (StepId step = 0; step < program.step_count(); ++step) {
            numbers.push_back(program.schedule_step(step));
        }
        return numbers;
    };
    EXPECT_THAT(steps(with_handshakes(pex(4, 64))), ElementsAre(0, 0, 1, 1, 2, 2));
    EXPECT_THAT(steps(with_handshakes(gen(6, 64))), ElementsAre(0, 1, 2, 2, 3, 4));
    EXPECT_THAT(steps(pex(4, 64)), ElementsAre(0, 1, 2));
    for (const Program& program : {pex(8, 64), gen(8, 64), gen(9, 0)}) {
        const Program with = with_handshakes(program);
        EXPECT_EQ(with.schedule_step(with.step_count() - 1), program.step_count() - 1);
    }
}

TEST(Handshake, OfAnExchangeRoundTheRingIsOneStepInTheMiddle) {
    // n sends to n + i: only for i = 4 is that its partner's way back.
    EXPECT_EQ(with_handshakes(gen(8, 64)).step_count(), 8U);
    EXPECT_EQ(with_handshakes(gen(8, 64)).transfers.size(), 64U);
    EXPECT_EQ(with_handshakes(gen(9, 64)).step_count(), 8U);
}

TEST(Handshake, LeavesAnExchangeComplete) {
    for (const Program& program : {pex(8, 64), gen(8, 64), gen(9, 0)}) {
        const Program with = with_handshakes(program);
        EXPECT_TRUE(check_complete_exchange(with).complete()) << program.name << program.nodes;
        Program without_one = program;
        without_one.transfers.change(3, [](Transfer& t) { t.destination = t.source; });
        const ExchangeReport report = check_complete_exchange(with_handshakes(without_one));
        EXPECT_EQ(report.missing, 1U);
        EXPECT_EQ(report.self, 1U);
    }
}

TEST(Handshake, IsNotNeededBehindBarriersAndUnknownToTimedPrograms) {
    Program program = pex(4, 8);
    program.barrier_cycles = 3;
    EXPECT_EQ(sent(with_handshakes(program)), sent(program));
    EXPECT_EQ(with_handshakes(program).barrier_cycles, program.barrier_cycles);
    program.barrier_cycles.reset();
    program.ordering = Ordering::kTimed;
    EXPECT_EQ(sent(with_handshakes(program)), sent(program));
    EXPECT_EQ(with_handshakes(program).ordering, Ordering::kTimed);
}

TEST(Handshake, KeepsWhatMessagesComeAfter) {
    Program program = of(3, {{0, 1, 8, 0}, {1, 0, 8, 0}, {1, 2, 8, 1}});
    program.transfers.change(2, [](Transfer& t) { t.after = {0}; });
    const Program with = with_handshakes(program);
    ASSERT_EQ(with.transfers.size(), 5U);
    EXPECT_THAT(with.transfers[4].after, ElementsAre(2));  // where message 0 is now
}

TEST(Handshake, IsOfTheClassOfItsData) {
    Program program = of(2, {{0, 1, 8, 0}, {1, 0, 8, 0}});
    program.transfers.change(0, [](Transfer& t) { t.message_class = 2; });
    program.transfers.change(1, [](Transfer& t) { t.message_class = 1; });
    const Program with = with_handshakes(program);
    std::vector<MessageClass> classes;
    for (const Transfer& t : with.transfers) classes.push_back(t.message_class);
    EXPECT_THAT(classes, ElementsAre(2, 1, 2, 1));
}

TEST(Handshake, TakesNumbersThatNoMessageOfTheProgramHas) {
    Program program = of(3, {{0, 1, 8, 0}, {1, 0, 8, 0}, {1, 2, 8, 1}, {0, 1, 8, 2}, {1, 0, 8, 2}});
    EXPECT_THAT(with_handshakes(program).numbers, IsEmpty());
    program.numbers = {100, 1, 0, 200, UINT64_MAX};
    EXPECT_THAT(with_handshakes(program).numbers,
                ElementsAre(2, 3, 100, 1, 0, 4, 5, 200, UINT64_MAX));
}

TEST(Handshake, LeavesMessagesOfAFileTheirNumbers) {
    Config config;
    config.traffic.program = testing::TempDir() + "handshake_test.csv";
    config.traffic.handshake = true;
    write_program(of(2, {{0, 1, 8, 0}, {1, 0, 8, 0}}), config.traffic.program);
    EXPECT_THAT(build_program(config, build_mesh({2})).numbers, ElementsAre(2, 3, 0, 1));
    std::remove(config.traffic.program.c_str());
}

TEST(Handshake, IsMadeWhereTheConfigurationHasIt) {
    Config config;
    config.traffic.schedule = "pex";
    EXPECT_EQ(build_program(config, build_mesh({2, 2})).step_count(), 3U);
    config.traffic.handshake = true;
    EXPECT_EQ(build_program(config, build_mesh({2, 2})).step_count(), 6U);
    config.traffic.barrier.emplace();
    EXPECT_EQ(build_program(config, build_mesh({2, 2})).step_count(), 3U);
}

}  // namespace
}  // namespace flitscope
