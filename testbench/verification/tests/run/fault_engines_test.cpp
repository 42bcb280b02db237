// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Contended traffic on networks with dead links and nodes: proved free of deadlock, everything
// delivered, and the engines, the golden model and routers in RTL agree to the cycle. A sample;
// FLITSCOPE_DEPTH=all takes every single dead link and 1000 random sets (`./dev fault-campaign`).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/performance/wire_budget.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/faults/faults.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/lock_step.h"
#include "testbench/verification/tests/support/rtl_machines.h"
#include "traffic/patterns/pattern_source.h"

namespace flitscope {
namespace {

constexpr const char* kContended =
    "pattern: uniform, injection_rate: 0.5, message_bytes: 40, warmup_cycles: 0, "
    "measure_cycles: 60";

/// A machine with a program: the messages of a pattern are drawn beforehand.
Machine machine_with(const std::string& topology, std::uint32_t virtual_channels,
                     const std::string& faults, const std::string& traffic, std::size_t seed) {
    const Config config = parse_config(
        fmt::format("fabric: {{topology: {}, virtual_channels: {}, switch_arbitration: {}}}\n"
                    "faults: {{{}}}\ntraffic: {{{}}}\nseed: {}\n",
                    topology, virtual_channels, virtual_channels > 1 ? "per_packet" : "round_robin",
                    faults, traffic, seed),
        "fault_engines_test");
    Machine machine = build_machine(config);
    if (machine.pattern) {
        machine.program = std::make_shared<const Program>(materialise(config, machine.graph));
        machine.pattern.reset();
    }
    return machine;
}

void expect_agreement(const Machine& machine, hw::ScanOrder order, CompareCounts& all) {
    ASSERT_TRUE(machine.graph.has_faults());
    EXPECT_TRUE(machine.dependency_cycle.empty()) << machine.routing->name();
    ASSERT_FALSE(machine.program->transfers.empty());
    CompareCounts counts;
    EXPECT_EQ(compare_engines(machine, "tlm", counts), "");
    EXPECT_EQ(counts.packets, machine.program->transfers.size());
    CompareRun run;
    run.order = order;
    EXPECT_EQ(compare_machine_with_golden(machine, run, counts), "");
    all.packets += counts.packets;
    all.busy_intervals += counts.busy_intervals;
    all.flit_hops += counts.flit_hops;
}

hw::ScanOrder scan_order(std::size_t i) {
    return i % 2 == 0 ? hw::ScanOrder::kAscending : hw::ScanOrder::kDescending;
}

struct Fabric {
    const char* name;
    const char* topology;
    std::size_t channels;
};

constexpr Fabric kFabrics[] = {
    {"Mesh", "{kind: mesh, dims: [8, 8]}", 112},
    {"Torus", "{kind: torus, dims: [4, 4, 4]}", 192},
    {"Hypercube", "{kind: hypercube, dimensions: 6}", 192},
    {"How", "{kind: how, dims: [8, 8], window: 3}", 288},
};

class SingleFaults : public testing::TestWithParam<Fabric> {};

TEST_P(SingleFaults, AreRoutedAroundAlikeByAllEngines) {
    const Graph whole = build_topology(parse_config(
        fmt::format("fabric: {{topology: {}}}\ntraffic: {{schedule: gen}}", GetParam().topology),
        "fault_engines_test"));
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;  // of routers
    for (const Link& link : whole.links()) pairs.insert(std::minmax(link.from, link.to));
    const std::vector channels(pairs.begin(), pairs.end());
    ASSERT_EQ(channels.size(), GetParam().channels);
    CompareCounts counts;
    std::size_t cases = 0;
    std::set<std::string> routings;
    const std::size_t step = takes_all() ? 1 : channels.size() / 6;
    for (std::size_t i = 0; i < channels.size(); i += step, ++cases) {
        const auto [a, b] = channels[i];
        for (const std::uint32_t virtual_channels : {1, 2}) {
            if (!takes_all() && (cases % 2 == 0) == (virtual_channels == 1)) continue;
            SCOPED_TRACE(fmt::format("{}-{} dead, {} virtual channels", a, b, virtual_channels));
            const Machine machine =
                machine_with(GetParam().topology, virtual_channels,
                             fmt::format("links: [{}-{}]", a, b), kContended, i);
            routings.insert(machine.routing->name());
            expect_agreement(machine, scan_order(cases), counts);
        }
    }
    fmt::print("{}: {} single faults, {} packets, {} busy intervals, {} flit-hops; routings: {}\n",
               GetParam().name, cases, counts.packets, counts.busy_intervals, counts.flit_hops,
               fmt::join(routings, ", "));
}

INSTANTIATE_TEST_SUITE_P(All, SingleFaults, testing::ValuesIn(kFabrics),
                         [](const auto& fabric) { return std::string(fabric.param.name); });

TEST(RandomFaults, AreRoutedAroundAlikeByAllEngines) {
    const char* const topologies[] = {
        "{kind: mesh, dims: [5, 6]}",
        "{kind: mesh, dims: [3, 3, 3]}",
        "{kind: torus, dims: [5, 5]}",
        "{kind: hypercube, dimensions: 5}",
        "{kind: ghc, dims: [4, 5]}",
        "{kind: how, dims: [5, 5], window: 2}",
        "{kind: how, dims: [16], window: 4}",
        "{kind: express_mesh, dims: [9, 5], segment: 4}",
        "{kind: express_mesh, dims: [5, 5], segment: 2, layout: compound}",
        "{kind: fat_tree, arity: 2, height: 4}",
        "{kind: dragonfly, groups: 5, group_size: 4, global_links: 1}",
    };
    CompareCounts counts;
    std::set<std::string> routings;
    std::uint64_t dead_links = 0;
    std::uint64_t dead = 0;
    const std::size_t sets = cases_of(66, 1000);
    for (std::size_t i = 0; i < sets; ++i) {
        const char* const topology = topologies[i % std::size(topologies)];
        const std::string faults = fmt::format(
            "random_links: {}, random_nodes: {}, seed: {}, keep_connected: true, "
            "traffic: drop",
            1 + i % 5, i % 3, i);
        const std::string traffic = i % 4 == 0 ? "schedule: naive, message_bytes: 24" : kContended;
        const auto virtual_channels = static_cast<std::uint32_t>(1 + i / 11 % 3);
        SCOPED_TRACE(fmt::format("{} {} {} {}", topology, faults, traffic, virtual_channels));
        const Machine machine = machine_with(topology, virtual_channels, faults, traffic, i);
        const std::string routing = machine.routing->name();
        routings.insert(routing.substr(0, routing.find('/')));  // without its spread
        dead_links += dead_channels(machine.graph).size();
        dead += dead_nodes(machine.graph).size();
        expect_agreement(machine, scan_order(i), counts);
    }
    EXPECT_EQ(routings, (std::set<std::string>{"lash", "shortest_path", "up_down"}));
    fmt::print(
        "{} random sets: {} links and {} nodes dead, {} packets, {} busy intervals, {} "
        "flit-hops; routings: {}\n",
        sets, dead_links, dead, counts.packets, counts.busy_intervals, counts.flit_hops,
        fmt::join(routings, ", "));
}

/// Virtual channels by layers, and routers whose ports lead nowhere, in logic.
TEST(RtlFaults, AreRoutedAroundInLockStepWithSystemC) {
    struct Case {
        const char* variant;
        const char* topology;
        const char* routing;
    };
    for (const Case& test : {
             Case{"router_p5_v2_d8_w64_r1_table64", "{kind: mesh, dims: [8, 8]}", "lash"},
             Case{"router_p5_v4_d5_w64_r2_table16", "{kind: torus, dims: [4, 4]}", "lash"},
             Case{"router_p7_v1_d6_w80_r1_table16", "{kind: ghc, dims: [4, 4]}", "up_down"},
         }) {
        SCOPED_TRACE(fmt::format("{} {}", test.topology, test.variant));
        const auto variant = hw::parse_rtl_variant(test.variant);
        ASSERT_TRUE(variant);
        Config config = router_config_for(*variant);
        const Config faulty =
            parse_config(fmt::format("fabric: {{topology: {}, routing: {}}}\n"
                                     "faults: {{random_links: 2, seed: 5, keep_connected: true}}\n",
                                     test.topology, test.routing),
                         "fault_engines_test");
        config.fabric.topology = faulty.fabric.topology;
        config.fabric.routing = faulty.fabric.routing;
        config.faults = faulty.faults;
        std::mt19937_64 random(3);
        Graph graph = build_budgeted_topology(config);
        ASSERT_EQ(dead_channels(graph).size(), 2);
        expect_lock_step(config, std::move(graph), test.variant, random);
    }
}

}  // namespace
}  // namespace flitscope
