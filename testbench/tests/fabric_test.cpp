// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole fabrics: closed forms, and what the random machines of golden_test do not reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/fabric.h"
#include "models/routing/routing_factory.h"
#include "models/topology/topologies.h"
#include "testbench/golden/compare.h"
#include "testbench/tests/fabric_fixture.h"

namespace flitscope {
namespace {

using hw::ScanOrder;
using testing::ElementsAre;

/// The nodes that a packet passes. The golden model takes the same routing as the fabric, so only a
/// route written down can tell a wrong one.
std::vector<NodeId> path(const Graph& graph, NodeId source, NodeId destination) {
    const auto routing = make_dimension_order(graph);
    std::vector<NodeId> nodes = {source};
    for (const LinkId id : route_links(graph, *routing, source, destination)) {
        nodes.push_back(graph.link(id).to);
    }
    return nodes;
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

/// One message for every pair of nodes, so far apart that each meets an empty network.
Program lonely_messages(NodeId nodes, std::uint64_t bytes) {
    Program program = steps(nodes, {});
    program.ordering = Ordering::kTimed;
    for (NodeId a = 0; a < nodes; ++a) {
        for (NodeId b = 0; b < nodes; ++b) {
            Transfer t;
            t.source = a;
            t.destination = b;
            t.bytes = bytes;
            t.time = 1000 * program.transfers.size();
            program.transfers.push_back(t);
        }
    }
    return program;
}

struct ZeroLoadCase {
    const char* topology;
    std::uint32_t router_delay;
    std::uint32_t link_delay;
    std::uint32_t depth;
    std::uint32_t virtual_channels;
    std::uint32_t startup;
    std::uint64_t flits;
};

class ZeroLoad : public testing::TestWithParam<ZeroLoadCase> {};

/// The head is visible router_delay cycles after its injection, and each link adds router_delay +
/// link_delay. The slowest channel passes B flits per round trip c + d, at most one per cycle.
TEST_P(ZeroLoad, LatencyIsTheClosedForm) {
    const ZeroLoadCase& c = GetParam();
    Config config;
    config.fabric.router_delay = c.router_delay;
    config.fabric.buffer_depth = c.depth;
    config.fabric.virtual_channels = c.virtual_channels;
    config.node.send_startup = c.startup;
    const std::string kind = c.topology;
    Graph graph = kind == "line"     ? build_mesh({9})
                  : kind == "mesh"   ? build_mesh({4, 3})
                  : kind == "mesh3d" ? build_mesh({2, 3, 2})
                                     : build_hypercube(4);
    for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_delay(id, c.link_delay);
    auto routing = make_dimension_order(graph);
    const Machine machine = make_machine(config, graph, std::move(routing),
                                         lonely_messages(graph.node_count(), 8 * (c.flits - 1)));
    const Outcome outcome = run(machine);
    ASSERT_EQ(outcome.result.verdict, Verdict::kComplete);
    ASSERT_EQ(outcome.packets.size(), machine.program->transfers.size());
    for (const PacketRecord& p : outcome.packets) {
        Cycle hops = 0;
        for (std::size_t dim = 0; dim < graph.dims().size(); ++dim) {
            const auto a = static_cast<int>(graph.coordinate(p.message.source, dim));
            const auto b = static_cast<int>(graph.coordinate(p.message.destination, dim));
            hops += static_cast<Cycle>(std::abs(a - b));
        }
        const Cycle head =
            p.begin + c.startup + c.router_delay + hops * (c.router_delay + c.link_delay);
        const Cycle round_trip = hops == 0 ? c.router_delay + 1 : c.router_delay + 2 * c.link_delay;
        const Cycle last = c.flits - 1;
        const Cycle body =
            c.depth >= round_trip ? last : last / c.depth * round_trip + last % c.depth;
        ASSERT_EQ(p.begin, machine.program->transfers[p.message.id].time);
        ASSERT_EQ(p.head_delivered, head) << p.message.source << " to " << p.message.destination;
        ASSERT_EQ(p.tail_delivered, head + body)
            << p.message.source << " to " << p.message.destination;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, ZeroLoad,
    testing::Values(
        ZeroLoadCase{"line", 1, 1, 8, 1, 0, 1}, ZeroLoadCase{"line", 1, 1, 1, 1, 0, 9},
        ZeroLoadCase{"line", 2, 3, 3, 2, 4, 12}, ZeroLoadCase{"line", 4, 6, 5, 1, 1, 23},
        ZeroLoadCase{"mesh", 1, 1, 8, 1, 0, 20}, ZeroLoadCase{"mesh", 1, 1, 2, 4, 0, 20},
        ZeroLoadCase{"mesh", 3, 1, 4, 1, 9, 17}, ZeroLoadCase{"mesh", 3, 2, 7, 3, 0, 40},
        ZeroLoadCase{"mesh", 2, 4, 10, 8, 2, 33}, ZeroLoadCase{"mesh3d", 1, 2, 5, 1, 0, 11},
        ZeroLoadCase{"mesh3d", 2, 2, 1, 2, 5, 6}, ZeroLoadCase{"hypercube", 1, 1, 3, 1, 0, 16},
        ZeroLoadCase{"hypercube", 2, 1, 16, 5, 3, 31},
        ZeroLoadCase{"hypercube", 4, 5, 6, 1, 0, 25}));

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

/// Node 0 in the middle; its neighbours are spread evenly over its ports, the last one included.
Graph star(NodeId nodes, PortId ports) {
    Graph graph("custom", {nodes}, ports);
    for (NodeId leaf = 1; leaf < nodes; ++leaf) {
        Link link;
        link.from = 0;
        link.from_port = 1 + (leaf - 1) * (ports - 2) / (nodes - 2);
        link.to = leaf;
        link.to_port = 1;
        graph.add_link(link);
        std::swap(link.from, link.to);
        std::swap(link.from_port, link.to_port);
        graph.add_link(link);
    }
    return graph;
}

Graph complete(NodeId nodes) {
    Graph graph("custom", {nodes}, nodes);
    const auto port = [](NodeId at, NodeId to) { return to < at ? to + 1 : to; };
    for (NodeId a = 0; a < nodes; ++a) {
        for (NodeId b = 0; b < nodes; ++b) {
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
};

class WideRouter : public testing::TestWithParam<WideCase> {};

TEST_P(WideRouter, EqualsGoldenModelUnderContention) {
    const WideCase& c = GetParam();
    Config config;
    config.fabric.virtual_channels = c.virtual_channels;
    config.fabric.buffer_depth = 3;
    Graph graph = std::string(c.shape) == "star" ? star(c.nodes, c.ports) : complete(c.nodes);
    auto routing = make_shortest_path(graph);
    const Machine machine = make_machine(config, graph, std::move(routing),
                                         hot_traffic(c.nodes, c.messages, c.nodes, 33));
    EXPECT_EQ(difference_from_golden(machine, 2 * c.messages), "");
}

// The golden model looks at all pairs of ports in every cycle, so the widest routers get the least
// traffic. 64, 256 and 2048 input virtual channels are where the masks of the pipeline change size.
INSTANTIATE_TEST_SUITE_P(
    Sizes, WideRouter,
    testing::Values(WideCase{"star", 64, 64, 1, 120}, WideCase{"star", 65, 65, 1, 120},
                    WideCase{"star", 20, 256, 1, 50}, WideCase{"star", 20, 257, 1, 50},
                    WideCase{"complete", 70, 70, 1, 120}, WideCase{"star", 33, 33, 2, 150},
                    WideCase{"star", 40, 40, 3, 150}, WideCase{"complete", 20, 20, 5, 150},
                    WideCase{"star", 40, 70, 8, 80}, WideCase{"star", 4, 256, 8, 12}));

/// Dimension order on the virtual channels that a table names.
class MaskedRouting final : public Routing {
public:
    MaskedRouting(const Graph& graph, std::uint32_t vcs, std::uint64_t salt)
        : order_(make_dimension_order(graph)), all_((1U << vcs) - 1), salt_(salt) {}
    std::string name() const override { return "masked"; }
    RouteChoice route(NodeId at, NodeId destination) const override {
        RouteChoice choice = order_->route(at, destination);
        const std::uint64_t draw = (at * 131 + destination * 31 + salt_) * 0x9e3779b97f4a7c15U;
        const auto mask = static_cast<std::uint8_t>(draw >> 40 & all_);
        choice.virtual_channels = mask == 0 ? static_cast<std::uint8_t>(1) : mask;
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
        Graph graph = seed % 3 == 0 ? build_hypercube(4) : build_mesh({4, 4});
        auto routing = std::make_unique<MaskedRouting>(graph, config.fabric.virtual_channels, seed);
        const Machine machine =
            make_machine(config, graph, std::move(routing), hot_traffic(16, 300, seed));
        ASSERT_EQ(difference_from_golden(machine, 1000), "");
    }
}

}  // namespace
}  // namespace flitscope
