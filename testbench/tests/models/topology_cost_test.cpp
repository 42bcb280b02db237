// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Every wiring against its definition in the papers, written here once more as a question about two
// nodes: links, degrees, distances, wires, collinear layout and bisection, counted by enumeration,
// against the graph, its figures, and closed formulas. Oracles: ERRATA of the papers, sections 003
// and 004.1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/performance/bisection.h"
#include "models/performance/collinear.h"
#include "models/performance/topology_metrics.h"
#include "models/performance/wire_budget.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "testbench/configuration/configuration.h"

namespace flitscope {
namespace {

using testing::HasSubstr;
using Sides = std::vector<std::uint32_t>;

std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

// ---- The networks by definition -----------------------------------------------------------------

/// Whether two places along `dim` are joined; `at` is one of the two nodes.
using Joined =
    std::function<bool(std::size_t dim, std::uint32_t a, std::uint32_t b, const Sides& at)>;

/// A network as a list of nodes that stand somewhere, and the pairs of them that are joined.
struct Definition {
    std::string name;
    TopologyConfig config;
    Sides sides;
    std::vector<std::pair<NodeId, NodeId>> channels;  // first < second
    NodeId nodes = 0;
    bool is_grid = true;           // nodes are places, numbered row-major
    std::vector<NodeId> place_of;  // otherwise: where each stands

    NodeId place(NodeId node) const { return is_grid ? node : place_of[node]; }
    Sides coordinates(NodeId at) const {
        Sides result(sides.size());
        for (std::size_t d = sides.size(); d-- > 0; at /= sides[d]) result[d] = at % sides[d];
        return result;
    }
};

Definition define(TopologyConfig config, const Sides& sides, const Joined& joined) {
    Definition result;
    result.config = std::move(config);
    result.sides = sides;
    result.nodes = 1;
    result.name = result.config.kind;
    for (const std::uint32_t side : sides) {
        result.nodes *= side;
        result.name += ' ' + std::to_string(side);
    }
    for (NodeId a = 0; a < result.nodes; ++a) {
        const Sides x = result.coordinates(a);
        for (NodeId b = a + 1; b < result.nodes; ++b) {
            const Sides y = result.coordinates(b);
            std::size_t different = 0;
            std::size_t dim = 0;
            for (std::size_t d = 0; d < sides.size(); ++d) {
                if (x[d] == y[d]) continue;
                ++different;
                dim = d;
            }
            if (different == 1 && joined(dim, x[dim], y[dim], x)) result.channels.push_back({a, b});
        }
    }
    return result;
}

TopologyConfig grid(const std::string& kind, const Sides& sides) {
    TopologyConfig config;
    config.kind = kind;
    config.dims = sides;
    return config;
}

Definition mesh(const Sides& sides) {
    return define(grid("mesh", sides), sides,
                  [](std::size_t, std::uint32_t a, std::uint32_t b, const Sides&) {
                      return apart(a, b) == 1;
                  });
}

Definition torus(const Sides& sides) {
    return define(grid("torus", sides), sides,
                  [&sides](std::size_t d, std::uint32_t a, std::uint32_t b, const Sides&) {
                      return apart(a, b) == 1 || apart(a, b) == sides[d] - 1;
                  });
}

Definition ghc(const Sides& sides) {
    return define(grid("ghc", sides), sides,
                  [](std::size_t, std::uint32_t, std::uint32_t, const Sides&) { return true; });
}

Definition how(const Sides& sides, const Sides& windows) {
    TopologyConfig config = grid("how", sides);
    config.windows = windows;
    Definition result = define(
        config, sides, [&windows](std::size_t d, std::uint32_t a, std::uint32_t b, const Sides&) {
            return apart(a, b) <= windows[d];
        });
    for (const std::uint32_t window : windows) result.name += " w" + std::to_string(window);
    return result;
}

Definition hypercube(std::uint32_t dimensions) {
    TopologyConfig config;
    config.kind = "hypercube";
    config.dimensions = dimensions;
    const Sides sides(std::max(dimensions, 1U), dimensions == 0 ? 1 : 2);
    return define(config, sides,
                  [](std::size_t, std::uint32_t, std::uint32_t, const Sides&) { return true; });
}

/// Whether the line of `at` along `dim` is one out of every `pitch`.
bool one_out_of(std::uint32_t pitch, const Sides& at, std::size_t dim) {
    for (std::size_t d = 0; d < at.size(); ++d) {
        if (d != dim && at[d] % pitch != 0) return false;
    }
    return true;
}

TopologyConfig express(const Sides& sides, const std::string& layout, std::uint32_t segment,
                       std::uint32_t levels = 1) {
    TopologyConfig config = grid("express_mesh", sides);
    config.layout = value_named(kExpressLayouts, layout).value();
    config.segment = segment;
    config.levels = levels;
    return config;
}

Definition express_mesh(const Sides& sides, const std::string& layout, std::uint32_t segment,
                        std::uint32_t levels = 1) {
    Definition result =
        define(express(sides, layout, segment, levels), sides,
               [&](std::size_t d, std::uint32_t a, std::uint32_t b, const Sides& at) {
                   if (apart(a, b) == 1) return true;
                   const std::uint32_t low = std::min(a, b);
                   if (layout == "shifted") {
                       // Columns jL + 1 and (j + 1)L of a row, rows jL + 2 and (j + 1)L + 1 of a
                       // column.
                       const std::uint32_t shift = d + 1 == sides.size() ? 1 : 2;
                       return apart(a, b) == segment - 1 && low % segment == shift &&
                              one_out_of(segment, at, d);
                   }
                   std::uint32_t length = 1;
                   for (std::uint32_t level = 0; level < levels; ++level) {
                       length *= segment;
                       if (apart(a, b) == length && low % length == 0 &&
                           (layout == "full" || one_out_of(length, at, d))) {
                           return true;
                       }
                   }
                   return false;
               });
    result.name += ' ' + layout + " s" + std::to_string(segment) + " r" + std::to_string(levels);
    return result;
}

/// A sparse express mesh in which the column's links of a terminal belong to a second node.
Definition compound(const Sides& sides, std::uint32_t segment) {
    const Definition sparse = express_mesh(sides, "sparse", segment);
    Definition result = sparse;
    result.name += " compound";
    result.config.layout = ExpressLayout::kCompound;
    result.is_grid = false;
    result.channels.clear();
    std::map<NodeId, NodeId> second;
    for (NodeId node = 0; node < sparse.nodes; ++node) result.place_of.push_back(node);
    for (NodeId node = 0; node < sparse.nodes; ++node) {
        const Sides at = sparse.coordinates(node);
        if (at[0] % segment != 0 || at[1] % segment != 0) continue;
        second[node] = result.nodes++;
        result.place_of.push_back(node);
        result.channels.push_back({node, second[node]});
    }
    for (const auto& [a, b] : sparse.channels) {
        const bool in_row = a / sides[1] == b / sides[1];
        const auto end = [&](NodeId n) { return !in_row && second.count(n) ? second[n] : n; };
        result.channels.push_back(std::minmax(end(a), end(b)));
    }
    return result;
}

std::vector<Definition> all_definitions() {
    std::vector<Definition> all;
    const std::vector<Sides> shapes = {
        {1},       {2},       {3},       {4},       {7},       {8},          {13},
        {16},      {2, 2},    {2, 3},    {3, 2},    {2, 5},    {3, 3},       {3, 4},
        {4, 3},    {3, 5},    {4, 4},    {2, 8},    {8, 2},    {5, 5},       {1, 9},
        {9, 1},    {4, 5},    {5, 4},    {6, 6},    {4, 7},    {8, 8},       {9, 6},
        {2, 7},    {12, 5},   {1, 1},    {16, 4},   {2, 2, 2}, {2, 2, 3},    {3, 2, 2},
        {2, 3, 4}, {3, 3, 3}, {4, 4, 4}, {2, 5, 3}, {1, 4, 3}, {2, 2, 2, 2}, {3, 2, 3, 2}};
    for (const Sides& sides : shapes) {
        all.push_back(mesh(sides));
        all.push_back(torus(sides));
        all.push_back(ghc(sides));
    }
    for (std::uint32_t n = 0; n <= 8; ++n) all.push_back(hypercube(n));
    for (std::uint32_t p = 2; p <= 14; ++p) {
        for (std::uint32_t w = 1; w < p; ++w) all.push_back(how({p}, {w}));
    }
    for (std::uint32_t p = 3; p <= 8; ++p) {
        for (std::uint32_t w = 1; w < p; ++w) all.push_back(how({p, p}, {w, w}));
    }
    for (const std::uint32_t w : {1, 2, 3}) all.push_back(how({4, 4, 4}, {w, w, w}));
    all.push_back(how({3, 5}, {2, 3}));
    all.push_back(how({5, 3}, {4, 1}));
    all.push_back(how({6, 1, 4}, {2, 1, 3}));
    all.push_back(how({2, 7, 3}, {1, 4, 2}));
    for (const char* layout : {"full", "sparse"}) {
        for (std::uint32_t n = 3; n <= 24; n += 3) {
            for (std::uint32_t s = 2; s < n && s <= 8; ++s) {
                all.push_back(express_mesh({n}, layout, s));
            }
        }
        for (const Sides& sides : std::vector<Sides>{{4, 4}, {5, 7}, {7, 5}, {9, 9}, {16, 16}}) {
            for (const std::uint32_t s : {2, 3, 4, 6}) {
                if (s < std::min(sides[0], sides[1])) {
                    all.push_back(express_mesh(sides, layout, s));
                }
            }
        }
        all.push_back(express_mesh({5, 4, 6}, layout, 3));
        all.push_back(express_mesh({4, 4, 4}, layout, 2));
    }
    for (const std::uint32_t s : {4, 5, 6}) {
        all.push_back(express_mesh({16}, "shifted", s));
        all.push_back(express_mesh({16, 16}, "shifted", s));
        all.push_back(express_mesh({9, 14}, "shifted", s));
        all.push_back(compound({16, 16}, s));
        all.push_back(compound({9, 14}, s));
    }
    all.push_back(compound({4, 4}, 2));
    for (const std::uint32_t levels : {1, 2, 3}) {
        all.push_back(express_mesh({16}, "hierarchy", 2, levels));
        all.push_back(express_mesh({16, 16}, "hierarchy", 2, levels));
        all.push_back(express_mesh({11, 17}, "hierarchy", 2, levels));
    }
    all.push_back(express_mesh({10, 10, 10}, "hierarchy", 3, 2));
    return all;
}

Graph build(const TopologyConfig& topology) {
    Config config;
    config.fabric.topology = topology;
    return build_topology(config);
}

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
    // Those whose nodes stand in no lines are defined in topology_families_test.cpp.
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

Graph custom(NodeId nodes, const std::vector<std::pair<NodeId, NodeId>>& channels) {
    Graph graph("custom", {nodes}, nodes + 1);
    for (const auto& [a, b] : channels) {
        Link link;
        link.from = a;
        link.to = b;
        link.from_port = b + 1;
        link.to_port = a + 1;
        graph.add_link(link);
        std::swap(link.from, link.to);
        std::swap(link.from_port, link.to_port);
        graph.add_link(link);
    }
    return graph;
}

TEST(TopologyCost, AWireIsOnTheSideOfItsLeftEnd) {
    EXPECT_EQ(maximum_collective_width(custom(4, {{0, 3}, {1, 3}, {2, 3}})), 2U);
    EXPECT_EQ(maximum_collective_width(custom(4, {{3, 0}, {0, 1}, {2, 0}})), 3U);
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

// ---- Routing ------------------------------------------------------------------------------------

/// The figures by following every path and searching from every node.
RoutingMetrics follow_all(const Definition& d, const Graph& graph, const Routing& routing) {
    RoutingMetrics result;
    std::vector<std::vector<NodeId>> neighbours(d.nodes);
    for (const auto& [a, b] : d.channels) {
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    }
    double pairs = 0;
    for (NodeId source = 0; source < d.nodes; ++source) {
        std::map<NodeId, std::uint32_t> shortest{{source, 0}};
        std::vector<NodeId> open{source};
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (const NodeId to : neighbours[open[i]]) {
                if (shortest.emplace(to, shortest[open[i]] + 1).second) open.push_back(to);
            }
        }
        for (NodeId destination = 0; destination < d.nodes; ++destination) {
            if (source == destination) continue;
            const auto hops =
                static_cast<std::uint32_t>(route_links(graph, routing, source, destination).size());
            const std::uint32_t extra = hops - shortest[destination];
            ++pairs;
            result.mean_hops += hops;
            result.max_hops = std::max(result.max_hops, hops);
            result.mean_extra_hops += extra;
            result.max_extra_hops = std::max(result.max_extra_hops, extra);
            result.detour_share += extra != 0 ? 1 : 0;
        }
    }
    result.mean_hops /= pairs;
    result.mean_extra_hops /= pairs;
    result.detour_share /= pairs;
    return result;
}

std::unique_ptr<Routing> default_routing(const Definition& d, const Graph& graph,
                                         const std::string& name = "auto") {
    Config config;
    config.fabric.topology = d.config;
    config.fabric.virtual_channels = 2;
    config.fabric.routing = name;
    return make_routing(config, graph);
}

TEST(RoutingCost, IsThatOfFollowingEveryPath) {
    std::vector<Definition> all = {mesh({5, 4}),
                                   torus({6, 5}),
                                   ghc({4, 5}),
                                   hypercube(5),
                                   how({7, 6}, {3, 2}),
                                   express_mesh({9, 9}, "full", 3),
                                   express_mesh({9, 9}, "sparse", 3),
                                   express_mesh({13, 11}, "shifted", 4),
                                   compound({9, 9}, 4),
                                   express_mesh({13, 9}, "hierarchy", 2, 3)};
    for (const Definition& d : all) {
        for (const char* name : {"auto", "up_down"}) {
            SCOPED_TRACE(d.name + ' ' + name);
            const Graph graph = build(d.config);
            const auto routing = default_routing(d, graph, name);
            const RoutingMetrics expected = follow_all(d, graph, *routing);
            const RoutingMetrics m = measure_routing(graph, *routing);
            EXPECT_NEAR(m.mean_hops, expected.mean_hops, 1e-9);
            EXPECT_EQ(m.max_hops, expected.max_hops);
            EXPECT_NEAR(m.mean_extra_hops, expected.mean_extra_hops, 1e-9);
            EXPECT_EQ(m.max_extra_hops, expected.max_extra_hops);
            EXPECT_NEAR(m.detour_share, expected.detour_share, 1e-9);
            EXPECT_EQ(m.destinations, d.nodes);
        }
    }
}

TEST(RoutingCost, NamesTheDetoursOfExpressMeshesAndNoneElsewhere) {
    for (const Definition& d : {mesh({8, 8}), torus({8, 5}), ghc({4, 4, 3}), hypercube(6),
                                how({8, 8}, {3, 3}), how({9, 5}, {8, 2})}) {
        const Graph graph = build(d.config);
        const RoutingMetrics m = measure_routing(graph, *default_routing(d, graph));
        EXPECT_EQ(m.max_extra_hops, 0U) << d.name;
        EXPECT_EQ(m.detour_share, 0.0) << d.name;
        EXPECT_NEAR(m.mean_hops, measure_topology(graph).average_distance, 1e-9) << d.name;
    }
    const Definition sparse = express_mesh({16, 16}, "sparse", 4);
    const Graph graph = build(sparse.config);
    EXPECT_EQ(measure_routing(graph, *default_routing(sparse, graph)).max_extra_hops, 0U);
    const RoutingMetrics m = measure_routing(graph, *make_dimension_order(graph));
    EXPECT_GT(m.detour_share, 0.5);
    EXPECT_EQ(m.max_hops, 30U);
}

TEST(RoutingCost, OfASampleIsNearTheWhole) {
    const Graph graph = build_ghc({40, 40});
    Config config;
    config.fabric.topology = grid("ghc", {40, 40});
    const RoutingMetrics m = measure_routing(graph, *make_routing(config, graph));
    EXPECT_LT(m.destinations, 1600U);
    EXPECT_GT(m.destinations, 200U);
    EXPECT_NEAR(m.mean_hops, measure_topology(graph).average_distance, 1e-9);  // all nodes alike
}

TEST(RoutingCost, OfNoNodesIsNothing) {
    const Graph graph = build_mesh({2, 2});
    for (const char* const name : {"auto", "valiant"}) {
        Config config;
        config.fabric.topology = grid("mesh", {2, 2});
        config.fabric.routing = name;
        config.fabric.virtual_channels = 2;
        const RoutingMetrics m = measure_routing(graph, *make_routing(config, graph), {});
        EXPECT_EQ(m.destinations, 0U);
        EXPECT_EQ(m.mean_hops, 0.0);
    }
}

/// On a line of three fully joined nodes: directly, or, every other packet, over the third node.
class Detours final : public Routing {
public:
    Detours(const Graph& graph, PathChoice choice) : graph_(graph), choice_(choice) {}
    std::string name() const override { return "detours"; }
    PathChoice path_choice() const override { return choice_; }
    RouteChoice route(NodeId at, NodeId destination) const override {
        for (PortId port = 1; port < graph_.port_count(); ++port) {
            const LinkId id = graph_.out_link(at, port);
            if (id != kNoLink && graph_.link(id).to == destination) return {port};
        }
        return {kLocalPort};
    }
    RouteChoice route(const RouteQuery& query) const override {
        const bool begins = query.in_port == kLocalPort && query.source != query.destination;
        if (!begins || query.sequence % 2 == 0) return route(query.at, query.destination);
        return route(query.at, 3 - query.source - query.destination);
    }
    void route(const RouteQuery& query, RouteChoices& choices) const override {
        choices.clear();
        choices.add(route(query.at, query.destination));
        choices.add(route(query));
    }

private:
    const Graph& graph_;
    PathChoice choice_;
};

TEST(RoutingCost, FollowsPacketsWhereThePathIsNotFixed) {
    const Graph graph = build_ghc({3});
    // Sequence numbers are source + destination: odd for the pairs 0-1 and 1-2.
    const RoutingMetrics oblivious = measure_routing(graph, Detours(graph, PathChoice::kPerPacket));
    EXPECT_NEAR(oblivious.mean_hops, (4 * 2 + 2 * 1) / 6.0, 1e-9);
    EXPECT_EQ(oblivious.max_extra_hops, 1U);
    EXPECT_NEAR(oblivious.detour_share, 4 / 6.0, 1e-9);
    const RoutingMetrics adaptive = measure_routing(graph, Detours(graph, PathChoice::kAdaptive));
    EXPECT_NEAR(adaptive.mean_hops, 1.0, 1e-9);
    EXPECT_EQ(adaptive.max_extra_hops, 0U);
}

// ---- Wire budgets -------------------------------------------------------------------------------

Config with_budget(const std::string& topology, const std::string& budget) {
    return parse_config("fabric: {topology: {" + topology + "}, " + budget + "}\n", "c.yaml");
}

std::uint32_t bits_of(const std::string& topology, const std::string& budget) {
    Config config = with_budget(topology, budget);
    apply_wire_budget(config, build_topology(config));
    return config.fabric.flit_bits;
}

TEST(WireBudget, IsDividedByTheLargestDegree) {
    EXPECT_EQ(bits_of("kind: mesh, dims: [8, 8]", "pin_budget: 512"), 128U);
    EXPECT_EQ(bits_of("kind: hypercube, dimensions: 6", "pin_budget: 512"), 80U);  // 85
    EXPECT_EQ(bits_of("kind: ghc, dims: [8, 8]", "pin_budget: 512"), 32U);         // 36
    EXPECT_EQ(bits_of("kind: how, dims: [8, 8], window: 2", "pin_budget: 512"), 64U);
    EXPECT_EQ(bits_of("kind: express_mesh, dims: [16, 16], segment: 4, layout: shifted",
                      "pin_budget: 512"),
              96U);  // 102
}

TEST(WireBudget, IsDividedByTheBisection) {
    EXPECT_EQ(bits_of("kind: mesh, dims: [8, 8]", "bisection_budget: 1000"), 120U);  // 125
    EXPECT_EQ(bits_of("kind: torus, dims: [8, 8]", "bisection_budget: 1024"), 64U);
    EXPECT_EQ(bits_of("kind: hypercube, dimensions: 6", "bisection_budget: 1024"), 32U);
    EXPECT_EQ(bits_of("kind: how, dims: [8, 8], window: 2", "bisection_budget: 1024"), 40U);  // 42
}

TEST(WireBudget, LeavesAtMostTheWidestFlit) {
    EXPECT_EQ(bits_of("kind: mesh, dims: [8]", "pin_budget: 2048"), 1024U);
    EXPECT_EQ(bits_of("kind: mesh, dims: [8]", "pin_budget: 9000"), 1024U);
    Config config = with_budget("kind: mesh, dims: [8]", "pin_budget: 9000");
    EXPECT_THAT(wire_budget_text(config, build_mesh({8})),
                HasSubstr("9000 wires / 2 links of a node = 4496 bits, cut to 1024"));
}

TEST(WireBudget, RefusesLessThanTheNarrowestFlitAndSaysWhatWorks) {
    Config config = with_budget("kind: ghc, dims: [8, 8]", "pin_budget: 223");
    const Graph graph = build_topology(config);
    try {
        apply_wire_budget(config, graph);
        FAIL() << "accepted";
    } catch (const ConfigError& error) {
        EXPECT_EQ(error.findings().at(0).str(),
                  "c.yaml:1:59: error: a pin budget of 223 wires leaves 15 to each of the 14 links "
                  "of a node of ghc 8x8, and a flit has at least 16 bits (at least 224)");
    }
    EXPECT_EQ(bits_of("kind: ghc, dims: [8, 8]", "pin_budget: 224"), 16U);
    config = with_budget("kind: mesh, dims: [8, 8]", "bisection_budget: 127");
    EXPECT_THROW(apply_wire_budget(config, build_topology(config)), ConfigError);
    EXPECT_EQ(bits_of("kind: mesh, dims: [8, 8]", "bisection_budget: 128"), 16U);
}

TEST(WireBudget, OfZeroOrWithoutLinksChangesNothing) {
    EXPECT_EQ(bits_of("kind: mesh, dims: [8]", "pin_budget: 0, flit_bits: 48"), 48U);
    EXPECT_EQ(bits_of("kind: mesh, dims: [1]", "pin_budget: 512"), 64U);
    EXPECT_EQ(bits_of("kind: mesh, dims: [1]", "bisection_budget: 512"), 64U);
    EXPECT_EQ(
        wire_budget_text(with_budget("kind: mesh, dims: [8]", "pin_budget: 0"), build_mesh({8})),
        "");
}

TEST(WireBudget, CountsLinksOfOneDirection) {
    Graph star("custom", {4}, 4);  // node 0 hears three, and speaks to one of them
    for (const auto& [from, to, out, in] : std::vector<std::tuple<NodeId, NodeId, PortId, PortId>>{
             {1, 0, 1, 1}, {2, 0, 1, 2}, {3, 0, 1, 3}, {0, 1, 1, 1}, {1, 2, 2, 1}, {2, 3, 2, 1}}) {
        Link link;
        link.from = from;
        link.to = to;
        link.from_port = out;
        link.to_port = in;
        star.add_link(link);
    }
    Config config;
    config.fabric.pin_budget = 96;
    apply_wire_budget(config, star);
    EXPECT_EQ(config.fabric.flit_bits, 32U);
    config.fabric.pin_budget = 0;
    config.fabric.bisection_budget = 96;  // {0, 1} and {2, 3}: 2-0, 3-0 one way, 1-2 the other
    apply_wire_budget(config, star);
    EXPECT_EQ(config.fabric.flit_bits, 48U);
}

TEST(WireBudget, IsWrittenInPlaceOfTheFlitWidth) {
    for (const char* budget : {"pin_budget: 520", "bisection_budget: 520"}) {
        Config config = with_budget("kind: mesh, dims: [4, 4]", budget);
        apply_wire_budget(config, build_topology(config));
        const std::string text = to_yaml(config);
        EXPECT_THAT(text, HasSubstr(budget));
        EXPECT_THAT(text, testing::Not(HasSubstr("flit_bits")));
        Config again = parse_config(text, "again.yaml");
        apply_wire_budget(again, build_topology(again));
        EXPECT_EQ(again.fabric.flit_bits, 128U);
        EXPECT_EQ(again.fabric.flit_bits, config.fabric.flit_bits);
    }
}

}  // namespace
}  // namespace flitscope
