// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole fabrics: closed forms, and cases that the random machines of golden_test do not reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/packet/fabric.h"
#include "hw/packet/router.h"
#include "models/base/arena.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/hw/crowded_mesh.h"
#include "testbench/verification/tests/support/fabric_fixture.h"

namespace flitscope {
namespace {

using hw::ScanOrder;
using testing::ElementsAre;
using testing::HasSubstr;

/// The routers that a packet passes. The golden model takes the same routing as the fabric, so only
/// an explicit route can expose a wrong one.
std::vector<std::uint32_t> path(const Graph& graph, NodeId source, NodeId destination) {
    const auto routing = make_dimension_order(graph);
    std::vector<std::uint32_t> routers = {graph.router_of(source)};
    for (const LinkId id : route_links(graph, *routing, source, destination)) {
        routers.push_back(graph.link(id).to);
    }
    return routers;
}

TEST(DimensionOrder, CorrectsTheFastestVaryingDimensionFirst) {
    EXPECT_THAT(path(build_mesh({3, 4}), 0, 11), ElementsAre(0, 1, 2, 3, 7, 11));
    EXPECT_THAT(path(build_mesh({3, 4}), 11, 0), ElementsAre(11, 10, 9, 8, 4, 0));
    EXPECT_THAT(path(build_mesh({2, 2, 3}), 2, 9), ElementsAre(2, 1, 0, 3, 9));
}

TEST(DimensionOrder, CorrectsTheLowestDifferingBitFirst) {
    EXPECT_THAT(path(build_hypercube(4), 0b0000, 0b1011),
                ElementsAre(0b0000, 0b0001, 0b0011, 0b1011));
    EXPECT_THAT(path(build_hypercube(4), 0b1110, 0b0100), ElementsAre(0b1110, 0b1100, 0b0100));
}

TEST(Router, IsBoundAsItsConfigurationHasIt) {
    const Graph graph = build_mesh({2});
    const auto routing = make_dimension_order(graph);
    // Nothing is left out; an input, an output; an output too many.
    for (int slip = 0; slip < 4; ++slip) {
        SCOPED_TRACE(slip);
        const FreshKernel kernel;
        hw::ClockDomain clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
        Arena memory;
        hw::FlitChannel in("in", {}, memory.resource());
        hw::FlitChannel out("out", {}, memory.resource());
        hw::RouterConfig config;
        config.inputs = {false, true};
        config.outputs = {false, true};
        hw::Router router("router", config, *routing, clock, memory.resource(), {});
        if (slip != 1) router.in[1].bind(in);
        if (slip != 2) router.out[1].bind(out);
        if (slip == 3) router.out[0].bind(out);
        if (slip == 0) {
            EXPECT_NO_THROW(sc_core::sc_start());
            EXPECT_THROW(router.in[1].bind(in), std::logic_error) << "bound twice";
        } else {
            EXPECT_THROW(sc_core::sc_start(), std::logic_error);
        }
    }
}

struct LonelyCase {
    Switching switching;
    const char* topology;
    std::uint32_t router_delay;
    std::uint32_t link_delay;
    std::uint32_t depth;
    std::uint32_t virtual_channels;
    std::uint32_t startup;
    std::uint64_t flits;
    std::uint32_t combining_delay;
};

class LonelyPacket : public testing::TestWithParam<LonelyCase> {};

/// The head is visible router_delay cycles after its injection, and each link adds router_delay +
/// link_delay. The slowest channel passes B flits per round trip c + d, at most one per cycle. A
/// packet that is stored takes its length on every link, and waits in every router between two.
TEST_P(LonelyPacket, IsDeliveredInTheCycleOfTheClosedForm) {
    const LonelyCase& c = GetParam();
    Config config;
    config.fabric.switching = c.switching;
    config.fabric.combining_delay = c.combining_delay;
    config.fabric.router_delay = c.router_delay;
    config.fabric.buffer_depth = c.depth;
    config.fabric.virtual_channels = c.virtual_channels;
    config.node.send_overhead = c.startup;
    const std::string kind = c.topology;
    Graph graph = kind == "line"       ? build_mesh({9})
                  : kind == "mesh"     ? build_mesh({4, 3})
                  : kind == "mesh3d"   ? build_mesh({2, 3, 2})
                  : kind == "torus"    ? build_torus({4, 3})
                  : kind == "complete" ? build_ghc({5})
                  : kind == "crowded"  ? crowded_mesh()
                                       : build_hypercube(4);
    for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_delay(id, c.link_delay);
    auto routing = make_dimension_order(graph);
    const Cycle last = c.flits - 1;
    const Cycle delay = c.router_delay + c.link_delay;
    const Cycle apart = c.startup + 10 * (c.flits + delay + c.combining_delay) + 2 * last * delay;
    const Machine machine = make_machine(config, graph, std::move(routing),
                                         lonely_messages(graph.node_count(), 8 * last, apart));
    const Outcome outcome = run(machine);
    ASSERT_EQ(outcome.result.verdict, Verdict::kComplete);
    ASSERT_EQ(outcome.packets.size(), machine.program->transfers.size());
    for (const PacketRecord& p : outcome.packets) {
        const NodeId from = p.message.source;
        const NodeId to = p.message.destination;
        const Cycle hops = route_links(graph, *machine.routing, from, to).size();
        const Cycle round_trip = hops == 0 ? c.router_delay + 1 : delay + c.link_delay;
        const Cycle body =
            c.depth >= round_trip ? last : last / c.depth * round_trip + last % c.depth;
        Cycle head = p.begin + c.startup + c.router_delay + hops * delay;
        if (config.fabric.stores_packets() && hops > 0) {
            head += (hops - 1) * (body + c.combining_delay);
        }
        ASSERT_EQ(p.begin, machine.program->transfers[p.message.id].time);
        ASSERT_EQ(p.head_delivered, head) << from << " to " << to;
        ASSERT_EQ(p.tail_delivered, head + body) << from << " to " << to;
    }
    CompareCounts counts;
    EXPECT_EQ(compare_machine_with_golden(machine, {}, counts), "");
}

constexpr Switching kWormhole = Switching::kWormhole;
constexpr Switching kCutThrough = Switching::kVirtualCutThrough;
constexpr Switching kStored = Switching::kStoreAndForward;

INSTANTIATE_TEST_SUITE_P(Machines, LonelyPacket,
                         testing::Values(LonelyCase{kWormhole, "line", 1, 1, 8, 1, 0, 1, 0},
                                         LonelyCase{kWormhole, "line", 1, 1, 1, 1, 0, 9, 0},
                                         LonelyCase{kWormhole, "line", 2, 3, 3, 2, 4, 12, 0},
                                         LonelyCase{kWormhole, "line", 4, 6, 5, 1, 1, 23, 0},
                                         LonelyCase{kWormhole, "mesh", 1, 1, 8, 1, 0, 20, 0},
                                         LonelyCase{kWormhole, "mesh", 1, 1, 2, 4, 0, 20, 0},
                                         LonelyCase{kWormhole, "mesh", 3, 1, 4, 1, 9, 17, 0},
                                         LonelyCase{kWormhole, "mesh", 3, 2, 7, 3, 0, 40, 0},
                                         LonelyCase{kWormhole, "mesh", 2, 4, 10, 8, 2, 33, 0},
                                         LonelyCase{kWormhole, "mesh3d", 1, 2, 5, 1, 0, 11, 0},
                                         LonelyCase{kWormhole, "mesh3d", 2, 2, 1, 2, 5, 6, 0},
                                         LonelyCase{kWormhole, "hypercube", 1, 1, 3, 1, 0, 16, 0},
                                         LonelyCase{kWormhole, "hypercube", 2, 1, 16, 5, 3, 31, 0},
                                         LonelyCase{kWormhole, "hypercube", 4, 5, 6, 1, 0, 25, 0},
                                         LonelyCase{kWormhole, "crowded", 1, 1, 8, 1, 0, 7, 0},
                                         LonelyCase{kWormhole, "crowded", 3, 2, 3, 2, 4, 14, 0},
                                         LonelyCase{kWormhole, "mesh", 2, 3, 12, 1, 0, 12, 0},
                                         LonelyCase{kCutThrough, "line", 1, 1, 1, 1, 0, 1, 0},
                                         LonelyCase{kCutThrough, "line", 2, 3, 12, 2, 0, 12, 0},
                                         LonelyCase{kCutThrough, "mesh", 1, 1, 20, 1, 0, 20, 0},
                                         LonelyCase{kCutThrough, "mesh", 3, 2, 8, 3, 0, 5, 0},
                                         LonelyCase{kCutThrough, "torus", 4, 6, 3, 2, 0, 3, 0},
                                         LonelyCase{kCutThrough, "complete", 1, 2, 34, 1, 0, 33, 0},
                                         LonelyCase{kCutThrough, "hypercube", 1, 5, 16, 1, 0, 16,
                                                    0},
                                         LonelyCase{kCutThrough, "crowded", 2, 3, 12, 2, 0, 12, 0},
                                         LonelyCase{kStored, "line", 1, 1, 1, 1, 0, 1, 0},
                                         LonelyCase{kStored, "line", 1, 1, 1, 1, 0, 1, 1},
                                         LonelyCase{kStored, "line", 2, 3, 12, 2, 0, 12, 7},
                                         LonelyCase{kStored, "mesh", 1, 1, 20, 1, 0, 20, 0},
                                         LonelyCase{kStored, "mesh", 3, 2, 8, 3, 0, 5, 100},
                                         LonelyCase{kStored, "torus", 4, 6, 3, 2, 0, 3, 1},
                                         LonelyCase{kStored, "complete", 1, 2, 34, 1, 0, 33, 9},
                                         LonelyCase{kStored, "hypercube", 1, 5, 16, 1, 0, 16, 2},
                                         LonelyCase{kStored, "crowded", 2, 3, 12, 2, 0, 12, 7}));

TEST(CycleFabric, ARouterTakesAFlitFromEachOfItsNodesAndGivesOneToEachInACycle) {
    Config config;
    config.fabric.router_delay = 2;
    Graph graph = crowded_mesh();
    std::vector<Transfer> transfers;
    for (const auto& [source, destination] : {std::pair(1, 2), std::pair(2, 6), std::pair(6, 1)}) {
        transfers.push_back({source, destination, 8 * 29});  // and a header flit
    }
    auto routing = make_dimension_order(graph);
    const Machine machine =
        make_machine(config, std::move(graph), std::move(routing), steps(8, transfers));
    const Outcome outcome = run(machine);
    ASSERT_EQ(outcome.packets.size(), 3U);
    for (const PacketRecord& p : outcome.packets) {
        EXPECT_EQ(p.head_injected, 0U);
        EXPECT_EQ(p.head_delivered, 2U);
        EXPECT_EQ(p.tail_delivered, 2U + 29);
    }
    EXPECT_EQ(outcome.result.flit_hops, 0U);
}

TEST(CycleFabric, HeadLatencyAddsUpTheDelaysOfTheLinksOfItsRoute) {
    Config config;
    config.fabric.router_delay = 2;
    config.fabric.buffer_depth = 32;
    Graph graph = build_mesh({3, 4});
    for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_delay(id, 1 + id % 7);
    auto routing = make_dimension_order(graph);
    const Machine machine =
        make_machine(config, graph, std::move(routing), lonely_messages(12, 56));
    const Outcome outcome = run(machine);
    ASSERT_EQ(outcome.packets.size(), 144U);
    for (const PacketRecord& p : outcome.packets) {
        Cycle head = p.begin + 2;
        for (const LinkId id :
             route_links(graph, *machine.routing, p.message.source, p.message.destination)) {
            head += 2 + graph.link(id).delay;
        }
        ASSERT_EQ(p.head_delivered, head);
        ASSERT_EQ(p.tail_delivered, head + 7);
    }
}

TEST(CycleFabric, NeitherScanOrderNorObserversShow) {
    for (const std::uint32_t vcs : {1U, 2U, 3U, 8U}) {
        SCOPED_TRACE(vcs);
        Config config;
        config.fabric.virtual_channels = vcs;
        config.fabric.buffer_depth = 2;
        if (vcs == 3) config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
        if (vcs > 2) config.fabric.allocation = Allocation::kCombined;
        Graph graph = build_mesh({4, 4});
        auto routing = make_dimension_order(graph);
        const Machine machine =
            make_machine(config, graph, std::move(routing), hot_traffic(16, 600, vcs));
        const Outcome up = run(machine, ScanOrder::kAscending, true);
        ASSERT_EQ(up.result.verdict, Verdict::kComplete);
        ASSERT_EQ(up.packets.size(), 600U);
        for (const bool observed : {true, false}) {
            for (const ScanOrder order : {ScanOrder::kAscending, ScanOrder::kDescending}) {
                const Outcome other = run(machine, order, observed);
                EXPECT_EQ(times(other.packets), times(up.packets));
                EXPECT_EQ(other.result.channel_flits, up.result.channel_flits);
                EXPECT_EQ(other.result.cycles, up.result.cycles);
                EXPECT_EQ(other.result.simulated_cycles, up.result.simulated_cycles);
                if (observed) {
                    EXPECT_EQ(other.busy, up.busy);
                }
            }
        }
    }
}

/// Bursts of one channel: virtual channel, first cycle, one past the last.
class Bursts final : public ChannelObserver {
public:
    using Burst = std::tuple<std::uint32_t, Cycle, Cycle>;

    explicit Bursts(ChannelId channel) : channel_(channel) {}
    void on_grant(ChannelId, std::uint32_t, const Message&, Cycle) override {}
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId, std::uint32_t,
                       Cycle cycle) override {
        if (channel == channel_) begun_[vc] = cycle;
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        if (channel == channel_) all_.emplace_back(vc, begun_.at(vc), cycle);
    }
    void on_release(ChannelId, std::uint32_t, Cycle) override {}
    const std::vector<Burst>& all() const { return all_; }

private:
    ChannelId channel_;
    std::map<std::uint32_t, Cycle> begun_;
    std::vector<Burst> all_;
};

/// The bursts of link 1-2 when nodes 0 and 1 of a row of three send 5 flits each to node 2.
std::vector<Bursts::Burst> bursts_of_two_worms(SwitchArbitration arbitration, std::uint32_t depth) {
    Config config;
    config.fabric.virtual_channels = 2;
    config.fabric.buffer_depth = depth;
    config.fabric.switch_arbitration = arbitration;
    Graph graph = build_mesh({3});
    std::vector<Transfer> transfers(2);
    for (NodeId node = 0; node < 2; ++node) {
        transfers[node].source = node;
        transfers[node].destination = 2;
        transfers[node].bytes = 32;
    }
    auto routing = make_dimension_order(graph);
    const Machine machine =
        make_machine(config, std::move(graph), std::move(routing), steps(3, transfers));
    const FreshKernel kernel;
    Bursts bursts(machine.graph.out_link(RouterId(1), 1));
    SimulationOptions options;
    options.channels = &bursts;
    EXPECT_EQ(simulate(machine, "cycle", options).verdict, Verdict::kComplete);
    return bursts.all();
}

/// Node 1's worm is in the router in cycle 1, that of node 0 in cycle 3.
TEST(CycleFabric, WormsOnTwoVirtualChannelsTakeTurnsFlitByFlit) {
    using B = Bursts::Burst;
    EXPECT_THAT(bursts_of_two_worms(SwitchArbitration::kRoundRobin, 8),
                ElementsAre(B(0, 1, 3), B(1, 3, 4), B(0, 4, 5), B(1, 5, 6), B(0, 6, 7), B(1, 7, 8),
                            B(0, 8, 9), B(1, 9, 11)));
    EXPECT_EQ(bursts_of_two_worms(SwitchArbitration::kRoundRobin, 2),
              bursts_of_two_worms(SwitchArbitration::kRoundRobin, 8));
}

TEST(CycleFabric, WormThatHoldsTheSwitchGoesOnUntilItsTail) {
    using B = Bursts::Burst;
    EXPECT_THAT(bursts_of_two_worms(SwitchArbitration::kPerPacket, 8),
                ElementsAre(B(0, 1, 6), B(1, 6, 11)));
}

/// Two slots and a round trip of 3: two flits, then no credit for a cycle, in which the other worm
/// takes the switch. Node 0's last flit is not in the router before cycle 10.
TEST(CycleFabric, WormThatHoldsTheSwitchLosesItWhenItStalls) {
    using B = Bursts::Burst;
    EXPECT_THAT(
        bursts_of_two_worms(SwitchArbitration::kPerPacket, 2),
        ElementsAre(B(0, 1, 3), B(1, 3, 5), B(0, 5, 7), B(1, 7, 9), B(0, 9, 10), B(1, 10, 11)));
}

TEST(CycleFabric, OneVirtualChannelMakesSwitchArbitrationsTheSame) {
    std::vector<Outcome> outcomes;
    for (const SwitchArbitration arbitration : kSwitchArbitrations) {
        Config config;
        config.fabric.buffer_depth = 3;
        config.fabric.switch_arbitration = arbitration;
        Graph graph = build_mesh({4, 4});
        auto routing = make_dimension_order(graph);
        const Machine machine =
            make_machine(config, graph, std::move(routing), hot_traffic(16, 300, 7));
        EXPECT_EQ(difference_from_golden(machine, 1000), "");
        outcomes.push_back(run(machine));
    }
    EXPECT_EQ(outcomes[0].busy, outcomes[1].busy);
    EXPECT_EQ(times(outcomes[0].packets), times(outcomes[1].packets));
}

TEST(MachineLine, TellsWhoHoldsTheSwitchOnlyWhereVirtualChannelsCompete) {
    const auto line = [](std::uint32_t virtual_channels, SwitchArbitration arbitration) {
        Config config;
        config.fabric.virtual_channels = virtual_channels;
        config.fabric.switch_arbitration = arbitration;
        Graph graph = build_mesh({2});
        auto routing = make_dimension_order(graph);
        std::ostringstream out;
        print_machine(out,
                      make_machine(config, std::move(graph), std::move(routing), steps(2, {})));
        return out.str();
    };
    EXPECT_THAT(line(2, SwitchArbitration::kPerPacket),
                HasSubstr(" 2 virtual channels that hold the switch, 8 flits"));
    EXPECT_THAT(line(2, SwitchArbitration::kRoundRobin), HasSubstr(" 2 virtual channels, 8 flits"));
    EXPECT_THAT(line(1, SwitchArbitration::kPerPacket), HasSubstr(" 1 virtual channel, 8 flits"));
}

Graph complete(std::uint32_t routers) {
    Graph graph("custom", {routers}, routers);
    const auto port = [](RouterId at, RouterId to) -> PortId { return to < at ? to + 1 : to; };
    for (RouterId a; a < routers; ++a) {
        for (RouterId b; b < routers; ++b) {
            Link link;
            link.from = a;
            link.from_port = port(a, b);
            link.to = b;
            link.to_port = port(b, a);
            if (a != b) graph.add_link(link);
        }
    }
    return graph;
}

struct WideCase {
    const char* shape;
    NodeId nodes;
    PortId ports;
    std::uint32_t virtual_channels;
    std::size_t messages;
    SwitchArbitration switch_arbitration = SwitchArbitration::kRoundRobin;
    Allocation allocation = Allocation::kSequential;
};

class WideRouter : public testing::TestWithParam<WideCase> {};

TEST_P(WideRouter, EqualsGoldenModelUnderContention) {
    const WideCase& c = GetParam();
    Config config;
    config.fabric.virtual_channels = c.virtual_channels;
    config.fabric.switch_arbitration = c.switch_arbitration;
    config.fabric.allocation = c.allocation;
    config.fabric.buffer_depth = 3;
    Graph graph = std::string(c.shape) == "star" ? star(c.nodes, c.ports) : complete(c.nodes);
    auto routing = make_shortest_path(graph);
    const Machine machine = make_machine(config, graph, std::move(routing),
                                         hot_traffic(c.nodes, c.messages, c.nodes, 33));
    EXPECT_EQ(difference_from_golden(machine, 2 * c.messages), "");
}

// The golden model looks at all pairs of ports in every cycle, so the widest routers get the least
// traffic. The masks of the router core change size at 64, 256 and 2048 input virtual channels.
INSTANTIATE_TEST_SUITE_P(
    Sizes, WideRouter,
    testing::Values(
        WideCase{"star", 64, 64, 1, 120}, WideCase{"star", 65, 65, 1, 120},
        WideCase{"star", 20, 256, 1, 50}, WideCase{"star", 20, 257, 1, 50},
        WideCase{"complete", 70, 70, 1, 120}, WideCase{"star", 33, 33, 2, 150},
        WideCase{"star", 40, 40, 3, 150}, WideCase{"complete", 20, 20, 5, 150},
        WideCase{"star", 40, 70, 8, 80}, WideCase{"star", 4, 256, 8, 12},
        WideCase{"star", 33, 33, 2, 150, SwitchArbitration::kRoundRobin, Allocation::kCombined},
        WideCase{"star", 40, 70, 8, 80, SwitchArbitration::kPerPacket, Allocation::kCombined},
        WideCase{"star", 33, 33, 2, 150, SwitchArbitration::kPerPacket},
        WideCase{"star", 40, 40, 3, 150, SwitchArbitration::kPerPacket},
        WideCase{"star", 40, 70, 8, 80, SwitchArbitration::kPerPacket}));

/// Dimension order on the virtual channels that a table names.
class MaskedRouting final : public Routing {
public:
    MaskedRouting(const Graph& graph, std::uint32_t vcs, std::uint64_t salt)
        : Routing(graph.shared_places()),
          order_(make_dimension_order(graph)),
          all_((1U << vcs) - 1),
          salt_(salt) {}
    std::string name() const override { return "masked"; }
    RouteChoice hop(RouterId at, NodeId destination) const override {
        RouteChoice choice = order_->route(at, destination);
        const std::uint64_t draw = (at * 131 + destination * 31 + salt_) * 0x9e3779b97f4a7c15U;
        const auto mask = static_cast<VcMask>(draw >> 40 & all_);
        choice.virtual_channels = mask == 0 ? static_cast<VcMask>(1) : mask;
        return choice;
    }

private:
    std::unique_ptr<Routing> order_;
    std::uint32_t all_;
    std::uint64_t salt_;
};

TEST(CycleFabric, VirtualChannelsOfTheRouteChoiceAreObeyedAsInTheGoldenModel) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(seed);
        Config config;
        config.fabric.virtual_channels = 2 + seed % 5;
        config.fabric.buffer_depth = 1 + seed % 4;
        config.fabric.router_delay = 1 + seed % 2;
        if (seed % 4 >= 2) config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
        Graph graph = seed % 3 == 0 ? build_hypercube(4) : build_mesh({4, 4});
        auto routing = std::make_unique<MaskedRouting>(graph, config.fabric.virtual_channels, seed);
        const Machine machine =
            make_machine(config, graph, std::move(routing), hot_traffic(16, 300, seed));
        ASSERT_EQ(difference_from_golden(machine, 1000), "");
    }
}

}  // namespace
}  // namespace flitscope
