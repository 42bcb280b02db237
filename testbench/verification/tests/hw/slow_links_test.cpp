// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links of a rate below 1 (hw/TIMING.md, "Slow links"): closed forms, and cases that random
// machines seldom have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/performance/bounds.h"
#include "models/performance/zero_load_paths.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/verification/reference/draw.h"
#include "testbench/verification/tests/support/fabric_fixture.h"

namespace flitscope {
namespace {

/// Nodes in a line; the link of node n to the next one takes a flit in rates[n] cycles, and so does
/// the one back.
Graph line_of_rates(const std::vector<std::uint32_t>& rates) {
    Graph graph = build_mesh({static_cast<std::uint32_t>(rates.size()) + 1});
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& link = graph.link(id);
        graph.set_rate(id, rates[std::min(link.from, link.to)]);
    }
    return graph;
}

Transfer message(NodeId source, NodeId destination, std::uint64_t flits) {
    return {source, destination, 8 * (flits - 1)};  // behind a header flit
}

Machine machine_with(const Config& config, Graph graph, Program program) {
    auto routing = make_dimension_order(graph);
    return make_machine(config, std::move(graph), std::move(routing), std::move(program));
}

TEST(SlowLinks, AMessageTakesThePaceOfTheSlowestLink) {
    for (const std::uint32_t vcs : {1U, 2U}) {
        for (const Switching switching : {Switching::kWormhole, Switching::kVirtualCutThrough}) {
            Config config;
            config.fabric.switching = switching;
            config.fabric.buffer_depth = 32;
            config.fabric.router_delay = 2;
            config.fabric.virtual_channels = vcs;
            const Outcome outcome =
                run(machine_with(config, line_of_rates({3, 1, 5}), steps(4, {message(0, 3, 7)})));
            ASSERT_EQ(outcome.packets.size(), 1U);
            // Three links of delay 1, with 2, 0 and 4 cycles more for a flit.
            const Cycle head = 2 + (3 + 2) + 3 + (3 + 4);
            EXPECT_EQ(outcome.packets[0].head_delivered, head);
            EXPECT_EQ(outcome.packets[0].tail_delivered, head + 6 * 5);
        }
    }
}

TEST(SlowLinks, AStoredPacketTakesTheTimeOfEveryLink) {
    Config config;
    config.fabric.switching = Switching::kStoreAndForward;
    config.fabric.combining_delay = 4;
    config.fabric.buffer_depth = 32;
    const Outcome outcome =
        run(machine_with(config, line_of_rates({3, 1, 5}), steps(4, {message(0, 3, 7)})));
    ASSERT_EQ(outcome.packets.size(), 1U);
    const Cycle links = (2 + 2) + 2 + (2 + 4);
    EXPECT_EQ(outcome.packets[0].tail_delivered, 1 + links + 6 * (3 + 1 + 5) + 2 * 4);
}

TEST(SlowLinks, IdleLatencyIsWhatTheFabricTakes) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Draw draw(seed);
        Config config;
        const std::uint32_t flits = draw.between(1, 12);
        config.fabric.switching = draw.pick<Switching>(
            {Switching::kWormhole, Switching::kVirtualCutThrough, Switching::kStoreAndForward});
        if (config.fabric.stores_packets()) config.fabric.combining_delay = draw.between(0, 3);
        config.fabric.buffer_depth = config.fabric.has_packet_flow_control()
                                         ? flits + draw.between(0, 3)
                                         : draw.between(1, 12);
        config.fabric.router_delay = draw.between(1, 3);
        config.fabric.virtual_channels = draw.between(1, 2);
        std::vector<std::uint32_t> rates;
        for (std::uint32_t n = draw.between(1, 5); n != 0; --n) {
            rates.push_back(draw.between(1, 6));
        }
        Graph graph = line_of_rates(rates);
        for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_delay(id, draw.between(1, 4));
        const auto last = static_cast<NodeId>(rates.size());
        const Machine machine =
            machine_with(config, std::move(graph), steps(last + 1, {message(0, last, flits)}));
        const Outcome outcome = run(machine);
        ASSERT_EQ(outcome.packets.size(), 1U) << "seed " << seed;
        ZeroLoadPaths paths(machine.config, machine.graph, *machine.routing);
        const ZeroLoadMessage idle(machine.config);
        ASSERT_EQ(outcome.packets[0].tail_delivered, idle.delivered(flits, paths.path(0, last)))
            << "seed " << seed;
    }
}

TEST(SlowLinks, ALinkTakesExactlyOneFlitInItsCycles) {
    for (const std::uint32_t cycles : {2U, 3U, 5U, 64U}) {
        for (const std::uint32_t vcs : {1U, 2U, 4U}) {
            for (const Allocation allocation : kAllocations) {
                Config config;
                config.fabric.virtual_channels = vcs;
                config.fabric.allocation = allocation;
                config.fabric.buffer_depth = 8;
                // Packets of all virtual channels share the link.
                config.node.packet_bytes = 24;
                const Machine machine =
                    machine_with(config, line_of_rates({cycles}), steps(2, {message(0, 1, 60)}));
                const Outcome outcome = run(machine);
                ASSERT_EQ(outcome.result.verdict, Verdict::kComplete);
                const LinkId link = machine.graph.out_link(RouterId(0), 1);
                const auto& busy = outcome.busy[link];
                ASSERT_EQ(busy.size(), outcome.result.channel_flits[link]);
                for (std::size_t i = 0; i < busy.size(); ++i) {
                    ASSERT_EQ(busy[i].second, busy[i].first + 1);
                    ASSERT_EQ(busy[i].first, busy[0].first + i * cycles)
                        << cycles << " cycles, " << vcs << " virtual channels";
                }
            }
        }
    }
}

TEST(SlowLinks, FullRateNeedsBuffersForTheRoundTripOnly) {
    // d + c = 1 + 6 + 3 + 6 with k = 4: four flits are under way.
    const auto makespan = [](std::uint32_t depth) {
        Config config;
        config.fabric.buffer_depth = depth;
        Graph graph = line_of_rates({4});
        for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_delay(id, 6);
        return run(machine_with(config, std::move(graph), steps(2, {message(0, 1, 41)})))
            .result.cycles;
    };
    EXPECT_EQ(makespan(4), makespan(64));
    EXPECT_GT(makespan(3), makespan(4));
}

TEST(SlowLinks, TheBoundOfALinkIsReachedByItself) {
    Config config;
    config.fabric.buffer_depth = 32;
    const Machine machine =
        machine_with(config, line_of_rates({1, 4, 1}), steps(4, {message(0, 3, 50)}));
    ZeroLoadPaths paths(machine.config, machine.graph, *machine.routing);
    const LowerBounds bounds = lower_bounds(machine.config, paths, {{0, 3, 50}});
    EXPECT_EQ(bounds.link, 49U * 4 + 1);
    EXPECT_EQ(bounds.bisection, 49U * 4 + 1);
    EXPECT_EQ(bounds.injection, 50U);
    EXPECT_EQ(bounds.latency, run(machine).result.cycles);
}

TEST(SlowLinks, DoNotChangeWhatTheFabricDoesElsewhere) {
    for (const std::uint32_t vcs : {1U, 3U}) {
        for (const Allocation allocation : kAllocations) {
            Config config;
            config.fabric.virtual_channels = vcs;
            config.fabric.allocation = allocation;
            config.fabric.buffer_depth = 3;
            Graph graph = build_mesh({4, 4});
            for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_rate(id, 1 + id % 3 * 2);
            auto routing = make_dimension_order(graph);
            const Machine machine =
                make_machine(config, std::move(graph), std::move(routing), hot_traffic(16, 200, 7));
            EXPECT_EQ(difference_from_golden(machine, 200), "");
        }
    }
}

/// A packet is first for a channel without room for it, and takes another one; the next packet is
/// shorter, and has room. No flit that is sent over a fast link wakes the router for it.
TEST(SlowLinks, APacketMayHaveRoomAsSoonAsItIsFirst) {
    CompareCounts counts;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Draw draw(seed);
        Config config;
        config.fabric.switching = Switching::kVirtualCutThrough;
        config.fabric.virtual_channels = 4;
        config.fabric.buffer_depth = 8;
        Graph graph = build_mesh({3, 3});
        for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_rate(id, draw.between(2, 5));
        auto routing = make_dimension_order(graph);
        const Machine machine = make_machine(config, std::move(graph), std::move(routing),
                                             hot_traffic(9, 300, seed, 56));
        CompareRun run;
        run.observed = false;
        ASSERT_EQ(compare_machine_with_golden(machine, run, counts), "") << "seed " << seed;
    }
}

}  // namespace
}  // namespace flitscope
