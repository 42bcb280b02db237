// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The scoreboard sees what is lost, doubled, damaged, foreign or out of order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "traffic/endpoints/pair_order.h"
#include "traffic/endpoints/round_trips.h"
#include "traffic/endpoints/scoreboard.h"
#include "traffic/endpoints/scoreboard_config.h"
#include "traffic/patterns/replies.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ScoreboardTest : public testing::Test {
protected:
    ScoreboardTest() {
        program_.name = "three messages";
        program_.nodes = 4;
        program_.transfers =
            std::vector{transfer(0, 1, 32, 0), transfer(0, 1, 40, 0), transfer(2, 3, 0, 1)};
        config_.format = {64, 1, 16};
        config_.nodes = program_.nodes;
    }
    static Transfer transfer(NodeId source, NodeId destination, std::uint64_t bytes, StepId step) {
        return {source, destination, bytes, step};
    }
    PacketRecord packet(MessageId id, std::uint32_t index, std::uint64_t sequence) const {
        const Transfer& t = program_.transfers[id];
        PacketRecord record;
        record.message = {id, t.source, t.destination, t.step, t.bytes};
        record.index = index;
        record.sequence = sequence;
        record.flits = config_.format.flits(t.bytes, index);
        record.tail_delivered = 10 + sequence;
        return record;
    }
    /// Messages 0 (two packets), 1 (three) and 2 (one) as they ought to arrive.
    std::vector<PacketRecord> all() const {
        return {packet(0, 0, 0), packet(0, 1, 1), packet(2, 0, 0),
                packet(1, 0, 2), packet(1, 1, 3), packet(1, 2, 4)};
    }
    std::vector<std::string> judge(const std::vector<PacketRecord>& packets) {
        board_ = std::make_unique<Scoreboard>(config_, &program_);
        for (const PacketRecord& p : packets) board_->on_packet(p);
        return board_->violations();
    }

    Program program_;
    ScoreboardConfig config_;
    std::unique_ptr<Scoreboard> board_;
};

TEST_F(ScoreboardTest, NetworkLatencyIsFromTheFirstHeadOfAMessageToItsLastTail) {
    std::vector<PacketRecord> packets = {packet(0, 1, 0), packet(0, 0, 1)};
    packets[0].head_injected = 4;  // the second packet of the message leaves and arrives first
    packets[0].tail_delivered = 20;
    packets[1].head_injected = 7;
    packets[1].tail_delivered = 22;
    judge(packets);
    EXPECT_EQ(board_->network_latency().count(), 1U);
    EXPECT_EQ(board_->network_latency().max(), 18U);
    EXPECT_EQ(board_->latency().max(), 22U);
}

/// Requests of 8 bytes from node 0 to node 1 and replies of 16, which take a node 7 cycles.
class RoundTripTest : public testing::Test {
protected:
    RoundTripTest() {
        Config config;
        config.node.recv_overhead = 2;
        config.traffic.reply_bytes = 16;
        config.traffic.reply_delay = 4;
        board_config_.format = config.packet_format();
        board_config_.replies = replies_of(config);
        board_config_.measure_from = 100;
        board_config_.measure_until = 200;
        board_ = std::make_unique<Scoreboard>(board_config_, nullptr);
    }
    void arrives(MessageId id, Cycle begin, Cycle delivered, std::uint64_t bytes,
                 NodeId source = 0) {
        PacketRecord record;
        record.message = {id, source, 1 - source, 0, bytes};
        record.sequence = id;
        record.flits = board_config_.format.flits(bytes, 0);
        record.begin = begin;
        record.head_delivered = delivered;
        record.tail_delivered = delivered;
        board_->on_packet(record);
    }

    ScoreboardConfig board_config_;
    std::unique_ptr<Scoreboard> board_;
};

TEST_F(RoundTripTest, LastsFromTheBeginOfTheRequestToTheDeliveryOfTheReply) {
    arrives(0, 99, 110, 8);  // begun before the measurement
    arrives(2, 150, 160, 8);
    arrives(4, 199, 260, 8);
    EXPECT_EQ(board_->round_trips()->open(), 3U);
    arrives(1, 117, 140, 16, 1);
    arrives(3, 167, 175, 16, 1);
    arrives(5, 267, 299, 16, 1);
    EXPECT_THAT(board_->violations(), IsEmpty());
    EXPECT_EQ(board_->round_trip().count(), 2U);
    EXPECT_EQ(board_->round_trip().percentile(50), 25U);
    EXPECT_EQ(board_->round_trip().max(), 100U);
    EXPECT_EQ(board_->latency().count(), 4U);  // two requests and two replies begun in the time
    EXPECT_EQ(board_->round_trips()->open(), 0U);
    EXPECT_EQ(board_->round_trips()->requests(), 3U);
    EXPECT_EQ(board_->round_trips()->replies(), 3U);
}

TEST_F(RoundTripTest, SeesRepliesThatAreNotDue) {
    arrives(1, 17, 20, 16, 1);  // to nobody
    arrives(2, 0, 10, 8);
    arrives(3, 16, 30, 16, 1);  // a cycle early
    arrives(4, 0, 11, 8);
    arrives(5, 18, 31, 24, 1);  // another length
    arrives(6, 0, 12, 8);
    arrives(7, 19, 32, 16, 0);  // from the node that asked
    EXPECT_THAT(board_->violations(),
                ElementsAre("message 1 replies to one that has not arrived",
                            "message 3 is not the reply that was due to message 2",
                            "message 5 is not the reply that was due to message 4",
                            "message 7 is not the reply that was due to message 6"));
}

TEST_F(ScoreboardTest, CallsMessagesByTheNumbersOfTheirFile) {
    program_.numbers = {70, 8, 900};
    std::vector<PacketRecord> packets = all();
    packets.pop_back();
    packets.push_back(packet(2, 0, 1));
    EXPECT_THAT(judge(packets), ElementsAre("message 900 was delivered twice"));
    EXPECT_THAT(board_->missing(),
                ElementsAre("message 8 from node 0 to node 1 (step 1) never arrived"));
}

TEST_F(ScoreboardTest, IsContentWhenEverythingArrivesOnce) {
    EXPECT_THAT(judge(all()), IsEmpty());
    EXPECT_THAT(board_->missing(), IsEmpty());
    EXPECT_EQ(board_->messages_delivered(), 3U);
    EXPECT_EQ(board_->bytes_delivered(), 32 + 40 + 0U);
    EXPECT_EQ(board_->flits_delivered(), 3 + 3 + 1 + 3 + 3 + 2U);
    EXPECT_EQ(board_->makespan(), 15U);
}

TEST_F(ScoreboardTest, NamesTheMessageOfALostPacket) {
    std::vector<PacketRecord> packets = all();
    packets.erase(packets.begin() + 4);
    EXPECT_THAT(judge(packets), IsEmpty());
    EXPECT_EQ(board_->messages_delivered(), 2U);
    EXPECT_THAT(board_->missing(),
                ElementsAre("message 1 from node 0 to node 1 (step 1) never arrived"));
}

TEST_F(ScoreboardTest, NamesNoStepWhereThereAreNone) {
    program_.ordering = Ordering::kTimed;
    std::vector<PacketRecord> packets = all();
    packets.erase(packets.begin() + 4);
    EXPECT_THAT(judge(packets), IsEmpty());
    EXPECT_THAT(board_->missing(), ElementsAre("message 1 from node 0 to node 1 never arrived"));
}

TEST_F(ScoreboardTest, SeesADoubledPacketBeforeAndAfterItsMessageIsComplete) {
    config_.in_order = false;
    std::vector<PacketRecord> packets = all();
    packets.insert(packets.begin() + 1, packets[0]);
    EXPECT_THAT(judge(packets),
                ElementsAre("packet 0 of message 0 was delivered twice or is not one of 2"));
    packets = all();
    packets.push_back(packets[1]);
    EXPECT_THAT(judge(packets), ElementsAre("message 0 was delivered twice"));
    packets = all();
    packets.push_back(packets[2]);
    EXPECT_THAT(judge(packets), ElementsAre("message 2 was delivered twice"));
    EXPECT_EQ(board_->messages_delivered(), 3U);
}

TEST_F(ScoreboardTest, SeesAPacketThatNobodySent) {
    std::vector<PacketRecord> packets = all();
    packets.push_back(packets[2]);
    packets.back().message.id = kNoMessage;
    packets.back().tail_delivered = 99;
    EXPECT_THAT(
        judge(packets),
        ElementsAre("a packet arrived in cycle 99 that was never sent, or had already arrived"));
    EXPECT_EQ(board_->messages_delivered(), 3U);
}

TEST_F(ScoreboardTest, SeesDamagedFlits) {
    std::vector<PacketRecord> packets = all();
    packets[5].corrupt_flits = 1;
    EXPECT_THAT(judge(packets),
                ElementsAre("message 1 from node 0 to node 1: 1 of 2 flits were not as sent"));
}

TEST_F(ScoreboardTest, SeesAPacketOfTheWrongLength) {
    std::vector<PacketRecord> packets = all();
    ++packets[2].flits;
    EXPECT_THAT(judge(packets), ElementsAre("packet 0 of message 2 has 2 flits instead of 1"));
}

TEST_F(ScoreboardTest, SeesAMessageThatIsNotTheProgramsOwn) {
    std::vector<PacketRecord> packets = all();
    packets[2].message.destination = 1;
    EXPECT_THAT(judge(packets), ElementsAre("message 2 is not the one that the program holds"));
    packets = all();
    packets.push_back(packets[2]);
    packets.back().message.id = 3;
    EXPECT_THAT(judge(packets), ElementsAre("message 3 is not in the program"));
}

TEST_F(ScoreboardTest, SeesPacketsOfAPairOutOfOrderWhereOrderIsDue) {
    std::vector<PacketRecord> packets = all();
    std::swap(packets[3], packets[4]);
    EXPECT_THAT(
        judge(packets),
        ElementsAre("a packet of message 1 from node 0 to node 1 was overtaken by a later one"));
    config_.in_order = false;
    EXPECT_THAT(judge(packets), IsEmpty());
}

TEST(PairOrder, EqualsATableOfAllPairs) {
    for (const NodeId nodes : {1U, 2U, 5U, 64U, 3000U, 0U}) {
        std::mt19937_64 random(nodes + 1);
        PairOrder order(nodes);
        std::map<std::pair<NodeId, NodeId>, std::uint64_t> expected;
        for (int i = 0; i < 60'000; ++i) {
            // Few destinations of some nodes, so that rows fill up; some numbers without a node.
            const auto source = static_cast<NodeId>(random() % (nodes + 3));
            const auto destination =
                static_cast<NodeId>(random() % 8 == 0 ? random() : random() % 4);
            ASSERT_EQ(order.next(source, destination), (expected[{source, destination}]))
                << source << " to " << destination;
            // Small ones, and now and then one that takes more room.
            const std::uint64_t next = random() >> (i < 40'000 ? 50 : random() % 64);
            const std::uint64_t before = std::exchange(expected[{source, destination}], next);
            ASSERT_EQ(order.exchange(source, destination, next), before);
        }
    }
}

TEST(PairOrder, RemembersWhoHasSentAndNobodyElse) {
    constexpr NodeId kNodes = 60'000;
    PairOrder order(kNodes);
    for (NodeId node = 0; node < kNodes; ++node) {
        for (NodeId k = 1; k <= 16; ++k) order.exchange((node + k * k) % kNodes, node, k);
    }
    EXPECT_LT(order.bytes(), std::size_t{kNodes} * 16 * 64);  // a table: 29 GB
    for (NodeId source = 0; source < kNodes; ++source) order.exchange(source, 7, source);
    for (NodeId source = 0; source < kNodes; ++source) ASSERT_EQ(order.next(source, 7), source);
}

}  // namespace
}  // namespace flitscope
