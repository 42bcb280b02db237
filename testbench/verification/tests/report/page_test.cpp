// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A page's data of a run, within bounds: bins of links, lives of messages, ranges of latencies.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "models/base/latency.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/report/page/link_bins.h"
#include "testbench/app/report/page/message_sample.h"

namespace flitscope {
namespace {

constexpr std::size_t kBins = 16;

Message message(MessageId id) {
    Message m;
    m.id = id;
    return m;
}

/// A packet on virtual channel `vc` of `link`, which sends in `from` .. `to` - 1.
void pass(ChannelObserver& observer, LinkId link, std::uint32_t vc, const Message& m, Cycle granted,
          Cycle from, Cycle to, Cycle released) {
    observer.on_grant(link, vc, m, granted);
    observer.on_send_begin(link, vc, link, vc, from);
    observer.on_send_end(link, vc, to);
    observer.on_release(link, vc, released);
}

TEST(LinkBins, TellsBusyFromBlocked) {
    LinkBins bins(2, kBins);
    pass(bins, 1, 0, message(0), 2, 4, 7, 9);
    bins.finish(12);
    EXPECT_EQ(bins.width(), 1);
    EXPECT_EQ(bins.count(), 12);
    for (std::size_t bin = 0; bin < bins.count(); ++bin) {
        EXPECT_EQ(bins.busy(1, bin), bin >= 4 && bin < 7 ? 1 : 0) << bin;
        EXPECT_EQ(bins.blocked(1, bin), (bin >= 2 && bin < 4) || (bin >= 7 && bin < 9) ? 1 : 0)
            << bin;
        EXPECT_EQ(bins.busy(0, bin) + bins.blocked(0, bin), 0);
    }
}

TEST(LinkBins, KeepsEveryCycleAsBinsGrowWider) {
    LinkBins bins(1, kBins);
    for (Cycle begin = 0; begin < 10'000; begin += 100) {
        pass(bins, 0, 0, message(0), begin, begin + 10, begin + 30, begin + 60);
    }
    bins.finish(20'000);  // nothing happens in the second half
    EXPECT_EQ(bins.width(), 2048);
    EXPECT_EQ(bins.count(), 10);
    std::uint64_t busy = 0;
    std::uint64_t blocked = 0;
    for (std::size_t bin = 0; bin < bins.count(); ++bin) {
        busy += bins.busy(0, bin);
        blocked += bins.blocked(0, bin);
    }
    EXPECT_EQ(busy, 100 * 20);
    EXPECT_EQ(blocked, 100 * 40);
    EXPECT_EQ(bins.busy(0, 9), 0);
}

TEST(LinkBins, DoesNotShowTheOrderOfCallsWithinACycle) {
    LinkBins one(1, kBins);
    LinkBins other(1, kBins);
    for (LinkBins* bins : {&one, &other}) {
        bins->on_grant(0, 0, message(0), 0);
        bins->on_grant(0, 1, message(1), 0);
        bins->on_send_begin(0, 0, 0, 0, 1);
    }
    one.on_send_end(0, 0, 5);
    one.on_send_begin(0, 1, 0, 1, 5);
    other.on_send_begin(0, 1, 0, 1, 5);
    other.on_send_end(0, 0, 5);
    for (LinkBins* bins : {&one, &other}) bins->finish(8);
    for (std::size_t bin = 0; bin < 8; ++bin) {
        EXPECT_EQ(one.busy(0, bin), bin > 0 ? 1 : 0);
        EXPECT_EQ(one.busy(0, bin), other.busy(0, bin));
        EXPECT_EQ(one.blocked(0, bin), other.blocked(0, bin));
    }
}

TEST(LinkBins, HasFewerOfThemForLargeNetworks) {
    EXPECT_EQ(LinkBins::most_bins(224), 256);
    EXPECT_EQ(LinkBins::most_bins(8192), 256);
    EXPECT_EQ(LinkBins::most_bins(16'128), 128);
    EXPECT_EQ(LinkBins::most_bins(10'000'000), 16);
}

TEST(MessageSample, KeepsSomeMessagesWithTheirWholeWay) {
    constexpr LinkId kLinks = 5;
    constexpr std::size_t kMost = 600;
    constexpr MessageId kMessages = 1000;
    const Graph graph = build_mesh({4});
    MessageSample log(graph, 1, PacketFormat{}, kMost);
    for (MessageId id = 0; id < kMessages; ++id) {
        const Cycle begin = Cycle{100} * id;
        log.on_send(message(id), begin);
        for (LinkId link = 0; link < kLinks; ++link) {
            const Cycle at = begin + link;
            pass(log, link, 0, message(id), at, at + 1, at + 9, at + 10);
        }
        PacketRecord packet;
        packet.message = message(id);
        packet.begin = begin;
        packet.head_injected = begin + 1;
        packet.tail_delivered = begin + 20;
        log.on_packet(packet);
    }
    log.finish(Cycle{100} * kMessages);
    EXPECT_EQ(log.one_of(), 16);
    const std::vector<MessageTimes> kept = log.messages();
    EXPECT_LE(kept.size() * (kLinks + 1), kMost);
    EXPECT_GT(kept.size(), kMessages / 32);
    EXPECT_EQ(log.stays().size(), kept.size() * kLinks);
    for (const LinkStay& stay : log.stays()) {
        EXPECT_EQ(stay.end - stay.begin, 10);
        EXPECT_EQ(stay.busy, 8);
    }
    for (const MessageTimes& times : kept) EXPECT_EQ(times.delivered, times.begin + 20);
}

TEST(MessageSample, DeliversAMessageWithTheLastOfItsPackets) {
    PacketFormat format;
    format.packet_bytes = 64;
    const Graph graph = build_mesh({2});
    const ChannelId injection = ChannelMap(graph).injection(0);
    MessageSample log(graph, 1, format, 100);
    PacketRecord packet;
    const auto deliver = [&](MessageId id, std::uint32_t index, Cycle delivered) {
        packet.message.id = id;
        packet.message.bytes = 3 * format.packet_bytes;
        packet.index = index;
        packet.tail_delivered = delivered;
        log.on_packet(packet);
    };
    for (MessageId id = 0; id < 3; ++id) {
        log.on_send(message(id), 10);
        for (const Cycle from : {12, 22}) {  // packets, one of which follows
            pass(log, injection, 0, message(id), from + id, from + id, from + id + 1,
                 from + id + 1);
        }
    }
    deliver(0, 1, 40);  // by a quicker way than the one before it
    EXPECT_EQ(log.messages().front().delivered, kNever);
    deliver(0, 0, 45);
    deliver(0, 2, 43);
    deliver(1, 0, 38);
    deliver(1, 1, 48);
    log.finish(50);
    const std::vector<MessageTimes> times = log.messages();
    ASSERT_EQ(times.size(), 3);
    EXPECT_EQ(times[0].id, 0);
    EXPECT_EQ(times[0].injected, 12);
    EXPECT_EQ(times[0].delivered, 45);
    EXPECT_EQ(times[1].id, 1);
    EXPECT_EQ(times[1].injected, 13);
    EXPECT_EQ(times[1].delivered, kNever);
    EXPECT_EQ(times[2].id, 2);
    EXPECT_EQ(times[2].injected, 14);
    EXPECT_EQ(times[2].delivered, kNever);
}

TEST(MessageSample, AMessageBeginsWhenItsSendDoes) {
    const Graph graph = build_mesh({2});
    const ChannelId injection = ChannelMap(graph).injection(0);
    MessageSample log(graph, 1, PacketFormat{}, 100);
    for (const Cycle begin : {9, 2}) log.on_send(message(7), begin);  // withdrawn in between
    log.on_send(message(3), 1);
    log.on_send(message(5), 4);  // gets no channel
    pass(log, injection, 0, message(7), 30, 31, 32, 33);
    log.on_grant(injection, 0, message(3), 40);  // has no credit
    log.finish(50);
    const std::vector<MessageTimes> times = log.messages();
    ASSERT_EQ(times.size(), 2);
    EXPECT_EQ(times[0].id, 3);
    EXPECT_EQ(times[0].begin, 1);
    EXPECT_EQ(times[0].injected, kNever);
    EXPECT_EQ(times[1].id, 7);
    EXPECT_EQ(times[1].begin, 2);
    EXPECT_EQ(times[1].injected, 31);
    EXPECT_EQ(times[1].delivered, kNever);
}

TEST(LatencyStatistics, CountsEverySampleInARangeOfARoundWidth) {
    LatencyStatistics latency;
    EXPECT_TRUE(latency.histogram(10).counts.empty());
    for (Cycle cycles = 37; cycles < 1000; ++cycles) latency.add(cycles);
    latency.add(100'000);  // beyond what is counted cycle by cycle
    std::set<Cycle> widths;
    for (const std::size_t most : {100'000, 1000, 100, 10, 1}) {
        const LatencyHistogram histogram = latency.histogram(most);
        EXPECT_LE(histogram.counts.size(), most);
        EXPECT_LE(histogram.first, 37);
        EXPECT_EQ(histogram.first % histogram.width, 0);
        EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0U), 964U);
        EXPECT_EQ(histogram.counts.back() > 0, true);
        widths.insert(histogram.width);
    }
    EXPECT_EQ(widths, (std::set<Cycle>{1, 200, 2000, 20'000, 200'000}));
}

}  // namespace
}  // namespace flitscope
