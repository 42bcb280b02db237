// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Complete exchanges as the fabric carries them: contention counted at the channels step by step,
// latencies of steps without contention against the closed form, and blocks that are handed from
// node to node followed by the cycles of their deliveries. The machines are example configurations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "traffic/schedules/windows/how_collectives.h"

namespace flitscope {
namespace {

constexpr const char* kEngines[] = {"cycle", "tlm"};

Machine example(const std::string& name, const std::vector<std::string>& overrides = {}) {
    return build_machine(
        load_config(std::string(FLITSCOPE_CONFIGS) + "/" + name + ".yaml", overrides));
}

/// Counts, for every link and step, the packets to which the link was given. Messages of one packet
/// are assumed.
class ContentionCounter final : public ChannelObserver {
public:
    explicit ContentionCounter(const Graph& graph) : channels_(graph) {}

    void on_grant(ChannelId channel, std::uint32_t, const Message& message, Cycle) override {
        if (channels_.is_link(channel)) ++count_[message.step][channel];
    }
    void on_send_begin(ChannelId, std::uint32_t, ChannelId, std::uint32_t, Cycle) override {}
    void on_send_end(ChannelId, std::uint32_t, Cycle) override {}
    void on_release(ChannelId, std::uint32_t, Cycle) override {}

    /// Packets over the most used link, per step.
    std::vector<std::uint64_t> per_step() const {
        std::vector<std::uint64_t> most;
        for (const auto& [step, links] : count_) {
            most.resize(step + 1);
            for (const auto& [link, packets] : links) most[step] = std::max(most[step], packets);
        }
        return most;
    }

private:
    ChannelMap channels_;
    std::map<StepId, std::map<ChannelId, std::uint64_t>> count_;
};

struct Watched {
    SimulationResult result;
    std::vector<PacketRecord> packets;      // by message
    std::vector<std::uint64_t> contention;  // per step
};

Watched watch(const Machine& machine, const std::string& engine) {
    const FreshKernel kernel;
    ContentionCounter counter(machine.graph);
    PacketRecorder packets;
    SimulationOptions options;
    options.channels = &counter;
    options.packets = &packets;
    Watched watched{simulate(machine, engine, options), packets.sorted(), counter.per_step()};
    EXPECT_EQ(watched.result.verdict, Verdict::kComplete);
    EXPECT_THAT(watched.result.problems, testing::IsEmpty());
    return watched;
}

/// Every ordered pair of different nodes once, among what was delivered.
void expect_all_pairs(const std::vector<PacketRecord>& packets, NodeId nodes) {
    std::set<std::pair<NodeId, NodeId>> pairs;
    for (const PacketRecord& p : packets) {
        EXPECT_NE(p.message.source, p.message.destination);
        EXPECT_TRUE(pairs.insert({p.message.source, p.message.destination}).second);
    }
    EXPECT_EQ(pairs.size(), std::size_t{nodes} * (nodes - 1));
}

/// Most messages that a node sends, or that one receives, in a step.
std::uint32_t node_contention(const std::vector<PacketRecord>& packets) {
    std::map<std::pair<StepId, NodeId>, std::uint32_t> sends;
    std::map<std::pair<StepId, NodeId>, std::uint32_t> receives;
    std::uint32_t most = 0;
    for (const PacketRecord& p : packets) {
        most = std::max({most, ++sends[{p.message.step, p.message.source}],
                         ++receives[{p.message.step, p.message.destination}]});
    }
    return most;
}

void expect_steps_apart(const Watched& watched, Cycle barrier) {
    for (std::size_t i = 1; i < watched.result.step_times.size(); ++i) {
        EXPECT_EQ(watched.result.step_times[i].start,
                  watched.result.step_times[i - 1].end + barrier)
            << "step " << i + 1;
    }
}

std::uint32_t hops(const Graph& graph, NodeId from, NodeId to) {
    std::uint32_t sum = 0;
    for (const GridDimension& dimension : graph.wiring()->dimensions()) {
        const std::size_t dim = &dimension - graph.wiring()->dimensions().data();
        const std::uint32_t a = from / graph.stride(dim) % dimension.side;
        const std::uint32_t b = to / graph.stride(dim) % dimension.side;
        const std::uint32_t straight = a > b ? a - b : b - a;
        sum += dimension.wraps ? std::min(straight, dimension.side - straight) : straight;
    }
    return sum;
}

/// Nobody has waited: every packet took what it takes on an idle machine (hw/TIMING.md).
void expect_idle_latencies(const Watched& watched, const Machine& machine) {
    const FabricConfig& fabric = machine.config.fabric;
    const Cycle hop = fabric.router_delay + fabric.link_delay.cycles;
    for (const PacketRecord& p : watched.packets) {
        const std::uint32_t distance = hops(machine.graph, p.message.source, p.message.destination);
        EXPECT_EQ(p.tail_delivered - p.head_injected,
                  fabric.router_delay + distance * hop + p.flits - 1)
            << p.message.source << " -> " << p.message.destination;
    }
}

struct Exchange {
    std::string config;
    std::vector<std::string> overrides;
    std::size_t steps;
    std::uint64_t links;  // contention of every step
    std::uint32_t nodes;
};

class BoundedContentionSimulation : public testing::TestWithParam<Exchange> {};

TEST_P(BoundedContentionSimulation, KeepsContentionAndStepsApartOnBothEngines) {
    const Exchange& expected = GetParam();
    const Machine machine = example(expected.config, expected.overrides);
    std::vector<Cycle> makespans;
    for (const char* engine : kEngines) {
        SCOPED_TRACE(engine);
        const Watched watched = watch(machine, engine);
        expect_all_pairs(watched.packets, machine.graph.node_count());
        EXPECT_THAT(watched.contention,
                    testing::AllOf(testing::SizeIs(expected.steps),
                                   testing::Each(testing::AllOf(testing::Ge(1U),
                                                                testing::Le(expected.links)))));
        EXPECT_EQ(*std::max_element(watched.contention.begin(), watched.contention.end()),
                  expected.links);
        const std::vector<StepReport> steps = step_reports(machine);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            EXPECT_EQ(watched.contention[i], steps[i].max_link_contention) << i;
        }
        EXPECT_EQ(node_contention(watched.packets), expected.nodes);
        expect_steps_apart(watched, *machine.program->barrier_cycles);
        if (expected.links == 1) expect_idle_latencies(watched, machine);
        makespans.push_back(watched.result.cycles);
    }
    EXPECT_EQ(makespans.front(), makespans.back());
}

INSTANTIATE_TEST_SUITE_P(
    Examples, BoundedContentionSimulation,
    testing::Values(Exchange{"mesh_8x8_scott", {}, 128, 1, 1},
                    Exchange{"mesh_8x8_scott", {"traffic.contention=2"}, 64, 2, 1},
                    Exchange{"mesh_8x8_node_contention", {}, 16, 8, 4},
                    Exchange{"mesh_8x8_node_contention", {"traffic.contention=4"}, 32, 4, 2},
                    Exchange{"mesh_8x12_bounded", {"traffic.contention=2"}, 144, 2, 1},
                    // 40 superblocks of 20 phases, into which 3 do not go: 7 steps each.
                    Exchange{"mesh_8x12_bounded", {"fabric.topology.dims=[8, 20]"}, 280, 3, 1},
                    Exchange{"mesh_8x12_bounded", {}, 96, 3, 1},
                    Exchange{"mesh_8x12_bounded", {"traffic.contention=6"}, 48, 6, 2},
                    Exchange{"mesh_4x4x8_bounded", {}, 128, 2, 1},
                    Exchange{"mesh_4x4x8_bounded", {"traffic.contention=1"}, 256, 1, 1},
                    Exchange{"mesh_4x4x8_bounded", {"traffic.contention=4"}, 64, 4, 2},
                    Exchange{"torus_8x8_bounded", {}, 64, 1, 1},
                    Exchange{"torus_8x8_bounded", {"fabric.topology.dims=[8, 16]"}, 256, 1, 1},
                    Exchange{"torus_8x8_bounded",
                             {"fabric.topology.dims=[8, 16]", "traffic.contention=2"},
                             128,
                             2,
                             1},
                    Exchange{"torus_8x8_bounded", {"fabric.topology.dims=[4, 4, 4]"}, 64, 1, 1}));

TEST(BoundedContentionSimulation, SharesLinksWhenBarriersAreTakenAway) {
    // Without barriers nodes run ahead, and messages of different steps meet.
    const Machine machine = example("mesh_8x8_scott", {"traffic.barrier=false"});
    const Watched watched = watch(machine, "tlm");
    std::size_t waited = 0;
    for (const PacketRecord& p : watched.packets) {
        const Cycle idle =
            1 + 2 * hops(machine.graph, p.message.source, p.message.destination) + p.flits - 1;
        EXPECT_GE(p.tail_delivered - p.head_injected, idle);
        if (p.tail_delivered - p.head_injected > idle) ++waited;
    }
    EXPECT_GT(waited, 0U);
    EXPECT_LT(watched.result.cycles, watch(example("mesh_8x8_scott"), "tlm").result.cycles);
}

TEST(NaiveSimulation, BringsEveryMessageInOneStep) {
    for (const char* name : {"schedules/naive_from_next", "schedules/naive_from_zero"}) {
        const Watched watched = watch(example(name), "tlm");
        expect_all_pairs(watched.packets, 16);
        EXPECT_EQ(watched.contention.size(), 1U);
        EXPECT_EQ(node_contention(watched.packets), 15U);
    }
}

// ---- The Paragon --------------------------------------------------------------------------------

TEST(ParagonSimulation, TakesTheTimeOfTheClosedFormWithoutContention) {
    // 231 + 0.022 m us for each of the n^3 / 4 steps, 271 lg n - 134 us for each barrier between
    // them (Bokhari and Nicol 1996, Table 1 corrected).
    for (const std::uint32_t n : {4U, 8U}) {
        for (const std::uint64_t bytes : {1024U, 8640U, 15232U, 16128U}) {
            const std::string dims = std::to_string(n);
            const Machine machine =
                example("paragon_8x8_bounded",
                        {"fabric.topology.dims=[" + dims + ", " + dims + "]",
                         "traffic.contention=1", "traffic.message_bytes=" + std::to_string(bytes)});
            const double phases = n * n * n / 4.0;
            const double expected = phases * (231 + 0.022 * static_cast<double>(bytes)) +
                                    (phases - 1) * (271 * std::log2(static_cast<double>(n)) - 134);
            const SimulationResult result = watch(machine, "tlm").result;
            const double us = static_cast<double>(result.cycles) * machine.config.clock_ns / 1000;
            EXPECT_NEAR(us / expected, 1, 0.006) << n << ' ' << bytes;
        }
    }
}

TEST(ParagonSimulation, TakesOneMessageAfterTheOther) {
    // Startups are serial: without contention a node needs its 15 messages' time, one by one.
    const Machine machine = example(
        "paragon_8x8_naive",
        {"fabric.topology.dims=[4, 4]", "traffic.message_bytes=8", "traffic.algorithm=from_next"});
    const Cycle cycles = watch(machine, "tlm").result.cycles;
    EXPECT_GT(cycles, 15 * 2560U);
    EXPECT_LT(cycles, 15 * 2560U + 500);
}

TEST(ParagonSimulation, NaiveNodesThatBeginWithTheSameDestinationTakeLonger) {
    const auto cycles = [](const char* order) {
        return watch(example("paragon_8x8_naive", {std::string("traffic.algorithm=") + order}),
                     "tlm")
            .result.cycles;
    };
    EXPECT_GT(cycles("from_zero"), cycles("from_next") + cycles("from_next") / 10);
}

// ---- Blocks from neighbour to neighbour ---------------------------------------------------------

CollectivePlan exchange_plan(const Machine& machine) {
    HowShape shape;
    for (const GridDimension& dimension : machine.graph.wiring()->dimensions()) {
        shape.sides.push_back(dimension.side);
        shape.windows.push_back(dimension.spans.back());
    }
    const bool relayed = machine.config.node.port_model == PortModel::kIndependent;
    return how_collective(shape, Collective::kAllToAllPersonalized,
                          relayed ? PortModel::kIndependent : PortModel::kOneOutput, 0);
}

/// Follows every block by the cycles in which the simulated messages left and arrived: no node
/// sends a block before its tail has been delivered to it, and in the end all are in place.
void expect_blocks_relayed(const Machine& machine, const std::vector<PacketRecord>& packets) {
    using Ends = std::pair<NodeId, NodeId>;  // source and destination of a block
    const NodeId nodes = machine.graph.node_count();
    std::map<std::pair<NodeId, Ends>, Cycle> held_from;
    std::size_t message = 0;
    for (std::vector<BlockMove> step : exchange_plan(machine).steps) {
        // As to_program() lists them.
        std::stable_sort(step.begin(), step.end(),
                         [](const BlockMove& a, const BlockMove& b) { return a.from < b.from; });
        for (const BlockMove& move : step) {
            ASSERT_LT(message, packets.size());
            const PacketRecord& p = packets[message++];
            ASSERT_EQ(p.message.source, move.from);
            ASSERT_EQ(p.message.destination, move.to);
            const Ends block{move.block.source, move.block.destination};
            if (block.first != move.from) {
                const auto held = held_from.find({move.from, block});
                ASSERT_NE(held, held_from.end());
                EXPECT_GT(p.head_injected, held->second);
            }
            held_from[{move.to, block}] = p.tail_delivered;
        }
    }
    EXPECT_EQ(message, packets.size());
    for (NodeId s = 0; s < nodes; ++s) {
        for (NodeId d = 0; d < nodes; ++d) {
            EXPECT_EQ(held_from.count({d, {s, d}}), s == d ? 0U : 1U) << s << " -> " << d;
        }
    }
}

TEST(RelayedExchangeSimulation, TakesARingStepOfOneHopEach) {
    // Per step: 9 flits over one hop, 1 + 2 + 9 - 1 cycles, and the next one begins in the cycle
    // after.
    const std::map<std::string, std::size_t> sides = {{"[8]", 16}, {"[9]", 20}, {"[16]", 64}};
    for (const auto& [side, steps] : sides) {
        SCOPED_TRACE(side);
        const Machine machine = example("how_16_ring_exchange", {"fabric.topology.dims=" + side});
        for (const char* engine : kEngines) {
            const Watched watched = watch(machine, engine);
            EXPECT_EQ(watched.result.step_times.size(), steps);
            EXPECT_EQ(watched.result.cycles, steps * 12);
            EXPECT_THAT(watched.contention, testing::Each(1U));
            expect_blocks_relayed(machine, watched.packets);
        }
    }
}

TEST(RelayedExchangeSimulation, TakesTheStepsOfTheLanes) {
    for (const auto& [topology, steps] : std::map<std::vector<std::string>, std::size_t>{
             {{}, 176},
             {{"fabric.topology.dims=[4, 4]"}, 24},
             {{"fabric.topology.dims=[16]"}, 39},
             {{"fabric.topology.dims=[16]", "fabric.topology.window=4"}, 19}}) {
        const Machine machine = example("how_8x8_lanes", topology);
        const Watched watched = watch(machine, "cycle");
        EXPECT_EQ(watched.result.step_times.size(), steps);
        EXPECT_THAT(watched.contention, testing::Each(1U));
        expect_blocks_relayed(machine, watched.packets);
        expect_steps_apart(watched, 0);
    }
}

TEST(RelayedExchangeSimulation, NeedsNoBarriersForItsBlocksToArrive) {
    const Machine machine = example("how_8x8_lanes", {"traffic.barrier=false"});
    expect_blocks_relayed(machine, watch(machine, "cycle").packets);
}

TEST(RecursiveExchangeSimulation, BeatsDirectMessagesWhereStartupsCount) {
    const auto cycles = [](std::vector<std::string> overrides) {
        return watch(example("schedules/recursive-exchange", overrides), "tlm").result.cycles;
    };
    EXPECT_LT(cycles({}), cycles({"traffic.schedule=gen"}));
    EXPECT_GT(cycles({"traffic.message_bytes=4096"}),
              cycles({"traffic.message_bytes=4096", "traffic.schedule=gen"}));
}

}  // namespace
}  // namespace flitscope
