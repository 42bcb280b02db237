// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One fabric in parts that several threads simulate: all counts, and all notifications in their
// order, are as with one thread (hw/README.md, "Threads"). When packets move is compared by
// golden_test and golden_campaign in random parts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/channel_log.h"

namespace flitscope {
namespace {

/// The notifications of packet observers and nodes, in their order.
class Heard final : public PacketObserver {
public:
    void on_packet(const PacketRecord& packet) override {
        packets.emplace_back(packet.message.id, packet.index, packet.head_injected,
                             packet.tail_injected, packet.tail_delivered);
    }
    std::vector<std::tuple<MessageId, std::uint32_t, Cycle, Cycle, Cycle>> packets;
};

struct Outcome {
    SimulationResult result;
    std::vector<std::tuple<MessageId, std::uint32_t, Cycle, Cycle, Cycle>> packets;
};

Outcome simulate_with(const Machine& machine, std::uint32_t threads,
                      std::vector<std::uint32_t> parts = {}) {
    const FreshKernel kernel;
    Heard heard;
    SimulationOptions options;
    options.packets = &heard;
    options.threads = threads;
    options.parts = std::move(parts);
    Outcome done{simulate(machine, "cycle", options), {}};
    done.packets = std::move(heard.packets);
    return done;
}

auto counts_of(const SimulationResult& result) {
    return std::tuple(result.verdict, result.cycles, result.simulated_cycles,
                      result.messages_delivered, result.flits_delivered, result.channel_flits,
                      result.window_flits, result.latency.mean(), result.problems);
}

Machine machine(const std::string& fabric, const std::string& rest) {
    return build_machine(parse_config("fabric: {" + fabric + "}\n" + rest, "test.yaml"));
}

class ThreadsOn : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(ThreadsOn, ChangeNothing) {
    const auto [fabric, rest] = GetParam();
    const Machine split = machine(fabric, rest);
    const Outcome one = simulate_with(split, 1);
    EXPECT_EQ(one.result.parts, 1U);
    EXPECT_GT(one.packets.size(), 200U);
    for (const std::uint32_t threads : {2, 3}) {
        SCOPED_TRACE(threads);
        // Our own parts, and interleaved parts, so that nearly every link is cut.
        const Outcome own = simulate_with(split, threads);
        EXPECT_EQ(own.result.parts, std::min(threads, split.graph.router_count() / 128));
        EXPECT_EQ(counts_of(own.result), counts_of(one.result));
        EXPECT_EQ(own.packets, one.packets);
        const Outcome mixed =
            simulate_with(split, threads, random_parts(split.graph.router_count(), threads));
        EXPECT_GE(mixed.result.parts, 2U);
        EXPECT_EQ(counts_of(mixed.result), counts_of(one.result));
        EXPECT_EQ(mixed.packets, one.packets);
    }
}

constexpr const char* kUniform =
    "traffic: {pattern: uniform, injection_rate: 0.2, message_bytes: 80, warmup_cycles: 200, "
    "measure_cycles: 600}";
constexpr const char* kReplies =
    "traffic: {pattern: uniform, injection_rate: 0.02, message_bytes: 16, reply_bytes: 64, "
    "reply_queue: 2, reply_class: reply, warmup_cycles: 100, measure_cycles: 600}";

INSTANTIATE_TEST_SUITE_P(
    Machines, ThreadsOn,
    testing::Values(
        std::tuple("topology: {kind: mesh, dims: [16, 24]}", kUniform),
        std::tuple("topology: {kind: mesh, dims: [16, 16]}, virtual_channels: 4", kUniform),
        std::tuple("topology: {kind: torus, dims: [16, 16]}, virtual_channels: 2, "
                   "allocation: combined, switch_arbitration: per_packet",
                   kUniform),
        std::tuple("topology: {kind: ghc, dims: [4, 4, 4, 4]}, virtual_channels: 2, "
                   "routing: minimal_adaptive",
                   kUniform),
        // A part may look at links of another one.
        std::tuple("topology: {kind: dragonfly, groups: 33, group_size: 8, global_links: 4}, "
                   "virtual_channels: 4, routing: ugal_global",
                   kUniform),
        std::tuple("topology: {kind: mesh, dims: [16, 16]}, switching: virtual_cut_through, "
                   "buffer_depth: 16",
                   kUniform),
        std::tuple("topology: {kind: mesh, dims: [16, 16]}, switching: store_and_forward, "
                   "buffer_depth: 16",
                   kUniform),
        std::tuple("topology: {kind: mesh, dims: [16, 16]}, virtual_channels: 2, "
                   "classes: [request, reply]",
                   kReplies),
        std::tuple("topology: {kind: mesh, dims: [16, 16]}",
                   "traffic: {schedule: broadcast, message_bytes: 800}"),
        std::tuple("topology: {kind: hypercube, dimensions: 8}",
                   "traffic: {schedule: pex, message_bytes: 40}")));

TEST(Threads, TellTheSameOfChannels) {
    const Machine machine_of_two_channels =
        machine("topology: {kind: mesh, dims: [16, 16]}, virtual_channels: 2", kUniform);
    const auto watched = [&](std::uint32_t threads) {
        const FreshKernel kernel;
        ChannelLog watch;
        SimulationOptions options;
        options.channels = &watch;
        options.threads = threads;
        simulate(machine_of_two_channels, "cycle", options);
        return watch.sorted();
    };
    const auto one = watched(1);
    EXPECT_GT(one.size(), 10'000U);
    EXPECT_EQ(watched(2), one);
}

TEST(Threads, StopAtTheLimitInTheSameState) {
    for (const int limit : {1, 50, 301}) {
        SCOPED_TRACE(limit);
        const Machine limited =
            machine("topology: {kind: mesh, dims: [16, 16]}",
                    fmt::format("{}\nlimits: {{max_cycles: {}}}", kUniform, limit));
        const Outcome one = simulate_with(limited, 1);
        EXPECT_EQ(one.result.verdict, Verdict::kTimeout);
        EXPECT_EQ(counts_of(simulate_with(limited, 2).result), counts_of(one.result));
    }
}

TEST(Threads, FindTheSameDeadlock) {
    const Machine stuck = machine(
        "topology: {kind: torus, dims: [16, 16]}, routing: dimension_order, allow_deadlock: true",
        "traffic: {pattern: uniform, injection_rate: 0.9, message_bytes: 400, measure_cycles: "
        "9000}");
    const Outcome one = simulate_with(stuck, 1);
    ASSERT_EQ(one.result.verdict, Verdict::kDeadlock);
    EXPECT_FALSE(one.result.problems.empty());
    EXPECT_EQ(counts_of(simulate_with(stuck, 2).result), counts_of(one.result));
}

TEST(Threads, LeaveInOnePartWhatCannotBeSplit) {
    const std::string mesh = "topology: {kind: mesh, dims: [16, 16]}";
    for (const Machine& whole :
         {machine("topology: {kind: mesh, dims: [8, 8]}", kUniform),  // too small
          machine(mesh + ", switching: circuit", "traffic: {schedule: gen, message_bytes: 8}"),
          machine(mesh, std::string(kUniform) + "\nfaults: {links: [0-1], at: 400}")}) {
        EXPECT_EQ(simulate_with(whole, 2).result.parts, 1U);
    }
}

}  // namespace
}  // namespace flitscope
