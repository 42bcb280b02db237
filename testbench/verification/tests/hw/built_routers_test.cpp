// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers as they are built: with the turns of every path and no others, and counted by kind.
#include "hw/verilated/built_routers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/rtl_routers.h"
#include "models/config/config.h"
#include "models/routing/routing.h"
#include "models/routing/routing_factory.h"
#include "models/routing/turns.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/configuration/configuration.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

/// A machine's network, from the value of `fabric`.
struct Network {
    explicit Network(const std::string& fabric, const std::string& rest = "")
        : config(
              parse_config("fabric: {" + fabric + "}\ntraffic: {pattern: uniform}\n" + rest, "c")),
          graph(build_topology(config)),
          routing(make_routing(config, graph)) {}

    hw::BuiltRouters built() const { return hw::built_routers(config, graph, *routing); }
    /// Ports and number of each kind.
    std::vector<std::pair<PortId, std::uint32_t>> kinds() const {
        std::vector<std::pair<PortId, std::uint32_t>> kinds;
        for (const auto& [variant, count] : built()) {
            kinds.emplace_back(hw::used_ports(variant), count);
        }
        return kinds;
    }

    Config config;
    Graph graph;
    std::unique_ptr<Routing> routing;
};

/// The routers that are to be RTL.
std::vector<std::uint32_t> rtl_of(const std::string& fabric) {
    const Network net(fabric);
    const std::vector<bool> all = hw::routers_to_be_rtl(net.config, net.graph);
    std::vector<std::uint32_t> rtl;
    for (std::uint32_t router = 0; router < all.size(); ++router) {
        if (all[router]) rtl.push_back(router);
    }
    EXPECT_EQ(hw::rtl_router_count(net.config, net.graph), rtl.size());
    return rtl;
}

/// Four nodes on each router of the first stage, and none on the others.
TEST(RouterOverrides, NameRoutersByTheirNodesAndByThemselves) {
    const std::string tree = "topology: {kind: fat_tree, arity: 4, height: 2}, router_overrides: ";
    EXPECT_THAT(rtl_of(tree + "[{nodes: [5, 6], routers: [7], router: rtl}]"), ElementsAre(1, 7));
    EXPECT_THAT(rtl_of(tree + "[{routers: [4, 5], router: rtl}]"), ElementsAre(4, 5));
    EXPECT_THAT(rtl_of(tree + "[{routers: [1, 2], router: rtl}, {nodes: [4], router: systemc}]"),
                ElementsAre(2));
    EXPECT_THAT(
        rtl_of("topology: {kind: mesh, dims: [2, 2]}, router: rtl, router_overrides: [{nodes: [1, "
               "2], router: systemc}, {routers: [2], router: rtl}]"),
        ElementsAre(0, 2, 3));
}

std::size_t turns_of(const hw::BuiltRouter& kind) {
    return turns_of_hex(kind.variant.ports, kind.variant.turns).count();
}

TEST(Turns, AreThoseOfEveryPathAndNoOthers) {
    for (const char* fabric :
         {"topology: {kind: mesh, dims: [4, 3]}", "topology: {kind: torus, dims: [5, 4]}",
          "topology: {kind: hypercube, dimensions: 4}", "topology: {kind: ghc, dims: [3, 4]}",
          "topology: {kind: fat_tree, arity: 2, height: 3}",
          "topology: {kind: how, dims: [6, 6], window: 2}",
          "topology: {kind: dragonfly, groups: 5, group_size: 4, global_links: 1}",
          "topology: {kind: mesh, dims: [2, 3], concentration: [2, 1]}",
          "topology: {kind: torus, dims: [4, 4], concentration: [1, 2]}",
          "topology: {kind: ghc, dims: [3, 3], extra_nodes: [0, 4, 0]}",
          "topology: {kind: dragonfly, groups: 3, group_size: 3, global_links: 1, concentration: "
          "2}"}) {
        const Network network(fabric);
        const Graph& graph = network.graph;
        std::vector<Turns> expected(graph.router_count(), Turns(graph.port_count()));
        for (NodeId from = 0; from < graph.node_count(); ++from) {
            for (NodeId to = 0; to < graph.node_count(); ++to) {
                if (from == to) continue;
                PortId in = graph.local_port(from);
                for (const LinkId id : route_links(graph, *network.routing, from, to)) {
                    const Link& link = graph.link(id);
                    expected[link.from].add(in, link.from_port);
                    in = link.to_port;
                }
                expected[graph.router_of(to)].add(in, graph.local_port(to));
            }
        }
        EXPECT_TRUE(turns_taken(graph, *network.routing) == expected) << fabric;
    }
}

TEST(Turns, InHexadecimalAreBitsOfOutputTimesPortsPlusInput) {
    Turns turns(3);
    turns.add(0, 1);  // bit 3
    turns.add(2, 0);  // bit 2
    turns.add(2, 2);  // bit 8
    EXPECT_EQ(turns.hex(), "10c");
    EXPECT_TRUE(turns_of_hex(3, "10c") == turns);
    EXPECT_TRUE(turns_of_hex(3, "").is_all());
    EXPECT_EQ(turns_of_hex(3, "").hex(), "1ff");
    for (const char* wrong : {"0c", "010c", "20c", "1gf", "1FF"}) {
        EXPECT_THROW(turns_of_hex(3, wrong), std::invalid_argument) << wrong;
    }
}

TEST(BuiltRouters, OfAMeshAreInnerOnesEdgesAndCorners) {
    EXPECT_THAT(Network("topology: {kind: mesh, dims: [8, 8]}").kinds(),
                ElementsAre(Pair(5, 36), Pair(4, 12), Pair(4, 12), Pair(3, 4)));
    const hw::BuiltRouters routers = Network("topology: {kind: mesh, dims: [4, 4]}").built();
    ASSERT_EQ(routers.size(), 4U);
    // In dimension order 16 of the 20 turns between ports occur; none leads from y to x.
    EXPECT_EQ(turns_of(routers[0]), 16U);
    EXPECT_EQ(turns_of(routers[1]), 10U);
    EXPECT_EQ(turns_of(routers[2]), 10U);
    EXPECT_EQ(turns_of(routers[3]), 5U);
    for (const hw::BuiltRouter& kind : routers) EXPECT_EQ(kind.count, 4U);
}

TEST(BuiltRouters, HaveRoutesBesideThemInsteadOfATable) {
    const Network torus("topology: {kind: torus, dims: [4, 4]}, virtual_channels: 2");
    EXPECT_EQ(hw::rtl_variant(torus.config, torus.graph, *torus.routing).name(),
              "router_p5_v2_d8_w64_r1_table16");
    EXPECT_EQ(hw::built_variant(torus.config, torus.graph, *torus.routing).name(),
              "router_p5_v2_d8_w64_r1_pins");
    const Network mesh("topology: {kind: mesh, dims: [4, 4]}");
    EXPECT_EQ(hw::built_variant(mesh.config, mesh.graph, *mesh.routing).name(),
              "router_p5_v1_d8_w64_r1_mesh");
    const Network theirs(
        "topology: {kind: torus, dims: [4, 4]}, virtual_channels: 2, router: {top: theirs}");
    EXPECT_EQ(hw::built_variant(theirs.config, theirs.graph, *theirs.routing).name(),
              "theirs_p5_v2_d8_w64_r1_table16");
}

TEST(BuiltRouters, OfTwoOrdersOfDimensionsHaveTheTurnsOfBoth) {
    const Network network(
        "topology: {kind: mesh, dims: [4, 4]}, virtual_channels: 2, routing: o1turn");
    EXPECT_THAT(network.kinds(), ElementsAre(Pair(5, 4), Pair(4, 8), Pair(3, 4)));
    EXPECT_EQ(turns_of(network.built().front()), 20U);
    // Of every packet, in either order.
    const std::vector<Turns> built =
        hw::turns_built(network.config, network.graph, *network.routing);
    for (NodeId from = 0; from < 16; ++from) {
        for (NodeId to = 0; to < 16; ++to) {
            for (std::uint32_t sequence = 0; from != to && sequence < 8; ++sequence) {
                auto query = RouteQuery::injected(network.graph.places(), from, to, sequence);
                while (true) {
                    const RouteChoice choice = network.routing->route(query);
                    EXPECT_TRUE(built[query.at].has(query.in_port, choice.port));
                    if (network.graph.is_local(choice.port)) break;
                    const Link& link =
                        network.graph.link(network.graph.out_link(query.at, choice.port));
                    query = {link.to, link.to_port, lowest_channel(choice.virtual_channels),
                             from,    to,           sequence,
                             false};
                }
            }
        }
    }
}

TEST(BuiltRouters, OfSymmetricNetworksAreOfOneKind) {
    for (const char* fabric :
         {"topology: {kind: torus, dims: [4, 4]}, virtual_channels: 2",
          "topology: {kind: hypercube, dimensions: 4}", "topology: {kind: ghc, dims: [4, 4]}",
          "topology: {kind: torus, dims: [7]}, virtual_channels: 2"}) {
        EXPECT_EQ(Network(fabric).built().size(), 1U) << fabric;
    }
}

TEST(BuiltRouters, WithManyPortsHaveTheTurnsOfTheirPackets) {
    // To and from the node 30 each, and from 15 neighbours in x to 15 in y.
    const hw::BuiltRouters routers = Network("topology: {kind: ghc, dims: [16, 16]}").built();
    ASSERT_EQ(routers.size(), 1U);
    EXPECT_EQ(hw::used_ports(routers[0].variant), 31U);
    EXPECT_EQ(turns_of(routers[0]), 30U + 30U + 15U * 15U);
    EXPECT_EQ(hw::text_of(hw::parse_built_routers(hw::text_of(routers))), hw::text_of(routers));
    // Up to a limit, for sets of turns grow with the square of the ports.
    EXPECT_EQ(turns_of(Network("topology: {kind: how, dims: [80], window: 32}").built()[0]),
              65U * 65U);
}

TEST(BuiltRouters, OfOtherNetworksAreOfFewKinds) {
    // The lowest have two nodes and two links up, the others two links down, the roots none up.
    EXPECT_THAT(Network("topology: {kind: fat_tree, arity: 2, height: 3}").kinds(),
                UnorderedElementsAre(Pair(4, 4), Pair(4, 4), Pair(2, 4)));
    for (const char* fabric : {"topology: {kind: how, dims: [8, 8], window: 3}",
                               "topology: {kind: express_mesh, dims: [16, 16], segment: 4}"}) {
        const Network network(fabric);
        std::uint32_t routers = 0;
        for (const hw::BuiltRouter& kind : network.built()) routers += kind.count;
        EXPECT_EQ(routers, network.graph.router_count()) << fabric;
        EXPECT_LE(network.built().size(), hw::kMostKinds) << fabric;
    }
}

TEST(BuiltRouters, WithFaultsHaveAllTurnsBetweenThePortsOfTheWholeNetwork) {
    const Network network("topology: {kind: mesh, dims: [4, 4]}",
                          "faults: {links: [link_05_06]}\n");
    EXPECT_THAT(network.kinds(), ElementsAre(Pair(5, 4), Pair(4, 4), Pair(4, 4), Pair(3, 4)));
    EXPECT_EQ(turns_of(network.built().front()), 20U);
}

TEST(BuiltRouters, AreReadBackFromTheirText) {
    const Network network("topology: {kind: mesh, dims: [3, 5]}, virtual_channels: 2");
    const hw::BuiltRouters routers = network.built();
    const std::string text = hw::text_of(routers);
    const hw::BuiltRouters read = hw::parse_built_routers(text);
    ASSERT_EQ(read.size(), routers.size());
    EXPECT_EQ(hw::text_of(read), text);
    EXPECT_EQ(text.rfind("3*router_p5_v2_d8_w64_r1_pins_t", 0), 0U) << text;
    for (const char* wrong :
         {"3", "router_p5_v1_d8_w64_r1_mesh", "3*nothing", "3*router_p5_v1_d8_w64_r1_mesh_t1",
          "3+router_p5_v1_d8_w64_r1_mesh"}) {
        EXPECT_THROW(hw::parse_built_routers(wrong), std::invalid_argument) << wrong;
    }
}

TEST(BuiltRouters, NamesWithTurnsAreReadBack) {
    std::mt19937_64 random(5);
    for (const PortId ports : {2, 3, 5, 16, 24, 33, 64}) {
        Turns turns(ports);
        for (PortId in = 0; in < ports; ++in) {
            for (PortId out = 0; out < ports; ++out) {
                if (random() % 2 == 0) turns.add(in, out);
            }
        }
        hw::RtlVariant variant;
        variant.ports = ports;
        variant.virtual_channels = 8;
        variant.hold = variant.combined = true;
        variant.turns = turns.hex();
        const auto read = hw::parse_rtl_variant(variant.name());
        ASSERT_TRUE(read) << variant.name();
        EXPECT_EQ(read->name(), variant.name());
        EXPECT_TRUE(turns_of_hex(read->ports, read->turns) == turns);
    }
    for (const char* wrong :
         {"router_p5_v1_d8_w64_r1_mesh_t", "router_p5_v1_d8_w64_r1_mesh_t1",
          "router_p5_v1_d8_w64_r1_mesh_t2000000", "router_p5_v1_d8_w64_r1_mesh_tfffffff"}) {
        EXPECT_FALSE(hw::parse_rtl_variant(wrong)) << wrong;
    }
}

TEST(BuiltRouters, WaitForSlowLinksOnlyWhereSomeBegin) {
    const Network dies("topology: {kind: mesh, dims: [4, 4]}, link_rate: {die: [2, 2], rate: 1/2}");
    std::uint32_t slow = 0;
    std::uint32_t all = 0;
    for (const hw::BuiltRouter& kind : dies.built()) {
        all += kind.count;
        if (kind.variant.slow_links) {
            slow += kind.count;
        } else {
            EXPECT_EQ(hw::used_ports(kind.variant), 3U);  // a corner
        }
    }
    EXPECT_EQ(slow, 12U);
    EXPECT_EQ(all, 16U);
    const hw::BuiltRouters again = hw::parse_built_routers(hw::text_of(dies.built()));
    EXPECT_EQ(hw::text_of(again), hw::text_of(dies.built()));
    EXPECT_NE(hw::text_of(again).find("_slow_t"), std::string::npos);
}

}  // namespace
}  // namespace flitscope
