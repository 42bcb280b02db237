// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole fabrics with verilated routers: equal to SystemC ones in lock step, to the golden model
// packet by packet, and in their waveforms byte by byte; and a difference is found and shown.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/cosim.h"
#include "testbench/app/compare/delivery.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/rtl_machines.h"

namespace flitscope {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// A machine of RTL routers, or of some, under traffic that meets.
Machine random_machine(const hw::RtlVariant& variant, std::mt19937_64& random,
                       std::size_t messages_per_node) {
    Config config = random_config_for(variant, random);
    Graph graph = random_rates(random_delays(build_topology(config), random), variant, random);
    const NodeId nodes = graph.node_count();
    if (random() % 2 == 0) {  // mixed
        config.fabric.router = RouterKind::kSystemC;
        std::vector<NodeId> some{static_cast<NodeId>(random() % nodes)};
        for (NodeId node = 0; node < nodes; ++node) {
            if (random() % 2 == 0) some.push_back(node);
        }
        config.fabric.router_overrides = {{some, RouterKind::kRtl}};
    }
    std::unique_ptr<Routing> routing = make_routing(config, graph);
    Program program = hot_traffic(nodes, messages_per_node * nodes, random(), 400);
    program.transfers.change_all([&](Transfer& transfer) {
        if (variant.classes == 1) return;
        transfer.message_class = static_cast<MessageClass>(random() % variant.classes);
    });
    return make_machine(config, std::move(graph), std::move(routing), std::move(program));
}

CosimResult cosimulate_fresh(const Machine& machine, const CosimOptions& options = {}) {
    const FreshKernel kernel;
    return cosimulate(machine, options);
}

TEST(Cosim, RandomFabricsAreEqualInEveryCycle) {
    std::uint64_t router_cycles = 0;
    std::uint64_t flits = 0;
    const std::uint64_t seeds = cases_of(4, 12);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        for (const hw::RtlVariant& variant : grid_rtl_variants()) {
            SCOPED_TRACE(fmt::format("{} seed {}", variant.name(), seed));
            std::mt19937_64 random(seed);
            const Machine machine = random_machine(variant, random, 6);
            CosimOptions options;
            if (seed % 2 == 0) options.scan_order = hw::ScanOrder::kDescending;
            const CosimResult result = cosimulate_fresh(machine, options);
            ASSERT_FALSE(result.difference) << "cycle " << result.difference->cycle << " channel "
                                            << result.difference->channel << "\n"
                                            << result.difference->systemc << "\n"
                                            << result.difference->rtl;
            EXPECT_EQ(result.systemc.verdict, Verdict::kComplete);
            EXPECT_EQ(result.rtl.verdict, Verdict::kComplete);
            EXPECT_EQ(result.systemc.simulated_cycles, result.rtl.simulated_cycles);
            EXPECT_EQ(result.packets, machine.program->transfers.size());
            EXPECT_EQ(result.flits, result.credits);
            router_cycles += result.router_cycles;
            flits += result.flits;
        }
    }
    EXPECT_GT(router_cycles, seeds * 33'000);
    EXPECT_GT(flits, seeds * 16'000);
}

TEST(Cosim, RtlFabricsAgreeWithTheGoldenModel) {
    CompareCounts counts;
    for (const hw::RtlVariant& variant : grid_rtl_variants()) {
        SCOPED_TRACE(variant.name());
        std::mt19937_64 random(77);
        const Machine machine = random_machine(variant, random, 8);
        for (const hw::ScanOrder order : {hw::ScanOrder::kAscending, hw::ScanOrder::kDescending}) {
            const bool is_observed = order == hw::ScanOrder::kAscending;
            EXPECT_EQ(compare_machine_with_golden(machine, {"cycle", order, is_observed}, counts),
                      "");
            if (!takes_all()) continue;
            EXPECT_EQ(compare_machine_with_golden(machine, {"cycle", order, !is_observed}, counts),
                      "");
        }
    }
    EXPECT_GT(counts.busy_intervals, 1000U);
    EXPECT_GT(counts.flit_hops, 50'000U);
}

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

class TraceFile {
public:
    explicit TraceFile(const std::string& name)
        : path((std::filesystem::temp_directory_path() / name).string()) {}
    ~TraceFile() {
        std::filesystem::remove(path);
        std::filesystem::remove(path + ".gtkw");
    }
    const std::string path;
};

void simulate_traced(const Machine& machine, const std::string& path) {
    const FreshKernel kernel;
    SimulationOptions options;
    options.trace_path = path;
    EXPECT_EQ(simulate(machine, "cycle", options).verdict, Verdict::kComplete);
}

TEST(Cosim, WaveformsOfBothRoutersAreTheSameFile) {
    for (const hw::RtlVariant& variant : grid_rtl_variants()) {
        SCOPED_TRACE(variant.name());
        std::mt19937_64 random(5);
        Machine machine = random_machine(variant, random, 3);
        machine.config.trace.endpoints = true;
        const TraceFile rtl("rtl.vcd");
        simulate_traced(machine, rtl.path);
        machine.config.fabric.router = RouterKind::kSystemC;
        machine.config.fabric.router_overrides.clear();
        const TraceFile systemc("systemc.vcd");
        simulate_traced(machine, systemc.path);
        const std::string text = contents(rtl.path);
        EXPECT_GT(text.size(), 3000U);
        EXPECT_TRUE(text == contents(systemc.path));
    }
}

TEST(Cosim, InnerSignalsAreInTheSameWaveformAndChangeNothing) {
    std::mt19937_64 random(9);
    const std::vector<hw::RtlVariant> variants = grid_rtl_variants();
    ASSERT_FALSE(variants.empty());
    Machine machine = random_machine(variants.front(), random, 3);
    machine.config.fabric.router = RouterKind::kRtl;
    machine.config.fabric.router_overrides.clear();
    const TraceFile plain("plain.vcd");
    simulate_traced(machine, plain.path);
    machine.config.trace.rtl_nodes = {0, 1};
    const TraceFile inner("inner.vcd");
    simulate_traced(machine, inner.path);
    const std::string text = contents(inner.path);
    EXPECT_THAT(text, HasSubstr("$scope module " + machine.graph.router_name(RouterId(1))));
    EXPECT_THAT(text, HasSubstr("holding_q"));
    EXPECT_THAT(text, HasSubstr("$scope module links"));
    EXPECT_GT(text.size(), contents(plain.path).size());
}

/// Answers one way while the RTL tables are loaded and another way while the simulation runs.
class FickleRouting final : public Routing {
public:
    FickleRouting(const Graph& graph, NodeId lie)
        : Routing(graph.shared_places()), graph_(graph), lie_(lie) {}
    std::string name() const override { return "fickle"; }
    RouteChoice hop(RouterId at, NodeId destination) const override {
        const bool rows_first =
            destination == lie_ && sc_core::sc_get_status() < sc_core::SC_RUNNING;
        for (const std::size_t k :
             rows_first ? std::vector<std::size_t>{0, 1} : std::vector<std::size_t>{1, 0}) {
            const std::uint32_t here = graph_.coordinate(at, k);
            const std::uint32_t there = graph_.coordinate(router_of(destination), k);
            const auto plus = static_cast<PortId>(1 + 2 * (1 - k));
            if (there != here) return {there > here ? plus : plus + 1};
        }
        return {kLocalPort};
    }

private:
    const Graph& graph_;
    NodeId lie_;
};

Transfer step_of(NodeId source, NodeId destination, StepId step) {
    return {source, destination, 80, step};
}

Config rtl_mesh() {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {3, 5};
    config.fabric.router = RouterKind::kRtl;
    config.fabric.virtual_channels = 4;
    config.fabric.buffer_depth = 5;
    config.fabric.router_delay = 2;
    return config;
}

/// Node 0 sends to node 6, one right and one down, and before that something that is equal.
/// `graph`, that of rtl_mesh(), must outlive the machine.
Machine fickle_machine(const Graph& graph) {
    return make_machine(rtl_mesh(), graph, std::make_unique<FickleRouting>(graph, 6),
                        steps(15, {step_of(0, 1, 0), step_of(0, 6, 1)}));
}

TEST(Cosim, NamesTheFirstDifferenceAndWritesWaveformsAroundIt) {
    const Graph graph = build_topology(rtl_mesh());
    const Machine machine = fickle_machine(graph);
    const CosimResult result = cosimulate_fresh(machine);
    ASSERT_TRUE(result.difference);
    const Difference& d = *result.difference;
    const LinkId right = graph.out_link(RouterId(0), 1);
    EXPECT_EQ(d.channel, right);
    EXPECT_THAT(d.systemc, HasSubstr("sends head"));
    EXPECT_THAT(d.rtl, HasSubstr("idle"));
    EXPECT_GT(d.cycle, 10U);
    EXPECT_THAT(d.window.back(), HasSubstr("sends tail"));
    EXPECT_FALSE(result.equal());

    const TraceFile name("difference.vcd");
    const std::vector<std::string> written = trace_difference(machine, d, name.path);
    const std::string stem = name.path.substr(0, name.path.size() - 4);
    ASSERT_THAT(written, ElementsAre(stem + ".systemc.vcd", stem + ".rtl.vcd"));
    EXPECT_THAT(contents(written[1]), HasSubstr("holding_q"));
    EXPECT_THAT(contents(written[0]), HasSubstr(graph.link_name(right)));
    EXPECT_EQ(contents(written[0]).find("holding_q"), std::string::npos);
    for (const std::string& path : written) {
        std::filesystem::remove(path);
        std::filesystem::remove(path + ".gtkw");
    }
}

/// Packet `index` of message `id`, from node 1 to node 2, the `sequence`th of its source.
PacketRecord arrival(MessageId id, std::uint32_t index, std::uint64_t sequence, Cycle cycle) {
    PacketRecord packet;
    packet.message.id = id;
    packet.message.source = 1;
    packet.message.destination = 2;
    packet.index = index;
    packet.sequence = sequence;
    packet.flits = 9;
    packet.tail_delivered = cycle;
    return packet;
}

TEST(Delivery, IsEqualWhateverTheTiming) {
    const std::vector<PacketRecord> early = {arrival(3, 0, 0, 10), arrival(3, 1, 1, 20)};
    const std::vector<PacketRecord> late = {arrival(3, 0, 0, 70), arrival(3, 1, 1, 90)};
    EXPECT_THAT(packet_differences(early, late, true), ElementsAre());
}

TEST(Delivery, NamesPacketsThatAreMissingDoubledWrongOrEarly) {
    const std::vector<PacketRecord> good = {arrival(3, 0, 0, 10), arrival(3, 1, 1, 20),
                                            arrival(4, 0, 2, 30)};
    std::vector<PacketRecord> other = {good[0], good[2]};
    EXPECT_THAT(packet_differences(good, other, true),
                ElementsAre("message 3 packet 1, of node 1 for node 2, is not delivered"));
    EXPECT_THAT(packet_differences(other, good, true),
                ElementsAre(HasSubstr("packet 1, of node 1 for node 2, is delivered, and not")));
    other = {good[0], good[1], good[1], good[2]};
    EXPECT_THAT(packet_differences(good, other, true),
                ElementsAre(HasSubstr("message 3 packet 1")));
    other = good;
    other[1].flits = 8;
    other[2].corrupt_flits = 2;
    EXPECT_THAT(packet_differences(good, other, true),
                ElementsAre(HasSubstr("has 8 flits, with SystemC routers 9"),
                            HasSubstr("message 4 packet 0, of node 1 for node 2, has 2 wrong")));
    other = good;
    other[0].tail_delivered = 25;
    EXPECT_THAT(packet_differences(good, other, true),
                ElementsAre(HasSubstr("message 3 packet 0, of node 1 for node 2, is delivered in "
                                      "cycle 25, after message 3 packet 1")));
    EXPECT_THAT(packet_differences(good, other, false), ElementsAre());
    other[1].message.message_class = 1;  // a queue of its own
    EXPECT_THAT(packet_differences(good, other, true), ElementsAre());
}

TEST(Delivery, NamesLinksThatAreOnOtherRoutes) {
    const Graph graph = build_topology(rtl_mesh());
    const Machine machine = fickle_machine(graph);
    const DeliveryResult result = compare_delivery(machine, {});
    EXPECT_EQ(result.packets, 2U);
    EXPECT_EQ(result.flits, 22U);  // headers, and 80 bytes each
    EXPECT_FALSE(result.is_ordered);
    EXPECT_FALSE(result.equal());
    const std::string right = graph.link_name(graph.out_link(RouterId(0), 1));
    EXPECT_THAT(result.differences, Contains(right + " took 11 flits, with SystemC routers 22"));
}

TEST(Cosim, AStandstillIsEqualToo) {
    // A wait for a message that no node sends: both sides stop, and neither is wrong.
    std::mt19937_64 random(3);
    const std::vector<hw::RtlVariant> variants = grid_rtl_variants();
    ASSERT_FALSE(variants.empty());
    Machine machine = random_machine(variants.front(), random, 2);
    machine.config.limits.max_cycles = 30;
    const CosimResult result = cosimulate_fresh(machine);
    EXPECT_FALSE(result.difference);
    EXPECT_EQ(result.systemc.verdict, Verdict::kTimeout);
    EXPECT_EQ(result.rtl.verdict, Verdict::kTimeout);
    EXPECT_EQ(result.cycles, 30U);
}

}  // namespace
}  // namespace flitscope
