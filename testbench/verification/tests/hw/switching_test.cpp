// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual cut-through and store and forward: closed forms, cases that the random machines of
// golden_test do not reach, and who refuses them.
#include "models/fabric/switching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/rtl_routers.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/engines.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/hw/crowded_mesh.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/support/ring_graph.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

const Switching kWholePackets[] = {Switching::kVirtualCutThrough, Switching::kStoreAndForward};

TEST(Switching, CombiningDelayMayBeLong) {
    Config config;
    config.fabric.switching = Switching::kStoreAndForward;
    config.fabric.combining_delay = 1'000'000;
    Transfer transfer{0, 3, 8};
    Graph graph = build_mesh({4});
    auto routing = make_dimension_order(graph);
    const Machine machine =
        make_machine(config, std::move(graph), std::move(routing), steps(4, {transfer}));
    const Outcome outcome = run(machine);
    ASSERT_EQ(outcome.packets.size(), 1U);
    EXPECT_EQ(outcome.packets[0].tail_delivered, 1U + 3 * (1 + 2) + 2 * 1'000'000U);
}

/// With one virtual channel no other packet comes in between, and all packets are of one length.
TEST(Switching, PacketsDoNotStopOnALink) {
    for (const Switching switching : kWholePackets) {
        SCOPED_TRACE(name_of(switching));
        Config config;
        config.fabric.switching = switching;
        config.fabric.buffer_depth = 7;
        Graph graph = build_mesh({4, 4});
        auto routing = make_dimension_order(graph);
        Program program = hot_traffic(16, 300, 3);
        program.transfers.change_all([&](Transfer& transfer) { transfer.bytes = 32; });
        const LinkId links = graph.link_count();
        const Machine machine =
            make_machine(config, std::move(graph), std::move(routing), std::move(program));
        const Outcome outcome = run(machine);
        ASSERT_EQ(outcome.result.verdict, Verdict::kComplete);
        for (LinkId link = 0; link < links; ++link) {
            for (const auto& [first, end] : outcome.busy[link]) EXPECT_EQ((end - first) % 5, 0U);
        }
    }
}

/// Everybody sends to anybody with packets of up to 10 flits in FIFOs of 10.
void expect_golden(const Graph& graph, const std::function<std::unique_ptr<Routing>()>& routing,
                   Config config, std::uint64_t seed, std::size_t messages = 200) {
    config.fabric.buffer_depth = 10;
    for (const Switching switching : kWholePackets) {
        config.fabric.switching = switching;
        if (config.fabric.stores_packets()) config.fabric.combining_delay = seed % 4;
        SCOPED_TRACE(testing::Message() << name_of(switching) << ", seed " << seed);
        const Machine machine = make_machine(config, graph, routing(),
                                             hot_traffic(graph.node_count(), messages, seed, 73));
        for (const bool observed : {true, false}) {
            CompareCounts counts;
            ASSERT_EQ(compare_machine_with_golden(
                          machine, {"cycle", hw::ScanOrder::kDescending, observed}, counts),
                      "");
        }
        Config held = config;
        held.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
        CompareCounts counts;
        ASSERT_EQ(compare_machine_with_golden(
                      make_machine(held, graph, routing(), *machine.program), {"tlm"}, counts),
                  "");
    }
}

/// The masks of the router core have 1, 4 or 32 words.
TEST(Switching, WideRoutersEqualGoldenModelUnderContention) {
    for (const auto& [ports, vcs] : {std::pair{20U, 3U}, std::pair{66U, 2U}, std::pair{90U, 3U}}) {
        Config config;
        config.fabric.virtual_channels = vcs;
        const Graph graph = star(ports, ports);
        expect_golden(
            graph, [&] { return make_shortest_path(graph); }, config, ports,
            takes_all() ? 200 : 100);
    }
}

TEST(Switching, AdaptiveRoutingsEqualGoldenModelUnderContention) {
    const Graph graph = build_mesh({3, 4});
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Config config;
        config.fabric.virtual_channels = 1 + seed % 3;
        config.fabric.link_delay.cycles = 1 + seed % 3;
        expect_golden(
            graph, [&] { return make_odd_even(graph); }, config, seed);
        expect_golden(
            graph, [&] { return make_west_first(graph); }, config, seed);
        if (seed % 3 != 0)
            expect_golden(
                graph, [&] { return make_minimal_adaptive(graph); }, config, seed);
    }
}

/// Each packet fills the FIFO of a link, and waits for room in the next one.
TEST(Switching, DeadlockOfPacketsThatWaitForRoomIsNamed) {
    for (const Switching switching : kWholePackets) {
        SCOPED_TRACE(name_of(switching));
        Config config;
        config.fabric.switching = switching;
        config.fabric.buffer_depth = 8;
        const Graph graph = ring(4);
        const auto routing = make_shortest_path(graph);
        for (const char* const engine : {"cycle", "tlm"}) {
            SCOPED_TRACE(engine);
            const FreshKernel kernel;
            const auto fabric = make_fabric(engine, config, graph, *routing);
            for (NodeId node = 0; node < 4; ++node) {
                fabric->port(node).send({node, node, (node + 2) % 4, 0, 40}, 0);
            }
            EXPECT_EQ(run_to_rest(*fabric), RunEnd::kIdle);
            const std::vector<WaitingPacket> cycle = fabric->find_deadlock();
            ASSERT_EQ(cycle.size(), 4U);
            for (const WaitingPacket& packet : cycle) {
                EXPECT_EQ(packet.at, packet.message.source);
                EXPECT_EQ(packet.wants, (packet.message.source + 1) % 4);
                EXPECT_FALSE(packet.granted);
            }
        }
    }
}

TEST(Switching, FindsNothingToWaitForInACongestedNetworkAtAnyTime) {
    const Graph graph = build_mesh({3, 3});
    for (const auto& make : {make_odd_even, make_west_first}) {
        for (const Switching switching : kWholePackets) {
            Config config;
            config.fabric.switching = switching;
            config.fabric.buffer_depth = 10;
            const auto routing = make(graph);
            const Program program = hot_traffic(9, 200, 5, 73);
            for (const char* const engine : {"cycle", "tlm"}) {
                const FreshKernel kernel;
                const auto fabric = make_fabric(engine, config, graph, *routing);
                for (MessageId id = 0; id < program.transfers.size(); ++id) {
                    const Transfer& t = program.transfers[id];
                    fabric->port(t.source).send({id, t.source, t.destination, t.step, t.bytes},
                                                t.time);
                }
                EXPECT_GT(cycles_without_deadlock(*fabric), 300U);
            }
        }
    }
}

const char* const kMesh =
    "fabric: {topology: {kind: mesh, dims: [4, 4]}, buffer_depth: 8}\n"
    "traffic: {schedule: pex, message_bytes: 256}\n";

std::string refusal_of_machine(std::vector<std::string> overrides) {
    return refused_with([&] { build_machine(parse_config(kMesh, "c.yaml", overrides)); });
}

TEST(Switching, EveryPacketHasToFitIntoAFifo) {
    EXPECT_EQ(refusal_of_machine({"fabric.switching=virtual_cut_through"}),
              "c.yaml:1:62: error: virtual cut-through needs a FIFO for all of the longest packet: "
              "33 flits (256 bytes and the header), not 8 (set fabric.buffer_depth: 33, or "
              "node.packet_bytes: 56 or less)");
    const std::vector<std::string> store = {"fabric.switching=store_and_forward"};
    const auto with = [&store](std::vector<std::string> more) {
        more.insert(more.end(), store.begin(), store.end());
        return refusal_of_machine(more);
    };
    EXPECT_THAT(with({"fabric.buffer_depth=32"}), HasSubstr("33 flits (256 bytes"));
    EXPECT_EQ(with({"fabric.buffer_depth=33"}), "");
    EXPECT_EQ(with({"node.packet_bytes=56"}), "");
    EXPECT_THAT(with({"node.packet_bytes=57"}), HasSubstr("9 flits (57 bytes"));
    EXPECT_THAT(with({"node.packet_bytes=57", "node.header_flits=9"}),
                HasSubstr("(set fabric.buffer_depth: 17)"));
    EXPECT_THAT(with({"traffic.pattern=uniform"}), HasSubstr("fabric.buffer_depth: 33"));
    EXPECT_EQ(with({"traffic.pattern=uniform", "traffic.message_bytes=56"}), "");
    EXPECT_EQ(refusal_of_machine({}), "");
}

TEST(Switching, InterfaceTakesNoMessageThatDoesNotFit) {
    Config config;
    config.fabric.switching = Switching::kVirtualCutThrough;
    const Graph graph = build_mesh({2});
    const auto routing = make_dimension_order(graph);
    for (const char* const engine : {"cycle", "tlm"}) {
        SCOPED_TRACE(engine);
        const FreshKernel kernel;
        const auto fabric = make_fabric(engine, config, graph, *routing);
        fabric->port(0).send({0, 0, 1, 0, 56}, 0);
        EXPECT_THROW(fabric->port(0).send({1, 0, 1, 0, 57}, 0), std::invalid_argument);
    }
}

Machine mesh_with(Switching switching, std::vector<std::string> overrides) {
    overrides.push_back("fabric.switching=" + name_of(switching));
    return build_machine(parse_config(kMesh, "c.yaml", overrides));
}

TEST(Switching, IsRefusedByRtlRouters) {
    for (const Switching switching : kWholePackets) {
        const Machine machine = mesh_with(switching, {"fabric.buffer_depth=64"});
        Config config = machine.config;
        config.fabric.router = RouterKind::kRtl;
        EXPECT_THAT(refused_with([&] { hw::RtlRouters(config, machine.graph, *machine.routing); }),
                    HasSubstr("only wormhole switching, not " + name_of(switching) +
                              " (use the SystemC router, or set fabric.switching: wormhole)"));
    }
}

/// A FIFO that is too shallow for worms to stream holds whole packets all the same.
TEST(Switching, AutoTakesTheTlmEngineWhateverTheWires) {
    for (const Switching switching : kWholePackets) {
        const Machine machine =
            mesh_with(switching, {"fabric.buffer_depth=33", "fabric.link_delay=40"});
        const EngineChoice choice = choose_engine(machine, "auto");
        EXPECT_EQ(choice.engine->name, "tlm");
        EXPECT_EQ(choice.reason, "exact, and packets do not stop on a link (fabric.switching: " +
                                     name_of(switching) + ")");
    }
}

TEST(Switching, AutoTakesNoEngineThatRefusesIt) {
    for (const Switching switching : kWholePackets) {
        const Machine machine =
            mesh_with(switching, {"fabric.buffer_depth=64", "fabric.virtual_channels=2"});
        const EngineChoice choice = choose_engine(machine, "auto");
        EXPECT_EQ(choice.engine->name, "cycle");
        EXPECT_THAT(choice.reason, HasSubstr("take turns on a link flit by flit"));
    }
}

TEST(Switching, CombiningDelayIsForStoreAndForwardOnly) {
    const auto read = [](std::vector<std::string> overrides) {
        return refused_with([&] { parse_config(kMesh, "c.yaml", overrides); });
    };
    EXPECT_THAT(read({"fabric.combining_delay=5"}), HasSubstr("switching 'wormhole'"));
    EXPECT_THAT(read({"fabric.combining_delay=5", "fabric.switching=virtual_cut_through"}),
                HasSubstr("switching 'virtual_cut_through'"));
    EXPECT_EQ(read({"fabric.combining_delay=5", "fabric.switching=store_and_forward"}), "");
    EXPECT_THAT(read({"fabric.combining_delay=1000001", "fabric.switching=store_and_forward"}),
                HasSubstr("0 to 1000000"));
    EXPECT_THAT(read({"fabric.switching=circus"}), HasSubstr("did you mean 'circuit'?"));
}

TEST(Switching, MethodsHaveAText) {
    FabricConfig fabric;
    EXPECT_EQ(switching_text(fabric), "wormhole");
    fabric.switching = Switching::kStoreAndForward;
    EXPECT_EQ(switching_text(fabric), "store and forward");
    fabric.combining_delay = 5;
    EXPECT_EQ(switching_text(fabric), "store and forward, combining delay 5");
}

}  // namespace
}  // namespace flitscope
