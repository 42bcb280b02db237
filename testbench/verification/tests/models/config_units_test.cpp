// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Times and loads that configurations give in ns, Gbit/s and messages per ns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/config/config.h"
#include "models/config/unit_values.h"
#include "testbench/verification/tests/support/config_findings.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

const std::string kPattern =
    "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
    "traffic: {pattern: uniform, reply_bytes: 64, arrivals: bursty}\n";

Config resolved(const std::string& text, const Overrides& overrides) {
    Config config = parse_config(text, "c.yaml", overrides);
    resolve_times(config);
    return config;
}

TEST(WholeCycles, LastNoLessThanTheTime) {
    struct Case {
        double ns;
        double clock_ns;
        double cycles;
    };
    for (const Case& c :
         {Case{0, 1, 0}, Case{40, 1, 40}, Case{40, 0.8, 50}, Case{40, 0.83, 49},
          Case{40.001, 1, 41}, Case{0.3, 0.1, 3}, Case{2.1, 0.7, 3}, Case{0.001, 1, 1},
          Case{1e9, 0.1, 1e10}, Case{123456789.1, 0.1, 1234567891}}) {
        EXPECT_EQ(whole_cycles(c.ns, c.clock_ns), c.cycles) << c.ns << " ns, " << c.clock_ns;
    }
}

TEST(Units, LoadsAreNumbersWithAUnit) {
    for (const char* text : {"6.4 Gbit/s", "6.4Gbit/s", "64e-1 Gbit/s", "+6.4   Gbit/s"}) {
        const auto load = kinds::to_load(text);
        ASSERT_TRUE(load) << text;
        EXPECT_EQ(load->number, 6.4) << text;
        EXPECT_EQ(load->unit, LoadUnit::kGbps) << text;
        EXPECT_EQ(load->str(), "6.4 Gbit/s") << text;
    }
    EXPECT_EQ(kinds::to_load("0.02/ns")->str(), "0.02 /ns");
    for (const char* text : {"", "6.4", "Gbit/s", "/ns", "0 Gbit/s", "-1 Gbit/s", "6.4 gbit/s",
                             "6.4 Gbit", "1e400 Gbit/s", "nan Gbit/s", "inf /ns", "6.4 Gbit/s x",
                             "1-2 /ns", "e /ns", "0x1 /ns", "6.4\tGbit/s"}) {
        EXPECT_FALSE(kinds::to_load(text)) << text;
    }
    EXPECT_EQ(kinds::to_share("0.30 of saturation"), 0.3);
    EXPECT_EQ(kinds::share_text(0.3), "0.3 of saturation");
    for (const char* text : {"0.3", "of saturation", "0 of saturation", "-1 of saturation",
                             "0.3 of Saturation", "0.3 of saturation x", "30 % of saturation"}) {
        EXPECT_FALSE(kinds::to_share(text)) << text;
    }
    for (const char* text : {"", "40", "ns", "40 us", "40 NS", "1e999 ns", "4-0 ns", "40 ns s"}) {
        EXPECT_FALSE(kinds::to_ns(text)) << text;
    }
    EXPECT_EQ(kinds::to_ns("-1.5ns"), -1.5);
}

TEST(Units, AreWrittenAsTheyWereGivenAndReadAgain) {
    const Config config =
        parse_config(kPattern, "c.yaml",
                     {"traffic.injection_rate=6.4Gbit/s", "traffic.reply_delay=40 ns",
                      "node.send_overhead=\"7 ns\"", "node.retransmit={timeout: 2.5ns}",
                      "clock_ns=synth", "traffic.burst_cycles=100.5 ns"});
    const std::string yaml = to_yaml(config);
    for (const char* line :
         {"injection_rate: 6.4 Gbit/s\n", "reply_delay: 40 ns\n", "send_overhead: 7 ns\n",
          "timeout: 2.5 ns\n", "clock_ns: synth\n", "burst_cycles: 100.5 ns\n"}) {
        EXPECT_THAT(yaml, HasSubstr(line));
    }
    EXPECT_EQ(to_yaml(parse_config(yaml, "again")), yaml);
}

TEST(Units, TimesAreCyclesOfTheClock) {
    const Overrides times = {"traffic.reply_delay=40 ns", "node.send_overhead=40.1 ns",
                             "node.recv_overhead=0 ns", "node.retransmit.timeout=9ns",
                             "traffic.burst_cycles=41 ns"};
    for (const double clock_ns : {1.0, 0.8, 2.5}) {
        Overrides all = times;
        all.push_back("clock_ns=" + std::to_string(clock_ns));
        const Config config = resolved(kPattern, all);
        EXPECT_EQ(config.traffic.reply_delay, whole_cycles(40, clock_ns));
        EXPECT_EQ(config.node.send_overhead, whole_cycles(40.1, clock_ns));
        EXPECT_EQ(config.node.recv_overhead, 0U);
        EXPECT_EQ(config.node.retransmit->timeout, whole_cycles(9, clock_ns));
        EXPECT_DOUBLE_EQ(config.traffic.burst_cycles, 41 / clock_ns);  // a mean need not be whole
    }
}

TEST(Units, CostsOfABarrierAreNotRounded) {
    const Config config =
        resolved(kFabric, {"traffic.barrier={per_doubling: 3 ns, fixed: -1.5 ns}", "clock_ns=2"});
    ASSERT_TRUE(config.traffic.barrier);
    EXPECT_EQ(config.traffic.barrier->per_doubling, 1.5);
    EXPECT_EQ(config.traffic.barrier->fixed, -0.75);
}

TEST(Units, WithoutAClockNothingIsResolved) {
    const Config config = resolved(kPattern, {"node.send_overhead=7 ns", "clock_ns=synth"});
    EXPECT_EQ(config.node.send_overhead, 0U);
    EXPECT_EQ(config.node.times_in_ns.at("node.send_overhead").ns, 7);
}

TEST(Units, AShareOfTheSaturationIsKeptAndIsNoLoadYet) {
    const Config config = resolved(kPattern, {"traffic.injection_rate=0.3 of saturation"});
    EXPECT_EQ(config.traffic.share_of_saturation, 0.3);
    EXPECT_THAT(to_yaml(config), HasSubstr("injection_rate: 0.3 of saturation"));
    EXPECT_FALSE(resolved(kPattern, {"traffic.injection_rate=0.3 of saturation",
                                     "traffic.injection_rate=6.4 Gbit/s"})
                     .traffic.share_of_saturation);
}

TEST(Units, ABareNumberStandsInPlaceOfAUnit) {
    const Config config =
        resolved(kPattern, {"traffic.injection_rate=6.4 Gbit/s", "traffic.injection_rate=0.3",
                            "node.send_overhead=7 ns", "node.send_overhead=9"});
    EXPECT_FALSE(config.traffic.load_in_units);
    EXPECT_EQ(config.traffic.injection_rate, 0.3);
    EXPECT_EQ(config.node.send_overhead, 9U);
    EXPECT_TRUE(config.node.times_in_ns.empty());
}

TEST(Units, OthersAreNamedWithWhatToWrite) {
    const auto found = [](const std::string& override) { return finding(kPattern, {override}); };
    EXPECT_THAT(found("node.send_overhead=4 us"), HasSubstr("(the unit is ns: write 4000 ns)"));
    EXPECT_THAT(found("traffic.reply_delay=800ps"), HasSubstr("(the unit is ns: write 0.8 ns)"));
    EXPECT_THAT(found("node.send_overhead=4 cycles"),
                HasSubstr("(the unit is cycles: write only the number)"));
    EXPECT_THAT(found("node.send_overhead=-4 ns"),
                EndsWith("must be an integer from 0 to 1000000000, found '-4 ns'"));
    EXPECT_THAT(found("fabric.router_delay=4 ns"),  // of the hardware, not of the node
                HasSubstr("(the unit is cycles: write only the number)"));
    for (const auto& [text, hint] :
         {std::pair{"6.4Gbps", "write 6.4 Gbit/s"}, std::pair{"0.8 GB/s", "write 6.4 Gbit/s"},
          std::pair{"640 Mbit/s", "write 0.64 Gbit/s"}, std::pair{"20 /us", "write 0.02 /ns"},
          std::pair{"20%", "write 0.2"}}) {
        EXPECT_THAT(found(std::string("traffic.injection_rate=") + text),
                    EndsWith(std::string("(") + hint + ')'));
    }
    EXPECT_THAT(found("traffic.injection_rate=0 Gbit/s"),
                EndsWith("must be a number above 0, at most 8, found '0 Gbit/s'"));
    EXPECT_THAT(found("traffic.injection_rate=2"), EndsWith("found '2'"));
    EXPECT_THAT(found("traffic.injection_rate=[1]"), HasSubstr("found a list"));
}

TEST(Units, TimesThatAreNoCyclesOfTheirKeyAreRefusedWithTheFigure) {
    const auto refusal = [](const Overrides& overrides) -> std::string {
        return refused_with([&] { resolved(kPattern, overrides); });
    };
    EXPECT_EQ(refusal({"node.send_overhead=1e9 ns", "clock_ns=0.5"}),
              "--set node.send_overhead=1e9 ns: error: 'node.send_overhead' of 1000000000 ns is "
              "2000000000 cycles of 0.5 ns, and must be 0 to 1000000000 (a shorter time)");
    EXPECT_EQ(refusal({"node.retransmit.timeout=0 ns"}),
              "--set node.retransmit.timeout=0 ns: error: 'node.retransmit.timeout' of 0 ns is 0 "
              "cycles of 1 ns, and must be 1 to 1000000000 (a longer time)");
    EXPECT_THAT(refusal({"node.send_overhead=1e300 ns", "traffic.reply_delay=1e300 ns"}),
                HasSubstr("'traffic.reply_delay'"));  // both at once
}

}  // namespace
}  // namespace flitscope
