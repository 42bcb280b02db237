// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Generators begin their sends in the right cycle, barrier and overheads included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testbench/run/fresh_kernel.h"
#include "testbench/tests/support/fabric_fixture.h"
#include "traffic/endpoints/generator.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Stands in for the fabric: notes what a generator hands over.
class FakePort final : public MessagePort {
public:
    void send(const Message& message, Cycle begin, const SendOptions&) override {
        sends.emplace_back(message.id, begin);
    }
    std::vector<std::pair<MessageId, Cycle>> sends;
};

class GeneratorTest : public testing::Test {
protected:
    static Transfer in_step(StepId step, NodeId source, NodeId destination) {
        Transfer transfer;
        transfer.source = source;
        transfer.destination = destination;
        transfer.bytes = 8;
        transfer.step = step;
        return transfer;
    }
    static Transfer at(Cycle time, NodeId source, NodeId destination,
                       std::vector<MessageId> after = {}) {
        Transfer transfer = in_step(0, source, destination);
        transfer.time = time;
        transfer.after = std::move(after);
        return transfer;
    }
    void play(Program program, Cycle recv_overhead,
              ProgramRun::HandOver hand_over = ProgramRun::HandOver::kOneByOne) {
        program_ = std::move(program);
        run_ = std::make_unique<ProgramRun>(program_, recv_overhead, hand_over);
        ports_.resize(program_.nodes);
        for (NodeId node = 0; node < program_.nodes; ++node) {
            const std::string name = "generator_" + std::to_string(node);
            generators_.push_back(std::make_unique<ProgramGenerator>(name.c_str(), node, *run_));
            generators_.back()->fabric.bind(ports_[node]);
        }
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void injected(MessageId id, Cycle cycle) {
        generators_[program_.transfers[id].source]->on_injected(run_->message(id), cycle);
    }
    void delivered(MessageId id, Cycle cycle) {
        generators_[program_.transfers[id].destination]->on_delivered(run_->message(id), cycle);
    }
    const std::vector<std::pair<MessageId, Cycle>>& sends(NodeId node) {
        return ports_[node].sends;
    }

    using Send = std::pair<MessageId, Cycle>;
    FreshKernel kernel_;
    Program program_;
    std::unique_ptr<ProgramRun> run_;
    std::deque<FakePort> ports_;
    std::vector<std::unique_ptr<ProgramGenerator>> generators_;
};

TEST_F(GeneratorTest, BarrierHoldsEveryNodeUntilTheLastOneOfTheStepIsDone) {
    // Nobody takes part in step 2, and node 2 not in step 0.
    Program program =
        steps(3, {in_step(0, 0, 1), in_step(1, 1, 2), in_step(1, 0, 2), in_step(3, 2, 0)});
    program.barrier_cycles = 5;
    play(program, 2);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}));
    EXPECT_THAT(sends(1), IsEmpty());
    EXPECT_EQ(generators_[2]->waiting_for(), "node 2 waits for the barrier before step 2");
    injected(0, 9);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}));
    delivered(0, 20);  // node 1 is ready in 20 + 2 + 1
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}, Send{2, 28}));
    EXPECT_THAT(sends(1), ElementsAre(Send{1, 28}));
    injected(1, 35);
    delivered(1, 40);
    injected(2, 45);
    EXPECT_THAT(sends(2), IsEmpty());
    delivered(2, 50);  // node 2 is ready in 53
    EXPECT_THAT(sends(2), ElementsAre(Send{3, 58}));
    injected(3, 70);
    delivered(3, 80);
    for (const auto& generator : generators_) EXPECT_EQ(generator->waiting_for(), "");
}

TEST_F(GeneratorTest, WithoutBarrierANodeGoesOnWhenItsOwnStepIsDone) {
    play(steps(3, {in_step(0, 0, 1), in_step(0, 1, 0), in_step(1, 0, 2), in_step(2, 1, 2)}), 4);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}));
    EXPECT_THAT(sends(1), ElementsAre(Send{1, 0}));
    injected(0, 6);
    injected(1, 6);
    delivered(0, 8);
    EXPECT_THAT(sends(1), ElementsAre(Send{1, 0}, Send{3, 13}));  // 8 + 4 + 1
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}));
    EXPECT_EQ(generators_[0]->waiting_for(), "node 0 waits in step 1 for message 1 from node 1");
    delivered(1, 30);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}, Send{2, 35}));
}

TEST_F(GeneratorTest, KeepsAMessageThatArrivesBeforeItsStep) {
    play(steps(3, {in_step(0, 0, 2), in_step(1, 1, 0), in_step(2, 0, 1)}), 10);
    delivered(1, 5);  // node 0 is still in step 0
    injected(0, 7);   // step 1 begins in 8; its message was ready in 16
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}, Send{2, 16}));
}

TEST_F(GeneratorTest, TimedSendBeginsAtTheLatestOfTimePredecessorAndMessagesAwaited) {
    Program program = steps(3, {at(4, 0, 1), at(6, 0, 2), at(0, 1, 2, {0}), at(30, 0, 1)});
    program.ordering = Ordering::kTimed;
    play(program, 3);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 4}));
    EXPECT_THAT(sends(1), IsEmpty());
    injected(0, 10);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 4}, Send{1, 6}));
    delivered(0, 15);
    EXPECT_THAT(sends(1), ElementsAre(Send{2, 19}));
    injected(1, 20);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 4}, Send{1, 6}, Send{3, 30}));
}

TEST_F(GeneratorTest, HandsOverAllThatBeginsWhereChannelsCanTakeIt) {
    play(steps(3, {in_step(0, 0, 1), in_step(0, 0, 2), in_step(1, 0, 1), in_step(1, 2, 0)}), 2,
         ProgramRun::HandOver::kAtOnce);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}, Send{1, 0}));
    injected(1, 5);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}, Send{1, 0}));
    injected(0, 9);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}, Send{1, 0}, Send{2, 10}));
}

TEST_F(GeneratorTest, StreamsBeginBeforeWhatTheyFollowAndForgetWhatIsThere) {
    Program program = steps(3, {at(0, 0, 1), at(7, 1, 2, {0}), at(40, 1, 2, {0}), at(3, 2, 0)});
    program.ordering = Ordering::kTimed;
    program.transfers[1].streams = true;
    play(program, 2, ProgramRun::HandOver::kAtOnce);
    EXPECT_THAT(sends(1), ElementsAre(Send{1, 7}));
    EXPECT_THAT(run_->send_options(1).follows, ElementsAre(0U));
    EXPECT_EQ(generators_[2]->waiting_for(), "node 2 is sending");
    delivered(0, 20);
    EXPECT_THAT(sends(1), ElementsAre(Send{1, 7}, Send{2, 40}));
    EXPECT_THAT(run_->send_options(1).follows, IsEmpty());
    injected(3, 9);
    EXPECT_EQ(generators_[2]->waiting_for(), "");
}

}  // namespace
}  // namespace flitscope
