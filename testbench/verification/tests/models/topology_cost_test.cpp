// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Every wiring against its definition in the papers, as a question about two nodes: links, degrees,
// distances, wires, collinear layout and bisection, counted by enumeration, against the graph, its
// figures, and closed formulas. Oracles: ERRATA of the papers, sections 003 and 004.1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/performance/bisection.h"
#include "models/performance/collinear.h"
#include "models/performance/topology_metrics.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/verification/tests/models/network_definitions.h"
#include "testbench/verification/tests/support/switch_graphs.h"

namespace flitscope {
namespace {

// ---- Counting -----------------------------------------------------------------------------------

struct Distances {
    std::uint32_t diameter = 0;
    double average = 0;
};

Distances search(const Definition& d) {
    std::vector<std::vector<NodeId>> neighbours(d.nodes);
    for (const auto& [a, b] : d.channels) {
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    }
    Distances result;
    double sum = 0;
    for (NodeId start = 0; start < d.nodes; ++start) {
        std::map<NodeId, std::uint32_t> hops{{start, 0}};
        std::vector<NodeId> open{start};
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (const NodeId to : neighbours[open[i]]) {
                if (hops.emplace(to, hops[open[i]] + 1).second) open.push_back(to);
            }
            result.diameter = std::max(result.diameter, hops[open[i]]);
            sum += hops[open[i]];
        }
        EXPECT_EQ(open.size(), d.nodes) << d.name;
    }
    if (d.nodes > 1) result.average = sum / d.nodes / (d.nodes - 1);
    return result;
}

/// Rows and columns: the faster-varying half of the dimensions counts columns.
std::uint32_t wire(const Definition& d, NodeId a, NodeId b) {
    std::uint32_t columns = 1;
    for (std::size_t i = d.sides.size() / 2; i < d.sides.size(); ++i) columns *= d.sides[i];
    const NodeId p = d.place(a);
    const NodeId q = d.place(b);
    return std::max(1U, apart(p / columns, q / columns) + apart(p % columns, q % columns));
}

/// The wires over every gap of every line, those from even places apart from those from odd ones.
std::uint64_t count_collective_width(const Definition& d) {
    std::map<std::tuple<std::size_t, Sides, bool, std::uint32_t>, std::uint64_t> wires;
    std::uint64_t widest = 0;
    for (const auto& [a, b] : d.channels) {
        Sides line = d.coordinates(d.place(a));
        const Sides other = d.coordinates(d.place(b));
        for (std::size_t dim = 0; dim < d.sides.size(); ++dim) {
            if (line[dim] == other[dim]) continue;
            const std::uint32_t low = std::min(line[dim], other[dim]);
            const std::uint32_t high = std::max(line[dim], other[dim]);
            line[dim] = 0;
            for (std::uint32_t gap = low; gap < high; ++gap) {
                widest = std::max(widest, ++wires[{dim, line, low % 2 == 0, gap}]);
            }
            break;
        }
    }
    return widest;
}

/// The fewest channels over all cuts into halves, of at most 16 nodes.
std::uint64_t fewest_between_halves(const Definition& d) {
    std::vector<std::uint32_t> neighbours(d.nodes);
    for (const auto& [a, b] : d.channels) {
        neighbours[a] |= 1U << b;
        neighbours[b] |= 1U << a;
    }
    std::uint64_t fewest = UINT64_MAX;
    for (std::uint32_t half = 0; half < 1U << d.nodes; ++half) {
        if (static_cast<NodeId>(__builtin_popcount(half)) != d.nodes / 2) continue;
        std::uint64_t cut = 0;
        for (NodeId node = 0; node < d.nodes; ++node) {
            if ((half >> node & 1U) == 0) continue;
            cut += static_cast<std::uint64_t>(__builtin_popcount(neighbours[node] & ~half));
        }
        fewest = std::min(fewest, cut);
    }
    return fewest;
}

/// The same for HOW(p, w, 1) of any size: for every assignment of the last w nodes and every
/// number of nodes in the half, the fewest channels cut so far.
std::uint64_t fewest_on_a_line(std::uint32_t p, std::uint32_t w) {
    const std::uint32_t assignments = 1U << w;
    std::vector<std::vector<std::uint32_t>> cut(assignments,
                                                std::vector<std::uint32_t>(p + 1, UINT32_MAX / 2));
    cut[0][0] = 0;
    for (std::uint32_t node = 0; node < p; ++node) {
        std::vector<std::vector<std::uint32_t>> next(
            assignments, std::vector<std::uint32_t>(p + 1, UINT32_MAX / 2));
        const std::uint32_t behind = std::min(node, w);
        for (std::uint32_t last = 0; last < assignments; ++last) {
            const std::uint32_t known = last & ((1U << behind) - 1);
            const auto ones = static_cast<std::uint32_t>(__builtin_popcount(known));
            for (std::uint32_t in_half = 0; in_half <= p / 2; ++in_half) {
                for (const std::uint32_t mine : {0U, 1U}) {
                    const std::uint32_t more = mine == 1 ? behind - ones : ones;
                    auto& best = next[(last << 1 | mine) & (assignments - 1)][in_half + mine];
                    best = std::min(best, cut[last][in_half] + more);
                }
            }
        }
        cut = std::move(next);
    }
    std::uint32_t fewest = UINT32_MAX;
    for (const auto& by_size : cut) fewest = std::min(fewest, by_size[p / 2]);
    return fewest;
}

// ---- Formulas of the papers, corrected ----------------------------------------------------------

std::uint64_t cut_of_a_line(std::uint64_t p, std::uint64_t w) {
    if (w <= p / 2) return w * (w + 1) / 2;
    return p * p / 4 - (p - 1 - w) * (p - w) / 2;
}

std::uint64_t width_of_a_line(std::int64_t p, std::int64_t w) {
    std::int64_t widest = 0;
    for (std::int64_t k = 0; k <= p - 2; ++k) {
        std::int64_t wires = 0;
        for (std::int64_t i = k % 2; i <= k; i += 2) {
            wires += std::max<std::int64_t>(0, std::min(w, p - 1 - i) - (k - i));
        }
        widest = std::max(widest, wires);
    }
    return static_cast<std::uint64_t>(widest);
}

/// Sum of the cross-sections up to the first even side, sides falling (Arjona Aroca and Fernandez
/// Anta 2014).
std::uint64_t bisection_of_products(Sides sides) {
    std::sort(sides.rbegin(), sides.rend());
    std::uint64_t section = 1;
    for (const std::uint32_t side : sides) section *= side;
    std::uint64_t sum = 0;
    for (const std::uint32_t side : sides) {
        if (side == 1) break;
        section /= side;
        sum += section;
        if (side % 2 == 0) break;
    }
    return sum;
}

// ---- Tests --------------------------------------------------------------------------------------

TEST(TopologyCost, GraphsAndFiguresAreThoseOfTheDefinitions) {
    const std::vector<Definition> all = all_definitions();
    EXPECT_GT(all.size(), 350U);
    for (const Definition& d : all) {
        SCOPED_TRACE(d.name);
        const Graph graph = build(d.config);
        const TopologyMetrics m = measure_topology(graph);
        std::set<std::pair<NodeId, NodeId>> expected;
        std::vector<std::uint32_t> degree(d.nodes);
        std::uint64_t length = 0;
        std::uint32_t longest = 0;
        for (const auto& [a, b] : d.channels) {
            expected.insert({a, b});
            expected.insert({b, a});
            ++degree[a];
            ++degree[b];
            length += wire(d, a, b);
            longest = std::max(longest, wire(d, a, b));
        }
        std::set<std::pair<NodeId, NodeId>> links;
        for (const Link& link : graph.links()) links.insert({link.from, link.to});
        EXPECT_EQ(links, expected);
        EXPECT_EQ(graph.link_count(), expected.size());
        EXPECT_EQ(m.nodes, d.nodes);
        EXPECT_EQ(m.links, expected.size());
        EXPECT_EQ(m.channels, d.channels.size());
        EXPECT_EQ(m.degree_min, *std::min_element(degree.begin(), degree.end()));
        EXPECT_EQ(m.degree_max, *std::max_element(degree.begin(), degree.end()));
        EXPECT_EQ(m.wire_length, length);
        EXPECT_EQ(m.longest_wire, longest);
        EXPECT_EQ(m.collective_width, count_collective_width(d));
        const Distances distances = search(d);
        EXPECT_EQ(m.diameter, distances.diameter);
        EXPECT_NEAR(m.average_distance, distances.average, 1e-9);
        EXPECT_EQ(m.distance_sources, d.nodes);
        const auto are_one = [](auto first, auto last) {
            return std::all_of(first, last, [](std::uint32_t side) { return side == 1; });
        };
        const auto columns = d.sides.begin() + d.sides.size() / 2;
        const bool is_line = are_one(d.sides.begin(), columns) || are_one(columns, d.sides.end());
        EXPECT_EQ(m.layers, is_line ? 1U : 2U);
        EXPECT_EQ(m.contacts, is_line ? 0U : 2 * d.channels.size());
    }
}

TEST(TopologyCost, HasDefinitionsOfEveryFamily) {
    // Those whose nodes are not in lines are defined in topology_families_test.cpp.
    std::set<std::string> defined = {"custom", "fat_tree", "dragonfly"};
    for (const Definition& d : all_definitions()) defined.insert(d.config.kind);
    for (const TopologyFamily& family : topology_families()) {
        EXPECT_EQ(defined.count(family.name), 1U) << family.name;
    }
}

TEST(TopologyCost, BisectionsAreTheFewestChannelsOfAllHalves) {
    std::size_t exact = 0;
    std::size_t bounds = 0;
    for (const Definition& d : all_definitions()) {
        if (d.nodes > 16 || d.nodes < 2) continue;
        SCOPED_TRACE(d.name);
        const TopologyMetrics m = measure_topology(build(d.config));
        const std::uint64_t fewest = fewest_between_halves(d);
        if (m.bisection_proof.empty()) {
            EXPECT_GE(m.bisection, fewest);
            ++bounds;
        } else {
            EXPECT_EQ(m.bisection, fewest);
            ++exact;
        }
    }
    EXPECT_GT(exact, 120U);
    EXPECT_GT(bounds, 30U);
}

TEST(TopologyCost, HalvesDifferByAtMostOneNode) {
    for (const Definition& d : all_definitions()) {
        SCOPED_TRACE(d.name);
        const HalvesCut cut = cut_into_halves(build(d.config));
        EXPECT_EQ(std::count(cut.upper.begin(), cut.upper.end(), false), d.nodes / 2);
        std::uint64_t channels = 0;
        for (const auto& [a, b] : d.channels) channels += cut.upper[a] != cut.upper[b] ? 1 : 0;
        EXPECT_EQ(cut.channels, channels);
    }
}

TEST(TopologyCost, NoHalvesOfALineBeatItsMiddleWhereThatIsSaid) {
    std::size_t said = 0;
    for (std::uint32_t p = 2; p <= 33; ++p) {
        for (std::uint32_t w = 1; w < p; ++w) {
            const HalvesCut cut = cut_into_halves(build_how({p}, {w}));
            EXPECT_EQ(cut.channels, cut_of_a_line(p, w)) << p << ' ' << w;
            if (cut.proof != "enumeration of all halves") continue;
            ++said;
            EXPECT_EQ(cut.channels, fewest_on_a_line(p, w)) << p << ' ' << w;
        }
    }
    EXPECT_GT(said, 150U);
}

TEST(TopologyCost, MeshesAndToriHaveTheBisectionsOfProducts) {
    for (const Sides& sides : std::vector<Sides>{
             {9}, {10}, {16, 16}, {15, 15}, {9, 12}, {7, 5, 3}, {8, 5, 7}, {9, 6, 5}, {1, 7, 5}}) {
        const TopologyMetrics m = measure_topology(build_mesh(sides));
        EXPECT_EQ(m.bisection, bisection_of_products(sides));
        EXPECT_NE(m.bisection_proof, "");
        const TopologyMetrics t = measure_topology(build_torus(sides));
        EXPECT_EQ(t.bisection, 2 * bisection_of_products(sides));
        EXPECT_NE(t.bisection_proof, "");
    }
    EXPECT_EQ(measure_topology(build_torus({6, 2})).bisection_proof, "");
    EXPECT_EQ(measure_topology(build_torus({8, 8, 8})).bisection, 2U * 512 / 8);
}

TEST(TopologyCost, GeneralizedHypercubesAreCutAcrossTheSmallestEvenRadix) {
    for (const Sides& radices : std::vector<Sides>{{4, 4}, {8, 8}, {2, 8}, {8, 2, 5}, {4, 9, 6}}) {
        const TopologyMetrics m = measure_topology(build_ghc(radices));
        const std::uint32_t smallest = *std::min_element(radices.begin(), radices.end());
        EXPECT_EQ(m.bisection, m.nodes * smallest / 4);
        EXPECT_NE(m.bisection_proof, "");
    }
    EXPECT_EQ(measure_topology(build_ghc({3, 4})).bisection_proof, "");
}

TEST(TopologyCost, FormulasOfHowsHold) {
    std::size_t compared = 0;
    for (std::uint32_t n = 1; n <= 3; ++n) {
        for (std::uint32_t p = 2; p <= (n == 1 ? 40U : n == 2 ? 12U : 6U); ++p) {
            for (std::uint32_t w = 1; w < p; ++w) {
                SCOPED_TRACE(testing::Message() << "HOW(" << p << ", " << w << ", " << n << ")");
                const TopologyMetrics m = measure_topology(build_how(Sides(n, p), Sides(n, w)));
                std::uint64_t lines = 1;  // per dimension
                for (std::uint32_t d = 1; d < n; ++d) lines *= p;
                EXPECT_EQ(m.channels, n * lines * w * (2 * p - w - 1) / 2);
                EXPECT_EQ(m.diameter, n * ((p - 1 + w - 1) / w));
                EXPECT_EQ(m.degree_min, n * w);
                const std::uint32_t middle = p / 2;
                EXPECT_EQ(m.degree_max, n * (std::min(w, middle) + std::min(w, p - 1 - middle)));
                EXPECT_EQ(m.collective_width, width_of_a_line(p, w));
                if (p % 2 == 0) {
                    EXPECT_EQ(m.bisection, lines * cut_of_a_line(p, w));
                }
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 800U);
}

TEST(TopologyCost, TheoremOneHoldsInItsRange) {
    for (std::uint32_t p = 2; p <= 40; ++p) {
        for (std::uint32_t w = 1; 2 * w < p + 1 && w < p; ++w) {
            const std::uint32_t expected =
                w % 2 == 0 ? w / 2 * (w / 2 + 1) : (w + 1) / 2 * ((w + 1) / 2);
            EXPECT_EQ(maximum_collective_width(build_how({p}, {w})), expected) << p << ' ' << w;
        }
        const std::uint32_t phi = (p - 1) / 4;
        if (p < 3) continue;
        EXPECT_EQ(maximum_collective_width(build_ghc({p})), (p - 3) * phi + p - 1 - 2 * phi * phi);
    }
}

TEST(TopologyCost, TablesOfTheHowPaper) {
    struct Row {
        std::uint32_t p, w, n;
        std::uint64_t channels;
        std::uint32_t least, most, diameter;
        std::uint64_t bisection, width;
    };
    for (const Row& row : std::vector<Row>{{8, 2, 1, 13, 2, 4, 4, 3, 2},
                                           {8, 4, 1, 22, 4, 7, 2, 10, 6},
                                           {16, 4, 1, 54, 4, 8, 4, 10, 6},
                                           {4, 2, 2, 40, 4, 6, 4, 12, 2},
                                           {8, 2, 2, 208, 4, 8, 8, 24, 2},
                                           {8, 3, 2, 288, 6, 12, 6, 48, 4},
                                           {8, 4, 2, 352, 8, 14, 4, 80, 6},
                                           {8, 7, 2, 448, 14, 14, 2, 128, 10},
                                           {16, 4, 2, 1728, 8, 16, 8, 160, 6},
                                           {4, 3, 3, 288, 9, 9, 3, 64, 3}}) {
        SCOPED_TRACE(testing::Message() << row.p << ' ' << row.w << ' ' << row.n);
        const TopologyMetrics m =
            measure_topology(build_how(Sides(row.n, row.p), Sides(row.n, row.w)));
        EXPECT_EQ(m.channels, row.channels);
        EXPECT_EQ(m.degree_min, row.least);
        EXPECT_EQ(m.degree_max, row.most);
        EXPECT_EQ(m.diameter, row.diameter);
        EXPECT_EQ(m.bisection, row.bisection);
        EXPECT_EQ(m.collective_width, row.width);
    }
    for (const auto& [p, w, width] :
         std::vector<std::tuple<std::uint32_t, std::uint32_t, int>>{{16, 2, 2},
                                                                    {16, 3, 4},
                                                                    {16, 4, 6},
                                                                    {16, 5, 9},
                                                                    {16, 8, 20},
                                                                    {32, 7, 16},
                                                                    {32, 8, 20},
                                                                    {64, 16, 72},
                                                                    {4, 3, 3},
                                                                    {8, 7, 10},
                                                                    {16, 15, 36},
                                                                    {32, 31, 136},
                                                                    {64, 63, 528}}) {
        EXPECT_EQ(maximum_collective_width(build_how({p}, {w})), width) << p << ' ' << w;
    }
}

TEST(TopologyCost, TablesOfTheExpressLinkPaper) {
    struct Row {
        std::uint32_t n, segment, full, sparse;
    };
    for (const Row& row : std::vector<Row>{{16, 2, 16, 16},
                                           {16, 3, 14, 14},
                                           {16, 4, 14, 14},
                                           {16, 5, 14, 14},
                                           {16, 6, 14, 14},
                                           {16, 8, 22, 22},
                                           {64, 4, 38, 38},
                                           {64, 6, 30, 30},
                                           {64, 8, 34, 34},
                                           {64, 10, 28, 28},
                                           {64, 16, 50, 55}}) {
        const auto measure = [&](const char* layout) {
            return measure_topology(build(express({row.n, row.n}, layout, row.segment)));
        };
        EXPECT_EQ(measure("full").diameter, row.full) << row.n << ' ' << row.segment;
        EXPECT_EQ(measure("sparse").diameter, row.sparse) << row.n << ' ' << row.segment;
        EXPECT_LE(measure("full").degree_max, 8U);
    }
    EXPECT_EQ(measure_topology(build(express({16, 16}, "full", 4))).degree_max, 8U);
    EXPECT_EQ(measure_topology(build(express({16, 16}, "sparse", 4))).degree_max, 8U);
    for (const auto& [n, segment, diameter] :
         std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>{{16, 4, 19},
                                                                              {64, 8, 46}}) {
        const TopologyMetrics m = measure_topology(build(express({n, n}, "shifted", segment)));
        EXPECT_EQ(m.diameter, diameter);
        EXPECT_EQ(m.degree_max, 5U);
        EXPECT_EQ(measure_topology(build(express({n, n}, "compound", segment))).degree_max, 5U);
    }
    for (std::uint32_t levels = 1; levels <= 3; ++levels) {  // 2^(levels + 2): inner terminals
        const std::uint32_t n = 4U << levels;
        const TopologyMetrics m = measure_topology(build(express({n, n}, "hierarchy", 2, levels)));
        EXPECT_EQ(m.degree_max, 4 * (levels + 1));
    }
    EXPECT_EQ(measure_topology(build_mesh({16, 16})).diameter, 30U);
}

TEST(TopologyCost, ExtremeWindowsAreMeshesAndGeneralizedHypercubes) {
    const auto expect_equal = [](const Graph& a, const Graph& b) {
        SCOPED_TRACE(a.description() + " and " + b.description());
        const auto pairs = [](const Graph& graph) {
            std::multiset<std::pair<NodeId, NodeId>> result;
            for (const Link& link : graph.links()) result.insert({link.from, link.to});
            return result;
        };
        EXPECT_EQ(pairs(a), pairs(b));
        const TopologyMetrics x = measure_topology(a);
        const TopologyMetrics y = measure_topology(b);
        EXPECT_EQ(x.diameter, y.diameter);
        EXPECT_DOUBLE_EQ(x.average_distance, y.average_distance);
        EXPECT_EQ(x.bisection, y.bisection);
        EXPECT_EQ(x.bisection_proof, y.bisection_proof);
        EXPECT_EQ(x.wire_length, y.wire_length);
        EXPECT_EQ(x.collective_width, y.collective_width);
    };
    for (const Sides& sides : std::vector<Sides>{{9}, {8, 8}, {5, 7}, {3, 4, 5}, {4, 4, 4}}) {
        Sides widest;
        for (const std::uint32_t side : sides) widest.push_back(side - 1);
        expect_equal(build_how(sides, Sides(sides.size(), 1)), build_mesh(sides));
        expect_equal(build_how(sides, widest), build_ghc(sides));
    }
}

TEST(TopologyCost, RingsNeedTwoTracksFoldedOrNot) {
    for (const bool folded : {false, true}) {
        for (std::uint32_t side = 3; side <= 9; ++side) {
            const Graph graph = build_torus({side, 2}, folded);
            EXPECT_EQ(maximum_collective_width(graph), 2U);
            const TopologyMetrics m = measure_topology(graph);
            EXPECT_EQ(m.longest_wire, folded ? 2U : side - 1);
        }
    }
}

TEST(TopologyCost, AWireIsOnTheSideOfItsLeftEnd) {
    EXPECT_EQ(maximum_collective_width(graph_of_channels(4, 4, {{0, 3}, {1, 3}, {2, 3}})), 2U);
    EXPECT_EQ(maximum_collective_width(graph_of_channels(4, 4, {{3, 0}, {0, 1}, {2, 0}})), 3U);
}

TEST(TopologyCost, LayoutsAreCutByRowsOrByColumns) {
    // The express row or column in the middle, its compound node, and the ordinary links.
    EXPECT_LE(measure_topology(build(express({5, 16}, "compound", 4))).bisection, 8U);
    EXPECT_LE(measure_topology(build(express({16, 5}, "compound", 4))).bisection, 8U);
}

TEST(TopologyCost, SamplesAreEvenlySpread) {
    const Graph graph = build_mesh({30, 30});
    TopologyMetrics sample;
    measure_distances(graph, sample, 90);
    EXPECT_EQ(sample.distance_sources, 90U);
    const double exact = measure_topology(graph).average_distance;
    EXPECT_NEAR(sample.average_distance, exact, 0.05 * exact);
}

TEST(TopologyCost, LargeNetworksAreSampledAndSaySo) {
    const TopologyMetrics sampled = measure_topology(build(express({160, 160}, "sparse", 12)));
    EXPECT_LT(sampled.distance_sources, 25600U);
    EXPECT_GT(sampled.distance_sources, 500U);
    const TopologyMetrics exact = measure_topology(build(express({160, 160}, "full", 12)));
    EXPECT_EQ(exact.distance_sources, 25600U);
    // Express links in all lines shorten paths, by few hops.
    EXPECT_GT(sampled.average_distance, exact.average_distance);
    EXPECT_LT(sampled.average_distance, 1.1 * exact.average_distance);
}

}  // namespace
}  // namespace flitscope
