// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The TLM engine: equal to the golden model and to the cycle engine, on random machines and on hard
// ones for bursts; its run control; its errors.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hw/packet/fabric.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/run_record.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/reference/draw.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/traced_run.h"
#include "tlm/engine/fabric.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"

namespace flitscope {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Seeds are split over several tests so that CTest can run them side by side.
constexpr int kBlocks = 8;
constexpr std::uint64_t kSmallPerBlock = 250;
constexpr std::uint64_t kWidePerBlock = 150;
constexpr std::uint64_t kRepliesPerBlock = 60;
constexpr std::uint64_t kOperationsPerBlock = 60;
constexpr std::uint64_t kSteadyPerBlock = 6;

/// The case of `seed`, with an arbitration that the TLM engine can do.
RandomCase small_case(std::uint64_t seed) { return tlm_case(random_case(seed)); }

class TlmComparison : public testing::TestWithParam<int> {
protected:
    /// Number of small cases from seeds of this block with the golden model, and half as many wide
    /// ones with the cycle engine, or a sample of them; the minimum number of packets in all.
    template <class MakeSmall, class MakeWide>
    void compare(std::uint64_t all, std::uint64_t least_packets, MakeSmall make_small,
                 MakeWide make_wide) {
        const std::uint64_t cases = sample_of(all);
        CompareCounts counts;
        CompareRun run;
        run.engine = "tlm";
        for (std::uint64_t i = 0; i < cases; ++i) {
            const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * cases + i + 1;
            const RandomCase small = make_small(seed);
            const std::string difference = compare_with_golden(small, run, counts);
            ASSERT_EQ(difference, "") << describe(small);
            if (i % 2 != 0) continue;
            const RandomCase wide = make_wide(seed);
            const std::string other = compare_engines(wide, "tlm", counts);
            ASSERT_EQ(other, "") << describe(wide);
        }
        EXPECT_GT(counts.packets, least_of(least_packets));
    }
};

TEST_P(TlmComparison, EqualsGoldenModelOnSmallRandomMachines) {
    CompareCounts counts;
    const std::uint64_t cases = sample_of(kSmallPerBlock);
    for (std::uint64_t i = 0; i < cases; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * cases + i + 1;
        const RandomCase test = small_case(seed);
        CompareRun run;
        run.engine = "tlm";
        run.observed = seed % 3 != 0;
        const std::string difference = compare_with_golden(test, run, counts);
        ASSERT_EQ(difference, "") << describe(test);
    }
    EXPECT_GT(counts.packets, least_of(10'000));
    EXPECT_GT(counts.busy_intervals, least_of(40'000));
    EXPECT_GT(counts.flit_hops, least_of(100'000));
}

TEST_P(TlmComparison, EqualsCycleEngineOnWideRandomMachines) {
    CompareCounts counts;
    const std::uint64_t cases = sample_of(kWidePerBlock);
    for (std::uint64_t i = 0; i < cases; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * cases + i + 1;
        const RandomCase test = random_case(seed, CaseRange::kWide);
        CompareRun run;
        run.engine = "tlm";
        run.observed = seed % 20 == 0;
        const std::string difference = seed % 10 == 0 ? compare_with_golden(test, run, counts)
                                                      : compare_engines(test, "tlm", counts);
        ASSERT_EQ(difference, "") << describe(test);
    }
    EXPECT_GT(counts.packets, least_of(100'000));
    EXPECT_GT(counts.busy_intervals, least_of(200'000));
    EXPECT_GT(counts.flit_hops, least_of(1'000'000));
}

TEST_P(TlmComparison, RepliesEqualTheGoldenModelAndTheCycleEngine) {
    compare(
        kRepliesPerBlock, 10'000, [](std::uint64_t seed) { return reply_case(small_case(seed)); },
        [](std::uint64_t seed) { return reply_case(random_case(seed, CaseRange::kWide)); });
}

TEST_P(TlmComparison, OperationsEqualTheGoldenModelAndTheCycleEngine) {
    compare(
        kOperationsPerBlock, 5'000,
        [](std::uint64_t seed) { return operation_case(plain_case(small_case(seed))); },
        [](std::uint64_t seed) {
            return operation_case(tlm_case(random_case(seed, CaseRange::kWide)));
        });
}

TEST_P(TlmComparison, ReceivesByTransferEqualTheGoldenModelAndTheCycleEngine) {
    compare(
        kOperationsPerBlock, 5'000,
        [](std::uint64_t seed) {
            return operation_case(plain_case(small_case(seed)), ReceiveTime::kTransfer);
        },
        [](std::uint64_t seed) {
            return operation_case(tlm_case(random_case(seed, CaseRange::kWide)),
                                  ReceiveTime::kTransfer);
        });
}

std::string text_of(const LatencyStatistics& latency) {
    return fmt::format("{} of mean {}, {} at most; ", latency.count(), latency.mean(),
                       latency.percentile(100));
}

/// The figures of a run of a pattern.
std::string figures(const Machine& machine, const std::string& engine) {
    const FreshKernel kernel;
    const SimulationResult run = simulate(machine, engine, {});
    return fmt::format("{} messages, {} flits in {} cycles; ", run.messages_delivered,
                       run.flits_delivered, run.cycles) +
           text_of(run.latency) + text_of(run.head_latency) + text_of(run.network_latency) +
           (run.replies ? text_of(run.replies->round_trip) : "");
}

/// An inspection ends them: deliveries in the last cycle count on both engines, and packets in
/// flight then on neither.
TEST_P(TlmComparison, SteadyRunsEqualThoseOfTheCycleEngine) {
    CompareCounts counts;
    const std::uint64_t cases = cases_of(2, kSteadyPerBlock);
    for (std::uint64_t i = 0; i < cases; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * cases + i + 1;
        const RandomCase test = steady_case(small_case(seed));
        const std::string difference = compare_engines(test, "tlm", counts);
        ASSERT_EQ(difference, "") << describe(test);
        const Machine machine = machine_of(test);
        ASSERT_EQ(figures(machine, "tlm"), figures(machine, "cycle")) << describe(test);
    }
    EXPECT_GT(counts.packets, least_of(10'000));
}

INSTANTIATE_TEST_SUITE_P(Seeds, TlmComparison, testing::Range(0, kBlocks));

// Machines of one kind each.

Config mesh_8x8() {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {8, 8};
    return config;
}

Config hypercube_64() {
    Config config;
    config.fabric.topology.kind = "hypercube";
    config.fabric.topology.dimensions = 6;
    return config;
}

Machine machine_of(const Config& config, Graph graph, Program program) {
    std::unique_ptr<Routing> routing = make_routing(config, graph);
    return make_machine(config, std::move(graph), std::move(routing), std::move(program));
}

/// Messages of 1 to 24 flits between any nodes, most of which are under way at the same time.
Program crowd(Draw& draw, NodeId nodes, std::size_t messages) {
    Program program = empty_program("crowd", nodes, messages);
    program.ordering = Ordering::kTimed;
    for (std::size_t i = 0; i < messages; ++i) {
        Transfer transfer{static_cast<NodeId>(draw.below(nodes)),
                          static_cast<NodeId>(draw.below(nodes)), 8 * draw.between(0, 23)};
        transfer.time = i;
        program.transfers.push_back(transfer);
    }
    return program;
}

TEST(TlmFabric, SlowLinksOfCrowdedMeshesEqualTheGoldenModel) {
    CompareCounts counts;
    for (const char* const routing : {"dimension_order", "west_first", "odd_even"}) {
        for (const Allocation allocation : kAllocations) {
            for (std::uint64_t seed = 1; seed <= 12; ++seed) {
                Draw draw(seed);
                Config config;
                config.fabric.topology.kind = "mesh";
                config.fabric.topology.dims = {4, 4};
                config.fabric.routing = routing;
                config.fabric.allocation = allocation;
                config.fabric.buffer_depth = draw.between(1, 9);
                config.fabric.router_delay = draw.between(1, 2);
                Graph graph = build_topology(config);
                for (LinkId id = 0; id < graph.link_count(); ++id) {
                    graph.set_delay(id, draw.between(1, 4));
                    graph.set_rate(id, draw.between(1, 6));
                }
                CompareRun run;
                run.engine = "tlm";
                const std::string difference = compare_machine_with_golden(
                    machine_of(config, std::move(graph), crowd(draw, 16, 250)), run, counts);
                ASSERT_EQ(difference, "")
                    << routing << ", " << name_of(allocation) << ", seed " << seed;
            }
        }
    }
    EXPECT_GT(counts.packets, 15'000U);
}

Machine machine_of(const Config& config, Program program) {
    return machine_of(config, build_topology(config), std::move(program));
}

/// Router 0 in the middle, with a port for every other router.
Graph star_of(std::uint32_t leaves, std::uint32_t delay) {
    Graph graph = star(leaves + 1, leaves + 1);
    for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_delay(id, delay);
    return graph;
}

Transfer transfer(NodeId source, NodeId destination, std::uint64_t flits, Cycle time = 0) {
    Transfer t{source, destination, (flits - 1) * 8};  // in addition to the header
    t.time = time;
    return t;
}

/// Anybody to anybody, now and then to himself, lengths of 1 to 5000 flits that are alike on a
/// logarithmic scale.
Program uniform_traffic(NodeId nodes, std::size_t messages, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Program program = steps(nodes, {});
    program.ordering = Ordering::kTimed;
    while (program.transfers.size() < messages) {
        const std::uint64_t scale = std::uint64_t{1} << random() % 13;
        program.transfers.push_back(transfer(static_cast<NodeId>(random() % nodes),
                                             static_cast<NodeId>(random() % nodes),
                                             1 + (scale + random() % scale - 1) % 5000));
    }
    return program;
}

/// Every node sends `messages` messages of `flits` flits to node 0, itself included.
Program all_to_one(NodeId nodes, std::size_t messages, std::uint64_t flits) {
    Program program = steps(nodes, {});
    program.ordering = Ordering::kTimed;
    for (std::size_t i = 0; i < messages; ++i) {
        for (NodeId node = 0; node < nodes; ++node) {
            program.transfers.push_back(transfer(node, 0, flits));
        }
    }
    return program;
}

void expect_equal_engines(const Machine& machine, std::uint64_t least_hops) {
    CompareCounts counts;
    EXPECT_EQ(compare_engines(machine, "tlm", counts), "");
    EXPECT_GE(counts.flit_hops, least_hops);
}

TEST(TlmFabric, CompleteExchangeEqualsCycleEngine) {
    for (const std::uint64_t bytes : {0U, 56U, 504U}) {
        SCOPED_TRACE(bytes);
        // 64 * 63 messages over 16 / 3 links in the mean, or 64 * 32 * 6 over one each.
        expect_equal_engines(machine_of(mesh_8x8(), pex(64, bytes)), 64 * 336 * (1 + bytes / 8));
        expect_equal_engines(machine_of(hypercube_64(), pex(64, bytes)),
                             64 * 192 * (1 + bytes / 8));
    }
}

TEST(TlmFabric, PacketsOfAllLengthsEqualCycleEngine) {
    expect_equal_engines(machine_of(mesh_8x8(), uniform_traffic(64, 500, 1)), 500'000);
    expect_equal_engines(machine_of(hypercube_64(), uniform_traffic(64, 500, 2)), 500'000);
    Config config;
    expect_equal_engines(machine_of(config, star_of(40, 1), uniform_traffic(41, 400, 3)), 300'000);
}

TEST(TlmFabric, HotspotEqualsCycleEngine) {
    for (const std::uint64_t flits : {1U, 7U, 300U}) {
        SCOPED_TRACE(flits);
        expect_equal_engines(machine_of(mesh_8x8(), all_to_one(64, 5, flits)), 5 * 448 * flits);
        expect_equal_engines(machine_of(hypercube_64(), all_to_one(64, 5, flits)), 5 * 192 * flits);
        Config config;  // forty requests for one output at once
        expect_equal_engines(machine_of(config, star_of(40, 2), all_to_one(41, 5, flits)),
                             5 * 40 * flits);
    }
}

TEST(TlmFabric, SeveralPacketsPerFifoEqualCycleEngine) {
    for (const std::uint32_t depth : {3U, 8U, 40U}) {
        SCOPED_TRACE(depth);
        Config config = mesh_8x8();
        config.fabric.buffer_depth = depth;
        Program program = all_to_one(64, 40, 1);
        for (std::size_t i = 0; i < program.transfers.size(); ++i) {
            program.transfers.change(
                i, [i](Transfer& t) { t.bytes = i / 64 % 3 * 8; });  // 1, 2 and 3 flits
        }
        expect_equal_engines(machine_of(config, program), 40 * 448);
    }
}

TEST(TlmFabric, OneSlotBehindALongWireEqualsCycleEngine) {
    for (const std::uint32_t depth : {1U, 2U, 5U, 23U, 24U, 25U}) {
        SCOPED_TRACE(depth);  // c + d = 24
        Config config;
        config.fabric.topology.kind = "mesh";
        config.fabric.topology.dims = {3, 4};
        config.fabric.buffer_depth = depth;
        config.fabric.link_delay.cycles = 12;
        Program program = hot_traffic(12, 100, depth, 200);
        program.transfers.push_back(transfer(3, 3, 40));
        expect_equal_engines(machine_of(config, program), 2000);
    }
}

/// A FIFO whose front packets ask for different outputs is left by a tail and entered upon by the
/// next head one cycle later; nothing stops on the channel that fills it.
TEST(TlmFabric, PacketsThatPartBehindEachOtherEqualCycleEngine) {
    for (const std::uint32_t delay : {1U, 3U, 6U, 9U}) {
        for (const std::uint64_t flits : {1U, 2U, 5U}) {
            SCOPED_TRACE(fmt::format("delay {} flits {}", delay, flits));
            Config config;
            config.fabric.buffer_depth = 2 * delay + 3;
            Program program = steps(9, {});
            program.ordering = Ordering::kTimed;
            for (NodeId i = 0; i < 60; ++i) {
                program.transfers.push_back(transfer(1, 2 + i % 7, flits));
                if (i % 5 == 0) program.transfers.push_back(transfer(1, 0, 1));
                if (i % 7 == 0) program.transfers.push_back(transfer(3, 2 + i % 3 * 2, 9));
            }
            expect_equal_engines(machine_of(config, star_of(8, delay), program), 120 * flits);
        }
    }
}

TEST(TlmFabric, SeveralVirtualChannelsThatHoldTheSwitchEqualCycleEngine) {
    for (const std::uint32_t vcs : {2U, 3U, 8U}) {
        SCOPED_TRACE(vcs);
        Config config = mesh_8x8();
        config.fabric.virtual_channels = vcs;
        config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
        expect_equal_engines(machine_of(config, hot_traffic(64, 600, vcs, 800)), 50'000);
        expect_equal_engines(machine_of(config, all_to_one(64, 10, 3)), 10 * 448 * 3);
        expect_equal_engines(machine_of(config, star_of(40, 3), uniform_traffic(41, 150, vcs)),
                             100'000);
    }
}

// Run control.

RunRecord record_of(const Machine& machine, const std::string& engine) {
    const FreshKernel kernel;
    ChannelRecorder channels(ChannelMap(machine.graph).count(),
                             machine.config.fabric.virtual_channels);
    PacketRecorder packets;
    SimulationOptions options;
    options.packets = &packets;
    options.channels = &channels;
    return make_run_record(simulate(machine, engine, options), packets, &channels);
}

TEST(TlmFabric, LimitInAnyCycleLeavesWhatItLeavesInTheCycleEngine) {
    for (const std::uint32_t vcs : {1U, 2U}) {
        Config config;
        config.fabric.topology.kind = "mesh";
        config.fabric.topology.dims = {2, 3};
        config.fabric.virtual_channels = vcs;
        config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
        config.fabric.buffer_depth = 3;
        config.fabric.link_delay.cycles = 2;
        Machine machine = machine_of(config, hot_traffic(6, 40, 11, 160));
        const Cycle makespan = record_of(machine, "cycle").makespan;
        ASSERT_GT(makespan, 250U);
        for (Cycle limit = 1; limit <= makespan + 3; ++limit) {
            SCOPED_TRACE(fmt::format("{} virtual channels, limit {}", vcs, limit));
            machine.config.limits.max_cycles = limit;
            const RunRecord cycle = record_of(machine, "cycle");
            const RunRecord tlm = record_of(machine, "tlm");
            EXPECT_EQ(cycle.verdict, limit < makespan ? Verdict::kTimeout : Verdict::kComplete);
            const auto difference = first_difference(tlm, cycle, machine.graph);
            ASSERT_FALSE(difference) << difference->subject << ": " << difference->ours
                                     << " instead of " << difference->theirs;
            ASSERT_EQ(tlm.problems, cycle.problems);
        }
    }
}

/// No event falls into most of these cycles.
TEST(TlmFabric, LimitWithinABurstCountsItsFlits) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {1, 3};
    Machine machine = machine_of(config, steps(3, {transfer(0, 2, 100)}));
    for (Cycle limit = 1; limit < 110; ++limit) {
        SCOPED_TRACE(limit);
        machine.config.limits.max_cycles = limit;
        const RunRecord tlm = record_of(machine, "tlm");
        EXPECT_EQ(tlm.flits_sent, record_of(machine, "cycle").flits_sent);
        EXPECT_EQ(tlm.flits_sent[ChannelMap(machine.graph).injection(0)],
                  std::min<Cycle>(limit, 100));
    }
}

/// A fabric without generators: all messages are handed over before the run.
template <class AnyFabric, class... Options>
struct BareFabric {
    BareFabric(const Machine& machine, Options... options)
        : fabric("fabric", machine.config, machine.graph, *machine.routing, options...) {
        for (MessageId id = 0; id < machine.program->transfers.size(); ++id) {
            const Transfer& t = machine.program->transfers[id];
            fabric.port(t.source).send({id, t.source, t.destination, t.step, t.bytes}, t.time);
        }
    }
    RunEnd run(const RunControl& control) {
        fabric.start(control);
        sc_core::sc_start();
        return fabric.finish();
    }
    FreshKernel kernel;
    AnyFabric fabric;
};
using BareTlmFabric = BareFabric<TlmFabric, ChannelObserver*, PacketObserver*>;
using BareCycleFabric = BareFabric<hw::CycleFabric, hw::FabricOptions>;

/// Contended, with few buffers, so that flits are everywhere at any time.
Machine contended_machine(std::uint32_t vcs, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {3, 3};
    config.fabric.virtual_channels = vcs;
    config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    config.fabric.buffer_depth = 1 + static_cast<std::uint32_t>(random() % 6);
    config.fabric.link_delay.cycles = 1 + static_cast<std::uint32_t>(random() % 4);
    return machine_of(config, hot_traffic(9, 120, seed, 200));
}

TEST(TlmFabric, KeepsItsInvariantsAtAnyTime) {
    std::size_t checks = 0;
    for (const std::uint32_t vcs : {1U, 3U}) {
        for (const Cycle interval : {1U, 2U, 7U, 50U}) {
            SCOPED_TRACE(fmt::format("{} virtual channels, interval {}", vcs, interval));
            const Machine machine = contended_machine(vcs, interval);
            BareTlmFabric bare(machine, nullptr, nullptr);
            Cycle last = 0;
            const RunControl control = inspected_every(interval, [&](Cycle now) {
                ++checks;
                EXPECT_EQ(now, bare.fabric.now());
                EXPECT_EQ(now, last + interval);
                last = now;
                EXPECT_THAT(bare.fabric.broken_invariants(false), IsEmpty());
                EXPECT_THAT(bare.fabric.find_deadlock(), IsEmpty());
                return !testing::Test::HasFailure();
            });
            EXPECT_EQ(bare.run(control), RunEnd::kIdle);
            EXPECT_THAT(bare.fabric.broken_invariants(true), IsEmpty());
        }
    }
    EXPECT_GT(checks, 2000U);
}

template <class Bare>
std::vector<Cycle> inspected_cycles(Bare& bare, Cycle interval) {
    std::vector<Cycle> cycles;
    const RunControl control = inspected_every(interval, [&cycles](Cycle now) {
        cycles.push_back(now);
        return true;
    });
    EXPECT_EQ(bare.run(control), RunEnd::kIdle);
    return cycles;
}

TEST(TlmFabric, IsInspectedInTheCyclesInWhichTheCycleEngineIs) {
    for (const Cycle interval : {3U, 64U}) {
        SCOPED_TRACE(interval);
        const Machine machine = contended_machine(1, 5);
        std::vector<Cycle> expected;
        {
            BareCycleFabric cycle(machine, hw::FabricOptions{});
            expected = inspected_cycles(cycle, interval);
        }
        BareTlmFabric tlm(machine, nullptr, nullptr);
        EXPECT_EQ(inspected_cycles(tlm, interval), expected);
        EXPECT_GT(expected.size(), 4U);
    }
}

/// One message of node 0 at each of `times`, on a line of three nodes.
Machine messages_at(const std::vector<Cycle>& times, double clock_ns) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {3};
    config.clock_ns = clock_ns;
    Program program = steps(3, {});
    program.ordering = Ordering::kTimed;
    for (const Cycle time : times) {
        program.transfers.push_back({0, 2, 64, 0, 0, 0, false, false, time, {}});
    }
    return machine_of(config, program);
}

TEST(TlmFabric, SleepsThroughTimeInWhichNothingHappensAsTheCycleEngineDoes) {
    const Machine machine = messages_at({0, 10'000'000'000, 900'000'000'000'000}, 1);
    std::uint64_t tlm_wakes = 0;
    std::uint64_t cycle_wakes = 0;
    {
        BareCycleFabric cycle(machine, hw::FabricOptions{});
        EXPECT_EQ(cycle.run(counting_wakes(cycle_wakes)), RunEnd::kIdle);
        EXPECT_EQ(cycle.fabric.flits_sent(0), 27U);
    }
    BareTlmFabric tlm(machine, nullptr, nullptr);
    EXPECT_EQ(tlm.run(counting_wakes(tlm_wakes)), RunEnd::kIdle);
    EXPECT_EQ(tlm.fabric.flits_sent(0), 27U);
    EXPECT_LT(tlm_wakes, 60U);
    EXPECT_LT(cycle_wakes, 80U);
}

TEST(TlmFabric, EndsWhereTheTimeOfSystemCDoesAsTheCycleEngineDoes) {
    const Machine machine = messages_at({0, 19'000'000'000}, 1e6);
    constexpr Cycle kEnd = 18'446'744'073;
    {
        BareCycleFabric cycle(machine, hw::FabricOptions{});
        EXPECT_EQ(cycle.run({}), RunEnd::kLimit);
        EXPECT_EQ(cycle.fabric.flits_sent(0), 9U);
        EXPECT_EQ(cycle.fabric.end_cycle(), kEnd);
    }
    BareTlmFabric tlm(machine, nullptr, nullptr);
    EXPECT_EQ(tlm.run({}), RunEnd::kLimit);
    EXPECT_EQ(tlm.fabric.flits_sent(0), 9U);
    EXPECT_EQ(tlm.fabric.end_cycle(), kEnd);
}

TEST(TlmFabric, IsInspectedUpToTheLimitThoughABurstGoesBeyondIt) {
    Machine machine = messages_at({0}, 1);
    Program program = *machine.program;
    program.transfers.change(0, [](Transfer& t) { t.bytes = 8 * 5000; });
    machine.program = std::make_shared<const Program>(std::move(program));
    RunControl control = inspected_every(400, [](Cycle) { return true; });
    control.limit = 1201;
    std::vector<std::uint64_t> cycle_sent;
    std::vector<std::uint64_t> tlm_sent;
    const auto note = [&control](const Fabric& fabric, std::vector<std::uint64_t>& sent) {
        control.inspect = [&fabric, &sent](Cycle now) {
            sent.push_back(fabric.flits_sent(0));
            return now + 400;
        };
        return control;
    };
    {
        BareCycleFabric cycle(machine, hw::FabricOptions{});
        EXPECT_EQ(cycle.run(note(cycle.fabric, cycle_sent)), RunEnd::kLimit);
    }
    BareTlmFabric tlm(machine, nullptr, nullptr);
    EXPECT_EQ(tlm.run(note(tlm.fabric, tlm_sent)), RunEnd::kLimit);
    EXPECT_THAT(cycle_sent, testing::ElementsAre(400, 800, 1200));
    EXPECT_EQ(tlm_sent, cycle_sent);
}

TEST(TlmFabric, HasFlitsInTheNetworkWhenItIsStopped) {
    const Machine machine = contended_machine(1, 4);
    BareTlmFabric bare(machine, nullptr, nullptr);
    const RunControl control = inspected_every(100, [](Cycle) { return false; });
    EXPECT_EQ(bare.run(control), RunEnd::kInterrupted);
    EXPECT_GE(bare.fabric.now(), 100U);
    EXPECT_EQ(bare.fabric.end_cycle(), bare.fabric.now() + 1);
    EXPECT_THAT(bare.fabric.broken_invariants(false), IsEmpty());
    EXPECT_THAT(bare.fabric.broken_invariants(true), testing::Contains(HasSubstr("never arrived")));
}

std::vector<PacketRecord> before(PacketRecorder& packets, Cycle cycle) {
    std::vector<PacketRecord> delivered;
    for (const PacketRecord& p : packets.sorted()) {
        if (p.tail_delivered < cycle) delivered.push_back(p);
    }
    return delivered;
}

/// Stopped from outside in some cycle, it has done what the cycle engine has done by then.
TEST(TlmFabric, SimulatesNothingMoreOnceItIsHalted) {
    for (const std::uint32_t vcs : {1U, 3U}) {
        for (const Cycle when : {1U, 20U, 90U, 200U, 333U}) {
            SCOPED_TRACE(fmt::format("{} virtual channels, halt from cycle {} on", vcs, when));
            const Machine machine = contended_machine(vcs, 7);
            PacketRecorder delivered;
            BareTlmFabric tlm(machine, nullptr, &delivered);
            std::size_t checks = 0;
            const RunControl control = inspected_every(when, [&](Cycle) {
                ++checks;
                tlm.fabric.halt();
                return true;
            });
            EXPECT_EQ(tlm.run(control), RunEnd::kLimit);
            EXPECT_EQ(checks, 1U);
            const Cycle halted = tlm.fabric.now();
            EXPECT_GE(halted, when);
            EXPECT_EQ(tlm.fabric.end_cycle(), halted + 1);

            PacketRecorder expected;
            hw::FabricOptions options;
            options.packets = &expected;
            BareCycleFabric cycle(machine, options);
            RunControl until;
            until.limit = halted + 1;
            EXPECT_EQ(cycle.run(until), RunEnd::kLimit);
            for (ChannelId id = 0; id < ChannelMap(machine.graph).count(); ++id) {
                EXPECT_EQ(tlm.fabric.flits_sent(id), cycle.fabric.flits_sent(id)) << id;
            }
            // A tail that goes in the last cycle may be reported after it, or not at all.
            EXPECT_EQ(times(before(delivered, halted)), times(before(expected, halted)));
            EXPECT_EQ(times(before(delivered, halted + 1)), times(delivered.sorted()));
        }
    }
}

// The measurements of a pattern.

/// A contended pattern, a virtual channel or several, with a warm-up.
Machine pattern_machine(std::uint32_t vcs, Cycle warmup, Cycle measured, Cycle limit) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {3, 3};
    config.fabric.virtual_channels = vcs;
    config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    config.traffic.pattern = "hotspot";
    config.traffic.hotspot_fraction = 0.5;
    config.traffic.injection_rate = 0.4;
    config.traffic.message_bytes = 24;
    config.traffic.warmup_cycles = warmup;
    config.traffic.measure_cycles = measured;
    config.limits.max_cycles = limit;
    return build_machine(config);
}

/// The flits that every channel sent in `window`, from its busy intervals.
std::vector<std::uint64_t> flits_within(CycleWindow window,
                                        const std::vector<std::vector<SendInterval>>& busy) {
    std::vector<std::uint64_t> flits;
    for (const std::vector<SendInterval>& intervals : busy) {
        flits.push_back(0);
        for (const SendInterval& i : intervals) {
            const Cycle first = std::max(i.first, window.from);
            const Cycle end = std::min(i.last_plus_one, window.until);
            flits.back() += first < end ? end - first : 0;
        }
    }
    return flits;
}

TEST(MeasurementWindow, HoldsTheFlitsOfItsCyclesExactlyOnBothEngines) {
    struct Case {
        Cycle warmup, measured, limit, from, until;
    };
    // To the end; cut short while draining, measuring, in the first cycle of that. If it ends in
    // the warm-up nothing is measured, and the links are inspected from the start.
    for (const auto& [warmup, measured, limit, from, until] :
         {Case{500, 777, 1'000'000, 500, 1277}, Case{0, 300, 1'000'000, 0, 300},
          Case{1, 1, 1'000'000, 1, 2}, Case{500, 777, 1300, 500, 1277},
          Case{500, 777, 900, 500, 900}, Case{500, 777, 501, 500, 501}, Case{500, 777, 500, 0, 500},
          Case{500, 777, 99, 0, 99}}) {
        for (const std::uint32_t vcs : {1U, 3U}) {
            SCOPED_TRACE(fmt::format("{} + {} cycles of {}, {} virtual channels", warmup, measured,
                                     limit, vcs));
            const Machine machine = pattern_machine(vcs, warmup, measured, limit);
            std::vector<std::vector<std::uint64_t>> sent;
            std::vector<std::pair<std::uint64_t, std::uint64_t>> traffic;
            for (const char* engine : {"cycle", "tlm"}) {
                const FreshKernel kernel;
                ChannelRecorder channels(ChannelMap(machine.graph).count(), vcs);
                SimulationOptions options;
                options.channels = &channels;
                const SimulationResult result = simulate(machine, engine, options);
                EXPECT_EQ(result.window.from, from);
                EXPECT_EQ(result.window.until, until);
                const auto busy = channels.take(result.simulated_cycles);
                EXPECT_EQ(result.window_flits, flits_within(result.window, busy));
                sent.push_back(result.window_flits);
                ASSERT_EQ(result.measured.has_value(), limit > warmup);
                if (!result.measured) continue;
                traffic.emplace_back(result.measured->flits_generated(),
                                     result.measured->flits_delivered());
                EXPECT_EQ(result.measured->is_whole, until == warmup + measured);
            }
            EXPECT_EQ(sent[0], sent[1]);
            ASSERT_EQ(traffic.size(), limit > warmup ? 2U : 0U);
            if (!traffic.empty()) {
                EXPECT_EQ(traffic[0], traffic[1]);
            }
        }
    }
}

TEST(MeasurementWindow, CountsWhatIsGeneratedThoughItStillWaitsAtItsSource) {
    // The same traffic on a network that takes it all and on one that is cut off while it waits.
    const Machine machine = pattern_machine(1, 200, 1000, 1'000'000);
    Machine cut = pattern_machine(1, 200, 1000, 1200);
    const FreshKernel kernel;
    const SimulationResult all = simulate(machine, "tlm", {});
    EXPECT_EQ(all.verdict, Verdict::kComplete);
    const FreshKernel other;
    const SimulationResult part = simulate(cut, "cycle", {});
    EXPECT_EQ(part.verdict, Verdict::kTimeout);
    EXPECT_EQ(all.messages_expected, part.messages_expected);
    EXPECT_GT(part.messages_expected, part.messages_delivered + 10);
    EXPECT_EQ(all.measured->generated.flits, part.measured->generated.flits);
    EXPECT_EQ(all.measured->delivered, part.measured->delivered);
    EXPECT_TRUE(all.measured->is_overloaded());
    EXPECT_EQ(all.measured->senders, 9U);
}

// Sockets.

template <class Socket>
Socket* find(const std::string& name) {
    return dynamic_cast<Socket*>(sc_core::sc_find_object(name.c_str()));
}

std::string suffix(std::uint32_t vcs, std::uint32_t vc) {
    return vcs == 1 ? "" : fmt::format("_vc{}", vc);
}

template <class Socket>
std::size_t count_below(const sc_core::sc_object& object) {
    std::size_t count = dynamic_cast<const Socket*>(&object) == nullptr ? 0 : 1;
    for (const sc_core::sc_object* child : object.get_child_objects()) {
        count += count_below<Socket>(*child);
    }
    return count;
}

/// Is there, and hears nothing.
struct SilentListener final : burst::ChannelListener {
    void on_call(ChannelId, std::uint32_t, burst::ChannelPhase, const burst::Payload&,
                 const sc_core::sc_time&) override {}
};
using HeardTlmFabric =
    BareFabric<TlmFabric, ChannelObserver*, PacketObserver*, burst::ChannelListener*>;

Machine idle_mesh(std::uint32_t vcs) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {3, 4};
    config.fabric.virtual_channels = vcs;
    config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    return machine_of(config, steps(12, {}));
}

TEST(TlmFabric, JoinsItsModulesForAListenerBySocketsThatTheTopologyNames) {
    for (const std::uint32_t vcs : {1U, 2U}) {
        SCOPED_TRACE(vcs);
        const Machine machine = idle_mesh(vcs);
        SilentListener listener;
        HeardTlmFabric bare(machine, nullptr, nullptr, &listener);
        EXPECT_EQ(bare.run({}), RunEnd::kIdle);
        const auto expect_joined = [](ChannelId channel, std::uint32_t vc, const std::string& from,
                                      const std::string& to) {
            SCOPED_TRACE(from + " to " + to);
            auto* const send = find<burst::SendSocket>(from);
            auto* const receive = find<burst::ReceiveSocket>(to);
            auto* const monitor =
                find<burst::ChannelMonitor>(fmt::format("fabric.monitor_{}_{}", channel, vc));
            ASSERT_NE(send, nullptr);
            ASSERT_NE(receive, nullptr);
            ASSERT_NE(monitor, nullptr);
            EXPECT_EQ((*send).operator->(), &monitor->from_sender.get_base_interface());
            EXPECT_EQ(monitor->from_sender.operator->(), &send->get_base_interface());
            EXPECT_EQ(monitor->to_receiver.operator->(), &receive->get_base_interface());
            EXPECT_EQ((*receive).operator->(), &monitor->to_receiver.get_base_interface());
        };
        const Graph& graph = machine.graph;
        const ChannelMap map(graph);
        for (std::uint32_t vc = 0; vc < vcs; ++vc) {
            const std::string on = suffix(vcs, vc);
            for (LinkId id = 0; id < graph.link_count(); ++id) {
                const Link& link = graph.link(id);
                expect_joined(
                    id, vc,
                    fmt::format("fabric.{}.out_{}{}", graph.router_name(link.from), link.from_port,
                                on),
                    fmt::format("fabric.{}.in_{}{}", graph.router_name(link.to), link.to_port, on));
            }
            const std::string side = vc == 0 ? "" : on;
            for (NodeId node = 0; node < graph.node_count(); ++node) {
                const std::string router = "fabric." + graph.router_name(graph.router_of(node));
                const std::string port = std::to_string(graph.local_port(node)) + on;
                const std::string interface = "fabric." + graph.node_name("interface", node);
                expect_joined(map.injection(node), vc, interface + ".injection" + side,
                              router + ".in_" + port);
                expect_joined(map.ejection(node), vc, router + ".out_" + port,
                              interface + ".ejection" + side);
            }
        }
        // And no others: 34 links, and two channels per node, each with a monitor.
        EXPECT_EQ(count_below<burst::SendSocket>(bare.fabric), 2 * vcs * (34U + 2 * 12U));
        EXPECT_EQ(count_below<burst::ReceiveSocket>(bare.fabric), 2 * vcs * (34U + 2 * 12U));
    }
}

TEST(TlmFabric, HasNoSocketsButThoseOfEjectionChannelsWhereNobodyListens) {
    for (const std::uint32_t vcs : {1U, 2U}) {
        const Machine machine = idle_mesh(vcs);
        BareTlmFabric bare(machine, nullptr, nullptr);
        EXPECT_EQ(count_below<burst::SendSocket>(bare.fabric), vcs * 12U);
        EXPECT_EQ(count_below<burst::ReceiveSocket>(bare.fabric), vcs * 12U);
    }
}

// Refusals.

std::vector<Diagnostic> refusal(const Config& config) {
    const FreshKernel kernel;
    const Graph graph = build_topology(config);
    const auto routing = make_routing(config, graph);
    try {
        const TlmFabric fabric("fabric", config, graph, *routing);
    } catch (const ConfigError& error) {
        return error.findings();
    }
    return {};
}

TEST(TlmFabric, RefusesVirtualChannelsThatTakeTurnsFlitByFlit) {
    Config config = mesh_8x8();
    config.fabric.virtual_channels = 2;
    config.source = "turns.yaml";
    config.locations["fabric.virtual_channels"] = {"turns.yaml", 7, 3};
    const std::vector<Diagnostic> findings = refusal(config);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(
        findings[0].str(),
        "turns.yaml:7:3: error: the TLM engine computes in bursts, and there are none where "
        "several "
        "virtual channels take turns on a link flit by flit (fabric.virtual_channels > 1) (set "
        "fabric.switch_arbitration: per_packet)");
    config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    EXPECT_THAT(refusal(config), IsEmpty());
    config.fabric.virtual_channels = 1;
    config.fabric.switch_arbitration = SwitchArbitration::kRoundRobin;
    EXPECT_THAT(refusal(config), IsEmpty());
}

TEST(TlmFabric, RefusesRtlRouters) {
    Config config = mesh_8x8();
    config.locations["fabric.router"] = {"rtl.yaml", 2, 1};
    config.locations["fabric.router_overrides"] = {"rtl.yaml", 5, 1};
    config.fabric.router = RouterKind::kRtl;
    ASSERT_EQ(refusal(config).size(), 1U);
    EXPECT_EQ(refusal(config)[0].where.line, 2U);
    config.fabric.router = RouterKind::kSystemC;
    config.fabric.router_overrides = {{{5}, RouterKind::kRtl}};
    ASSERT_EQ(refusal(config).size(), 1U);
    EXPECT_EQ(refusal(config)[0].where.line, 5U);
    config.fabric.router_overrides = {{{5}, RouterKind::kSystemC}};
    EXPECT_THAT(refusal(config), IsEmpty());
}

// Waveforms.

TEST(TlmFabric, WaveformsOfBothEnginesAreTheSameFile) {
    std::size_t bytes = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const RandomCase test =
            seed % 2 == 0 ? small_case(seed) : random_case(seed, CaseRange::kWide);
        SCOPED_TRACE(describe(test));
        Machine machine = machine_of(test.config, random_case_graph(test), test.program);
        machine.config.trace.endpoints = true;
        const std::string tlm = waveform(machine, "tlm");
        EXPECT_TRUE(tlm == waveform(machine, "cycle"));
        bytes += tlm.size();
    }
    EXPECT_GT(bytes, 1'000'000U);
}

}  // namespace
}  // namespace flitscope
