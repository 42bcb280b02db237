// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers that run ahead of the clock and routers that do not: inspections and notifications are
// the same (hw/README.md, "Running ahead"). When packets move is compared by golden_test.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/channel_log.h"

namespace flitscope {
namespace {

/// The notifications of a packet observer, in their order.
class Deliveries final : public PacketObserver {
public:
    void on_packet(const PacketRecord& packet) override {
        cycles_.push_back(packet.tail_delivered);
    }
    const std::vector<Cycle>& cycles() const { return cycles_; }

private:
    std::vector<Cycle> cycles_;
};

class RunAhead : public testing::TestWithParam<std::string> {
protected:
    struct Run {
        SimulationResult result;
        std::vector<Cycle> deliveries;
    };
    static auto counts_of(const SimulationResult& result) {
        return std::tuple(result.verdict, result.simulated_cycles, result.messages_delivered,
                          result.flits_delivered, result.channel_flits, result.window_flits,
                          result.latency.mean());
    }
    static Machine machine_of(const std::string& fabric, const std::string& rest) {
        return build_machine(parse_config(
            "fabric: {topology: {kind: mesh, dims: [4, 4]}" + fabric + "}\n" + rest, "test.yaml"));
    }
    static Run run(const std::string& fabric, const std::string& rest, bool ahead) {
        const Machine machine = machine_of(fabric, rest);
        const FreshKernel kernel;
        Deliveries deliveries;
        SimulationOptions options;
        options.runs_ahead = ahead;
        options.packets = &deliveries;
        Run done{simulate(machine, "cycle", options), {}};
        done.deliveries = deliveries.cycles();
        return done;
    }
    /// The notifications of an observer of channels, and the counts besides them.
    static auto watch(const std::string& fabric, const std::string& rest, bool ahead,
                      std::uint32_t threads = 1) {
        const Machine machine = machine_of(fabric, rest);
        const FreshKernel kernel;
        Deliveries deliveries;
        ChannelLog channels;
        SimulationOptions options;
        options.runs_ahead = ahead;
        options.packets = &deliveries;
        options.channels = &channels;
        if (threads > 1) {
            options.threads = threads;
            options.parts = random_parts(machine.graph.router_count(), threads);
        }
        const SimulationResult result = simulate(machine, "cycle", options);
        return std::tuple(counts_of(result), deliveries.cycles(), channels.sorted());
    }
    static Run run(const std::string& limits, bool ahead) {
        return run("", "traffic: " + GetParam() + limits, ahead);
    }
};

TEST_P(RunAhead, CountsTheSameInEveryWindow) {
    const Run ahead = run("", true);
    EXPECT_GT(ahead.result.messages_delivered, 100U);
    EXPECT_EQ(counts_of(ahead.result), counts_of(run("", false).result));
}

TEST_P(RunAhead, StopsAtTheLimitInTheSameState) {
    for (const int limit : {1, 50, 137, 200}) {
        SCOPED_TRACE(limit);
        const std::string limits = fmt::format("\nlimits: {{max_cycles: {}}}\n", limit);
        const Run ahead = run(limits, true);
        EXPECT_EQ(ahead.result.verdict, Verdict::kTimeout);
        EXPECT_EQ(counts_of(ahead.result), counts_of(run(limits, false).result));
    }
}

TEST_P(RunAhead, IsInterruptedInTheStateOfACycle) {
    for (const std::string fabric : {"", ", buffer_depth: 1", ", buffer_depth: 100"}) {
        SCOPED_TRACE(fabric);
        const FreshKernel kernel;
        SimulationOptions options;
        options.on_progress = [](const Progress&) { return false; };
        const SimulationResult stopped =
            simulate(machine_of(fabric, "traffic: " + GetParam()), "cycle", options);
        EXPECT_EQ(stopped.verdict, Verdict::kInterrupted);
        const std::string limit =
            fmt::format("\nlimits: {{max_cycles: {}}}\n", stopped.simulated_cycles);
        EXPECT_EQ(stopped.channel_flits,
                  run(fabric, "traffic: " + GetParam() + limit, false).result.channel_flits);
    }
}

TEST_P(RunAhead, TellsOfPacketsInTheOrderOfTheirCycles) {
    const Run ahead = run("", true);
    for (std::size_t i = 1; i < ahead.deliveries.size(); ++i) {
        ASSERT_LE(ahead.deliveries[i - 1], ahead.deliveries[i]) << "packet " << i;
    }
    EXPECT_EQ(ahead.deliveries, run("", false).deliveries);
}

/// Events of channels are known ahead, and reported in their own cycle: with FIFOs that let flits
/// through one by one and that take whole packets, on links that are longer than the outbox is
/// ahead, next to verilated routers, and where only interfaces run ahead.
TEST_P(RunAhead, TellsTheSameOfChannels) {
    for (const std::string fabric :
         {"", ", buffer_depth: 1", ", buffer_depth: 3, router_delay: 4", ", buffer_depth: 100",
          ", buffer_depth: 200", ", buffer_depth: 300, link_delay: 90", ", link_delay: 5",
          ", allocation: combined",
          ", buffer_depth: 2, router_delay: 3, router_overrides: [{nodes: [1, 5], router: rtl}]",
          ", virtual_channels: 2", ", virtual_channels: 4, switch_arbitration: per_packet"}) {
        for (const int limit : {437, 2500}) {
            SCOPED_TRACE(fmt::format("{} {}", fabric, limit));
            const std::string rest =
                fmt::format("traffic: {}\nlimits: {{max_cycles: {}}}\n", GetParam(), limit);
            const auto expected = watch(fabric, rest, false);
            EXPECT_GT(std::get<2>(expected).size(), 100U);
            EXPECT_EQ(watch(fabric, rest, true), expected);
            EXPECT_EQ(watch(fabric, rest, true, 3), expected);
        }
    }
}

/// They take flits off the wire, and give credits back, cycle by cycle. (Of a variant that mutants
/// are verilated with, too.)
TEST_P(RunAhead, CountsTheSameBesideVerilatedRouters) {
    const std::string network = ", buffer_depth: 2, router_delay: 3";
    const std::string mixed = network + ", router_overrides: [{nodes: [1, 5, 6, 11], router: rtl}]";
    const std::string traffic = "traffic: " + GetParam();
    const Run ahead = run(mixed, traffic, true);
    EXPECT_EQ(ahead.result.rtl_routers, 4U);
    EXPECT_EQ(counts_of(ahead.result), counts_of(run(mixed, traffic, false).result));
    const Run modelled = run(network, traffic, false);
    EXPECT_EQ(counts_of(ahead.result), counts_of(modelled.result));
    EXPECT_EQ(ahead.deliveries, modelled.deliveries);
}

INSTANTIATE_TEST_SUITE_P(
    Traffic, RunAhead,
    testing::Values("{pattern: uniform, injection_rate: 0.5, message_bytes: 152,"
                    " warmup_cycles: 100, measure_cycles: 300}",
                    "{pattern: uniform, injection_rate: 0.2, message_bytes: 400}\n"
                    "steady: {half_width: 0.2}",
                    // Queues of packets that are longer than some of the FIFOs.
                    "{pattern: hotspot, root: 5, hotspot_fraction: 0.3,"
                    " injection_rate: 0.5, message_bytes: 1000, measure_cycles: 5000}",
                    "{schedule: pex, message_bytes: 1000}"));

}  // namespace
}  // namespace flitscope
