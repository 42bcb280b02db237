// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing by queues (hw/TIMING.md): the fabric chooses as the golden model does, which has routes
// of its own, under traffic that fills the queues; in any order of routers, and in parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/rtl_routers.h"
#include "models/base/limits.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "testbench/app/build/machine.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "tlm/engine/limitations.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

constexpr const char* kNames[] = {"ugal_local", "ugal_global", "progressive_adaptive"};

struct Shape {
    std::uint32_t groups;
    std::uint32_t group_size;
    std::uint32_t global_links;
    std::uint32_t nodes;  ///< per router
};

constexpr Shape kShapes[] = {{5, 2, 2, 2}, {9, 4, 2, 1}, {4, 3, 1, 2}, {5, 4, 1, 1},
                             {3, 2, 3, 2}, {4, 3, 4, 1}, {7, 3, 2, 1}, {4, 1, 3, 2}};

/// Every node sends to any node of the next group, of its own or of any, in this order of shares.
Program to_the_next_group(const Shape& shape, std::uint64_t seed, std::size_t messages) {
    std::mt19937_64 random(seed);
    const NodeId per_group = shape.group_size * shape.nodes;
    const NodeId nodes = shape.groups * per_group;
    Program program = steps(nodes, {});
    program.ordering = Ordering::kTimed;
    while (program.transfers.size() < messages) {
        Transfer t{static_cast<NodeId>(random() % nodes)};
        const std::uint64_t kind = random() % 8;
        const NodeId group = t.source / per_group + (kind < 5 ? 1 : 0);
        t.destination = static_cast<NodeId>((group * per_group + random() % per_group) % nodes);
        if (kind > 5) t.destination = static_cast<NodeId>(random() % nodes);
        t.bytes = random() % 60;
        t.time = random() % 200;
        if (t.source != t.destination) program.transfers.push_back(t);
    }
    return program;
}

/// A dragonfly under such traffic, and everything else at random.
RandomCase crowded_case(std::uint64_t seed, const char* routing) {
    std::mt19937_64 random(seed * 3 + routing[0] + routing[5]);
    const auto any = [&random](std::initializer_list<std::uint32_t> values) {
        return *(values.begin() + random() % values.size());
    };
    const Shape shape = kShapes[random() % std::size(kShapes)];
    RandomCase test;
    test.config.seed = seed;
    test.config.source = "crowded case";
    FabricConfig& fabric = test.config.fabric;
    fabric.topology.kind = "dragonfly";
    fabric.topology.parameters = {{"groups", shape.groups},
                                  {"group_size", shape.group_size},
                                  {"global_links", shape.global_links}};
    if (shape.nodes > 1) fabric.topology.concentration = {shape.nodes};
    fabric.routing = routing;
    const std::uint32_t fewest = fabric.routing == "progressive_adaptive" ? 4 : 3;
    fabric.virtual_channels = any({fewest, fewest, 5, 8});
    fabric.buffer_depth = any({1, 2, 3, 4, 8, 16});
    fabric.router_delay = any({1, 1, 2, 3});
    fabric.link_delay.cycles = any({1, 1, 2, 5});
    if (random() % 2 == 0) fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    if (random() % 3 == 0) fabric.allocation = Allocation::kCombined;
    if (random() % 4 == 0) {
        fabric.allocation = Allocation::kSequential;
        fabric.switching =
            random() % 2 == 0 ? Switching::kVirtualCutThrough : Switching::kStoreAndForward;
        fabric.combining_delay = fabric.stores_packets() ? any({0, 0, 1, 5}) : 0;
        fabric.buffer_depth = any({9, 10, 16});
    }
    test.has_slow_links = !fabric.holds_switch() && random() % 3 == 0;
    test.config.node.header_flits = 1;
    const std::size_t messages = shape.groups * shape.group_size * shape.nodes * 16;
    test.program = to_the_next_group(shape, seed, messages);
    return test;
}

class QueueRouting : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Routings, QueueRouting, testing::ValuesIn(kNames),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(QueueRouting, EqualsTheGoldenModelUnderContention) {
    CompareCounts counts;
    std::uint64_t shortest = 0;
    const std::uint64_t cases = cases_of(40, 200);
    for (std::uint64_t seed = 1; seed <= cases; ++seed) {
        const RandomCase test = crowded_case(seed, GetParam());
        const Machine machine = machine_of(test);
        CompareRun run{"cycle",
                       seed % 2 == 0 ? hw::ScanOrder::kAscending : hw::ScanOrder::kDescending,
                       seed / 2 % 2 == 0};
        vary(run, machine.graph.router_count(), seed);
        ASSERT_EQ(compare_with_golden(test, run, counts), "") << describe(test);
        for (const Transfer& t : test.program.transfers) {
            const std::uint64_t flits = machine.config.packet_format().flits(t.bytes, 0);
            shortest +=
                flits *
                route_links(machine.graph, *machine.routing, t.source, t.destination).size();
        }
    }
    EXPECT_GT(counts.packets, 200 * cases);
    // Some packets took a detour, which has at most two and a half times as many links as the
    // minimal path of three: a tenth more in the mean needs many.
    EXPECT_GT(counts.flit_hops, shortest + shortest / 10);
    EXPECT_LT(counts.flit_hops, 2 * shortest);
}

TEST_P(QueueRouting, EqualsTheGoldenModelWithClassesOfMessages) {
    CompareCounts counts;
    const std::uint64_t cases = cases_of(10, 100);
    for (std::uint64_t seed = 1; seed <= cases; ++seed) {
        RandomCase test = crowded_case(seed, GetParam());
        test.config.fabric.virtual_channels =
            std::min(test.config.fabric.virtual_channels, kMaxVirtualChannels / 2);
        test = class_case(std::move(test));
        ASSERT_EQ(compare_with_golden(test, {}, counts), "") << describe(test);
    }
    EXPECT_GT(counts.packets, 200 * cases);
}

TEST_P(QueueRouting, FindsNothingToWaitForInACongestedNetworkAtAnyTime) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const RandomCase test = crowded_case(seed, GetParam());
        const Machine machine = machine_of(test);
        const FreshKernel kernel;
        const auto fabric = make_fabric("cycle", machine.config, machine.graph, *machine.routing);
        for (MessageId id = 0; id < test.program.transfers.size(); ++id) {
            const Transfer& t = test.program.transfers[id];
            fabric->port(t.source).send({id, t.source, t.destination, t.step, t.bytes}, t.time);
        }
        EXPECT_GT(cycles_without_deadlock(*fabric), 100U) << describe(test);
    }
}

/// Without contention nothing is queued when a packet comes.
TEST_P(QueueRouting, LonelyPacketsTakeTheMinimalPath) {
    Config config;
    config.fabric.virtual_channels = 4;
    config.fabric.routing = GetParam();
    config.fabric.topology = crowded_case(1, GetParam()).config.fabric.topology;
    Graph graph = build_topology(config);
    auto routing = make_routing(config, graph);
    const Machine machine =
        make_machine(config, graph, std::move(routing), lonely_messages(graph.node_count(), 80));
    const Outcome outcome = run(machine);
    ASSERT_EQ(outcome.packets.size(), machine.program->transfers.size());
    const auto minimal = make_dragonfly_minimal(graph, 2);
    for (const PacketRecord& p : outcome.packets) {
        const std::size_t hops =
            route_links(graph, *minimal, p.message.source, p.message.destination).size();
        ASSERT_EQ(p.head_delivered, p.head_injected + 1 + 2 * hops);
    }
}

TEST_P(QueueRouting, OtherEnginesRefuseItWithTheReason) {
    Config config = crowded_case(1, GetParam()).config;
    config.fabric.switching = Switching::kWormhole;
    config.fabric.combining_delay = 0;
    config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    const Graph graph = build_topology(config);
    const auto routing = make_routing(config, graph);
    const auto refusal = first_refusal(tlm_limitations(), config, graph, *routing);
    ASSERT_TRUE(refusal.has_value());
    EXPECT_EQ(refusal->key, "fabric.routing");
    EXPECT_THAT(refusal->reason, HasSubstr("cannot count what is queued for a link"));
    EXPECT_THAT(refusal->reason, HasSubstr(GetParam()));
    config.fabric.router = RouterKind::kRtl;
    EXPECT_THAT(refused_with([&] { hw::RtlRouters rtl(config, graph, *routing); }),
                HasSubstr("RTL routers route by the destination of a packet "
                          "only, and " +
                          std::string(GetParam()) + " needs more"));
}

}  // namespace
}  // namespace flitscope
