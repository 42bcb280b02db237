// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds by the clock: they take the cycles that are planned, in which no two messages share a
// channel and nothing is sent before it is there, and fewer than in steps; a check that notices
// begins that are wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "traffic/schedules/synthesis/chunk_check.h"
#include "traffic/schedules/synthesis/synthesizer.h"

namespace flitscope::synthesis {
namespace {

/// A machine whose nodes have a channel for every link.
Machine machine_with(const std::string& fabric, const std::string& node = "") {
    return build_machine(parse_config(fmt::format("fabric: {{{}}}\n"
                                                  "node: {{port_model: independent{}}}\n",
                                                  fabric, node),
                                      "test"));
}

/// Nodes 0 to 3 with a link to each of two switches.
std::string two_switches() {
    const std::string file =
        (std::filesystem::path(testing::TempDir()) / "two_switches.yaml").string();
    std::ofstream out(file);
    out << "nodes: 6\nendpoints: 4\nlinks:\n";
    for (int node = 0; node < 4; ++node) {
        for (const int at : {4, 5}) {
            out << fmt::format("  - {{from: {}, to: {}, both: true}}\n", node, at);
        }
    }
    return fmt::format("topology: {{kind: custom, file: {}}}", file);
}

SynthesisRequest request(Collective collective, std::uint32_t chunks) {
    SynthesisRequest result;
    result.collective = collective;
    result.chunks = chunks;
    result.bytes = 1000 * chunks;
    return result;
}

ChunkSchedule found_on(const Machine& machine, const SynthesisRequest& asked) {
    return synthesize(asked, machine.config, machine.graph, *machine.routing);
}

std::vector<std::string> begins_of(const ChunkSchedule& schedule, const Machine& machine) {
    return check_begins(schedule, machine.config, machine.graph, *machine.routing);
}

Cycle simulated(Machine& machine, const ChunkSchedule& schedule) {
    machine.program = std::make_shared<Program>(to_program(schedule, "test"));
    const FreshKernel kernel;
    const SimulationResult run = simulate(machine, "auto", {});
    EXPECT_EQ(run.verdict, Verdict::kComplete);
    return run.cycles;
}

TEST(TimedRounds, TakeTheCyclesThatArePlannedAndFewerThanInSteps) {
    std::size_t timed = 0;
    std::size_t quicker = 0;
    for (const std::string& fabric :
         {std::string("topology: {kind: mesh, dims: [3, 4]}"),
          std::string("topology: {kind: torus, dims: [3, 3]}, link_delay: 3, buffer_depth: 32"),
          std::string("topology: {kind: mesh, dims: [4, 4]}, link_rate: {die: [2, 4], rate: 1/2}, "
                      "buffer_depth: 16"),
          two_switches()}) {
        for (const char* const node : {"", ", send_overhead: 20, recv_overhead: 7"}) {
            Machine machine = machine_with(fabric, node);
            for (const CollectiveName& known : collective_names()) {
                SCOPED_TRACE(fmt::format("{} {} {}", fabric, node, known.name));
                const ChunkSchedule found = found_on(machine, request(known.collective, 4));
                if (!found.has_own_begins()) continue;
                ++timed;
                EXPECT_EQ(begins_of(found, machine), std::vector<std::string>());
                const RoundContention most =
                    contention(found, machine.config, machine.graph, *machine.routing);
                EXPECT_EQ(most.link, 1);
                EXPECT_EQ(most.send, 1);
                EXPECT_EQ(most.receive, 1);
                const Cycle cycles = simulated(machine, found);
                if (found.cycles != 0) {
                    EXPECT_EQ(cycles, found.cycles);
                }
                if (machine.graph.has_slow_links()) continue;  // no step is that uneven
                ChunkSchedule steps = found;
                steps.by_the_clock = false;
                const Cycle in_steps = simulated(machine, steps);
                EXPECT_LE(cycles, in_steps);
                quicker += cycles < in_steps ? 1 : 0;
            }
        }
    }
    EXPECT_GE(timed, 40);
    EXPECT_GE(quicker, 24);
}

TEST(TimedRounds, ABeginThatComesTooEarlyIsFound) {
    const Machine machine = machine_with("topology: {kind: mesh, dims: [3, 3]}");
    for (const Collective collective : {Collective::kAllGather, Collective::kAllReduce}) {
        ChunkSchedule found = found_on(machine, request(collective, 4));
        ASSERT_TRUE(found.has_own_begins());
        EXPECT_TRUE(begins_of(found, machine).empty());
        std::size_t early = 0;
        std::size_t moves = 0;
        for (std::vector<ChunkMove>& round : found.rounds) {
            for (ChunkMove& move : round) {
                if (move.begin == 0) continue;
                ++moves;
                const Cycle planned = std::exchange(move.begin, 0);
                early += begins_of(found, machine).empty() ? 0 : 1;
                move.begin = planned;
            }
        }
        // Those that pass something on: the others send what they have from the beginning.
        EXPECT_GT(early, moves / 4);
    }
}

TEST(TimedRounds, MessagesThatShareALinkAtATimeAreCounted) {
    const Machine machine = machine_with("topology: {kind: mesh, dims: [3, 3]}");
    ChunkSchedule found = found_on(machine, request(Collective::kAllGather, 4));
    ASSERT_TRUE(found.has_own_begins());
    for (std::vector<ChunkMove>& round : found.rounds) {
        for (ChunkMove& move : round) move.begin -= std::min<Cycle>(move.begin, 10);
    }
    EXPECT_EQ(contention(found, machine.config, machine.graph, *machine.routing).link, 2);
}

}  // namespace
}  // namespace flitscope::synthesis
