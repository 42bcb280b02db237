// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Circuit switching: closed forms and totals of Boppana and Raghavendra 1990 as the errata have
// them, cycles worked out by hand from hw/TIMING.md, deadlocks, and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/circuit/circuit_fabric.h"
#include "hw/common/clock_domain.h"
#include "hw/verilated/rtl_routers.h"
#include "models/fabric/switching.h"
#include "models/performance/bounds.h"
#include "models/performance/zero_load_paths.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/engines.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/hw/crowded_mesh.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/support/ring_graph.h"
#include "traffic/schedules/exchange/aap.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Config circuits(std::uint32_t startup, std::uint32_t setup_delay) {
    Config config;
    config.fabric.switching = Switching::kCircuit;
    config.fabric.setup_delay = setup_delay;
    config.node.send_overhead = startup;
    return config;
}

struct LonelyCase {
    const char* topology;
    std::uint32_t startup;
    std::uint32_t setup_delay;
    std::uint32_t link_delay;
    std::uint64_t elements;
};

class LonelyCircuit : public testing::TestWithParam<LonelyCase> {};

TEST_P(LonelyCircuit, IsDeliveredInTheCycleOfTheClosedForm) {
    const LonelyCase& c = GetParam();
    const std::string kind = c.topology;
    Graph graph = kind == "line"      ? build_mesh({9})
                  : kind == "torus"   ? build_torus({4, 3})
                  : kind == "how"     ? build_how({7}, {3})
                  : kind == "crowded" ? crowded_mesh()
                                      : build_hypercube(4);
    for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_delay(id, c.link_delay);
    auto routing = make_dimension_order(graph);
    const Machine machine =
        make_machine(circuits(c.startup, c.setup_delay), graph, std::move(routing),
                     lonely_messages(graph.node_count(), 8 * c.elements, 500));
    const Outcome outcome = run(machine);
    ASSERT_EQ(outcome.result.verdict, Verdict::kComplete);
    ASSERT_EQ(outcome.packets.size(), machine.program->transfers.size());
    for (const PacketRecord& p : outcome.packets) {
        const NodeId from = p.message.source;
        const NodeId to = p.message.destination;
        const Cycle hops = route_links(graph, *machine.routing, from, to).size();
        const Cycle wires = hops == 0 ? 1 : hops * c.link_delay;
        // The first and the last cycle are counted.
        ASSERT_EQ(p.tail_delivered + 1 - p.begin,
                  c.startup + hops * c.setup_delay + wires + c.elements - 1)
            << from << " to " << to;
        ASSERT_EQ(p.head_injected, p.begin + c.startup + hops * c.setup_delay);
        ASSERT_EQ(p.tail_injected, p.head_injected + c.elements - 1);
        ASSERT_EQ(p.head_delivered, p.tail_delivered + 1 - c.elements);
        ASSERT_EQ(p.flits, c.elements);
    }
    EXPECT_EQ(difference_from_golden(machine, 10), "");
}

INSTANTIATE_TEST_SUITE_P(
    Machines, LonelyCircuit,
    testing::Values(LonelyCase{"hypercube", 10, 2, 1, 100}, LonelyCase{"hypercube", 0, 1, 1, 1},
                    LonelyCase{"line", 0, 1, 1, 2}, LonelyCase{"line", 7, 30, 3, 12},
                    LonelyCase{"torus", 1, 5, 70, 3}, LonelyCase{"how", 100, 3, 2, 5},
                    LonelyCase{"crowded", 4, 3, 2, 6}));

TEST(Circuit, MessageWithoutBytesIsOneElement) {
    Transfer transfer{0, 3};
    Graph graph = build_mesh({4});
    auto routing = make_dimension_order(graph);
    const Machine machine =
        make_machine(circuits(4, 2), std::move(graph), std::move(routing), steps(4, {transfer}));
    const Outcome outcome = run(machine);
    ASSERT_EQ(outcome.packets.size(), 1U);
    EXPECT_EQ(outcome.packets[0].flits, 1U);
    EXPECT_EQ(outcome.result.cycles, 4U + 3 * 2 + 3);
}

/// ERRATA 001: xi = 10, tau = 2, k = 100.
TEST(Circuit, ExchangesTakeTheTotalsOfTheErrata) {
    const std::vector<std::pair<AapOrder, std::vector<Cycle>>> totals = {
        {AapOrder::kBySize, {339, 799, 1731, 3619}},
        {AapOrder::kInterleaved, {327, 763, 1641, 3419}},
        {AapOrder::kInterleavedSmallFirst, {327, 757, 1625, 3369}},
        {AapOrder::kInterleavedWaiting, {317, 731, 1561, 3235}}};
    for (const auto& [order, cycles] : totals) {
        for (std::uint32_t n = 2; n <= 5; ++n) {
            Graph graph = build_hypercube(n);
            auto routing = make_dimension_order(graph);
            const Machine machine = make_machine(circuits(10, 2), std::move(graph),
                                                 std::move(routing), aap(n, 800, order));
            EXPECT_EQ(run(machine).result.cycles, cycles[n - 2])
                << "order " << static_cast<int>(order) << ", n = " << n;
        }
    }
}

Transfer message(NodeId source, NodeId destination, std::uint64_t elements, Cycle time = 0) {
    Transfer transfer{source, destination, 8 * elements};
    transfer.time = time;
    return transfer;
}

/// First element sent and last one delivered, per message.
std::vector<std::pair<Cycle, Cycle>> play(const Config& config, const Graph& graph,
                                          std::vector<Transfer> transfers) {
    Program program = steps(graph.node_count(), std::move(transfers));
    program.ordering = Ordering::kTimed;
    const Machine machine =
        make_machine(config, graph, make_shortest_path(graph), std::move(program));
    EXPECT_EQ(difference_from_golden(machine, 1), "");
    std::vector<std::pair<Cycle, Cycle>> all;
    for (const PacketRecord& p : run(machine).packets) {
        all.emplace_back(p.head_injected, p.tail_delivered);
    }
    return all;
}

using Lives = std::vector<std::pair<Cycle, Cycle>>;

// The first message starts in 12; the header of the second appears in 22 and is through in 24.
TEST(Circuit, SetUpIsHiddenWhereTheMessageBeforeIsAsLong) {
    for (const Cycle k : {Cycle{5}, Cycle{11}, Cycle{12}, Cycle{13}, Cycle{40}}) {
        const Cycle second = std::max<Cycle>(24, 12 + k);
        EXPECT_EQ(play(circuits(10, 2), build_hypercube(2), {message(0, 1, k), message(0, 2, k)}),
                  (Lives{{12, 11 + k}, {second, second + k - 1}}))
            << "k = " << k;
    }
    // Without a startup the header appears in the cycle after the first element, not in the same.
    EXPECT_EQ(play(circuits(0, 2), build_hypercube(2), {message(0, 1, 1), message(0, 2, 1)}),
              (Lives{{2, 2}, {5, 5}}));
}

// The path of the second message is complete in 3, but its sender is busy to the end of cycle 100;
// the third header appears one cycle after the second message has started.
TEST(Circuit, NodeHasOnePathAheadOfTheOneInUse) {
    EXPECT_EQ(play(circuits(0, 1), build_hypercube(3),
                   {message(0, 1, 100), message(0, 2, 1), message(0, 4, 7)}),
              (Lives{{1, 100}, {101, 101}, {103, 109}}));
}

// All ask for the receiver of node 0 in cycle 1; the second message of leaf 1 asks again before
// leaf 3 has had its turn.
TEST(Circuit, HeadersTakeTurnsByInputPort) {
    const Graph graph = star(4, 4);
    std::vector<Transfer> transfers;
    for (int round = 0; round < 2; ++round) {
        for (NodeId leaf = 1; leaf <= 3; ++leaf) transfers.push_back(message(leaf, 0, 4));
    }
    EXPECT_EQ(play(circuits(0, 1), graph, std::move(transfers)),
              (Lives{{1, 4}, {5, 8}, {9, 12}, {13, 16}, {17, 20}, {21, 24}}));
}

// 0 -> 3 waits before the last link from cycle 2 to 50 and keeps 1 -> 2 from the third message.
TEST(Circuit, HeaderKeepsWhatItHasWhileItWaits) {
    EXPECT_EQ(play(circuits(0, 1), build_mesh({4}),
                   {message(2, 3, 50), message(0, 3, 2), message(1, 2, 1, 5)}),
              (Lives{{1, 50}, {52, 55}, {57, 57}}));
}

// The receiver of a node serves one path at a time, the node's own messages to itself included.
TEST(Circuit, ReceiverBelongsToOnePath) {
    EXPECT_EQ(play(circuits(0, 3), build_mesh({3}), {message(1, 1, 6), message(0, 1, 2)}),
              (Lives{{0, 5}, {6, 7}}));
}

// So each of a router's nodes has one of its own, and one path in use. The last header reaches the
// router of node 1 in cycle 1 and waits for its receiver.
TEST(Circuit, NodesOfARouterSendAndReceiveAtOnce) {
    EXPECT_EQ(play(circuits(0, 1), crowded_mesh(),
                   {message(1, 2, 5), message(2, 6, 5), message(6, 1, 5), message(3, 1, 2)}),
              (Lives{{0, 4}, {0, 4}, {0, 4}, {5, 6}}));
}

class EventRecorder final : public ChannelObserver {
public:
    void on_grant(ChannelId channel, std::uint32_t, const Message&, Cycle cycle) override {
        events.emplace_back(cycle, channel, "grant");
    }
    void on_send_begin(ChannelId channel, std::uint32_t, ChannelId, std::uint32_t,
                       Cycle cycle) override {
        events.emplace_back(cycle, channel, "begin");
    }
    void on_send_end(ChannelId channel, std::uint32_t, Cycle cycle) override {
        events.emplace_back(cycle, channel, "end");
    }
    void on_release(ChannelId channel, std::uint32_t, Cycle cycle) override {
        events.emplace_back(cycle, channel, "release");
    }
    std::vector<std::tuple<Cycle, ChannelId, std::string>> events;
};

TEST(Circuit, ObserversSeeChannelsReservedBeforeTheySend) {
    Graph graph = build_mesh({3});
    const ChannelMap map(graph);
    const ChannelId first = graph.out_link(RouterId(0), 1);
    const ChannelId second = graph.out_link(RouterId(1), 1);
    const ChannelId in = map.injection(0);
    const ChannelId out = map.ejection(2);
    auto routing = make_dimension_order(graph);
    const Machine machine = make_machine(circuits(3, 5), std::move(graph), std::move(routing),
                                         steps(3, {message(0, 2, 4)}));
    const FreshKernel kernel;
    EventRecorder recorder;
    SimulationOptions options;
    options.channels = &recorder;
    EXPECT_EQ(simulate(machine, "cycle", options).cycles, 18U);
    EXPECT_THAT(
        recorder.events,
        testing::UnorderedElementsAre(
            std::tuple(3, first, "grant"), std::tuple(8, second, "grant"),
            std::tuple(13, out, "grant"), std::tuple(13, in, "grant"), std::tuple(13, in, "begin"),
            std::tuple(17, in, "end"), std::tuple(13, first, "begin"), std::tuple(17, first, "end"),
            std::tuple(14, second, "begin"), std::tuple(18, second, "end"),
            std::tuple(14, out, "begin"), std::tuple(18, out, "end"), std::tuple(18, in, "release"),
            std::tuple(18, first, "release"), std::tuple(18, second, "release"),
            std::tuple(18, out, "release")));
}

TEST(Circuit, DeadlockOfHeadersIsNamed) {
    const Graph graph = ring(4);
    const auto routing = make_shortest_path(graph);
    const FreshKernel kernel;
    hw::CircuitFabric fabric("fabric", circuits(0, 1), graph, *routing, {});
    for (NodeId node = 0; node < 4; ++node) {
        fabric.port(node).send({node, node, (node + 2) % 4, 0, 40}, 0);
    }
    fabric.start({});
    sc_core::sc_start();
    EXPECT_EQ(fabric.finish(), RunEnd::kIdle);
    EXPECT_FALSE(fabric.broken_invariants(true).empty());
    const std::vector<WaitingPacket> cycle = fabric.find_deadlock();
    ASSERT_EQ(cycle.size(), 4U);
    for (const WaitingPacket& packet : cycle) {
        EXPECT_EQ(packet.at, packet.message.source);
        EXPECT_EQ(packet.wants, (packet.message.source + 1) % 4);
        EXPECT_FALSE(packet.granted);
    }
}

TEST(Circuit, FindsNothingToWaitForInACongestedNetworkAtAnyTime) {
    const Graph graph = build_hypercube(3);
    const auto routing = make_dimension_order(graph);
    const FreshKernel kernel;
    hw::CircuitFabric fabric("fabric", circuits(2, 2), graph, *routing, {});
    const Program program = hot_traffic(8, 200, 5, 73);
    for (MessageId id = 0; id < program.transfers.size(); ++id) {
        const Transfer& t = program.transfers[id];
        fabric.port(t.source).send({id, t.source, t.destination, t.step, t.bytes}, t.time);
    }
    EXPECT_GT(cycles_without_deadlock(fabric), 300U);
}

class WireEnds final : public hw::CircuitSink, public hw::CircuitSource {
public:
    void set_up(std::uint64_t, Cycle) override {}
    void pass(const hw::Flit&, Cycle) override {}
    void connect(Cycle) override { ++connected; }
    void release(Cycle) override { ++released; }
    int connected = 0;
    int released = 0;
};

TEST(Circuit, ReceiverNoticesWhatWasNotSentThatWay) {
    const FreshKernel kernel;
    hw::ClockDomain clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
    hw::PacketPool packets(2);
    PacketRecorder recorder;
    hw::NetworkInterfaceConfig config;
    config.node = 1;
    hw::CircuitInterface interface("interface", config, clock, packets, {nullptr, &recorder, 0});
    WireEnds ends;
    for (std::uint32_t wire = 0; wire < hw::kInjectionWires; ++wire) {
        interface.injection_wires[wire].bind(ends);
    }
    interface.arriving.bind(ends);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    std::uint32_t sequence = 0;
    /// The corrupt elements of a message of three, with the words at these places.
    const auto receive = [&](NodeId to, std::vector<std::uint64_t> places) {
        hw::Packet packet;
        packet.record.message.id = sequence;
        packet.header = hw::Header{to, 0, sequence++}.pack();
        packet.flits_injected = 3;
        packet.message_state = packets.arrivals().add(1);
        packets.add(packet);
        const hw::PayloadWords words(packet.header);
        interface.set_up(packet.header, 0);
        for (std::size_t i = 0; i < places.size(); ++i) {
            interface.pass({words.word(places[i]), i == 0, i + 1 == places.size()}, i);
        }
        return recorder.sorted().back().corrupt_flits;
    };
    EXPECT_EQ(receive(1, {1, 2, 3}), 0U);
    EXPECT_EQ(receive(1, {1, 3, 2}), 2U);
    EXPECT_EQ(receive(1, {1, 2}), 1U);
    EXPECT_EQ(receive(0, {1, 2, 3}), 1U);
    EXPECT_EQ(receive(1, {1, 2, 3}), 0U);
    EXPECT_EQ(ends.connected, 5);
    EXPECT_EQ(ends.released, 5);
}

const char* const kCube =
    "fabric: {topology: {kind: hypercube, dimensions: 4}, switching: circuit}\n"
    "traffic: {schedule: pex, message_bytes: 256}\n";

std::string refusal_of(const std::vector<std::string>& overrides) {
    return refused_with([&] { build_machine(parse_config(kCube, "c.yaml", overrides)); });
}

TEST(Circuit, WhatIsForPacketsIsRefused) {
    EXPECT_EQ(refusal_of({}), "");
    EXPECT_EQ(refusal_of({"fabric.virtual_channels=1", "node.injection_bandwidth=1",
                          "node.packet_bytes=0", "fabric.setup_delay=1000000"}),
              "");
    EXPECT_EQ(refusal_of({"fabric.virtual_channels=2"}),
              "--set fabric.virtual_channels=2: error: a circuit has its links to itself: there "
              "are no 2 virtual channels (set fabric.virtual_channels: 1)");
    EXPECT_EQ(refusal_of({"node.packet_bytes=64"}),
              "--set node.packet_bytes=64: error: a circuit carries a message as a whole, not in "
              "packets (set node.packet_bytes: 0)");
    EXPECT_THAT(refusal_of({"node.injection_bandwidth=1/2"}),
                HasSubstr("node.injection_bandwidth: 1"));
    EXPECT_THAT(
        refusal_of({"fabric.topology={kind: mesh, dims: [4, 4]}", "fabric.routing=west_first"}),
        HasSubstr("which west_first leaves open (set fabric.routing: auto)"));
    for (const char* key :
         {"fabric.buffer_depth=8", "fabric.router_delay=1", "node.header_flits=1",
          "fabric.switch_arbitration=per_packet", "node.serialize_overhead=true"}) {
        EXPECT_THAT(refusal_of({key}), HasSubstr("does not apply to switching 'circuit' (it is "
                                                 "only for switching of packets)"))
            << key;
    }
}

TEST(Circuit, SetUpDelayIsForCircuitsOnly) {
    EXPECT_THAT(refusal_of({"fabric.setup_delay=0"}), HasSubstr("1 to 1000000"));
    EXPECT_THAT(refusal_of({"fabric.setup_delay=5", "fabric.switching=wormhole"}),
                HasSubstr("does not apply to switching 'wormhole' (it is only for switching "
                          "'circuit')"));
}

TEST(Circuit, OtherEnginesRefuseIt) {
    const Machine machine = build_machine(parse_config(kCube, "c.yaml"));
    EXPECT_EQ(switching_text(machine.config.fabric), "circuit switching, set-up delay 1");
    EXPECT_THAT(refused_with([&] { choose_engine(machine, "tlm"); }),
                HasSubstr("packets, and no circuits (fabric.switching: circuit)"));
    EXPECT_EQ(choose_engine(machine, "auto").engine->name, "cycle");
    Config config = machine.config;
    config.fabric.router = RouterKind::kRtl;
    EXPECT_THAT(
        refused_with([&] { hw::RtlRouters(config, machine.graph, *machine.routing); }),
        HasSubstr(
            "RTL routers set up no paths, so they support only wormhole switching, not circuit"));
}

TEST(Circuit, NoRunBeatsItsLowerBound) {
    for (const std::uint64_t bytes : {0U, 8U, 800U}) {
        Config config = parse_config(
            kCube, "c.yaml",
            {"fabric.setup_delay=7", "node.send_overhead=9",
             "traffic={schedule: broadcast, message_bytes: " + std::to_string(bytes) + "}"});
        const Machine machine = build_machine(config);
        const FreshKernel kernel;
        const SimulationResult result = simulate(machine, "cycle", {});
        EXPECT_LE(result.lower_bound_cycles, result.cycles);
    }
    // One message over four links: the bound is exact.
    Config config = parse_config(kCube, "c.yaml", {"fabric.setup_delay=7", "node.send_overhead=9"});
    const Graph graph = build_hypercube(4);
    const auto routing = make_dimension_order(graph);
    ZeroLoadPaths paths(config, graph, *routing);
    const LowerBounds bounds = lower_bounds(config, paths, {{0, 15, 10}});
    EXPECT_EQ(bounds.max(), 9U + 4 * 7 + 4 + 10 - 1);
}

}  // namespace
}  // namespace flitscope
