// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lower bounds, and latencies of idle networks, against the golden model on random machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "models/performance/bounds.h"
#include "models/performance/zero_load_paths.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/verification/reference/draw.h"
#include "testbench/verification/reference/golden_model.h"
#include "testbench/verification/reference/random_machine.h"
#include "testbench/verification/tests/support/depth.h"
#include "traffic/program/channel_rules.h"
#include "traffic/program/earliest_begins.h"
#include "traffic/program/operations.h"
#include "traffic/program/program_report.h"
#include "traffic/program/rule_flows.h"
#include "traffic/schedules/collectives/ring_rule.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"

namespace flitscope {
namespace {

/// Computations, and receives by source and tag, either of which may be any.
TEST(LowerBounds, NoRandomProgramOfOperationsBeatsThem) {
    const std::uint64_t cases = cases_of(100, 300);
    std::uint64_t by_messages = 0;
    std::uint64_t near = 0;
    for (std::uint64_t seed = 0; seed < cases; ++seed) {
        const RandomCase random = operation_case(
            random_case(seed), seed % 2 == 0 ? ReceiveTime::kOverhead : ReceiveTime::kTransfer);
        const Graph graph = random_case_graph(random);
        const auto routing = make_routing(random.config, graph);
        const Program& program = random.program;
        ProgramFlows messages(program, random.config.packet_format());
        ZeroLoadPaths paths(random.config, graph, *routing);
        set_earliest_begins(program, messages, random.config, paths);
        const LowerBounds bounds = lower_bounds(random.config, paths, messages);
        const GoldenResult result = run_golden(random.config, graph, *routing, program, 10'000'000);
        ASSERT_TRUE(result.completed) << describe(random);
        for (const GoldenPacket& p : result.packets) {
            ASSERT_LE(messages.begin(p.message), p.begin)
                << describe(random) << " message " << p.message;
        }
        ASSERT_LE(bounds.max(), result.makespan) << describe(random);
        // That it counts computations with messages, and not those of a node by itself.
        const std::vector<Cycle> alone =
            earliest_begins(*program.operations, random.config.node.send_overhead);
        bool is_later = false;
        for (OperationId id = 0; id < alone.size(); ++id) {
            const Operation& operation = (*program.operations)[id];
            if (operation.kind != Operation::Kind::kSend) continue;
            ASSERT_GE(messages.begin(operation.message), alone[id]);
            is_later = is_later || messages.begin(operation.message) > alone[id];
        }
        by_messages += is_later ? 1 : 0;
        near += 2 * bounds.max() > result.makespan ? 1 : 0;
    }
    EXPECT_GT(by_messages, cases / 4);
    EXPECT_GT(near, cases / 4);
}

/// How many random machines bounds are held against.
std::uint64_t bound_cases() { return cases_of(400, 4'000); }

/// Machines with startups, receive costs, slow memories, timed programs, ports and circuits.
TEST(LowerBounds, NoRandomMachineBeatsThem) {
    const std::uint64_t cases = bound_cases();
    std::uint64_t late = 0;
    std::uint64_t later = 0;
    std::uint64_t serial = 0;
    std::uint64_t reached = 0;
    for (std::uint64_t seed = 0; seed < cases; ++seed) {
        const RandomCase random = random_case(seed);
        const Graph graph = random_case_graph(random);
        const auto routing = make_routing(random.config, graph);
        const Program& program = random.program;
        const PacketFormat format = random.config.packet_format();
        ProgramFlows messages(program, format);
        std::vector<Flow> at_their_time;
        for (std::size_t id = 0; id < messages.size(); ++id) {
            messages.set_first(id, detour(program.transfers[id], graph, *routing));
            at_their_time.push_back(messages[id]);
        }
        ZeroLoadPaths paths(random.config, graph, *routing);
        set_earliest_begins(program, messages, random.config, paths);
        const LowerBounds bounds = lower_bounds(random.config, paths, messages);
        const GoldenResult result = run_golden(random.config, graph, *routing, program, 10'000'000);
        ASSERT_TRUE(result.completed) << describe(random);
        for (const GoldenPacket& p : result.packets) {
            ASSERT_LE(messages.begin(p.message), p.begin)
                << describe(random) << " message " << p.message;
        }
        EXPECT_LE(bounds.injection, result.makespan) << describe(random);
        EXPECT_LE(bounds.ejection, result.makespan) << describe(random);
        EXPECT_LE(bounds.link, result.makespan) << describe(random);
        EXPECT_LE(bounds.bisection, result.makespan) << describe(random);
        EXPECT_LE(bounds.latency, result.makespan) << describe(random);
        reached += 2 * bounds.max() > result.makespan ? 1 : 0;
        // That it is the starts and the startups that make the bound.
        const auto bound = [&](const std::vector<Flow>& flows) {
            return lower_bounds(random.config, paths, flows).max();
        };
        later += bound(at_their_time) < bounds.max() ? 1 : 0;
        for (Flow& flow : at_their_time) flow.begin = 0;
        late += bound(at_their_time) < bounds.max() ? 1 : 0;
        Config side_by_side = random.config;
        side_by_side.node.serialize_overhead = false;
        serial += lower_bounds(side_by_side, paths, messages).injection < bounds.injection ? 1 : 0;
    }
    EXPECT_GT(late, cases / 4);
    EXPECT_GT(later, cases / 4);
    EXPECT_GT(serial, cases / 20);
    EXPECT_GT(reached, cases / 4);
}

/// A program by rule on the network of a random machine, in steps or in one.
Program program_by_some_rule(const RandomCase& random, NodeId nodes, std::uint64_t seed) {
    // As long as a message that the machine can carry.
    const Transfers& transfers = random.program.transfers;
    const std::uint64_t bytes = transfers.empty() ? 0 : transfers.bytes(seed % transfers.size());
    Program program = gen(nodes, bytes);
    if (seed % 3 == 1) program = naive(nodes, bytes, NaiveOrder::kFromNext);
    if (seed % 3 == 2) {
        std::vector<NodeId> order(nodes);
        std::iota(order.begin(), order.end(), 0);
        std::reverse(order.begin() + nodes / 2, order.end());
        program = program_by_rule("ring", std::make_shared<RingRule>(order, 5), bytes);
    }
    if (seed % 2 == 1) program.barrier_cycles = seed % 40;
    return program;
}

TEST(LowerBounds, OfSumsAreThoseOfTheirMessages) {
    const std::uint64_t cases = cases_of(150, 4'000);
    std::uint64_t checked = 0;
    std::uint64_t near = 0;
    std::uint64_t by_steps = 0;
    for (std::uint64_t seed = 0; seed < cases; ++seed) {
        const RandomCase random = random_case(seed);
        const Graph graph = random_case_graph(random);
        if (graph.has_faults() || graph.node_count() < 2 || graph.node_count() > 24) continue;
        const auto routing = make_routing(random.config, graph);
        const PacketFormat format = random.config.packet_format();
        const Program program = program_by_some_rule(random, graph.node_count(), seed);
        ASSERT_NE(program.transfers.rule(), nullptr);
        ZeroLoadPaths paths(random.config, graph, *routing);
        const LowerBounds sums = lower_bounds(random.config, paths, RuleFlows(program, format));
        const LowerBounds all = lower_bounds(random.config, paths, ProgramFlows(program, format));
        EXPECT_EQ(sums.link, all.link) << describe(random);
        EXPECT_EQ(sums.bisection, all.bisection) << describe(random);
        if (!graph.has_per_link_endpoints()) {
            EXPECT_EQ(sums.injection, all.injection) << describe(random);
            EXPECT_EQ(sums.ejection, all.ejection) << describe(random);
        }
        const GoldenResult result = run_golden(random.config, graph, *routing, program, 10'000'000);
        ASSERT_TRUE(result.completed) << describe(random);
        EXPECT_LE(sums.max(), result.makespan) << describe(random);
        ++checked;
        near += 2 * sums.max() > result.makespan ? 1 : 0;
        by_steps += sums.latency == sums.max() ? 1 : 0;
    }
    EXPECT_GT(checked, cases / 4);
    EXPECT_GT(near, checked / 4);
    EXPECT_GT(by_steps, checked / 8);
}

/// Of one packet, or of several that nothing stops, and never less than is said.
TEST(IdleMessages, TakeAsLongAsIsSaid) {
    std::map<std::string, unsigned> exact;
    unsigned longer = 0;
    for (std::uint64_t seed = 0; seed < 4 * bound_cases(); ++seed) {
        const RandomCase random = random_case(seed);
        if (random.program.transfers.empty()) continue;
        const Graph graph = random_case_graph(random);
        const auto routing = make_routing(random.config, graph);
        ZeroLoadPaths paths(random.config, graph, *routing);
        if (!paths.are_fixed()) continue;
        const Transfer any = random.program.transfers[seed % random.program.transfers.size()];
        if (any.source == any.destination) continue;
        Transfer alone{any.source, any.destination};
        const PacketFormat format = random.config.packet_format();
        const FabricConfig& fabric = random.config.fabric;
        const bool fits = fabric.switching == Switching::kWormhole ||
                          format.flits(format.packet_bytes, 0) <= fabric.buffer_depth;
        alone.bytes = any.bytes * (format.packet_bytes != 0 && fits ? 1 + seed % 5 : 1);
        Program program;
        program.nodes = random.program.nodes;
        program.transfers = std::vector{alone};
        const GoldenResult result = run_golden(random.config, graph, *routing, program, 10'000'000);
        ASSERT_TRUE(result.completed) << describe(random);
        const ZeroLoadMessage message(random.config);
        const std::uint64_t flits = format.message_flits(alone.bytes);
        const ZeroLoadPath path = paths.path(alone.source, alone.destination);
        const Cycle said = message.delivered(flits, path);
        Cycle taken = 0;  // packets may overtake each other in other virtual channels
        for (const GoldenPacket& packet : result.packets) {
            taken = std::max(taken, packet.tail_delivered - packet.begin);
        }
        ASSERT_GE(taken, said) << describe(random);
        EXPECT_GE(longest_idle(random.config, graph, flits), taken) << describe(random);
        if (!message.is_exact(flits, path)) {
            longer += taken > said ? 1 : 0;
            continue;
        }
        EXPECT_EQ(taken, said) << describe(random);
        const bool several = result.packets.size() > 1;
        ++exact[name_of(fabric.switching) + std::string(several ? " packets" : "")];
    }
    for (const char* kind : {"wormhole", "virtual_cut_through", "store_and_forward", "circuit",
                             "wormhole packets", "virtual_cut_through packets"}) {
        EXPECT_GE(exact[kind], 5U) << kind;
    }
    EXPECT_GE(longer, 20U);
}

/// On lines, whose slowest wire may be before all storing, after it or between.
TEST(IdleMessages, AreStoredBeforeOrBehindTheSlowestWire) {
    Config config;
    config.fabric.switching = Switching::kStoreAndForward;
    unsigned exact = 0;
    unsigned paced = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Draw draw(seed);
        const auto below = [&draw](std::uint64_t most) {
            return static_cast<std::uint32_t>(draw.below(most));
        };
        const std::uint32_t packet = 2 + below(6);    // flits
        config.node.packet_bytes = (packet - 1) * 8;  // after a header flit
        config.fabric.buffer_depth = packet + below(3);
        config.fabric.virtual_channels = 1 + below(2);
        config.fabric.combining_delay = below(4);
        Graph graph = build_mesh({3 + below(7)});
        const RouterId slow(below(graph.router_count() - 1));
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const bool is_slow = link.from == slow && link.to == RouterId(slow + 1);
            graph.set_delay(id, is_slow ? 1 + below(40) : 1);
        }
        const auto routing = make_routing(config, graph);
        ZeroLoadPaths paths(config, graph, *routing);
        Program program;
        program.nodes = graph.node_count();
        const NodeId last = graph.node_count() - 1;
        Transfer alone{0, last,
                       1 + below(3 * static_cast<std::uint32_t>(config.node.packet_bytes))};
        program.transfers = std::vector{alone};
        const GoldenResult result = run_golden(config, graph, *routing, program, 100'000);
        ASSERT_TRUE(result.completed) << "seed " << seed;
        const ZeroLoadPath path = paths.path(0, last);
        const std::uint64_t flits =
            config.packet_format().message_flits(program.transfers.bytes(0));
        const Cycle said = ZeroLoadMessage(config).delivered(flits, path) + 1;
        EXPECT_LE(said, result.makespan) << "seed " << seed;
        exact += said == result.makespan ? 1 : 0;
        paced += path.loop > config.fabric.buffer_depth * config.fabric.virtual_channels ? 1 : 0;
    }
    EXPECT_GT(exact, 100U);
    EXPECT_GT(paced, 100U);
}

}  // namespace
}  // namespace flitscope
