// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges by rule are the lists that their definitions write down, message by message and node by
// node, and become lists if they are changed.
#include "traffic/program/transfers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "traffic/program/program.h"
#include "traffic/program/program_report.h"
#include "traffic/schedules/exchange/aap.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"

namespace flitscope {
namespace {

using ::testing::ElementsAreArray;

constexpr std::uint64_t kBytes = 24;

/// A program by rule, and its messages as the definition of the schedule has them.
struct Exchange {
    std::string name;
    Program program;
    std::vector<Transfer> expected;
};

Transfer transfer(NodeId source, NodeId destination, StepId step) {
    return {source, destination, kBytes, step};
}

std::vector<Transfer> expected_pex(NodeId nodes) {
    std::vector<Transfer> list;
    for (NodeId step = 0; step + 1 < nodes; ++step) {
        for (NodeId n = 0; n < nodes; ++n) list.push_back(transfer(n, n ^ (step + 1), step));
    }
    return list;
}

std::vector<Transfer> expected_gen(NodeId nodes) {
    std::vector<Transfer> list;
    for (NodeId step = 0; step + 1 < nodes; ++step) {
        for (NodeId n = 0; n < nodes; ++n) {
            list.push_back(transfer(n, (n + step + 1) % nodes, step));
        }
    }
    return list;
}

std::vector<Transfer> expected_naive(NodeId nodes, bool from_next) {
    std::vector<Transfer> list;
    for (NodeId n = 0; n < nodes; ++n) {
        for (NodeId i = 0; i < nodes; ++i) {
            const NodeId to = from_next ? (n + i) % nodes : i;
            if (to != n) list.push_back(transfer(n, to, 0));
        }
    }
    return list;
}

/// Of a set of dimensions and its complement, which are a step but for the first set.
std::vector<Transfer> expected_aap(std::uint32_t dimensions, AapOrder order) {
    std::vector<Transfer> list;
    const std::vector<NodeId> masks = aap_masks(dimensions, order);
    for (std::size_t i = 0; i < masks.size(); ++i) {
        const std::size_t step = order == AapOrder::kBySize               ? i
                                 : order == AapOrder::kInterleavedWaiting ? 0
                                                                          : (i + 1) / 2;
        for (NodeId n = 0; n < NodeId{1} << dimensions; ++n) {
            list.push_back(transfer(n, n ^ masks[i], static_cast<StepId>(step)));
        }
    }
    return list;
}

std::vector<Exchange> exchanges() {
    std::vector<Exchange> all;
    for (const NodeId nodes : {1U, 2U, 8U, 64U}) {
        all.push_back({"pex", pex(nodes, kBytes), expected_pex(nodes)});
        all.push_back({"pex-gen", pex_gen(nodes, kBytes), expected_pex(nodes)});
        all.push_back({"pex-gen-shift", pex_gen_shift(nodes, kBytes), expected_pex(nodes)});
    }
    for (const NodeId nodes : {0U, 1U, 2U, 7U, 36U}) {
        all.push_back({"gen", gen(nodes, kBytes), expected_gen(nodes)});
        all.push_back({"from next", naive(nodes, kBytes), expected_naive(nodes, true)});
        all.push_back({"from zero", naive(nodes, kBytes, NaiveOrder::kFromZero),
                       expected_naive(nodes, false)});
    }
    for (const AapOrder order : {AapOrder::kBySize, AapOrder::kInterleaved,
                                 AapOrder::kInterleavedSmallFirst, AapOrder::kInterleavedWaiting}) {
        for (const std::uint32_t dimensions : {1U, 4U, 5U}) {
            all.push_back({"aap", aap(dimensions, kBytes, order), expected_aap(dimensions, order)});
        }
    }
    return all;
}

/// The same program with its messages in a list.
Program listed(const Exchange& exchange) {
    Program program = exchange.program;
    program.transfers = exchange.expected;
    return program;
}

std::string text(const Transfer& t) {
    return std::to_string(t.source) + "->" + std::to_string(t.destination) + " step " +
           std::to_string(t.step) + " bytes " + std::to_string(t.bytes) + " class " +
           std::to_string(t.message_class);
}

std::vector<std::string> texts(const Transfers& transfers) {
    std::vector<std::string> all;
    for (const Transfer& t : transfers) all.push_back(text(t));
    return all;
}

std::vector<MessageId> ids(const NodeMessages& messages) {
    return {messages.begin(), messages.end()};
}

TEST(ExchangeRules, SendWhatTheirDefinitionsWriteDown) {
    for (const Exchange& exchange : exchanges()) {
        SCOPED_TRACE(exchange.name + " of " + std::to_string(exchange.program.nodes));
        const Transfers& transfers = exchange.program.transfers;
        ASSERT_NE(transfers.rule(), nullptr);
        const Transfers list(exchange.expected);
        EXPECT_EQ(list.rule(), nullptr);
        EXPECT_EQ(texts(transfers), texts(list));
        EXPECT_EQ(transfers.empty(), list.empty());
        for (std::size_t id = 0; id < list.size(); ++id) {
            ASSERT_EQ(transfers.source(id), list.source(id));
            ASSERT_EQ(transfers.destination(id), list.destination(id));
            ASSERT_EQ(transfers.step(id), list.step(id));
            ASSERT_EQ(transfers.bytes(id), list.bytes(id));
        }
        EXPECT_EQ(exchange.program.step_count(), listed(exchange).step_count());
        if (exchange.program.nodes != 0) {
            EXPECT_TRUE(check_complete_exchange(exchange.program).complete());
        }
    }
}

TEST(ExchangeRules, GiveNodesTheProgramsOfTheList) {
    for (const Exchange& exchange : exchanges()) {
        SCOPED_TRACE(exchange.name + " of " + std::to_string(exchange.program.nodes));
        const Program list = listed(exchange);
        const NodeSteps by_rule(exchange.program);
        const NodeSteps by_list(list);
        EXPECT_THAT(ids(by_rule.sends), ElementsAreArray(ids(by_list.sends)));
        EXPECT_THAT(ids(by_rule.receives), ElementsAreArray(ids(by_list.receives)));
        EXPECT_EQ(by_rule.first_step, by_list.first_step);
        ASSERT_EQ(by_rule.steps.size(), by_list.steps.size());
        for (std::size_t i = 0; i < by_list.steps.size(); ++i) {
            ASSERT_EQ(by_rule.steps[i].step, by_list.steps[i].step);
            ASSERT_EQ(by_rule.steps[i].first_send, by_list.steps[i].first_send);
            ASSERT_EQ(by_rule.steps[i].send_count, by_list.steps[i].send_count);
            ASSERT_EQ(by_rule.steps[i].first_receive, by_list.steps[i].first_receive);
            ASSERT_EQ(by_rule.steps[i].receive_count, by_list.steps[i].receive_count);
        }
    }
}

TEST(ExchangeRules, BecomeListsWhereTheyAreChanged) {
    const std::vector<std::string> before = texts(gen(7, kBytes).transfers);
    const std::string another = text(transfer(6, 0, 9));

    Transfers changed = gen(7, kBytes).transfers;
    changed.change(5, [](Transfer& t) { t = transfer(6, 0, 9); });
    std::vector<std::string> expected = before;
    expected[5] = another;
    EXPECT_EQ(texts(changed), expected);
    EXPECT_EQ(changed.rule(), nullptr);

    Transfers longer = gen(7, kBytes).transfers;
    longer.push_back(transfer(6, 0, 9));
    expected = before;
    expected.push_back(another);
    EXPECT_EQ(texts(longer), expected);

    Transfers waiting = gen(7, kBytes).transfers;
    waiting.add_after(3, 1);
    EXPECT_EQ(texts(waiting), before);
    EXPECT_THAT(waiting.after(3), ElementsAreArray({1U}));
}

TEST(ExchangeRules, MayBeOfAnyClass) {
    Transfers by_rule = gen(7, kBytes).transfers;
    by_rule.set_class(3);
    EXPECT_NE(by_rule.rule(), nullptr);
    const Transfer other = transfer(0, 1, 0);
    Transfers list({transfer(1, 2, 0), transfer(3, 4, 1), other});
    list.set_class(3);
    list.push_back(other);
    for (const MessageId id : {0U, 1U, 2U}) {
        EXPECT_EQ(by_rule[id].message_class, 3U);
        EXPECT_EQ(list[id].message_class, 3U);
    }
    EXPECT_EQ(list[3].message_class, 0U) << "what is added later has its own";
}

TEST(ExchangeRules, OfOtherNodesThanTheProgramAreRefused) {
    Program program = gen(7, kBytes);
    program.nodes = 6;
    EXPECT_THROW(NodePrograms{program}, std::invalid_argument);
}

}  // namespace
}  // namespace flitscope
