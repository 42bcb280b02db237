// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interface sees every way in which a packet can be damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

#include "hw/common/clock_domain.h"
#include "hw/packet/network_interface.h"
#include "models/config/config.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/support/scripted_module.h"

namespace flitscope {
namespace {

class PacketSink final : public PacketObserver {
public:
    void on_packet(const PacketRecord& p) override { packets.push_back(p); }
    std::vector<PacketRecord> packets;
};

/// Takes every flit out of a channel as soon as it is visible.
class Drain final : public hw::Clocked {
public:
    explicit Drain(hw::FlitChannel& channel, hw::ClockDomain& clock) : clock_(clock) {
        reader_.attach(channel.source(0));
    }
    Cycle tick(Cycle now) override {
        if (reader_.visible_from() <= now) {
            flits.push_back(reader_.front());
            cycles.push_back(now);
            reader_.pop(now, clock_);
        }
        return now < 200 ? now + 1 : kNever;
    }
    std::vector<hw::Flit> flits;
    std::vector<Cycle> cycles;

private:
    hw::FlitReader reader_;
    hw::ClockDomain& clock_;
};

/// Sends packets of six flits from the interface of node 0, passes the flits through `damage`, and
/// hands them to the interface of `receiver`. Returns what that one reports.
std::vector<PacketRecord> received(std::uint32_t messages, NodeId receiver,
                                   const std::function<void(std::vector<hw::Flit>&)>& damage) {
    const FreshKernel kernel;
    hw::ClockDomain clock("clock", kPeriod);
    hw::PacketPool pool(3);
    PacketSink sink;
    hw::NetworkInterfaceConfig config;
    hw::FlitChannel channel("channel", {}, std::pmr::get_default_resource());
    hw::NetworkInterface from("from", config, clock, pool, {});
    config.node = receiver;
    hw::NetworkInterface to("to", config, clock, pool, {nullptr, &sink, 0});
    hw::FlitChannel unused("unused", {}, std::pmr::get_default_resource());
    from.injection.bind(channel);
    to.injection.bind(unused);
    Drain drain(channel, clock);
    clock.wake(clock.add(drain), 0);
    for (MessageId id = 0; id < messages; ++id) from.send({id, 0, 1, 0, 40}, 3);
    sc_core::sc_start();
    std::vector<Cycle> expected;
    for (Cycle n = 0; n < 6 * messages; ++n) expected.push_back(4 + n);
    EXPECT_EQ(drain.cycles, expected);  // one flit per cycle, back to back
    damage(drain.flits);
    Cycle now = 500;
    for (const hw::Flit& flit : drain.flits) to.eject(flit, 0, now++);
    return sink.packets;
}

TEST(NetworkInterface, AcceptsFlitsThatArriveAsSent) {
    const std::vector<PacketRecord> packets = received(2, 1, [](auto&) {});
    ASSERT_EQ(packets.size(), 2U);
    for (std::uint32_t i = 0; i < 2; ++i) {
        EXPECT_EQ(packets[i].message.id, i);
        EXPECT_EQ(packets[i].sequence, i);
        EXPECT_EQ(packets[i].flits, 6U);
        EXPECT_EQ(packets[i].corrupt_flits, 0U);
        EXPECT_EQ(packets[i].head_injected, 3 + 6 * i);
        EXPECT_EQ(packets[i].tail_injected, 8 + 6 * i);
        EXPECT_EQ(packets[i].head_delivered, 500 + 6 * i);
        EXPECT_EQ(packets[i].tail_delivered, 505 + 6 * i);
    }
}

TEST(NetworkInterface, HeadAndTailAreMarkedOnTheRightFlits) {
    received(2, 1, [](std::vector<hw::Flit>& flits) {
        for (std::size_t i = 0; i < flits.size(); ++i) {
            EXPECT_EQ(flits[i].head, i % 6 == 0) << i;
            EXPECT_EQ(flits[i].tail, i % 6 == 5) << i;
        }
        EXPECT_EQ(flits[0].word, (hw::Header{1, 0, 0}.pack()));
        EXPECT_EQ(flits[6].word, (hw::Header{1, 0, 1}.pack()));
        EXPECT_EQ(flits[8].word, hw::PayloadWords(flits[6].word).word(2));
    });
}

struct Damage {
    const char* what;
    std::uint64_t corrupt_flits;
    NodeId receiver;
    void (*apply)(std::vector<hw::Flit>&);
};

class DamagedPacket : public testing::TestWithParam<Damage> {};

TEST_P(DamagedPacket, IsReportedAsSuch) {
    const std::vector<PacketRecord> packets = received(1, GetParam().receiver, GetParam().apply);
    ASSERT_EQ(packets.size(), 1U);
    EXPECT_EQ(packets[0].corrupt_flits, GetParam().corrupt_flits);
}

using Flits = std::vector<hw::Flit>;
INSTANTIATE_TEST_SUITE_P(
    Kinds, DamagedPacket,
    testing::Values(Damage{"payload_bit", 1, 1, [](Flits& f) { f[3].word ^= 1; }},
                    // The flits after the gap are one place off; the length is wrong, too.
                    Damage{"lost_flit", 4, 1, [](Flits& f) { f.erase(f.begin() + 2); }},
                    Damage{"doubled_flit", 5, 1, [](Flits& f) { f.insert(f.begin() + 2, f[2]); }},
                    Damage{"swapped_flits", 2, 1, [](Flits& f) { std::swap(f[2], f[3]); }},
                    Damage{"wrong_node", 1, 2, [](Flits&) {}},
                    // The second head begins the packet anew.
                    Damage{"doubled_head", 1, 1, [](Flits& f) { f.insert(f.begin(), f[0]); }}),
    [](const auto& damage) { return std::string(damage.param.what); });

/// The header is all that names a packet, so one that is damaged or comes again is nobody's.
TEST(NetworkInterface, DoesNotKnowAPacketWhoseHeaderIsDamaged) {
    const std::vector<PacketRecord> packets =
        received(2, 1, [](Flits& flits) { flits[0].word ^= 1ULL << 40; });
    ASSERT_EQ(packets.size(), 2U);
    EXPECT_EQ(packets[0].message.id, kNoMessage);
    EXPECT_EQ(packets[0].corrupt_flits, 5U);  // no payload word fits to another header
    EXPECT_EQ(packets[1].message.id, 1U);
    EXPECT_EQ(packets[1].corrupt_flits, 0U);
}

TEST(NetworkInterface, DoesNotKnowAPacketThatComesTwice) {
    const std::vector<PacketRecord> packets = received(1, 1, [](Flits& flits) {
        const Flits once = flits;
        flits.insert(flits.end(), once.begin(), once.end());
    });
    ASSERT_EQ(packets.size(), 2U);
    EXPECT_EQ(packets[0].message.id, 0U);
    EXPECT_EQ(packets[1].message.id, kNoMessage);
    EXPECT_EQ(packets[1].tail_delivered, 511U);
}

}  // namespace
}  // namespace flitscope
