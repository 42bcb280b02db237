// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges in which nodes hand on blocks of others: complete by a check that shares nothing with
// them, as few messages as startups ask for, merged as the program plays them; and the bound that
// follows from startups, against schedules of the catalogue as simulated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/app/schedule_synthesis/synthesis_run.h"
#include "traffic/schedules/synthesis/combining.h"

namespace flitscope::synthesis {
namespace {

std::string text_of(const std::string& topology, std::uint64_t startup,
                    const std::string& more = "") {
    return fmt::format(
        "fabric: {{topology: {{{}}}}}\n"
        "node: {{send_overhead: {}, serialize_overhead: true}}\n{}",
        topology, startup, more);
}

Task exchange_of(const Machine& machine, std::uint64_t bytes) {
    SynthesisRequest request;
    request.collective = Collective::kAllToAll;
    request.chunks = 1;
    request.bytes = bytes;
    return task_of(request, machine.graph);
}

TEST(Combining, ExchangesAreCompleteOnAnyNumberOfNodes) {
    for (const char* topology : {"kind: mesh, dims: [1, 2]", "kind: mesh, dims: [1, 7]",
                                 "kind: mesh, dims: [3, 4]", "kind: torus, dims: [4, 4]"}) {
        for (const char* faults : {"", "faults: {nodes: [1]}\n"}) {
            for (const std::uint64_t startup : {0, 30, 3000}) {
                SCOPED_TRACE(fmt::format("{} {} {}", topology, faults, startup));
                if (std::string(topology).find("[1,") != std::string::npos && *faults != 0)
                    continue;
                const Machine machine =
                    build_machine(parse_config(text_of(topology, startup, faults), "test"));
                const Task task = exchange_of(machine, 16);
                Rehearsal rehearsal(machine.config, machine.graph, *machine.routing);
                const Combining exchange(task, machine.config, machine.graph, *machine.routing,
                                         rehearsal);
                const ChunkSchedule found = exchange.schedule();
                EXPECT_EQ(check_completeness(found, machine.graph, *machine.routing),
                          std::vector<std::string>());
                EXPECT_EQ(found.rounds.size(), exchange.phases().size());
                std::uint64_t sends = 0;
                for (const CombiningPhase& phase : exchange.phases()) sends += phase.radix - 1;
                const RoundContention most =
                    contention(found, machine.config, machine.graph, *machine.routing);
                EXPECT_LE(most.send, sends);
                EXPECT_GE(most.link, 1);
                // A message for all moves of a round between the same two nodes.
                const Program program = to_program(found, "test");
                std::set<std::pair<NodeId, NodeId>> ends;
                std::uint64_t bytes = 0;
                std::uint64_t messages = 0;
                for (const auto& round : found.rounds) {
                    ends.clear();
                    for (const ChunkMove& move : round) ends.emplace(move.from, move.to);
                    messages += ends.size();
                }
                for (const Transfer& transfer : program.transfers) bytes += transfer.bytes;
                EXPECT_EQ(program.transfers.size(), messages);
                EXPECT_EQ(bytes, found.moves() * 16);
            }
        }
    }
}

TEST(Combining, AllCollectivesAreCompleteFromAnyRoot) {
    for (const char* topology :
         {"kind: mesh, dims: [1, 7]", "kind: mesh, dims: [3, 4]", "kind: hypercube, dimensions: 3",
          "kind: fat_tree, arity: 3, height: 2"}) {
        for (const CollectiveName& known : collective_names()) {
            for (const std::uint64_t startup : {0, 30, 3000}) {
                SCOPED_TRACE(fmt::format("{} {} {}", topology, known.name, startup));
                const Machine machine =
                    build_machine(parse_config(text_of(topology, startup), "test"));
                SynthesisRequest request;
                request.collective = known.collective;
                request.chunks = 1;
                request.bytes = 160;
                request.root = 5;
                const Task task = task_of(request, machine.graph);
                Rehearsal rehearsal(machine.config, machine.graph, *machine.routing);
                const Combining combining(task, machine.config, machine.graph, *machine.routing,
                                          rehearsal);
                EXPECT_EQ(check_completeness(combining.schedule(), machine.graph, *machine.routing),
                          std::vector<std::string>());
            }
        }
    }
}

TEST(Combining, StartupsDecideOnTheNumberOfMessages) {
    const auto sends = [](std::uint64_t startup, std::uint64_t bytes) {
        const Machine machine =
            build_machine(parse_config(text_of("kind: mesh, dims: [4, 4]", startup), "test"));
        const Task task = exchange_of(machine, bytes);
        Rehearsal rehearsal(machine.config, machine.graph, *machine.routing);
        const Combining exchange(task, machine.config, machine.graph, *machine.routing, rehearsal);
        std::uint64_t sum = 0;
        for (const CombiningPhase& phase : exchange.phases()) sum += phase.radix - 1;
        return sum;
    };
    EXPECT_EQ(sends(10000, 8), 4);  // halves
    EXPECT_GT(sends(250, 256), 4);
    EXPECT_LT(sends(250, 256), 15);
    EXPECT_EQ(sends(10, 4096), 15);  // every block for itself
}

/// Cycles of a schedule of the catalogue.
Cycle simulated(const std::string& text, const std::string& traffic) {
    const Machine machine =
        build_machine(parse_config(fmt::format("{}traffic: {{{}}}\n", text, traffic), "test"));
    const FreshKernel kernel;
    return simulate(machine, "auto", {}).cycles;
}

SynthesisRun found_on(const std::string& text, std::uint64_t bytes,
                      Collective collective = Collective::kAllToAll) {
    SynthesisOptions options;
    options.request.collective = collective;
    options.request.bytes = bytes;
    static int number = 0;
    options.file =
        (std::filesystem::path(testing::TempDir()) / fmt::format("combining_{}.csv", number++))
            .string();
    const FreshKernel kernel;
    return run_synthesis(parse_config(text, "test"), options);
}

/// What `auto` takes is as good as the best of the catalogue, short blocks and long ones, and none
/// of them is below the bound.
TEST(Combining, ShortBlocksAreAsQuickAsInTheCatalogueAndNothingIsBelowTheBound) {
    for (const char* topology : {"kind: mesh, dims: [4, 4]", "kind: hypercube, dimensions: 3"}) {
        for (const std::uint64_t bytes : {0, 64, 512, 4096}) {
            SCOPED_TRACE(fmt::format("{} {} bytes", topology, bytes));
            const std::string text = text_of(topology, 500);
            const SynthesisRun found = found_on(text, bytes);
            EXPECT_EQ(found.findings, std::vector<std::string>());
            EXPECT_EQ(found.run.verdict, Verdict::kComplete);
            EXPECT_TRUE(found.schedule.merges || bytes > 64);
            Cycle best = kNever;
            for (const char* schedule : {"recursive-exchange", "naive", "pex", "gen"}) {
                const Cycle cycles = simulated(
                    text, fmt::format("schedule: {}, message_bytes: {}", schedule, bytes));
                EXPECT_GE(cycles, found.bound.cycles) << schedule;
                best = std::min(best, cycles);
            }
            EXPECT_GE(found.run.cycles, found.bound.cycles);
            EXPECT_LE(static_cast<double>(found.run.cycles), 1.05 * static_cast<double>(best));
        }
    }
}

TEST(Combining, ShortCollectivesAreAsQuickAsInTheCatalogueAndCloseToTheirBound) {
    struct Known {
        Collective collective;
        const char* schedule;
    };
    const std::string text = text_of("kind: mesh, dims: [4, 4]", 2000);
    for (const Known& known :
         {Known{Collective::kAllGather, "allgather, algorithm: recursive_doubling"},
          Known{Collective::kReduceScatter, "reduce-scatter, algorithm: recursive_halving"},
          Known{Collective::kAllReduce, "allreduce, algorithm: recursive_doubling"},
          Known{Collective::kBroadcast, "broadcast, algorithm: binomial"},
          Known{Collective::kScatter, "scatter, algorithm: binomial"}}) {
        SCOPED_TRACE(known.schedule);
        const SynthesisRun found = found_on(text, 64, known.collective);
        EXPECT_EQ(found.findings, std::vector<std::string>());
        EXPECT_EQ(found.schedule.method, "combining");
        const Cycle cycles =
            simulated(text, fmt::format("schedule: {}, message_bytes: 64", known.schedule));
        EXPECT_LE(static_cast<double>(found.run.cycles), 1.01 * static_cast<double>(cycles));
        EXPECT_GE(found.run.cycles, found.bound.cycles);
        EXPECT_LE(static_cast<double>(found.run.cycles),
                  1.1 * static_cast<double>(found.bound.cycles));
    }
}

TEST(StartupBounds, TwoNodesTakeThemExactly) {
    for (const char* node : {"send_overhead: 40, serialize_overhead: true",
                             "send_overhead: 40, serialize_overhead: true, injection_rate: 0.25"}) {
        const std::string text =
            fmt::format("fabric: {{topology: {{kind: mesh, dims: [1, 2]}}}}\nnode: {{{}}}\n", node);
        const Machine machine = build_machine(parse_config(text, "test"));
        for (const std::uint64_t bytes : {8, 80}) {
            const CollectiveBound bound =
                bound_of(exchange_of(machine, bytes), machine.config, machine.graph);
            const Cycle cycles =
                simulated(text, fmt::format("schedule: naive, message_bytes: {}", bytes));
            EXPECT_LE(bound.cycles, cycles);
            // The gap: rounding down, and the packet's flits but two, which leave after assembly.
            EXPECT_GE(bound.cycles + 16, cycles);
        }
    }
}

TEST(StartupBounds, ProveHalvesAndDirectMessages) {
    const std::string text = text_of("kind: hypercube, dimensions: 4", 5000);
    for (const auto& [traffic, bytes, gap] : {std::tuple{"schedule: recursive-exchange", 8, 1.05},
                                              std::tuple{"schedule: naive", 80000, 1.01}}) {
        const Machine machine = build_machine(parse_config(text, "test"));
        const CollectiveBound bound = bound_of(
            exchange_of(machine, static_cast<std::uint64_t>(bytes)), machine.config, machine.graph);
        EXPECT_EQ(bound.kind, BoundKind::kStartups);
        const Cycle cycles = simulated(text, fmt::format("{}, message_bytes: {}", traffic, bytes));
        EXPECT_LE(bound.cycles, cycles);
        EXPECT_LE(static_cast<double>(cycles), gap * static_cast<double>(bound.cycles));
    }
}

}  // namespace
}  // namespace flitscope::synthesis
