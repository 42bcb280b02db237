// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packed transfers are what was put in, whatever they have in common; the order by node and the
// flows of a program are those of a plain list.
#include "traffic/program/transfers.h"
#include "models/base/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "traffic/program/program.h"
#include "traffic/program/program_flows.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;

bool are_equal(const Transfer& a, const Transfer& b) {
    return a.source == b.source && a.destination == b.destination && a.bytes == b.bytes &&
           a.step == b.step && a.port == b.port && a.message_class == b.message_class &&
           a.is_copy == b.is_copy && a.streams == b.streams && a.time == b.time &&
           a.after == b.after;
}

/// Of few or of many kinds, with nodes of any number: programs are packed before they are checked.
class RandomTransfers {
public:
    RandomTransfers(std::uint64_t seed, std::uint32_t variety) : random_(seed), most_(variety) {}

    Transfer draw() {
        Transfer t{any(any(8) == 0 ? UINT32_MAX : 70'000), any(70'000),
                   any(most_) == 0 ? UINT64_MAX - any(3) : std::uint64_t{any(most_)} << any(50),
                   any(most_)};
        t.port = static_cast<std::uint16_t>(any(3) == 0 ? any(65'536) : 0);
        t.message_class = static_cast<MessageClass>(any(3));
        t.is_copy = any(4) == 0;
        t.streams = any(4) == 0;
        if (is_timed) t.time = any(2) == 0 ? kLongTime : any(1000);
        if (is_timed && any(3) == 0) t.after = {any(9), any(9)};
        return t;
    }
    std::uint32_t any(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

    bool is_timed = false;

private:
    std::mt19937_64 random_;
    std::uint32_t most_;
};

TEST(Transfers, AreWhatWasPutIn) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        RandomTransfers random(seed, seed % 2 == 0 ? 3 : 5000);
        std::vector<Transfer> plain;
        Transfers packed;
        for (int i = 0; i < 3000; ++i) {
            random.is_timed = seed % 3 == 0 && i > 1000;  // times may come late
            plain.push_back(random.draw());
            packed.push_back(plain.back());
            if (random.any(4) != 0) continue;
            const std::uint32_t at = random.any(static_cast<std::uint32_t>(plain.size()));
            plain[at] = random.draw();
            packed.set(at, plain[at]);
            const std::uint32_t more = random.any(static_cast<std::uint32_t>(plain.size()));
            if (!random.is_timed) continue;
            plain[more].after.push_back(7);
            packed.add_after(more, 7);
        }
        ASSERT_EQ(packed.size(), plain.size());
        for (MessageId id = 0; id < plain.size(); ++id) {
            ASSERT_TRUE(are_equal(packed[id], plain[id])) << id;
            ASSERT_EQ(packed.source(id), plain[id].source);
            ASSERT_EQ(packed.destination(id), plain[id].destination);
            ASSERT_EQ(packed.bytes(id), plain[id].bytes);
            ASSERT_EQ(packed.step(id), plain[id].step);
            ASSERT_EQ(packed.is_copy(id), plain[id].is_copy);
            ASSERT_EQ(packed.streams(id), plain[id].streams);
            ASSERT_EQ(packed.time(id), plain[id].time);
            ASSERT_EQ(packed.after(id), plain[id].after);
        }
        EXPECT_TRUE(std::equal(packed.begin(), packed.end(), plain.begin(), are_equal));
    }
}

TEST(Transfers, CanBeChangedAndBegunAnew) {
    Transfers list(std::vector<Transfer>(3));
    list.change(1, [](Transfer& t) { t.bytes = 5; });
    list.change_all([](Transfer& t) { t.step += 2; });
    EXPECT_EQ(list.front().bytes, 0U);
    EXPECT_EQ(list[1].bytes, 5U);
    EXPECT_EQ(list.back().step, 2U);
    list.clear();
    EXPECT_TRUE(list.empty());
    EXPECT_EQ(list.begin(), list.end());
}

TEST(MessageOrder, IsStableAndTakesNoMemoryWhereItIsThatOfTheList) {
    const std::vector<int> keys = {3, 1, 2, 1, 3, 1};
    const auto order = MessageOrder::by(keys.size(), [&](MessageId id) { return keys[id]; });
    EXPECT_THAT(order, ElementsAre(1, 3, 5, 2, 0, 4));
    EXPECT_FALSE(order.is_as_listed());
    const auto same = MessageOrder::by(4, [](MessageId id) { return id / 2; });
    EXPECT_THAT(same, ElementsAre(0, 1, 2, 3));
    EXPECT_TRUE(same.is_as_listed());
    EXPECT_EQ(MessageOrder::by(0, [](MessageId id) { return id; }).size(), 0U);
}

/// The ids that each node sends, in the order of steps.
std::vector<std::vector<MessageId>> sends_of(const Program& program) {
    std::vector<std::vector<MessageId>> sends(program.nodes);
    for (StepId step = 0; step < program.step_count(); ++step) {
        for (MessageId id = 0; id < program.transfers.size(); ++id) {
            const Transfer t = program.transfers[id];
            if (t.step == step) sends[t.source].push_back(id);
        }
    }
    return sends;
}

TEST(NodePrograms, KeepTheOrderOfTheListWithinAStep) {
    constexpr NodeId kNodes = 6;
    for (int change = 0; change < 4; ++change) {
        SCOPED_TRACE(change);
        Program program = empty_program("ring", kNodes, 0);
        for (StepId step = 0; step < 5; ++step) {
            for (NodeId node = 0; node < kNodes; ++node) {
                // Regular, but for: two nodes that change places; one that sends twice for another.
                NodeId source = node;
                if (change == 1 && step == 3 && node < 2) source = 1 - node;
                if (change == 2 && step == 4 && node == 5) source = 4;
                program.send(source, (source + 1) % kNodes, 8, step);
            }
        }
        if (change == 3) program.send(0, 1, 8, 5);
        const NodePrograms nodes(program);
        const auto expected = sends_of(program);
        for (NodeId node = 0; node < kNodes; ++node) {
            std::vector<MessageId> sends;
            NodeStep entry = nodes.first(node);
            for (; !entry.is_end(); entry = nodes.next(node, entry)) {
                for (std::uint32_t i = 0; i < entry.send_count; ++i) {
                    sends.push_back(nodes.sends[entry.first_send + i]);
                }
            }
            EXPECT_EQ(sends, expected[node]) << node;
        }
    }
}

TEST(ProgramFlows, KeepBeginsOfAnySize) {
    Program program = empty_program("two", 3, 2);
    program.ordering = Ordering::kTimed;
    program.send(0, 1, 8, 0);
    program.send(1, 2, 8, 0);
    program.transfers.change(1, [](Transfer& t) { t.time = kLongTime; });
    ProgramFlows flows(program, PacketFormat{64, 1, 0});
    EXPECT_EQ(flows.begin(1), kLongTime);
    for (const Cycle begin : {Cycle{7}, Cycle{UINT32_MAX}, kLongTime + 5, Cycle{UINT32_MAX} - 1}) {
        flows.set_begin(0, begin);
        EXPECT_EQ(flows[0].begin, begin);
        EXPECT_EQ(flows[1].begin, kLongTime);
    }
    flows.set_first(1, 4);
    EXPECT_EQ(flows[0].first, kNoLink);
    EXPECT_EQ(flows[1].first, 4U);
    EXPECT_EQ(flows[1].source, 1U);
    EXPECT_EQ(flows[1].flits, 2U);
}

}  // namespace
}  // namespace flitscope
