// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// That a comparison of two accounts notices every kind of difference and names the earliest one;
// the contents of records of channels; verify() at its limits.
#include "testbench/app/compare/verify.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace flitscope {
namespace {

Machine machine(const std::string& more = "") {
    return build_machine(
        parse_config("fabric: {topology: {kind: mesh, dims: [3]}}\ntraffic: {schedule: gen, "
                     "message_bytes: 64}\n",
                     "config.yaml", {"limits.max_cycles=100000", more.empty() ? "seed=1" : more}));
}

/// Links 0>1, 1>2, 1>0, 2>1, then three injection and three ejection channels.
RunRecord record() {
    RunRecord a;
    a.makespan = 40;
    a.simulated_cycles = 40;
    a.packets = {{0, 0, 0, 1, 9, 4, 12}, {0, 1, 0, 10, 18, 13, 21}, {7, 0, 5, 20, 30, 25, 39}};
    a.busy.resize(10);
    a.busy[0] = {{3, 8}, {10, 20}};
    a.busy[2] = {{5, 30}};
    a.flits_sent.assign(10, 0);
    return a;
}

/// The output of first_difference() for a record and a changed one; "" if none.
std::string difference(const std::function<void(RunRecord&)>& change, bool swapped = false) {
    const Graph graph = machine().graph;
    RunRecord changed = record();
    change(changed);
    const auto d = swapped ? first_difference(changed, record(), graph)
                           : first_difference(record(), changed, graph);
    if (!d) return "";
    return (d->cycle ? std::to_string(*d->cycle) : "-") + "|" + d->subject + "|" + d->ours + "|" +
           d->theirs;
}

TEST(FirstDifference, OfEqualAccountsThereIsNone) {
    EXPECT_EQ(difference([](RunRecord&) {}), "");
}

TEST(FirstDifference, NamesTheChannelAndTheCycleInWhichItsIntervalsPart) {
    EXPECT_EQ(difference([](RunRecord& a) { a.busy[0][1].last_plus_one = 17; }),
              "17|link_000_001|sends in cycles 10 to 19|sends in cycles 10 to 16");
    EXPECT_EQ(difference([](RunRecord& a) { a.busy[0][1].first = 9; }),
              "9|link_000_001|sends in cycles 10 to 19|sends in cycles 9 to 19");
    EXPECT_EQ(difference([](RunRecord& a) { a.busy[0].pop_back(); }),
              "10|link_000_001|sends in cycles 10 to 19|sends nothing more");
    EXPECT_EQ(difference([](RunRecord& a) { a.busy[0].pop_back(); }, true),
              "10|link_000_001|sends nothing more|sends in cycles 10 to 19");
    EXPECT_EQ(difference([](RunRecord& a) {
                  a.busy[9].push_back({6, 7});
              }),
              "6|eject_002|sends nothing more|sends in cycles 6 to 6");
}

TEST(FirstDifference, NoticesEveryTimeOfAPacket) {
    const std::string was =
        "begins 0, head injected 10 delivered 13, tail injected 18 delivered 21";
    struct Case {
        Cycle PacketTimes::*time;
        const char* cycle;
        const char* became;
    };
    for (const Case& c :
         {Case{&PacketTimes::begin, "0",
               "begins 1, head injected 10 delivered 13, tail injected 18 delivered 21"},
          Case{&PacketTimes::head_injected, "10",
               "begins 0, head injected 11 delivered 13, tail injected 18 delivered 21"},
          Case{&PacketTimes::tail_injected, "18",
               "begins 0, head injected 10 delivered 13, tail injected 19 delivered 21"},
          Case{&PacketTimes::head_delivered, "13",
               "begins 0, head injected 10 delivered 14, tail injected 18 delivered 21"},
          Case{&PacketTimes::tail_delivered, "21",
               "begins 0, head injected 10 delivered 13, tail injected 18 delivered 22"}}) {
        EXPECT_EQ(difference([&c](RunRecord& a) { ++(a.packets[1].*c.time); }),
                  std::string(c.cycle) + "|message 0 packet 1|" + was + "|" + c.became);
    }
}

TEST(FirstDifference, NoticesPacketsThatOnlyOneSideDelivered) {
    const std::string packet =
        "begins 0, head injected 10 delivered 13, tail injected 18 delivered 21";
    const auto lose = [](RunRecord& a) { a.packets.erase(a.packets.begin() + 1); };
    EXPECT_EQ(difference(lose), "21|message 0 packet 1|" + packet + "|not delivered");
    EXPECT_EQ(difference(lose, true), "21|message 0 packet 1|not delivered|" + packet);
    EXPECT_EQ(difference([](RunRecord& a) { a.packets.pop_back(); }).substr(0, 22),
              "39|message 7 packet 0|");
}

TEST(FirstDifference, IsTheEarliestOfAll) {
    const auto named = [](const std::function<void(RunRecord&)>& change) {
        const std::string text = difference(change);
        return text.substr(0, text.find('|', text.find('|') + 1));
    };
    EXPECT_EQ(named([](RunRecord& a) {
                  a.busy[0][1].last_plus_one = 19;
                  a.busy[2][0].first = 6;
                  a.packets[1].tail_injected = 17;
              }),
              "5|link_001_000");
    EXPECT_EQ(named([](RunRecord& a) {
                  a.busy[0][1].last_plus_one = 19;
                  a.packets[1].tail_injected = 17;
                  a.packets[2].begin = 6;
              }),
              "5|message 7 packet 0");
    // Of one cycle the channel: it is nearer to the cause.
    EXPECT_EQ(named([](RunRecord& a) {
                  a.busy[2][0].first = 6;
                  a.packets[2].begin = 6;
                  a.makespan = 41;
              }),
              "5|link_001_000");
}

TEST(FirstDifference, NoticesTotalsOfRunsThatOtherwiseAgree) {
    EXPECT_EQ(difference([](RunRecord& a) { a.flits_sent[3] = 2; }),
              "-|link_002_001|0 flits|2 flits");
    EXPECT_EQ(difference([](RunRecord& a) { a.makespan = 41; }), "-|makespan|40|41");
    EXPECT_EQ(difference([](RunRecord& a) { a.simulated_cycles = 41; }),
              "-|cycles simulated|40|41");
    EXPECT_EQ(difference([](RunRecord& a) { a.verdict = Verdict::kDeadlock; }),
              "-|outcome|complete|deadlock");
    EXPECT_EQ(difference([](RunRecord& a) { a.problems = {"message 3 waits"}; }),
              "-|outcome|complete|complete; message 3 waits");
}

TEST(ChannelRecorder, JoinsWhatVirtualChannelsSendOneAfterTheOther) {
    ChannelRecorder recorder(2, 2);
    const Message message;
    recorder.on_grant(1, 0, message, 4);
    recorder.on_send_begin(1, 0, 0, 0, 4);
    recorder.on_grant(1, 1, message, 6);
    recorder.on_send_begin(1, 1, 0, 0, 6);  // before the end of the other: any order will do
    recorder.on_send_end(1, 0, 6);
    recorder.on_send_end(1, 1, 9);
    EXPECT_EQ(recorder.bytes(), sizeof(SendInterval));
    recorder.on_send_begin(1, 0, 0, 0, 10);
    const auto busy = recorder.take(15);
    ASSERT_EQ(busy.size(), 2U);
    EXPECT_TRUE(busy[0].empty());
    ASSERT_EQ(busy[1].size(), 2U);
    EXPECT_EQ(busy[1][0].first, 4U);
    EXPECT_EQ(busy[1][0].last_plus_one, 9U);
    EXPECT_EQ(busy[1][1].first, 10U);
    EXPECT_EQ(busy[1][1].last_plus_one, 15U);  // cut by the end of the run
}

TEST(ChannelRecorder, ThrowsWhereTheContractIsBroken) {
    const Message message;
    {
        ChannelRecorder recorder(1, 2);
        EXPECT_THROW(recorder.on_send_begin(0, 0, 0, 0, 1), std::logic_error);
        recorder.on_grant(0, 0, message, 3);
        EXPECT_THROW(recorder.on_grant(0, 0, message, 3), std::logic_error);
        EXPECT_THROW(recorder.on_send_end(0, 0, 3), std::logic_error);
        EXPECT_THROW(recorder.on_grant(0, 1, message, 2), std::logic_error);
    }
    ChannelRecorder recorder(1, 2);
    for (const std::uint32_t vc : {0U, 1U}) {
        recorder.on_grant(0, vc, message, 1);
        recorder.on_send_begin(0, vc, 0, 0, 1);
    }
    recorder.on_send_end(0, 0, 3);
    EXPECT_THROW(recorder.on_send_end(0, 1, 3), std::logic_error);
}

TEST(Verify, ComparesAllThatThereIs) {
    const VerifyResult result = verify(machine(), {});
    EXPECT_TRUE(result.equal());
    ASSERT_EQ(result.engines.size(), 2U);
    EXPECT_EQ(result.engines[1].name, "tlm");
    EXPECT_EQ(result.engines[1].result.engine, "tlm");
    EXPECT_EQ(result.packets, 6U);
    EXPECT_EQ(result.channels, 10U);
    EXPECT_EQ(result.reference().flit_hops, 9U * 8U);
}

TEST(Verify, StopsBeforeItsRecordsTakeTooMuchMemory) {
    VerifyOptions options;
    const std::uint64_t six_packets = 6 * sizeof(PacketRecord);
    options.most_bytes = six_packets;  // intervals come on top
    EXPECT_NE(refused_with([&] { verify(machine(), options); }).find("need more than"),
              std::string::npos);
    // Enough for one engine, not for two.
    options.most_bytes = six_packets + 50 * sizeof(SendInterval);
    EXPECT_THROW(verify(machine(), options), ConfigError);
    options.most_bytes = 2 * options.most_bytes;
    EXPECT_TRUE(verify(machine(), options).equal());
}

TEST(Verify, DoesNotGoOnWhenItsRecordsTakeTooMuchMemory) {
    VerifyOptions options;
    options.most_bytes = 0;
    int calls = 0;
    options.on_progress = [&calls](const Progress&) {
        ++calls;
        return true;
    };
    // The whole run has about twice as many checks as there are before the first packet arrives.
    EXPECT_THROW(verify(machine("traffic.message_bytes=300000"), options), ConfigError);
    EXPECT_GT(calls, 0);
    EXPECT_LT(calls, 200);
}

TEST(Verify, StopsWhenItIsAskedTo) {
    VerifyOptions options;
    options.on_progress = [](const Progress&) { return false; };
    const VerifyResult result = verify(machine("traffic.message_bytes=100000"), options);
    EXPECT_TRUE(result.interrupted);
    EXPECT_FALSE(result.equal());
    EXPECT_TRUE(result.engines[1].result.engine.empty());
}

TEST(Verify, ProgressGoesOnFromEngineToEngine) {
    VerifyOptions options;
    double last = 0;
    bool rises = true;
    options.on_progress = [&](const Progress& p) {
        rises = rises && p.fraction >= last;
        last = p.fraction.value_or(0);
        return true;
    };
    EXPECT_TRUE(verify(machine("traffic.message_bytes=100000"), options).equal());
    EXPECT_TRUE(rises);
    EXPECT_GT(last, 0.5);
    EXPECT_LE(last, 1.0);
}

}  // namespace
}  // namespace flitscope
