// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Several planes (hw/TIMING.md, "Planes"): what crosses which, that planes do not disturb each
// other, how a run of several clock domains ends, and who refuses. Random machines with planes are
// among those of golden_test.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/run/engines.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/patterns/pattern_load.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Machine machine_of_text(const std::string& fabric, const std::string& rest) {
    return build_machine(
        parse_config(fmt::format("fabric: {{{}}}\n{}\n", fabric, rest), "planes_test"));
}

std::string error_of_text(const std::string& fabric, const std::string& rest) {
    return refused_with([&] { machine_of_text(fabric, rest); });
}

Transfer message(NodeId source, NodeId destination, std::uint64_t bytes, std::uint8_t plane) {
    Transfer transfer{source, destination, bytes};
    transfer.plane = plane;
    return transfer;
}

/// A line of four nodes on so many planes.
Machine line(std::uint32_t planes, std::vector<Transfer> transfers) {
    Config config;
    config.fabric.planes = planes;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {4};
    Graph graph = build_topology(config);
    auto routing = make_routing(config, graph);
    return make_machine(config, std::move(graph), std::move(routing),
                        steps(4, std::move(transfers)));
}

TEST(Planes, CarryMessagesBesideEachOther) {
    const Machine one = line(1, {message(0, 3, 800, 0)});
    const Machine two = line(2, {message(0, 3, 800, 0), message(0, 3, 800, 1)});
    const Outcome alone = run(one);
    const Outcome both = run(two);
    ASSERT_EQ(both.packets.size(), 2U);
    EXPECT_EQ(both.result.cycles, alone.result.cycles);
    const std::size_t channels = alone.busy.size();
    ASSERT_EQ(both.busy.size(), 2 * channels);
    for (std::size_t id = 0; id < both.busy.size(); ++id) {
        EXPECT_EQ(both.busy[id], alone.busy[id % channels]) << id;
    }
    EXPECT_EQ(both.result.flit_hops, 2 * alone.result.flit_hops);
    // On one plane the second waits for the first.
    const Machine shared = line(2, {message(0, 3, 800, 1), message(0, 3, 800, 1)});
    EXPECT_GT(run(shared).result.cycles, 2 * alone.result.cycles - 10);
}

TEST(Planes, MeetInTheNode) {
    // Node 1 answers on the other plane, in its second step, what it received in the first.
    Transfer answer = message(1, 0, 8, 1);
    answer.step = 1;
    const Outcome outcome = run(line(2, {message(0, 1, 8, 0), answer}));
    ASSERT_EQ(outcome.packets.size(), 2U);
    EXPECT_EQ(outcome.packets[1].begin, outcome.packets[0].tail_delivered + 1);
    EXPECT_EQ(outcome.packets[1].head_injected, outcome.packets[1].begin);
}

TEST(Planes, HaveNamesForTheirChannels) {
    const Machine machine = line(2, {});
    const ChannelMap map(machine.graph);
    const ChannelId channel = map.link(1, 1);
    EXPECT_EQ(map.name(channel), map.name(map.link(1)) + "_plane1");
    EXPECT_EQ(map.plane(channel), 1U);
    EXPECT_EQ(map.link_of(channel), 1U);
    EXPECT_TRUE(map.is_link(channel));
    EXPECT_EQ(map.name(map.injection(2, 1)), "inject_002_plane1");
    EXPECT_TRUE(map.is_injection(map.injection(2, 1)));
    EXPECT_TRUE(map.is_ejection(map.ejection(3, 1)));
    EXPECT_EQ(map.node(map.ejection(3, 1)), 3U);
    EXPECT_EQ(map.count(), 2 * ChannelMap::of_one_plane(machine.graph).count());
}

/// Planes of the messages of node 0, and their steps.
std::vector<std::pair<StepId, std::uint32_t>> of_node_0(const Machine& machine) {
    std::vector<std::pair<StepId, std::uint32_t>> places;
    for (const Transfer& transfer : machine.program->transfers) {
        if (transfer.source == 0) places.emplace_back(transfer.step, transfer.plane);
    }
    return places;
}

TEST(Planes, TakeTheStepsOfAnExchangeInTurn) {
    const std::string fabric = "topology: {kind: mesh, dims: [2, 3]}, planes: 2";
    const std::string traffic = "schedule: pex-gen, message_bytes: 64";
    EXPECT_THAT(of_node_0(machine_of_text(fabric, "traffic: {" + traffic + "}")),
                ElementsAre(std::pair{0, 0}, std::pair{0, 1}, std::pair{1, 0}, std::pair{1, 1},
                            std::pair{2, 0}));
    EXPECT_THAT(of_node_0(machine_of_text(fabric, "traffic: {" + traffic + ", planes: messages}")),
                ElementsAre(std::pair{0, 0}, std::pair{1, 1}, std::pair{2, 0}, std::pair{3, 1},
                            std::pair{4, 0}));
    // A ring passes on what it has received in the step before: its steps stay as they are.
    for (const auto& [step, plane] :
         of_node_0(machine_of_text(fabric, "traffic: {schedule: allgather, algorithm: ring}"))) {
        EXPECT_EQ(plane, step % 2);
    }
}

TEST(Planes, HalveTheTimeOfBoundedContention) {
    const auto cycles = [](std::uint32_t planes) {
        return run(machine_of_text(
                       fmt::format("topology: {{kind: mesh, dims: [4, 4]}}, planes: {}", planes),
                       "traffic: {schedule: bounded-contention, contention: 4, message_bytes: "
                       "1024}"))
            .result.cycles;
    };
    const double gain = static_cast<double>(cycles(1)) / static_cast<double>(cycles(2));
    EXPECT_GT(gain, 1.8);
    EXPECT_LT(gain, 2.2);
}

TEST(Planes, ShareTheMessagesOfAPattern) {
    const std::string traffic =
        "traffic: {pattern: uniform, injection_rate: 0.7, message_bytes: 64, warmup_cycles: 500, "
        "measure_cycles: 4000}";
    const auto accepted = [&](std::uint32_t planes) {
        const Outcome outcome = run(machine_of_text(
            fmt::format("topology: {{kind: mesh, dims: [4, 4]}}, planes: {}", planes), traffic));
        return outcome.result.measured->accepted();
    };
    EXPECT_LT(accepted(1), 0.6);
    EXPECT_GT(accepted(2), 0.68);
    const Machine machine =
        machine_of_text("topology: {kind: mesh, dims: [4, 4]}, planes: 2", traffic);
    const PatternLoad load =
        pattern_load(machine.config, machine.graph, *machine.routing, machine.pattern->pattern);
    EXPECT_DOUBLE_EQ(load.injection, 0.35);
    EXPECT_THAT(error_of_text("topology: {kind: mesh, dims: [4, 4]}, planes: 2",
                              "traffic: {pattern: uniform, injection_rate: 2.1}"),
                HasSubstr("at most 2, found '2.1'"));
}

/// Patterns, whose windows and steady states are looked at while they run.
TEST(Planes, AreTheSameOnBothEngines) {
    const std::string traffic[] = {
        "pattern: uniform, injection_rate: 0.4, message_bytes: 40",
        "pattern: tornado, injection_rate: 1.1, message_bytes: 100, warmup_cycles: 700, "
        "measure_cycles: 1500",
        "pattern: uniform, injection_rate: 0.3, reply_bytes: 64, reply_delay: 0, message_bytes: 8"};
    for (const std::uint32_t planes : {2U, 3U}) {
        for (const std::string& of : traffic) {
            for (const char* const measured :
                 {"", "\nsteady: {half_width: 0.2, max_cycles: 60000}"}) {
                std::string section = of;
                if (*measured != '\0' && of.find("warmup") != std::string::npos) continue;
                SCOPED_TRACE(section + measured);
                const Machine machine = machine_of_text(
                    fmt::format("topology: {{kind: torus, dims: [4, 4]}}, planes: {}", planes),
                    "traffic: {" + section + "}" + measured);
                ASSERT_FALSE(find_engine("tlm")->refusal(machine));
                CompareCounts counts;
                EXPECT_EQ(compare_engines(machine, "tlm", counts), "");
                EXPECT_GT(counts.packets, 100U);
            }
        }
    }
}

/// Messages so long and so rare that a plane sleeps through the beginning of the measurement, and
/// has flits ahead of its end that are not to be counted.
TEST(Planes, AreCountedInTheSameCycle) {
    const auto counted = [](Cycle measured, bool runs_ahead) {
        const Machine machine = machine_of_text(
            "topology: {kind: mesh, dims: [2]}, planes: 2, buffer_depth: 64",
            fmt::format("traffic: {{pattern: neighbour, injection_rate: 0.3, message_bytes: 8000, "
                        "arrivals: periodic, warmup_cycles: 50, measure_cycles: {}}}",
                        measured));
        SimulationOptions options;
        options.runs_ahead = runs_ahead;
        const FreshKernel kernel;
        return simulate(machine, "cycle", options).window_flits;
    };
    for (Cycle measured = 1000; measured < 9000; measured += 333) {
        EXPECT_EQ(counted(measured, true), counted(measured, false)) << measured;
    }
}

TEST(Planes, EndTogether) {
    const std::string fabric = "topology: {kind: mesh, dims: [4, 4]}, planes: 3";
    const std::string traffic = "traffic: {schedule: naive, message_bytes: 400}";
    for (const Cycle limit : {Cycle{1}, Cycle{77}, Cycle{500}}) {
        const Machine machine =
            machine_of_text(fabric, traffic + fmt::format("\nlimits: {{max_cycles: {}}}", limit));
        const Outcome outcome = run(machine);
        EXPECT_EQ(outcome.result.verdict, Verdict::kTimeout);
        EXPECT_EQ(outcome.result.simulated_cycles, limit);
        for (const auto& intervals : outcome.busy) {
            for (const auto& [first, end] : intervals) EXPECT_LE(end, limit);
        }
    }
    // A user who stops it stops all of them.
    SimulationOptions options;
    options.on_progress = [](const Progress& progress) { return progress.cycle < 100; };
    const FreshKernel kernel;
    const SimulationResult result = simulate(machine_of_text(fabric, traffic), "cycle", options);
    EXPECT_EQ(result.verdict, Verdict::kInterrupted);
    EXPECT_LT(result.messages_delivered, result.messages_expected);
}

TEST(Planes, SayOnWhichOfThemPacketsWaitInACycle) {
    const auto ring = [](std::uint8_t plane) {
        Config config;
        config.fabric.planes = 2;
        config.fabric.topology.kind = "torus";
        config.fabric.topology.dims = {6};
        config.fabric.buffer_depth = 1;
        config.fabric.allow_deadlock = true;
        Graph graph = build_topology(config);
        auto routing = make_routing(config, graph);
        std::vector<Transfer> transfers;
        for (NodeId node = 0; node < 6; ++node) {
            transfers.push_back(message(node, (node + 2) % 6, 400, plane));
        }
        return make_machine(config, std::move(graph), std::move(routing),
                            steps(6, std::move(transfers)));
    };
    const Outcome outcome = run(ring(1));
    EXPECT_EQ(outcome.result.verdict, Verdict::kDeadlock);
    ASSERT_FALSE(outcome.result.problems.empty());
    // As on plane 0, but for the names of the channels.
    const auto plane_1 = [](const std::string& text) {
        return std::regex_replace(text, std::regex("(link_\\d+_\\d+|inject_\\d+)"), "$1_plane1");
    };
    std::vector<std::string> expected = run(ring(0)).result.problems;
    std::transform(expected.begin(), expected.end(), expected.begin(), plane_1);
    EXPECT_EQ(outcome.result.problems, expected);
}

/// A rank sends two messages of 512 flits at once, one over each interface that its trace names.
TEST(Planes, AreTheInterfacesOfATrace) {
    const std::string file = testing::TempDir() + "rails.goal";
    std::ofstream(file) << "num_ranks 2\nrank 0 {\nsend 4096b to 1\nsend 4096b to 1 nic 1\n}\n"
                           "rank 1 {\nrecv 4096b from 0\nrecv 4096b from 0 nic 1\n}\n";
    const auto makespan = [&](std::uint32_t planes, const std::string& interfaces) {
        const Machine machine = machine_of_text(
            fmt::format("topology: {{kind: mesh, dims: [1, 2]}}, planes: {}", planes),
            fmt::format("traffic: {{trace: {{file: {}, interfaces: {}}}}}", file, interfaces));
        return run(machine).result.cycles;
    };
    EXPECT_EQ(makespan(1, "shared"), 1029U);
    EXPECT_EQ(makespan(2, "planes"), 516U);
    EXPECT_EQ(makespan(2, "shared"), 516U);  // taken in turn
    const auto error = [&](std::uint32_t planes, const std::string& more) {
        return error_of_text(
            fmt::format("topology: {{kind: mesh, dims: [1, 2]}}, planes: {}", planes),
            fmt::format("traffic: {{trace: {{file: {}, interfaces: planes{}}}}}", file, more));
    };
    EXPECT_THAT(error(1, ""), HasSubstr("rails.goal:4: error: network interface 1 of a rank, and "
                                        "there is one plane (set fabric.planes: 2"));
    EXPECT_THAT(error(2, ", send_completes: injected"),
                HasSubstr("complete when they are buffered"));
}

TEST(Planes, AreRefusedWhereTheyWouldNotBeExact) {
    const std::string two = "topology: {kind: mesh, dims: [4, 4]}, planes: 2";
    const std::string gen = "traffic: {schedule: naive}";
    EXPECT_THAT(error_of_text(two, gen + "\nfaults: {links: [0-1]}"),
                HasSubstr("planes are all alike"));
    EXPECT_THAT(error_of_text(two, gen + "\nnode: {port_model: independent}"),
                HasSubstr("one channel to each plane"));
    EXPECT_THAT(error_of_text(two, gen + "\nnode: {retransmit: {timeout: 100}}"),
                HasSubstr("on one plane only"));
    EXPECT_THAT(error_of_text(two, "traffic: {schedule: naive, handshake: true, planes: steps}"),
                HasSubstr("a step waits for its handshakes"));
    EXPECT_THAT(error_of_text("topology: {kind: mesh, dims: [4, 4]}",
                              "traffic: {schedule: naive, planes: steps}"),
                HasSubstr("a fabric of one plane"));
    const Machine machine = machine_of_text(two, gen);
    const auto refusal = find_engine("tlm")->refusal(machine);
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->key, "fabric.planes");
    EXPECT_THROW(explain(machine, "cycle", {}, false), ConfigError);
}

}  // namespace
}  // namespace flitscope
