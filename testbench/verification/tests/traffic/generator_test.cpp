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

#include "models/topology/families/topologies.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
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
    void withdraw(MessageClass, std::uint8_t) override { sends.pop_back(); }
    std::vector<std::pair<MessageId, Cycle>> sends;
};

class GeneratorTest : public testing::Test {
protected:
    static Transfer in_step(StepId step, NodeId source, NodeId destination) {
        return {source, destination, 8, step};
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
    EXPECT_EQ(generators_[2]->waiting_for(kNever), "node 2 waits for the barrier before step 2");
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
    for (const auto& generator : generators_) EXPECT_EQ(generator->waiting_for(kNever), "");
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
    EXPECT_EQ(generators_[0]->waiting_for(kNever),
              "node 0 waits in step 1 for message 1 from node 1");
    delivered(1, 30);
    EXPECT_THAT(sends(0), ElementsAre(Send{0, 0}, Send{2, 35}));
    EXPECT_EQ(generators_[0]->waiting_for(kNever), "node 0 is sending in step 2");
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
    EXPECT_EQ(generators_[0]->waiting_for(kNever), "node 0 is sending");
    EXPECT_EQ(generators_[1]->waiting_for(kNever), "node 1 waits for message 0 from node 0");
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
    program.transfers.change(1, [](Transfer& t) { t.streams = true; });
    play(program, 2, ProgramRun::HandOver::kAtOnce);
    EXPECT_THAT(sends(1), ElementsAre(Send{1, 7}));
    EXPECT_THAT(run_->send_options(1).follows, ElementsAre(0U));
    EXPECT_EQ(generators_[2]->waiting_for(kNever), "node 2 is sending");
    delivered(0, 20);
    EXPECT_THAT(sends(1), ElementsAre(Send{1, 7}, Send{2, 40}));
    EXPECT_THAT(run_->send_options(1).follows, IsEmpty());
    injected(3, 9);
    EXPECT_EQ(generators_[2]->waiting_for(kNever), "");
}

// Requests of patterns and replies to those of others, at one node.

class ReplyTest : public testing::Test {
protected:
    /// Node 0 of two generates a request of one flit in every cycle, three in all.
    void start(std::uint64_t reply_delay, Cycle recv_overhead, double rate = 1) {
        config_.fabric.topology.dims = {2};
        config_.node.recv_overhead = recv_overhead;
        config_.traffic.pattern = "neighbour";
        config_.traffic.message_bytes = 0;
        config_.traffic.reply_bytes = 8;
        config_.traffic.reply_delay = reply_delay;
        config_.traffic.arrivals = ArrivalKind::kPeriodic;
        config_.traffic.injection_rate = rate;
        config_.traffic.warmup_cycles = 0;
        config_.traffic.measure_cycles = 60;
        graph_ = std::make_unique<Graph>(build_mesh({2}));
        traffic_ = std::make_shared<const PatternTraffic>(config_, *graph_);
        PatternSource source(traffic_, 0);
        Message message;
        Cycle begin = 0;
        while (source.next(message, begin)) begins_.push_back(begin);
        generator_ = std::make_unique<PatternGenerator>("generator", traffic_, 0);
        generator_->fabric.bind(port_);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    /// Request `k` of node 1 arrives.
    void request(MessageId k, Cycle cycle) {
        generator_->on_delivered({2 * (2 * k + 1), 1, 0, 0, 0}, cycle);
    }
    void injected(Cycle cycle) {
        generator_->on_injected({port_.sends.back().first, 0, 1, 0, 0}, cycle);
    }

    using Send = std::pair<MessageId, Cycle>;
    FreshKernel kernel_;
    Config config_;
    std::unique_ptr<Graph> graph_;
    std::shared_ptr<const PatternTraffic> traffic_;
    std::vector<Cycle> begins_;  // begins of the requests of node 0
    FakePort port_;
    std::unique_ptr<PatternGenerator> generator_;
};

TEST_F(ReplyTest, ReplyGoesBeforeWhatIsGeneratedLater) {
    start(3, 2, 0.1);  // a request every 30 cycles, each of 1 + 2 flits with its reply
    ASSERT_EQ(begins_.size(), 2U);
    injected(begins_[0]);
    EXPECT_THAT(port_.sends, ElementsAre(Send{0, begins_[0]}, Send{4, begins_[1]}));
    const Cycle arrival = begins_[1] - 8;
    EXPECT_EQ(generator_->waiting_for(kNever), "node 0 is sending");
    request(0, arrival);  // begins 2 + 1 + 3 cycles later: 2 before the request
    EXPECT_THAT(port_.sends, ElementsAre(Send{0, begins_[0]}, Send{3, arrival + 6}));
    EXPECT_EQ(generator_->messages_begun(), 2U);
    injected(arrival + 7);
    EXPECT_THAT(port_.sends,
                ElementsAre(Send{0, begins_[0]}, Send{3, arrival + 6}, Send{4, begins_[1]}));
}

TEST_F(ReplyTest, OfOneCycleTheRequestGoesFirst) {
    start(3, 2, 0.1);
    injected(begins_[0]);
    request(0, begins_[1] - 6);
    EXPECT_THAT(port_.sends, ElementsAre(Send{0, begins_[0]}, Send{4, begins_[1]}));
    injected(begins_[1]);
    EXPECT_EQ(port_.sends.back(), (Send{3, begins_[1]}));
}

TEST_F(ReplyTest, ReplyWaitsBehindWhatWasGeneratedBefore) {
    start(0, 0, 1);  // a request every 3 cycles
    ASSERT_GT(begins_.size(), 4U);
    request(0, begins_[2]);  // begins between requests 2 and 3, the first of which is not sent yet
    EXPECT_THAT(port_.sends, ElementsAre(Send{0, begins_[0]}));
    for (int i = 0; i < 4; ++i) injected(100 + i);
    EXPECT_THAT(port_.sends,
                ElementsAre(Send{0, begins_[0]}, Send{4, begins_[1]}, Send{8, begins_[2]},
                            Send{3, begins_[2] + 1}, Send{12, begins_[3]}));
}

TEST_F(ReplyTest, NobodyRepliesToReplies) {
    start(0, 0, 0.1);
    generator_->on_delivered({1, 1, 0, 0, 8}, 20);
    EXPECT_THAT(port_.sends, ElementsAre(Send{0, begins_[0]}));
}

TEST_F(ReplyTest, RepliesCountAsGeneratedWhenTheyBegin) {
    start(10, 0, 0.1);
    request(0, 10);  // begins in 21, the last cycle of the first 22
    request(1, 18);  // begins in 29
    PatternSource source(traffic_, 0);
    const GeneratedTraffic requests = source.generated_before(22);
    const GeneratedTraffic all = generator_->generated_before(22);
    EXPECT_EQ(all.messages, requests.messages + 1);
    EXPECT_EQ(all.flits[0] + all.flits[1], requests.flits[0] + requests.flits[1] + 2);
    EXPECT_EQ(all.variance, 9.0 * static_cast<double>(requests.messages));  // (1 + 2) squared
}

}  // namespace
}  // namespace flitscope
