// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The RTL router with a table runs the topologies without their own routing logic: HOWs,
// generalized hypercubes, express meshes, tori with datelines.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/tests/support/channel_log.h"
#include "testbench/verification/tests/support/lock_step.h"
#include "testbench/verification/tests/support/rtl_machines.h"

namespace flitscope {
namespace {

TEST(RtlTables, RunTheTopologiesInLockStepWithSystemC) {
    struct Case {
        const char* variant;
        const char* topology;
    };
    const Case cases[] = {
        {"router_p7_v1_d6_w80_r1_table16", "{kind: how, dims: [4, 4], window: 2}"},
        {"router_p7_v1_d6_w80_r1_table16", "{kind: ghc, dims: [4, 4]}"},
        {"router_p7_v1_d6_w80_r1_table16", "{kind: sparse_hamming, dims: [16], offsets: [2, 5]}"},
        {"router_p9_v1_d6_w160_r1_table16", "{kind: how, dims: [9], window: 5}"},
        {"router_p9_v1_d6_w160_r1_table16", "{kind: how, dims: [13], window: 4}"},
        {"router_p7_v1_d6_w80_r1_table16", "{kind: how, dims: [3, 5], window: [1, 3]}"},
        {"router_p9_v1_d6_w160_r1_table16", "{kind: ghc, dims: [9]}"},
        {"router_p5_v1_d4_w64_r1_table16_combined",
         "{kind: express_mesh, dims: [4, 4], segment: 3}"},
        {"router_p7_v1_d6_w80_r1_table16",
         "{kind: express_mesh, dims: [3, 5], segment: 2, layout: sparse}"},
        {"router_p9_v1_d8_w64_r1_table64",
         "{kind: express_mesh, dims: [8, 8], segment: 3, layout: sparse}"},
        {"router_p9_v1_d8_w64_r1_table64", "{kind: how, dims: [8, 8], window: 2}"},
        {"router_p3_v2_d3_w64_r2_table8", "{kind: torus, dims: [7]}"},
        {"router_p5_v2_d5_w64_r2_table8_hold", "{kind: torus, dims: [2, 4]}"},
        {"router_p5_v4_d5_w64_r2_table16", "{kind: torus, dims: [3, 5]}"},
        {"router_p5_v4_d5_w64_r2_table16_combined", "{kind: torus, dims: [3, 5]}"},
        {"router_p5_v2_d5_w64_r1_table8_hold_combined", "{kind: torus, dims: [2, 4]}"},
        {"router_p5_v1_d4_w64_r1_table16_combined", "{kind: how, dims: [9], window: 2}"},
        {"router_p5_v2_d8_w64_r1_table64", "{kind: torus, dims: [6, 8], folded: true}"},
        // several nodes on a router
        {"router_p7_v1_d6_w80_r1_table16", "{kind: ghc, dims: [4], concentration: 4}"},
        {"router_p7_v1_d6_w80_r1_table16", "{kind: mesh, dims: [2, 2], concentration: [1, 3]}"},
        {"router_p9_v1_d6_w160_r1_table16",
         "{kind: mesh, dims: [2, 2], concentration: [1, 3], extra_nodes: [1, 1]}"},
        {"router_p9_v1_d8_w64_r1_table64", "{kind: mesh, dims: [4, 3], concentration: [1, 5]}"},
        {"router_p5_v2_d8_w64_r1_table64", "{kind: torus, dims: [16], concentration: 3}"},
        {"router_p5_v4_d5_w64_r2_table16", "{kind: torus, dims: [4], concentration: 3}"},
        {"router_p5_v4_d5_w64_r2_table16_combined",
         "{kind: dragonfly, groups: 2, group_size: 2, global_links: 1, concentration: 3}"},
        {"router_p5_v1_d4_w64_r1_table16_combined", "{kind: mesh, dims: [4], concentration: 3}"},
        {"router_p5_v2_d5_w64_r2_table8_hold", "{kind: ghc, dims: [2], concentration: 4}"},
        {"router_p5_v2_d5_w64_r1_table8_hold_combined", "{kind: ghc, dims: [2], concentration: 4}"},
    };
    for (const Case& test : cases) {
        SCOPED_TRACE(fmt::format("{} {}", test.topology, test.variant));
        const auto variant = hw::parse_rtl_variant(test.variant);
        ASSERT_TRUE(variant);
        Config config = router_config_for(*variant);
        config.fabric.topology =
            parse_config(fmt::format("fabric: {{topology: {}}}\ntraffic: {{schedule: gen}}\n",
                                     test.topology),
                         "test.yaml")
                .fabric.topology;
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            std::mt19937_64 random(seed);
            Graph graph = random_delays(build_topology(config), random);
            expect_lock_step(config, std::move(graph), test.variant, random);
        }
    }
}

TEST(RtlTables, WaitForSlowLinksInLockStepWithSystemC) {
    const char* const name = "router_p5_v3_d5_w64_r2_table16_combined_slow";
    const auto variant = hw::parse_rtl_variant(name);
    ASSERT_TRUE(variant);
    for (const char* const topology :
         {"{kind: torus, dims: [3, 5]}", "{kind: mesh, dims: [4], concentration: [3]}",
          "{kind: torus, dims: [4], concentration: 3}"}) {
        SCOPED_TRACE(topology);
        Config config = router_config_for(*variant);
        config.fabric.topology =
            parse_config(
                fmt::format("fabric: {{topology: {}}}\ntraffic: {{schedule: gen}}\n", topology),
                "test.yaml")
                .fabric.topology;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            std::mt19937_64 random(seed);
            Graph graph = random_delays(build_topology(config), random);
            expect_lock_step(config, random_rates(std::move(graph), *variant, random), name,
                             random);
        }
    }
}

TEST(RtlThreads, ChangeNothing) {
    // 64 routers and more: fewer are simulated by one thread, whatever is asked for.
    for (const char* const topology : {"{kind: mesh, dims: [8, 8]}", "{kind: torus, dims: [8, 8]}",
                                       "{kind: mesh, dims: [16, 8]}"}) {
        for (const bool watched : {false, true}) {
            SCOPED_TRACE(fmt::format("{} {}", topology, watched));
            const bool torus = std::string(topology).find("torus") != std::string::npos;
            Config config = parse_config(
                fmt::format("fabric: {{topology: {}, router: rtl, virtual_channels: {}, "
                            "buffer_depth: 8}}\n"
                            "traffic: {{pattern: uniform, injection_rate: 0.2, message_bytes: 72, "
                            "measure_cycles: 1500}}\n",
                            topology, torus ? 2 : 1),
                "test.yaml");
            const Machine machine = build_machine(std::move(config));
            const auto run = [&machine, watched](std::uint32_t threads, ChannelLog& told) {
                const FreshKernel kernel;
                SimulationOptions options;
                options.threads = threads;
                options.channels = watched ? &told : nullptr;
                return simulate(machine, "cycle", options);
            };
            ChannelLog told_by_one;
            const SimulationResult one = run(1, told_by_one);
            EXPECT_EQ(one.verdict, Verdict::kComplete);
            EXPECT_EQ(one.rtl_routers, machine.graph.router_count());
            EXPECT_GT(one.messages_delivered, 1000U);
            EXPECT_EQ(told_by_one.sorted().empty(), !watched);
            for (const std::uint32_t threads : {2, 3}) {
                ChannelLog told;
                const SimulationResult several = run(threads, told);
                EXPECT_EQ(several.parts,
                          machine.graph.router_count() / 32 < threads ? 2U : threads);
                EXPECT_EQ(several.verdict, Verdict::kComplete);
                EXPECT_EQ(several.cycles, one.cycles);
                EXPECT_EQ(several.channel_flits, one.channel_flits);
                EXPECT_EQ(several.latency.mean(), one.latency.mean());
                EXPECT_EQ(told.sorted(), told_by_one.sorted());
            }
        }
    }
}

}  // namespace
}  // namespace flitscope
