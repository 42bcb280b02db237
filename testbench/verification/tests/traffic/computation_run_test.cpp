// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Computations on the simulated hardware: right values on every layout and engine, every message
// over one link, and a failed run if messages are not those that nodes wait for.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/routing.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/verify.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "traffic/computations/computation_plan.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Machine machine(const std::string& topology, const std::string& traffic,
                const std::string& fabric = "", const std::string& node = "") {
    return build_machine(parse_config(
        fmt::format("fabric: {{topology: {{{}}}{}}}\ntraffic: {{{}, message_bytes: 8}}\n{}",
                    topology, fabric, traffic, node),
        "test.yaml"));
}

SimulationResult run(const Machine& machine, const std::string& engine = "auto") {
    const FreshKernel kernel;
    return simulate(machine, engine, {});
}

const std::string kFull = "kind: express_mesh, dims: [9, 9], segment: 3";
const std::string kSemigroup = "schedule: semigroup, operation: concat";

struct Case {
    std::string topology;
    std::string traffic;
    std::string fabric;
};

std::vector<Case> cases() {
    const auto express = [](const std::string& rest) { return "kind: express_mesh, " + rest; };
    const std::string two = ", virtual_channels: 2";
    std::vector<Case> all = {
        {express("dims: [16], segment: 4"), kSemigroup, ""},
        {express("dims: [4, 6, 5], segment: 3"), kSemigroup, ""},
        {express("dims: [9, 9], segment: 3, layout: sparse"), kSemigroup, ""},
        {express("dims: [9, 9], segment: 3, layout: sparse"), kSemigroup, two},
        {express("dims: [9, 9], segment: 3, layout: sparse"), kSemigroup + ", algorithm: row_major",
         ""},
        {express("dims: [16, 14], segment: 4, layout: shifted"), kSemigroup, ""},
        {express("dims: [9, 9], segment: 3, layout: compound"), kSemigroup, two},
        {express("dims: [9, 9], segment: 2, layout: hierarchy, levels: 3"), kSemigroup, ""},
        {"kind: mesh, dims: [5, 6]", kSemigroup, ""},
        {"kind: torus, dims: [5, 6]", kSemigroup, two},
        {"kind: how, dims: [8, 7], window: 3", kSemigroup, ""},
        {"kind: ghc, dims: [5, 4]", "schedule: prefix, operation: affine", ""},
        {"kind: hypercube, dimensions: 5", "schedule: prefix, operation: concat", ""},
    };
    for (const char* schedule :
         {"semigroup", "prefix", "median-row", "median", "closest-neighbour"}) {
        for (const std::string& fabric : {std::string(), two}) {
            all.push_back({kFull, std::string("schedule: ") + schedule, fabric});
        }
        all.push_back({"kind: torus, dims: [4, 6]", std::string("schedule: ") + schedule, two});
    }
    return all;
}

TEST(ComputationRun, ComputesTheSameOnEveryLayoutWithFreeAndWithLongWires) {
    for (const Case& each : cases()) {
        for (const char* delay : {"", ", link_delay: {model: linear}"}) {
            const Machine m = machine(each.topology, each.traffic, each.fabric + delay);
            SCOPED_TRACE(m.graph.description() + ' ' + each.traffic + each.fabric + delay);
            std::uint64_t flits = 0;
            for (const Transfer& t : m.program->transfers) {
                flits += m.config.packet_format().message_flits(t.bytes);
                EXPECT_THAT(route_links(m.graph, *m.routing, t.source, t.destination), SizeIs(1));
            }
            const SimulationResult result = run(m, "cycle");
            EXPECT_EQ(result.verdict, Verdict::kComplete);
            EXPECT_THAT(result.problems, IsEmpty());
            EXPECT_THAT(result.computed, HasSubstr("equal to direct computation"));
            EXPECT_EQ(result.correct_results, m.program->computation->expected.size());
            EXPECT_EQ(result.flit_hops, flits);
        }
    }
}

TEST(ComputationRun, IsTheSameOnBothEngines) {
    std::size_t compared = 0;
    for (const Case& each : cases()) {
        if (!each.fabric.empty()) continue;
        const Machine m =
            machine(each.topology, each.traffic, ", buffer_depth: 16, link_delay: {model: linear}");
        SCOPED_TRACE(m.graph.description() + ' ' + each.traffic);
        const VerifyResult result = verify(m, {});
        EXPECT_TRUE(result.equal());
        EXPECT_EQ(result.reference().verdict, Verdict::kComplete);
        for (const VerifiedEngine& engine : result.engines) {
            EXPECT_EQ(engine.result.computed, result.reference().computed);
            ++compared;
        }
    }
    EXPECT_GE(compared, 20U);
}

/// A step on an ordinary link takes 5 cycles with messages of two flits: injection, link and router
/// 1 each, the second flit, and the cycle in which the node continues.
TEST(ComputationRun, TakesACycleMoreForEveryPlaceOfALongWireWhereDelayIsLinear) {
    for (const std::uint32_t s : {3U, 4U, 5U}) {
        const std::string topology =
            fmt::format("kind: express_mesh, dims: [{0}, {0}], segment: {1}", s * s, s);
        EXPECT_EQ(run(machine(topology, kSemigroup)).cycles, 5 * (4 * s - 4));
        EXPECT_EQ(
            run(machine(topology, kSemigroup, ", buffer_depth: 16, link_delay: {model: linear}"))
                .cycles,
            2 * ((s - 1) * 5 + (s - 1) * (4 + s)));
    }
}

TEST(ComputationRun, IsRightBehindBarriersAndWithSlowNodes) {
    EXPECT_EQ(run(machine(kFull, kSemigroup + ", barrier: {fixed: 7}")).verdict,
              Verdict::kComplete);
    const SimulationResult slow = run(machine(kFull, "schedule: closest-neighbour", "",
                                              "node: {send_overhead: 13, recv_overhead: 29}\n"));
    EXPECT_EQ(slow.verdict, Verdict::kComplete);
    EXPECT_NE(slow.computed, "");
    // Nobody has a partner to agree with.
    const Machine polite = machine(kFull, kSemigroup + ", handshake: true");
    EXPECT_EQ(polite.program->transfers.size(), 80U);
    EXPECT_NE(run(polite).computed, "");
}

TEST(ComputationRun, IsRightUnderEverySwitchingMethod) {
    std::set<Cycle> cycles;
    for (const char* method : {"wormhole", "virtual_cut_through", "store_and_forward", "circuit"}) {
        const SimulationResult result =
            run(machine(kFull, kSemigroup, std::string(", switching: ") + method));
        EXPECT_EQ(result.verdict, Verdict::kComplete) << method;
        EXPECT_NE(result.computed, "") << method;
        cycles.insert(result.cycles);
    }
    // Over one link there is nowhere to store, and nothing to inject for a circuit.
    EXPECT_THAT(cycles, testing::SizeIs(2));
}

TEST(ComputationRun, FailsWhereTheAlgorithmIsOutOfOrder) {
    const std::string topology = "kind: express_mesh, dims: [9, 9], segment: 3, layout: sparse";
    const std::string printed = "schedule: semigroup, algorithm: row_major_printed";
    const SimulationResult result = run(machine(topology, printed + ", operation: concat"));
    EXPECT_EQ(result.verdict, Verdict::kFailed);
    EXPECT_THAT(result.problems, ElementsAre("semigroup concat of 81 values: node 0 holds values "
                                             "out of order instead of values 0 to 80"));
    EXPECT_EQ(result.computed, "");
    EXPECT_EQ(result.correct_results, 0U);
    EXPECT_EQ(run(machine(topology, printed)).verdict, Verdict::kComplete);
}

/// The program of `machine` with its last but one step after the last one.
void exchange_last_steps(Machine& machine) {
    Program program = *machine.program;
    const StepId last = program.step_count() - 1;
    program.transfers.change_all([&](Transfer& t) {
        if (t.step + 1 >= last) t.step = 2 * last - 1 - t.step;
    });
    machine.program = std::make_shared<const Program>(std::move(program));
}

TEST(ComputationRun, FailsWhereMessagesComeInTheWrongOrder) {
    for (const char* engine : {"cycle", "tlm"}) {
        for (const char* operation : {"sum", "concat"}) {
            Machine m = machine(kFull, std::string("schedule: semigroup, operation: ") + operation);
            EXPECT_EQ(run(m, engine).verdict, Verdict::kComplete);
            exchange_last_steps(m);
            const SimulationResult result = run(m, engine);
            EXPECT_EQ(result.verdict, Verdict::kFailed);
            EXPECT_THAT(result.problems, ElementsAre(HasSubstr("instead of")));
        }
    }
}

TEST(ComputationRun, ChecksNothingInARunThatDoesNotEnd) {
    const Machine m = [&] {
        Machine cut = machine(kFull, kSemigroup);
        cut.config.limits.max_cycles = 20;
        return cut;
    }();
    const SimulationResult result = run(m, "cycle");
    EXPECT_EQ(result.verdict, Verdict::kTimeout);
    EXPECT_EQ(result.computed, "");
}

}  // namespace
}  // namespace flitscope
