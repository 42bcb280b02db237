// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/config/link_delay_config.h"
#include "models/config/topology_config.h"
#include "models/config/value_named.h"
#include "models/performance/topology_metrics.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {
namespace {

/// Every link leaves and arrives at the ports that the graph lists it under.
void expect_consistent(const Graph& graph) {
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& l = graph.link(id);
        EXPECT_EQ(graph.out_link(l.from, l.from_port), id);
        EXPECT_EQ(graph.in_link(l.to, l.to_port), id);
    }
}

TEST(Mesh, NumbersPortsPlusBeforeMinusFastestDimensionFirst) {
    const Graph graph = build_mesh({3, 4});
    ASSERT_EQ(graph.router_count(), 12U);
    ASSERT_EQ(graph.port_count(), 5U);
    const RouterId router(1 * 4 + 2);
    const auto neighbour = [&](PortId port) { return graph.link(graph.out_link(router, port)).to; };
    EXPECT_EQ(neighbour(1), RouterId(router + 1));
    EXPECT_EQ(neighbour(2), RouterId(router - 1));
    EXPECT_EQ(neighbour(3), RouterId(router + 4));
    EXPECT_EQ(neighbour(4), RouterId(router - 4));
    EXPECT_EQ(graph.out_link(RouterId(3), 1), kNoLink);   // right edge
    EXPECT_EQ(graph.out_link(RouterId(0), 2), kNoLink);   // left edge
    EXPECT_EQ(graph.out_link(RouterId(0), 4), kNoLink);   // top edge
    EXPECT_EQ(graph.out_link(RouterId(11), 3), kNoLink);  // bottom edge
    expect_consistent(graph);
}

TEST(Mesh, CountsLinksOfEveryShape) {
    for (const std::vector<std::uint32_t>& dims : std::vector<std::vector<std::uint32_t>>{
             {1}, {7}, {1, 9}, {9, 1}, {4, 5}, {2, 3, 4}, {1, 1, 1}, {3, 1, 2, 5}}) {
        const Graph graph = build_mesh(dims);
        std::uint64_t links = 0;
        for (const std::uint32_t d : dims) links += 2ULL * (d - 1) * (graph.router_count() / d);
        EXPECT_EQ(graph.link_count(), links) << graph.description();
        expect_consistent(graph);
    }
}

TEST(Hypercube, JoinsRoutersThatDifferInOneBit) {
    for (std::uint32_t n = 0; n <= 6; ++n) {
        const Graph graph = build_hypercube(n);
        EXPECT_EQ(graph.router_count(), 1U << n);
        EXPECT_EQ(graph.link_count(), n << n);
        for (const Link& l : graph.links()) {
            const std::uint32_t bit = graph.dimension_number(l.dimension);
            EXPECT_EQ(l.from ^ l.to, 1U << bit);
            EXPECT_EQ(l.from_port, 1 + bit);
            EXPECT_NE(graph.coordinate(l.from, l.dimension), graph.coordinate(l.to, l.dimension));
            EXPECT_EQ(l.to_port, l.from_port);
        }
        expect_consistent(graph);
    }
}

TEST(Hypercube, WiresAreAsLongAsInARectangle) {
    const Graph graph = build_hypercube(5);  // 8 columns, 4 rows
    for (const Link& l : graph.links()) {
        const auto apart = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
        EXPECT_EQ(l.length, apart(l.from % 8, l.to % 8) + apart(l.from / 8, l.to / 8));
    }
}

TEST(Hypercube, GoesUpTo65536Routers) {
    const Graph graph = build_hypercube(16);
    EXPECT_EQ(graph.router_count(), 65536U);
    EXPECT_EQ(graph.link_count(), 16U << 16);
}

/// The number of the router at the end of the link at a router's port, or kNoLink.
std::uint32_t behind(const Graph& graph, std::uint32_t router, PortId port) {
    const LinkId id = graph.out_link(RouterId(router), port);
    return id == kNoLink ? kNoLink : graph.link(id).to.number();
}

/// Between the routers with these numbers.
std::uint32_t wire_between(const Graph& graph, std::uint32_t from, std::uint32_t to) {
    for (const Link& l : graph.links()) {
        if (l.from.number() == from && l.to.number() == to) return l.length;
    }
    ADD_FAILURE() << "no link " << from << " to " << to;
    return 0;
}

void expect_same_wires(const Graph& a, const Graph& b) {
    ASSERT_EQ(a.router_count(), b.router_count());
    ASSERT_EQ(a.link_count(), b.link_count());
    for (LinkId id = 0; id < a.link_count(); ++id) {
        const Link& x = a.link(id);
        const Link& y = b.link(id);
        EXPECT_EQ(std::tie(x.from, x.from_port, x.to, x.to_port, x.dimension, x.length),
                  std::tie(y.from, y.from_port, y.to, y.to_port, y.dimension, y.length));
    }
}

TEST(SparseHamming, ContainsMeshesGhcsHowsAndSomeExpressMeshes) {
    for (const std::vector<std::uint32_t>& sides :
         std::vector<std::vector<std::uint32_t>>{{3}, {9}, {4, 5}, {3, 4, 6}}) {
        const std::vector<std::vector<std::uint32_t>> none(sides.size());
        expect_same_wires(build_sparse_hamming(sides, none), build_mesh(sides));
        std::vector<std::vector<std::uint32_t>> all;
        for (const std::uint32_t side : sides) {
            all.emplace_back();
            for (std::uint32_t offset = 2; offset < side; ++offset) all.back().push_back(offset);
        }
        expect_same_wires(build_sparse_hamming(sides, all), build_ghc(sides));
    }
    expect_same_wires(build_sparse_hamming({6, 8}, {{2}, {2, 3, 4, 5}}), build_how({6, 8}, {2, 5}));
    // One express link in every line.
    TopologyConfig express;
    express.kind = "express_mesh";
    express.dims = {6, 6};
    express.segment = 5;
    expect_same_wires(build_sparse_hamming({6, 6}, {{5}, {5}}), build_express_mesh(express));
}

TEST(Torus, JoinsTheEndsOfEveryRingOnce) {
    const Graph graph = build_torus({2, 4});
    ASSERT_EQ(graph.port_count(), 5U);
    EXPECT_EQ(behind(graph, 3, 1), 0U);
    EXPECT_EQ(behind(graph, 0, 2), 3U);
    EXPECT_EQ(behind(graph, 0, 3), 4U);
    EXPECT_EQ(behind(graph, 0, 4), kNoLink);  // two routers have one link, not two
    EXPECT_EQ(behind(graph, 4, 3), kNoLink);
    EXPECT_EQ(behind(graph, 4, 4), 0U);
    EXPECT_EQ(graph.link_count(), 8U * 2 + 8U);
    EXPECT_EQ(wire_between(graph, 3, 0), 3U);
    EXPECT_EQ(wire_between(graph, 0, 1), 1U);
    expect_consistent(graph);
}

TEST(Torus, FoldedHasNoWireBeyondTwoPlaces) {
    for (std::uint32_t side = 3; side <= 9; ++side) {
        const Graph graph = build_torus({side, side + 1}, true);
        std::multiset<std::uint32_t> lengths;
        std::set<std::pair<std::uint32_t, std::uint32_t>> places;
        for (const Link& l : graph.links()) lengths.insert(l.length);
        for (RouterId router; router < graph.router_count(); ++router) {
            places.insert({graph.position(router).row, graph.position(router).column});
        }
        EXPECT_EQ(places.size(), graph.router_count());
        // Two wires of one place close each ring flat; all others pass one place.
        EXPECT_EQ(lengths.count(1), 2 * (2 * side + 2 * (side + 1)));
        EXPECT_EQ(lengths.count(1) + lengths.count(2), graph.link_count());
        expect_consistent(graph);
    }
}

TEST(Ghc, JoinsRoutersThatDifferInOneDigit) {
    const Graph graph = build_ghc({3, 4});
    ASSERT_EQ(graph.port_count(), 1U + 3 + 2);
    std::set<std::pair<RouterId, RouterId>> expected;
    for (RouterId a; a < 12; ++a) {
        for (RouterId b; b < 12; ++b) {
            if ((a / 4 == b / 4) != (a % 4 == b % 4)) expected.insert({a, b});
        }
    }
    std::set<std::pair<RouterId, RouterId>> found;
    for (const Link& l : graph.links()) found.insert({l.from, l.to});
    EXPECT_EQ(found, expected);
    EXPECT_EQ(graph.link_count(), expected.size());
    expect_consistent(graph);
}

TEST(Ghc, HasAPortForEveryLinkAndNoOther) {
    const Graph graph = build_ghc({1, 3, 4});
    ASSERT_EQ(graph.port_count(), 1U + 3 + 2);
    // By distance, + before -, without gaps: the second router in a line of four, and the last.
    const std::uint32_t second = 1 * 4 + 1;
    const std::vector<int> ahead = {1, -1, 2, 4, -4};
    for (PortId port = 1; port <= ahead.size(); ++port) {
        EXPECT_EQ(behind(graph, second, port),
                  static_cast<std::uint32_t>(static_cast<int>(second) + ahead[port - 1]));
    }
    const std::uint32_t last = 2 * 4 + 3;
    const std::vector<int> back = {-1, -2, -3, -4, -8};
    for (PortId port = 1; port <= back.size(); ++port) {
        EXPECT_EQ(behind(graph, last, port),
                  static_cast<std::uint32_t>(static_cast<int>(last) + back[port - 1]));
    }
}

TEST(How, HasNoMorePortsThanTheRouterWithMostLinks) {
    for (const std::uint32_t side : {1U, 2U, 3U, 6U, 9U}) {
        for (std::uint32_t window = 1; window < std::max(side, 2U); ++window) {
            const Graph graph = build_how({side}, {window});
            std::vector<PortId> links(side);
            for (const Link& l : graph.links()) {
                ASSERT_LT(l.from_port, graph.port_count());
                ++links[l.from];
            }
            EXPECT_EQ(graph.port_count(), 1 + *std::max_element(links.begin(), links.end()))
                << side << " window " << window;
            expect_consistent(graph);
        }
    }
}

TEST(How, NumbersPortsByDistancePlusBeforeMinus) {
    const Graph graph = build_how({5, 8}, {1, 3});
    ASSERT_EQ(graph.port_count(), 1U + 6 + 2);
    const std::uint32_t router = 2 * 8 + 4;
    const std::vector<int> ahead = {1, -1, 2, -2, 3, -3, 8, -8};
    for (PortId port = 1; port <= ahead.size(); ++port) {
        EXPECT_EQ(behind(graph, router, port),
                  router + static_cast<std::uint32_t>(ahead[port - 1]));
    }
    EXPECT_EQ(behind(graph, 2 * 8 + 6, 5), kNoLink);  // three beyond column 6
    EXPECT_EQ(wire_between(graph, router, router + 3), 3U);
    expect_consistent(graph);
}

TEST(How, IsTheMeshWithWindowOneAndTheGhcWithTheWidest) {
    expect_same_wires(build_how({4, 3, 5}, {1, 1, 1}), build_mesh({4, 3, 5}));
    expect_same_wires(build_how({4, 3, 5}, {3, 2, 4}), build_ghc({4, 3, 5}));
}

/// Links longer than 1, from lower to higher router.
std::set<std::pair<std::uint32_t, std::uint32_t>> express_links(const Graph& graph) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const Link& l : graph.links()) {
        if (l.length > 1 && l.from < l.to) found.insert({l.from.number(), l.to.number()});
    }
    return found;
}

Graph express_mesh(std::vector<std::uint32_t> dims, std::uint32_t segment,
                   const std::string& layout, std::uint32_t levels = 1) {
    TopologyConfig config;
    config.kind = "express_mesh";
    config.dims = std::move(dims);
    config.segment = segment;
    config.layout = value_named(kExpressLayouts, layout).value();
    config.levels = levels;
    Graph graph = build_express_mesh(config);
    expect_consistent(graph);
    return graph;
}

TEST(ExpressMesh, HasExpressLinksWhereItsLayoutSays) {
    using testing::Pair;
    using testing::UnorderedElementsAre;
    EXPECT_THAT(express_links(express_mesh({8}, 3, "full")),
                UnorderedElementsAre(Pair(0, 3), Pair(3, 6)));
    EXPECT_THAT(express_links(express_mesh({3, 3}, 2, "full")),
                UnorderedElementsAre(Pair(0, 2), Pair(3, 5), Pair(6, 8), Pair(0, 6), Pair(1, 7),
                                     Pair(2, 8)));
    EXPECT_THAT(express_links(express_mesh({3, 3}, 2, "sparse")),
                UnorderedElementsAre(Pair(0, 2), Pair(6, 8), Pair(0, 6), Pair(2, 8)));
    EXPECT_THAT(express_links(express_mesh({9}, 2, "hierarchy", 2)),
                UnorderedElementsAre(Pair(0, 2), Pair(2, 4), Pair(4, 6), Pair(6, 8), Pair(0, 4),
                                     Pair(4, 8)));
    // Rows 0 and 4: columns 1-4 and 5-8; columns 0, 4 and 8: rows 2-5.
    EXPECT_THAT(express_links(express_mesh({7, 9}, 4, "shifted")),
                UnorderedElementsAre(Pair(1, 4), Pair(5, 8), Pair(37, 40), Pair(41, 44),
                                     Pair(18, 45), Pair(22, 49), Pair(26, 53)));
}

TEST(ExpressMesh, HasNoMorePortsThanTheRouterWithMostLinks) {
    for (const char* layout : {"full", "sparse", "hierarchy"}) {
        for (const std::uint32_t side : {5U, 6U, 7U, 8U, 9U, 12U, 17U}) {
            for (const std::uint32_t segment : {2U, 3U, 4U}) {
                for (const std::uint32_t levels : {1U, 2U}) {
                    const bool has_levels = std::string(layout) == "hierarchy";
                    if ((levels > 1 && !has_levels) || segment * segment >= side) continue;
                    const Graph graph = express_mesh({side, side + 1}, segment, layout, levels);
                    std::vector<PortId> links(graph.router_count());
                    for (const Link& l : graph.links()) ++links[l.from];
                    EXPECT_EQ(graph.port_count(), 1 + *std::max_element(links.begin(), links.end()))
                        << graph.description();
                }
            }
        }
    }
    EXPECT_EQ(express_mesh({8, 8}, 4, "full").port_count(), 7U);
    EXPECT_EQ(express_mesh({9, 9}, 4, "full").port_count(), 9U);
}

TEST(ExpressMesh, NumbersPortsByDistancePlusBeforeMinusWithoutGaps) {
    // No column is four from both ends: three ports a line. Row 4, column 4 is a terminal.
    const Graph full = express_mesh({8, 8}, 4, "full");
    const auto expect_ahead = [](const Graph& graph, std::uint32_t router,
                                 const std::vector<int>& ahead) {
        for (PortId port = 1; port <= ahead.size(); ++port) {
            const int step = ahead[port - 1];
            EXPECT_EQ(
                behind(graph, router, port),
                step == 0 ? kNoLink : static_cast<std::uint32_t>(static_cast<int>(router) + step))
                << "router " << router << " port " << port;
        }
    };
    expect_ahead(full, 4 * 8 + 4, {1, -1, -4, 8, -8, -32});
    expect_ahead(full, 0, {1, 4, 0, 8, 32, 0});
    expect_ahead(full, 3 * 8 + 7, {-1, 0, 0, 8, -8, 0});
    expect_ahead(full, 3 * 8 + 4, {1, -1, -4, 8, -8, 0});
    // Off the lines of terminals the ordinary links have the same numbers.
    const Graph sparse = express_mesh({8, 8}, 4, "sparse");
    expect_ahead(sparse, 4 * 8 + 4, {1, -1, -4, 8, -8, -32});
    expect_ahead(sparse, 3 * 8 + 4, {1, -1, 0, 8, -8, 0});
}

TEST(ExpressMesh, ShiftedAndCompoundHaveAtMostFiveLinksARouter) {
    for (const char* layout : {"shifted", "compound"}) {
        const Graph graph = express_mesh({9, 13}, 4, layout);
        std::vector<std::uint32_t> degree(graph.router_count());
        for (const Link& l : graph.links()) ++degree[l.from];
        EXPECT_EQ(*std::max_element(degree.begin(), degree.end()), 5U) << layout;
        EXPECT_EQ(graph.port_count(), 6U) << layout;
    }
}

TEST(ExpressMesh, CompoundTerminalsAreTwoRoutersWithTheLinksOfRowAndColumn) {
    const Graph graph = express_mesh({3, 5}, 2, "compound");
    // Terminals 0, 2, 4, 10, 12, 14 have twins 15 to 20.
    ASSERT_EQ(graph.router_count(), 15U + 6U);
    EXPECT_EQ(graph.link_count(), 44U + 2 * (2 * 2 + 3) + 2 * 6);
    const auto neighbours = [&](std::uint32_t router) {
        std::set<std::uint32_t> found;
        for (const Link& l : graph.links()) {
            if (l.from.number() == router) found.insert(l.to);
        }
        return found;
    };
    EXPECT_THAT(neighbours(2), testing::ElementsAre(0, 1, 3, 4, 16));
    EXPECT_THAT(neighbours(16), testing::ElementsAre(2, 7, 19));
    EXPECT_THAT(neighbours(7), testing::ElementsAre(6, 8, 16, 19));
}

TEST(Graph, RefusesAPortThatIsTaken) {
    Graph graph("custom", {3}, 3);
    Link link;
    link.from = RouterId(0);
    link.from_port = 1;
    link.to = RouterId(1);
    link.to_port = 1;
    graph.add_link(link);
    EXPECT_THROW(graph.add_link(link), std::invalid_argument);
    link.from_port = 0;
    link.to_port = 2;
    EXPECT_THROW(graph.add_link(link), std::invalid_argument);
    link.from_port = 9;
    EXPECT_THROW(graph.add_link(link), std::invalid_argument);
}

TEST(Graph, NamesLinksRoutersAndNodesWithPaddedNumbers) {
    const Graph small = build_mesh({2, 4});
    EXPECT_EQ(small.link_name(small.out_link(RouterId(5), 1)), "link_005_006");
    EXPECT_EQ(small.router_name(RouterId(5)), "router_005");
    EXPECT_EQ(small.node_name("interface", 5), "interface_005");
    const Graph large = build_hypercube(11);
    EXPECT_EQ(large.router_name(RouterId(2047)), "router_2047");
    EXPECT_EQ(large.router_name(RouterId(5)), "router_0005");
    EXPECT_EQ(large.node_name("interface", 2047), "interface_2047");
    EXPECT_EQ(large.node_name("interface", 5), "interface_0005");
}

TEST(LinkDelay, IsConstantOrLinearInLength) {
    Graph graph = build_mesh({4});
    apply_link_delay(graph, {LinkDelayModel::kConstant, 3}, 1);
    EXPECT_EQ(graph.link(0).delay, 3U);
    apply_link_delay(graph, {LinkDelayModel::kLinear, 1, 4}, 1);
    EXPECT_EQ(graph.link(0).delay, 1U);
    Graph how = build_how({6}, {5});
    apply_link_delay(how, {LinkDelayModel::kLinear, 1, 2}, 1);
    for (const Link& link : how.links()) EXPECT_EQ(link.delay, link.length / 2 + link.length % 2);
}

TEST(LinkDelay, IsTheTimeOfAPhysicalWireInWholeCyclesOfTheClock) {
    LinkDelayConfig wires;
    wires.model = LinkDelayModel::kPhysical;
    wires.pitch_mm = 0.5;
    wires.ns_per_mm = 0.2;
    Graph how = build_how({12}, {11});
    for (const double clock_ns : {0.05, 0.1, 0.25, 0.3, 1.0, 2.0}) {
        apply_link_delay(how, wires, clock_ns);
        const auto tenths = static_cast<std::uint32_t>(std::lround(clock_ns * 100));
        for (const Link& link : how.links()) {  // 0.1 ns a node pitch
            EXPECT_EQ(link.delay, (link.length * 10 + tenths - 1) / tenths) << clock_ns;
        }
    }
}

TEST(LinkDelay, OfDecimalsThatAreWholeCyclesIsThatMany) {
    LinkDelayConfig wires;
    wires.model = LinkDelayModel::kPhysical;
    wires.ns_per_mm = 0.1;
    for (std::uint32_t tenths = 1; tenths <= 100; ++tenths) {
        wires.pitch_mm = tenths / 10.0;
        for (std::uint32_t length = 1; length <= 100; ++length) {
            EXPECT_EQ(wires.delay(length, wires.mm(0, length), 0.01), tenths * length)
                << wires.pitch_mm << " mm";
        }
    }
}

TEST(LinkDelay, OfWiresBeyondAllMeasureIsRefused) {
    const auto delay = [](const std::string& clock_ns) {
        const Config config = parse_config(
            "fabric: {topology: {kind: ghc, dims: [9]}, link_delay: {model: physical, pitch_mm: "
            "10, ns_per_mm: 1}}\n",
            "c.yaml", {"clock_ns=" + clock_ns});
        const Graph graph = build_topology(config);
        std::uint32_t longest = 0;
        for (const Link& link : graph.links()) longest = std::max(longest, link.delay);
        return longest;
    };
    EXPECT_EQ(delay("100"), 1U);
    EXPECT_EQ(delay("80"), 1U);
    EXPECT_EQ(delay("79.999"), 2U);
    EXPECT_EQ(delay("0.00125"), 64000U);
    EXPECT_EQ(refused_with([&] { delay("0.00122"); }),
              "c.yaml:1:44: error: a wire of 8 node pitches takes 80 ns, more than 65536 cycles "
              "of 0.00122 ns (a smaller pitch_mm or ns_per_mm, or a larger clock_ns)");
}

TEST(LinkDelay, OfARouterThatIsNotSynthesizedIsNotGuessed) {
    for (const char* keys : {"pitch_mm: area, node_mm2: 1", "pitch_mm: 1"}) {
        const Config config = parse_config(
            fmt::format("fabric: {{topology: {{kind: mesh, dims: [4]}}, link_delay: {{model: "
                        "physical, {}}}}}\nclock_ns: synth\n",
                        keys),
            "c.yaml");
        EXPECT_THROW(build_topology(config), ConfigError) << keys;
    }
}

TEST(TopologyMetrics, ClosedFormsEqualSearch) {
    std::vector<Graph> graphs;
    for (const std::vector<std::uint32_t>& dims : std::vector<std::vector<std::uint32_t>>{
             {1}, {2}, {7}, {1, 9}, {4, 5}, {8, 8}, {2, 3, 4}, {3, 3, 3}, {2, 2, 2, 2}}) {
        graphs.push_back(build_mesh(dims));
    }
    for (std::uint32_t n = 0; n <= 7; ++n) graphs.push_back(build_hypercube(n));
    for (const Graph& graph : graphs) {
        const TopologyMetrics closed = measure_topology(graph);
        TopologyMetrics searched;
        measure_distances(graph, searched);
        EXPECT_EQ(closed.diameter, searched.diameter) << graph.description();
        EXPECT_NEAR(closed.average_distance, searched.average_distance, 1e-9)
            << graph.description();
    }
}

TEST(TopologyMetrics, CountsChannelsDegreesAndBisection) {
    const TopologyMetrics mesh = measure_topology(build_mesh({8, 8}));
    EXPECT_EQ(mesh.channels, 112U);
    EXPECT_EQ(mesh.links, 224U);
    EXPECT_EQ(mesh.degree_min, 2U);
    EXPECT_EQ(mesh.degree_max, 4U);
    EXPECT_EQ(mesh.bisection, 8U);
    EXPECT_EQ(measure_topology(build_mesh({16, 8})).bisection, 8U);
    EXPECT_EQ(measure_topology(build_mesh({8, 16})).bisection, 8U);
    const TopologyMetrics cube = measure_topology(build_hypercube(6));
    EXPECT_EQ(cube.channels, 192U);
    EXPECT_EQ(cube.degree_min, 6U);
    EXPECT_EQ(cube.bisection, 32U);
}

}  // namespace
}  // namespace flitscope
