// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy of a run: what is counted in it, and the sum over that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/energy/router_energy.h"
#include "testbench/app/energy/run_energy.h"
#include "testbench/app/run/channel_sendings.h"
#include "testbench/app/run/energy_counts.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {
namespace {

using ::testing::DoubleNear;

TEST(ChannelSendings, CountsPacketsAndSendingsWithoutAPause) {
    ChannelSendings sendings(2);
    const Message message{};
    sendings.on_grant(0, 0, message, 3);
    sendings.on_send_begin(0, 0, 0, 0, 3);
    sendings.on_send_end(0, 0, 5);
    // Another virtual channel continues in the next cycle, reported before and after the end of the
    // first one; then a pause of a cycle.
    sendings.on_grant(0, 1, message, 5);
    sendings.on_send_begin(0, 1, 0, 1, 5);
    sendings.on_send_begin(0, 0, 0, 0, 7);
    sendings.on_send_end(0, 1, 7);
    sendings.on_send_end(0, 0, 8);
    sendings.on_send_begin(0, 0, 0, 0, 9);
    EXPECT_EQ(sendings.counts()[0].packets, 2U);
    EXPECT_EQ(sendings.counts()[0].starts, 2U);
    EXPECT_EQ(sendings.counts()[1].starts, 0U);
    sendings.end(11);  // 2 + 2 + 1 + 2 cycles
    EXPECT_EQ(sendings.counts()[0].flits, 7U);
}

TEST(ChannelSendings, OfMessageClassesAddUpToThoseOfAll) {
    ChannelSendings sendings(1, 2, 2);
    const Message message{};
    sendings.on_grant(0, 1, message, 3);
    sendings.on_send_begin(0, 1, 0, 0, 3);
    sendings.on_send_end(0, 1, 5);
    sendings.on_grant(0, 2, message, 4);
    sendings.on_send_begin(0, 2, 0, 0, 5);  // goes on: no start
    sendings.end(9);
    EXPECT_EQ(sendings.counts_of(0)[0].flits, 2U);
    EXPECT_EQ(sendings.counts_of(0)[0].starts, 1U);
    EXPECT_EQ(sendings.counts_of(1)[0].flits, 4U);
    EXPECT_EQ(sendings.counts_of(1)[0].packets, 1U);
    EXPECT_EQ(sendings.counts_of(1)[0].starts, 0U);
}

RouterEnergy some_energy() {
    RouterEnergy energy;
    energy.write_pj = 1;
    energy.read_pj = 2;
    energy.cross_pj = 4;
    energy.arbitrate_pj = 8;
    energy.start_pj = 16;
    energy.idle_pj = 32;
    energy.leakage_mw = 64;
    energy.link = {128, 256, 512};
    energy.further = {3, 5, 7};
    energy.wire_toggles = 10;
    energy.start_toggles = 20;
    energy.voltage = 2;
    return energy;
}

TEST(RunEnergy, IsTheSumOfWhatHappenedAndOfTheTime) {
    EnergyCounts counts;
    counts.cycles = 1000;
    counts.routers = 3;
    counts.links = 4;
    counts.further_cycles = 2;
    counts.writes = 100;
    counts.sends = 90;
    counts.packets = 9;
    counts.starts = 8;
    counts.link_flits = 50;
    counts.further_flits = 20;
    counts.wire_flits = 30;
    counts.wire_starts = 6;
    const RunEnergy energy = run_energy(counts, some_energy(), 2.5);
    const auto pico = [](double value) { return DoubleNear(value * 1e-12, 1e-18); };
    EXPECT_NEAR(energy.seconds, 2.5e-6, 1e-15);
    EXPECT_THAT(energy.routers.write, pico(100));
    EXPECT_THAT(energy.routers.read, pico(180));
    EXPECT_THAT(energy.routers.cross, pico(90 * 4 + 8 * 16));
    EXPECT_THAT(energy.routers.arbitrate, pico(72));
    EXPECT_THAT(energy.routers.idle, pico(3 * 1000 * 32));
    EXPECT_NEAR(energy.routers.leakage, 3 * 0.064 * 2.5e-6, 1e-15);
    EXPECT_THAT(energy.links.flits, pico(50 * 128 + 20 * 3));
    EXPECT_THAT(energy.links.idle, pico((4 * 256 + 2 * 5) * 1000));
    EXPECT_NEAR(energy.links.leakage, (4 * 0.512 + 2 * 0.007) * 2.5e-6, 1e-15);
    EXPECT_THAT(energy.wires, pico((30 * 10 + 6 * 20) * 4 / 2.0));
    EXPECT_NEAR(energy.total(), energy.routers.sum() + energy.links.sum() + energy.wires, 1e-20);
}

/// A node of 16 in the corner and its four links die after a quarter of the time.
TEST(RunEnergy, TheDeadSpendNothing) {
    const Machine machine = build_machine(parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}, link_delay: {model: constant, cycles: 3}}\n"
        "traffic: {pattern: uniform, injection_rate: 0.1, message_bytes: 8}\n"
        "faults: {at: 100, nodes: [15]}\n",
        "test"));
    EXPECT_DOUBLE_EQ(idle_counts(machine, 100).routers, 16);
    const EnergyCounts counts = idle_counts(machine, 400);
    EXPECT_DOUBLE_EQ(counts.cycles, 400);
    EXPECT_DOUBLE_EQ(counts.routers, 16 - 0.75);
    EXPECT_DOUBLE_EQ(counts.links, 48 - 0.75 * 4);
    EXPECT_DOUBLE_EQ(counts.further_cycles, 2 * counts.links);
    SimulationResult result;
    result.verdict = Verdict::kComplete;
    result.cycles = 400;
    const ChannelMap map(machine.graph);
    result.channel_flits.resize(map.count());
    result.sendings.resize(map.count());
    double links = 0;
    for (LinkId link = 0; link < machine.graph.link_count(); ++link) {
        links += link_counts(machine, result, map, link).links;
    }
    EXPECT_NEAR(links, 48 - 0.75 * 4, 1e-9);
}

/// Ten flits on every link of two rows of four, of which two links each way join the dies.
TEST(RunEnergy, HasTheTransceiversOfLinksBetweenDies) {
    const Machine machine = build_machine(parse_config(
        "fabric: {topology: {kind: mesh, dims: [2, 4]}, flit_bits: 32, link_rate: {die: [2, 2], "
        "pj_per_bit: 0.25}}\ntraffic: {schedule: gen}\n",
        "test"));
    const ChannelMap map(machine.graph);
    SimulationResult result;
    result.verdict = Verdict::kComplete;
    result.sendings.resize(map.count());
    result.channel_flits.assign(map.count(), 10);
    const EnergyCounts counts = energy_counts(machine, result);
    EXPECT_DOUBLE_EQ(counts.transceivers, 2 * 2 * 10 * 32 * 0.25);
    EXPECT_DOUBLE_EQ(run_energy(counts, RouterEnergy{}, 1).total(), 320e-12);
}

TEST(RunEnergy, GrowsWithEveryCount) {
    EnergyCounts counts;
    for (const auto& [name, member] : kEnergyCounts) counts.*member = 2;
    const double before = run_energy(counts, some_energy(), 1).total();
    for (const auto& [name, member] : kEnergyCounts) {
        EnergyCounts more = counts;
        more.*member = 3;
        EXPECT_GT(run_energy(more, some_energy(), 1).total(), before) << name;
    }
}

}  // namespace
}  // namespace flitscope
