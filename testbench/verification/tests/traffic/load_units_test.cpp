// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads as payload and as messages per ns, against loads in flits per cycle that are computed by
// hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/patterns/load_units.h"

namespace flitscope {
namespace {

using ::testing::HasSubstr;

using Overrides = std::vector<std::string>;

const std::string kUniform =
    "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
    "traffic: {pattern: uniform, message_bytes: 256}\n";

Machine machine_with(const Overrides& overrides) {
    return build_machine(parse_config(kUniform, "c.yaml", overrides));
}

struct Case {
    Overrides machine;
    std::string load;
    double rate;  ///< by hand
};

TEST(LoadUnits, AreTheFlitsPerCycleThatTheyComeToByHand) {
    const Case cases[] = {
        // 256 bytes and a header: 33 flits of 64 bits, 17 of 128.
        {{}, "6.4 Gbit/s", 6.4 * 33 / 2048},
        {{"clock_ns=0.5"}, "6.4 Gbit/s", 3.2 * 33 / 2048},
        {{"fabric.flit_bits=128", "clock_ns=0.5"}, "6.4 Gbit/s", 3.2 * 17 / 2048},
        {{"fabric.flit_bits=128"}, "0.02 /ns", 0.02 * 17},
        {{"clock_ns=0.5"}, "0.02 /ns", 0.01 * 33},
        // Packets of 88, 88 and 80 bytes with headers of two flits: 13, 13 and 12.
        {{"node.packet_bytes=88", "node.header_flits=2"}, "6.4 Gbit/s", 6.4 * 38 / 2048},
        // Replies: 33 + 2 flits, payload of both.
        {{"traffic.reply_bytes=8"}, "6.4 Gbit/s", 6.4 * 35 / 2112},
        {{"traffic.reply_bytes=8"}, "0.02 /ns", 0.02 * 35},
        // A mean of two lengths: 3 flits of 16 bytes twice as often as 33.
        {{"traffic.message_lengths={16: 2, 256: 1}"}, "6.4 Gbit/s", 6.4 * 39 / (8 * 288)},
        {{"traffic.message_lengths={16: 2, 256: 1}"}, "0.02 /ns", 0.02 * 13},
        // What the budget leaves to four links.
        {{"fabric.pin_budget=512"}, "6.4 Gbit/s", 6.4 * 17 / 2048},
    };
    for (const Case& c : cases) {
        Overrides overrides = c.machine;
        overrides.push_back("traffic.injection_rate=" + c.load);
        const Machine machine = machine_with(overrides);
        EXPECT_DOUBLE_EQ(machine.config.traffic.injection_rate, c.rate)
            << ::testing::PrintToString(overrides);
        const LoadUnits units(machine.config);
        const UnitLoad given = *machine.config.traffic.load_in_units;
        const double back =
            given.unit == LoadUnit::kGbps ? units.gbps(c.rate) : units.messages_per_ns(c.rate);
        EXPECT_DOUBLE_EQ(back, given.number);  // payload in is payload reported
    }
}

std::string refusal(Overrides overrides, const std::string& load) {
    overrides.push_back("traffic.injection_rate=" + load);
    return refused_with([&] { machine_with(overrides); });
}

TEST(LoadUnits, MoreThanAChannelCarriesIsRefusedWithTheFigure) {
    EXPECT_EQ(refusal({"clock_ns=0.5"}, "200 Gbit/s"),
              "--set traffic.injection_rate=200 Gbit/s: error: 'traffic.injection_rate' of 200 "
              "Gbit/s is 1.611 flits per cycle and node, and a channel carries one: at clock_ns "
              "0.5, flit_bits 64 and 33 flits for 256 bytes of payload that is 124.121 Gbit/s (a "
              "lower load, wider flits (fabric.flit_bits) or a shorter clock_ns)");
    EXPECT_THAT(refusal({}, "0.04 /ns"), HasSubstr("is 1.32 flits per cycle and node"));
    EXPECT_THAT(refusal({}, "0.04 /ns"), HasSubstr("that is 0.030303 /ns"));
    EXPECT_EQ(refusal({"traffic.message_bytes=64"}, "56.88888888888889 Gbit/s"), "");  // just one
}

TEST(LoadUnits, MessagesWithoutPayloadAreCounted) {
    EXPECT_THAT(refusal({"traffic.message_bytes=0"}, "1 Gbit/s"),
                HasSubstr("but messages have no payload (set traffic.message_bytes, or give "
                          "messages per ns: 0.02 /ns)"));
    EXPECT_EQ(refusal({"traffic.message_bytes=0"}, "0.5 /ns"), "");
}

TEST(LoadUnits, FollowTheClockOfTheRouterOnceItIsKnown) {
    Config config = parse_config(kUniform, "c.yaml",
                                 {"traffic.injection_rate=6.4 Gbit/s", "node.send_overhead=40 ns",
                                  "traffic.reply_bytes=0", "clock_ns=synth"});
    const Config unknown = build_machine(config).config;
    EXPECT_EQ(unknown.traffic.injection_rate, TrafficConfig().injection_rate);
    EXPECT_EQ(unknown.node.send_overhead, 0U);
    config.clock_ns = 2.5;  // as resolve_synthesized() puts it there
    config.clock_is_synthesized = false;
    const Config known = build_machine(config).config;
    EXPECT_DOUBLE_EQ(known.traffic.injection_rate, 16.0 * 34 / 2048);
    EXPECT_EQ(known.node.send_overhead, 16U);
}

TEST(LoadUnits, SurviveAChangeOfTheMachine) {
    Config config = parse_config(kUniform, "c.yaml", {"traffic.injection_rate=6.4 Gbit/s"});
    config = build_machine(config).config;
    config.clock_ns = 0.5;
    config.fabric.flit_bits = 128;
    EXPECT_DOUBLE_EQ(build_machine(config).config.traffic.injection_rate, 3.2 * 17 / 2048);
}

}  // namespace
}  // namespace flitscope
