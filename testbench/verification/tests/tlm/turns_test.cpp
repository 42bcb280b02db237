// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The TLM engine where several virtual channels take turns: equal to the golden model and to the
// cycle engine, on random machines and on those that strides might stumble over; its run control;
// that it is quick; what it refuses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/reference/random_machine.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/ring_graph.h"
#include "testbench/verification/tests/support/traced_run.h"
#include "tlm/engine/fabric.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"

namespace flitscope {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kBlocks = 8;
constexpr std::uint64_t kSmallPerBlock = 150;
constexpr std::uint64_t kWidePerBlock = 40;
constexpr std::uint64_t kOtherPerBlock = 20;

RandomCase small_turns(std::uint64_t seed) { return turns_case(random_case(seed)); }
RandomCase wide_turns(std::uint64_t seed) {
    return turns_case(random_case(seed, CaseRange::kWide));
}

class TurnsComparison : public testing::TestWithParam<int> {
protected:
    std::uint64_t first_seed(std::uint64_t per_block) const {
        return static_cast<std::uint64_t>(GetParam()) * per_block + 1;
    }
    void compare_wide(const RandomCase& test) {
        ASSERT_EQ(compare_engines(test, "tlm", counts), "") << describe(test);
    }
    CompareCounts counts;
};

TEST_P(TurnsComparison, EqualsGoldenModelOnSmallRandomMachines) {
    const std::uint64_t cases = sample_of(kSmallPerBlock);
    for (std::uint64_t i = 0; i < cases; ++i) {
        const std::uint64_t seed = first_seed(cases) + i;
        const RandomCase test = small_turns(seed);
        for (const bool observed : {false, true}) {
            CompareRun run;
            run.engine = "tlm";
            run.observed = observed;
            ASSERT_EQ(compare_with_golden(test, run, counts), "") << describe(test);
        }
    }
    EXPECT_GT(counts.packets, least_of(10'000));
    EXPECT_GT(counts.busy_intervals, least_of(40'000));
}

TEST_P(TurnsComparison, EqualsCycleEngineOnWideRandomMachines) {
    const std::uint64_t cases = sample_of(kWidePerBlock);
    for (std::uint64_t i = 0; i < cases; ++i) compare_wide(wide_turns(first_seed(cases) + i));
    EXPECT_GT(counts.packets, least_of(20'000));
    EXPECT_GT(counts.busy_intervals, least_of(100'000));
}

TEST_P(TurnsComparison, RepliesAndOperationsEqualTheCycleEngine) {
    const std::uint64_t cases = sample_of(kOtherPerBlock);
    for (std::uint64_t i = 0; i < cases; ++i) {
        const std::uint64_t seed = first_seed(cases) + i;
        compare_wide(turns_case(reply_case(random_case(seed, CaseRange::kWide))));
        compare_wide(operation_case(wide_turns(seed)));
    }
    EXPECT_GT(counts.packets, least_of(10'000));
}

/// An inspection ends them, with flits under way.
TEST_P(TurnsComparison, SteadyRunsEqualThoseOfTheCycleEngine) {
    for (std::uint64_t i = 0; i < 3; ++i) {
        compare_wide(steady_case(small_turns(first_seed(3) + i)));
    }
    EXPECT_GT(counts.packets, 3'000U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, TurnsComparison, testing::Range(0, kBlocks));

// Machines of one kind each.

Config turns(const std::string& kind, const std::vector<std::uint32_t>& dims, std::uint32_t vcs) {
    Config config;
    config.fabric.topology.kind = kind;
    config.fabric.topology.dims = dims;
    config.fabric.virtual_channels = vcs;
    return config;
}

Machine machine_of(const Config& config, Program program) {
    Graph graph = build_topology(config);
    std::unique_ptr<Routing> routing = make_routing(config, graph);
    return make_machine(config, std::move(graph), std::move(routing), std::move(program));
}

void expect_equal_engines(const Machine& machine, std::uint64_t least_hops) {
    CompareCounts counts;
    EXPECT_EQ(compare_engines(machine, "tlm", counts), "");
    EXPECT_GE(counts.flit_hops, least_hops);
}

/// Pairs on links, which share with other pairs; of four virtual channels up to four.
TEST(Turns, LongExchangesOverToriEqualTheCycleEngine) {
    for (const std::uint32_t vcs : {2U, 3U, 4U, 8U}) {
        for (const std::uint32_t depth : {2U, 3U, 4U, 8U, 17U}) {
            SCOPED_TRACE(fmt::format("{} virtual channels, depth {}", vcs, depth));
            Config config = turns("torus", {4, 4}, vcs);
            config.fabric.buffer_depth = depth;
            expect_equal_engines(machine_of(config, pex(16, 8 * 150)), 16 * 15 * 150 * 2);
        }
    }
}

TEST(Turns, LongWiresEqualTheCycleEngine) {
    for (const std::uint32_t delay : {2U, 5U, 12U}) {
        for (const std::uint32_t depth : {3U, 2 * delay + 1, 4 * delay + 1}) {
            SCOPED_TRACE(fmt::format("delay {}, depth {}", delay, depth));
            Config config = turns("mesh", {3, 4}, 3);
            config.fabric.link_delay.cycles = delay;
            config.fabric.buffer_depth = depth;
            expect_equal_engines(machine_of(config, hot_traffic(12, 200, delay, 1600)), 20'000);
        }
    }
}

TEST(Turns, HotSpotsEqualTheCycleEngine) {
    for (const std::uint32_t vcs : {2U, 5U}) {
        SCOPED_TRACE(vcs);
        expect_equal_engines(machine_of(turns("mesh", {6, 6}, vcs), hot_traffic(36, 800, vcs, 800)),
                             50'000);
    }
}

/// Without observers only changes are looked at.
TEST(Turns, LooksAtTheChangesOfLongMessagesOnly) {
    const Config config = turns("torus", {4, 4}, 2);
    const auto wakes = [&config](std::uint64_t flits) {
        const Machine machine = machine_of(config, pex(16, 8 * (flits - 1)));
        const FreshKernel kernel;
        const auto fabric = make_fabric("tlm", machine.config, machine.graph, *machine.routing);
        for (MessageId id = 0; id < machine.program->transfers.size(); ++id) {
            const Transfer& t = machine.program->transfers[id];
            fabric->port(t.source).send({id, t.source, t.destination, t.step, t.bytes}, t.time);
        }
        std::uint64_t count = 0;
        EXPECT_EQ(run_to_rest(*fabric, counting_wakes(count)), RunEnd::kIdle);
        return count;
    };
    const std::uint64_t once = wakes(500);
    EXPECT_GT(once, 100U);
    EXPECT_LT(wakes(5000), once + once / 2);
}

// Run control.

RunRecord record_of(const Machine& machine, const std::string& engine, bool observed) {
    return run_fabric(machine, {engine, hw::ScanOrder::kAscending, observed}).record;
}

TEST(Turns, LimitInAnyCycleLeavesWhatItLeavesInTheCycleEngine) {
    Config config = turns("mesh", {2, 3}, 2);
    config.fabric.buffer_depth = 3;
    config.fabric.link_delay.cycles = 2;
    Machine machine = machine_of(config, hot_traffic(6, 40, 11, 160));
    const Cycle makespan = record_of(machine, "cycle", true).makespan;
    ASSERT_GT(makespan, 250U);
    for (Cycle limit = 1; limit <= makespan + 3; ++limit) {
        machine.config.limits.max_cycles = limit;
        for (const bool observed : {false, true}) {
            SCOPED_TRACE(fmt::format("limit {}, observed {}", limit, observed));
            const RunRecord cycle = record_of(machine, "cycle", observed);
            const RunRecord tlm = record_of(machine, "tlm", observed);
            const auto difference = first_difference(tlm, cycle, machine.graph);
            ASSERT_FALSE(difference) << difference->subject << ": " << difference->ours
                                     << " instead of " << difference->theirs;
            ASSERT_EQ(tlm.problems, cycle.problems);
            ASSERT_EQ(tlm.flits_sent, cycle.flits_sent);
        }
    }
}

/// Of two virtual channels all packets ask for one, which closes a circle.
class OneChannelRouting final : public Routing {
public:
    std::string name() const override { return "one channel"; }
    RouteChoice route(NodeId at, NodeId destination) const override {
        return {at == destination ? kLocalPort : PortId{1}, 1};
    }
};

TEST(Turns, EndInADeadlockWhenTheCycleEngineDoes) {
    for (const std::uint32_t depth : {1U, 2U, 5U}) {
        SCOPED_TRACE(depth);
        Config config = turns("ring", {4}, 2);
        config.fabric.allow_deadlock = true;
        config.fabric.buffer_depth = depth;
        std::vector<Transfer> around;
        for (NodeId node = 0; node < 4; ++node) {
            Transfer t;
            t.source = node;
            t.destination = (node + 2) % 4;
            t.bytes = 200 + node;
            around.push_back(t);
        }
        const Machine machine =
            make_machine(config, ring(4), std::make_unique<OneChannelRouting>(), steps(4, around));
        for (const bool observed : {false, true}) {
            const RunRecord cycle = record_of(machine, "cycle", observed);
            const RunRecord tlm = record_of(machine, "tlm", observed);
            EXPECT_EQ(cycle.verdict, Verdict::kDeadlock);
            EXPECT_FALSE(first_difference(tlm, cycle, machine.graph));
            EXPECT_EQ(tlm.problems, cycle.problems);
            EXPECT_EQ(tlm.simulated_cycles, cycle.simulated_cycles);
        }
    }
}

TEST(Turns, KeepItsInvariantsAndTheFlitsOfTheCycleEngineInEveryCycle) {
    std::size_t checks = 0;
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        SCOPED_TRACE(seed);
        Config config = turns("mesh", {3, 3}, 3);
        config.fabric.buffer_depth = 1 + static_cast<std::uint32_t>(seed);
        config.fabric.link_delay.cycles = 1 + static_cast<std::uint32_t>(seed % 3);
        const Machine machine = machine_of(config, hot_traffic(9, 120, seed, 200));
        std::vector<std::vector<std::vector<std::uint64_t>>> sent;  // by engine and cycle
        for (const char* engine : {"cycle", "tlm"}) {
            const FreshKernel kernel;
            const auto fabric =
                make_fabric(engine, machine.config, machine.graph, *machine.routing);
            for (MessageId id = 0; id < machine.program->transfers.size(); ++id) {
                const Transfer& t = machine.program->transfers[id];
                fabric->port(t.source).send({id, t.source, t.destination, t.step, t.bytes}, t.time);
            }
            std::vector<std::vector<std::uint64_t>> cycles;
            const RunControl control = inspected_every(1, [&](Cycle) {
                ++checks;
                std::vector<std::uint64_t> counts;
                for (ChannelId id = 0; id < ChannelMap(machine.graph).count(); ++id) {
                    counts.push_back(fabric->flits_sent(id));
                }
                cycles.push_back(std::move(counts));
                EXPECT_THAT(fabric->broken_invariants(false), IsEmpty());
                EXPECT_THAT(fabric->find_deadlock(), IsEmpty());
                return !testing::Test::HasFailure();
            });
            EXPECT_EQ(run_to_rest(*fabric, control), RunEnd::kIdle);
            EXPECT_THAT(fabric->broken_invariants(true), IsEmpty());
            // Behind the last flit an engine may look once more or not.
            const auto last = std::find(cycles.begin(), cycles.end(), cycles.back());
            cycles.erase(last + 1, cycles.end());
            sent.push_back(std::move(cycles));
        }
        EXPECT_EQ(sent[0], sent[1]);
    }
    EXPECT_GT(checks, 2000U);
}

// Waveforms.

TEST(Turns, WaveformsOfBothEnginesAreTheSameFile) {
    std::size_t bytes = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const RandomCase test = seed % 2 == 0 ? small_turns(seed) : wide_turns(seed);
        SCOPED_TRACE(describe(test));
        Machine machine = machine_of(test);
        machine.config.trace.endpoints = true;
        const std::string tlm = waveform(machine, "tlm");
        EXPECT_TRUE(tlm == waveform(machine, "cycle"));
        bytes += tlm.size();
    }
    EXPECT_GT(bytes, 1'000'000U);
}

// What is refused.

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

void expect_refused(Config config, const std::string& key, const std::string& words) {
    SCOPED_TRACE(words);
    config.locations[key] = {"turns.yaml", 7, 3};
    const std::vector<Diagnostic> findings = refusal(config);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_THAT(findings[0].str(), HasSubstr("turns.yaml:7:3: error: "));
    EXPECT_THAT(findings[0].str(), HasSubstr(words));
    EXPECT_THAT(findings[0].str(), HasSubstr("(set fabric.switch_arbitration: hold)"));
    config.fabric.switch_arbitration = SwitchArbitration::kHold;
    EXPECT_THAT(refusal(config), IsEmpty());
}

TEST(Turns, RefusesOtherRulesThanItPlansBy) {
    Config config = turns("mesh", {4, 4}, 2);
    EXPECT_THAT(refusal(config), IsEmpty());
    Config combined = config;
    combined.fabric.allocation = Allocation::kCombined;
    expect_refused(combined, "fabric.allocation", "allocates sequentially");
    Config whole = config;
    whole.fabric.switching = Switching::kVirtualCutThrough;
    whole.fabric.buffer_depth = 64;
    expect_refused(whole, "fabric.switching", "has wormhole switching only");
    Config adaptive = config;
    adaptive.fabric.routing = "west_first";
    expect_refused(adaptive, "fabric.routing", "has no adaptive routing");
}

struct SilentListener final : burst::ChannelListener {
    void on_call(ChannelId, std::uint32_t, burst::ChannelPhase, const burst::Payload&,
                 const sc_core::sc_time&) override {}
};

TEST(Turns, RefusesAListener) {
    const Machine machine = machine_of(turns("mesh", {2, 2}, 2), steps(4, {}));
    const FreshKernel kernel;
    SilentListener listener;
    EXPECT_THROW(TlmFabric("fabric", machine.config, machine.graph, *machine.routing, nullptr,
                           nullptr, &listener),
                 std::invalid_argument);
}

}  // namespace
}  // namespace flitscope
