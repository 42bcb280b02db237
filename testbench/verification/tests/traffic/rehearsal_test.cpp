// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The estimate for comparing schedules whose messages wait for each other, against the simulation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "traffic/schedules/synthesis/rehearsal/rehearsal.h"

namespace flitscope::synthesis {
namespace {

std::string text_of(const std::string& topology, const std::string& fabric, const std::string& node,
                    const std::string& schedule) {
    return fmt::format(
        "fabric: {{topology: {{{}}}, {}}}\nnode: {{{}}}\ntraffic: {{schedule: {}, message_bytes: "
        "200}}\n",
        topology, fabric, node, schedule);
}

/// By how much rehearsals of contended exchanges differ from their simulation, as shares of that,
/// in ascending order.
std::vector<double> differences(const std::string& fabric) {
    std::vector<double> all;
    const bool can_be_a_torus = fabric.find("virtual_channels") != std::string::npos;
    for (const char* topology : {"kind: mesh, dims: [4, 4]", "kind: torus, dims: [4, 8]"}) {
        if (topology[6] == 't' && !can_be_a_torus) continue;  // it would deadlock
        for (const char* node :
             {"send_overhead: 0", "send_overhead: 30, recv_overhead: 9",
              "send_overhead: 30, serialize_overhead: true", "injection_rate: 0.5",
              "packet_bytes: 64", "packet_bytes: 64, injection_rate: 0.25",
              "packet_bytes: 64, injection_rate: 0.25, send_overhead: 30, serialize_overhead: "
              "true"}) {
            for (const char* schedule :
                 {"naive", "pex", "gen", "recursive-exchange", "bounded-contention"}) {
                const Config config = parse_config(text_of(topology, fabric, node, schedule), "t");
                // FIFOs have to hold the packets of these switchings.
                if (config.fabric.has_packet_flow_control() &&
                    std::string(schedule) == "recursive-exchange" &&
                    config.node.packet_bytes == 0) {
                    continue;
                }
                const Machine machine = build_machine(config);
                const FreshKernel kernel;
                const auto cycles = static_cast<double>(simulate(machine, "auto", {}).cycles);
                Rehearsal rehearsal(machine.config, machine.graph, *machine.routing);
                const auto found = rehearsal.cycles_of(*machine.program);
                EXPECT_TRUE(found) << topology << " " << fabric << " " << node << " " << schedule;
                all.push_back(std::abs(static_cast<double>(found.value_or(0)) / cycles - 1));
            }
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

TEST(Rehearsals, AreExactWhereAFifoHoldsAMessage) {
    const std::vector<double> all = differences("buffer_depth: 128");
    EXPECT_EQ(all.size(), 35);
    EXPECT_EQ(all.back(), 0);
}

TEST(Rehearsals, AreCloseToTheSimulationElsewhere) {
    struct Case {
        const char* fabric;
        double in_the_middle;
        double most;
    };
    for (const Case& c :
         {Case{"buffer_depth: 8", 0.001, 0.1},
          Case{"buffer_depth: 3, router_delay: 2", 0.025, 0.12},
          Case{"virtual_channels: 2, switch_arbitration: per_packet", 0.01, 0.3},
          Case{"virtual_channels: 2", 0.01, 0.35},
          Case{"link_rate: {die: [2, 4], rate: 1/3, delay: 4}, buffer_depth: 128", 0.001, 0.03},
          Case{"link_rate: {die: [2, 4], rate: 1/3}", 0.015, 0.2},
          Case{"switching: store_and_forward, buffer_depth: 64", 0.05, 0.2},
          Case{"switching: virtual_cut_through, virtual_channels: 2, buffer_depth: 64", 0.01,
               0.45}}) {
        const std::vector<double> all = differences(c.fabric);
        EXPECT_LT(all[all.size() / 2], c.in_the_middle) << c.fabric;
        EXPECT_LT(all.back(), c.most) << c.fabric;
    }
}

TEST(Rehearsals, EndWhereTheyTakeTooLong) {
    const Machine machine = build_machine(parse_config(
        text_of("kind: mesh, dims: [4, 4]", "buffer_depth: 128", "send_overhead: 9", "gen"), "t"));
    Rehearsal rehearsal(machine.config, machine.graph, *machine.routing);
    const auto found = rehearsal.cycles_of(*machine.program);
    ASSERT_TRUE(found);
    const std::uint64_t work = rehearsal.work();
    EXPECT_GT(work, machine.program->transfers.size());
    EXPECT_EQ(rehearsal.cycles_of(*machine.program, *found), found);
    EXPECT_FALSE(rehearsal.cycles_of(*machine.program, *found / 2));
    rehearsal.set_most_work(rehearsal.work() + work / 2);
    EXPECT_TRUE(rehearsal.has_work());
    EXPECT_FALSE(rehearsal.cycles_of(*machine.program));
    EXPECT_FALSE(rehearsal.has_work());
    // Every node sends over the end of a ring with one channel.
    const Machine ring = build_machine(parse_config(
        "fabric: {topology: {kind: torus, dims: [1, 8]}, buffer_depth: 2, allow_deadlock: true}\n"
        "node: {}\ntraffic: {schedule: naive, message_bytes: 800}\n",
        "t"));
    Rehearsal stuck(ring.config, ring.graph, *ring.routing);
    EXPECT_FALSE(stuck.cycles_of(*ring.program));
}

}  // namespace
}  // namespace flitscope::synthesis
