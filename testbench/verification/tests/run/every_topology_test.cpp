// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Every topology under every kind of traffic: all of it arrives, and the engines and the golden
// model agree to the cycle. On an idle machine packets take what closed forms say, written here
// from the definitions of the papers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/powers_of_two.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/reference/random_machine.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "traffic/patterns/pattern_source.h"

namespace flitscope {
namespace {

using Place = std::vector<std::uint32_t>;

/// The costs of a packet's way.
struct Way {
    std::uint32_t hops = 0;
    std::uint32_t wire = 0;  ///< length of all links together, in node pitches

    Way& operator+=(const Way& other) {
        hops += other.hops;
        wire += other.wire;
        return *this;
    }
};

// ---- Closed forms: lines ------------------------------------------------------------------------

std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

/// From place `from` to place `to` of a line, the lines crossing it at `others`.
using Line = std::function<Way(std::uint32_t from, std::uint32_t to, std::uint32_t side,
                               const Place& others)>;

Way mesh_line(std::uint32_t from, std::uint32_t to, std::uint32_t, const Place&) {
    return {apart(from, to), apart(from, to)};
}

Way complete_line(std::uint32_t from, std::uint32_t to, std::uint32_t, const Place&) {
    return {from == to ? 0U : 1U, apart(from, to)};
}

Line how_line(std::uint32_t window) {
    return [=](std::uint32_t from, std::uint32_t to, std::uint32_t, const Place&) {
        return Way{(apart(from, to) + window - 1) / window, apart(from, to)};
    };
}

/// The fewest hops of these lengths, and of 1, that do not pass the end of the way.
std::uint32_t fewest_hops(std::uint32_t distance, const std::vector<std::uint32_t>& offsets) {
    std::uint32_t fewest = distance;
    for (const std::uint32_t offset : offsets) {
        if (offset > distance) continue;
        fewest = std::min(fewest, 1 + fewest_hops(distance - offset, offsets));
    }
    return fewest;
}

Line sparse_line(const std::vector<std::uint32_t>& offsets) {
    return [=](std::uint32_t from, std::uint32_t to, std::uint32_t, const Place&) {
        return Way{fewest_hops(apart(from, to), offsets), apart(from, to)};
    };
}

/// The shorter way around; if both are equally long, + from even places (for sides up to 4).
bool goes_plus(std::uint32_t from, std::uint32_t to, std::uint32_t side) {
    const std::uint32_t ahead = (to + side - from) % side;
    return 2 * ahead == side ? from % 2 == 0 : 2 * ahead < side;
}

Way ring_line(std::uint32_t from, std::uint32_t to, std::uint32_t side, const Place&) {
    const std::uint32_t straight = apart(from, to);
    if (goes_plus(from, to, side) == (from < to) || straight == 0) return {straight, straight};
    const std::uint32_t around = side - straight;
    return {around, around - 1 + side - 1};  // one wire goes back over all of the side
}

/// Rings whose places are in the order 0, k-1, 1, k-2, ...
Way folded_line(std::uint32_t from, std::uint32_t to, std::uint32_t side, const Place&) {
    const auto lies_at = [side](std::uint32_t place) {
        for (std::uint32_t at = 0;; ++at) {
            if ((at % 2 == 0 ? at / 2 : side - 1 - at / 2) == place) return at;
        }
    };
    Way way;
    const std::uint32_t step = goes_plus(from, to, side) ? 1 : side - 1;
    for (std::uint32_t at = from; at != to; at = (at + step) % side, ++way.hops) {
        way.wire += apart(lies_at(at), lies_at((at + step) % side));
    }
    return way;
}

std::uint32_t multiple_up(std::uint32_t x, std::uint32_t of) { return (x + of - 1) / of * of; }

/// To the first terminal on the way, along express links of spans.back() to the last one, and on;
/// with the shorter spans in the same way before and after. `spans` are those that the line has.
std::uint32_t layered_hops(std::uint32_t low, std::uint32_t high,
                           std::vector<std::uint32_t> spans) {
    if (spans.empty()) return high - low;
    const std::uint32_t span = spans.back();
    spans.pop_back();
    const std::uint32_t first = multiple_up(low, span);
    const std::uint32_t last = high / span * span;
    if (first >= last) return layered_hops(low, high, spans);
    return layered_hops(low, first, spans) + (last - first) / span +
           layered_hops(last, high, spans);
}

/// Express links of `spans`, everywhere or, if `sparse`, in one line out of every span.
Line express_line(std::vector<std::uint32_t> spans, bool sparse) {
    return [=](std::uint32_t from, std::uint32_t to, std::uint32_t, const Place& others) {
        std::vector<std::uint32_t> here;
        for (const std::uint32_t span : spans) {
            const auto misses = [span](std::uint32_t place) { return place % span != 0; };
            const bool has = std::none_of(others.begin(), others.end(), misses);
            if (has || !sparse) here.push_back(span);
        }
        return Way{layered_hops(std::min(from, to), std::max(from, to), here), apart(from, to)};
    };
}

/// Express links from jL + shift to (j + 1)L + shift - 1.
Line shifted_line(std::uint32_t segment, std::uint32_t shift) {
    return [=](std::uint32_t from, std::uint32_t to, std::uint32_t, const Place& others) {
        Way way = mesh_line(from, to, 0, others);
        if (!others.empty() && others[0] % segment != 0) return way;
        const std::uint32_t high = std::max(from, to);
        for (std::uint32_t at = shift; at + segment - 1 <= high; at += segment) {
            if (at >= std::min(from, to)) way.hops -= segment - 2;
        }
        return way;
    };
}

// ---- Closed forms: networks ---------------------------------------------------------------------

Place place_of(NodeId node, const Place& sides) {
    Place place(sides.size());
    for (std::size_t dim = sides.size(); dim-- > 0; node /= sides[dim])
        place[dim] = node % sides[dim];
    return place;
}

/// One line after the other, the last dimension first. A step along a dimension is as long as all
/// faster-varying ones of the same axis are wide; the axes are rows and columns.
Way grid_way(const Place& sides, const std::vector<Line>& lines, Place from, const Place& to,
             const Place& router_room = {1, 1}) {
    Way way;
    std::uint32_t pitch = router_room[1];
    for (std::size_t dim = sides.size(); dim-- > 0;) {
        Place others = from;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(dim));
        Way along = lines[dim](from[dim], to[dim], sides[dim], others);
        along.wire *= pitch;
        way += along;
        from[dim] = to[dim];
        pitch = dim == sides.size() / 2 ? router_room[0] : pitch * sides[dim];
    }
    return way;
}

using WayOf = std::function<Way(NodeId from, NodeId to)>;

WayOf grid(const Place& sides, const std::vector<Line>& lines) {
    return [=](NodeId from, NodeId to) {
        return grid_way(sides, lines, place_of(from, sides), place_of(to, sides));
    };
}

WayOf grid(const Place& sides, const Line& line) {
    return grid(sides, std::vector<Line>(sides.size(), line));
}

/// Rows or lines of routers with a block of nodes each, which has their room. Nodes are numbered in
/// rows over all blocks.
WayOf blocks(const Place& sides, const Place& block, const Line& line) {
    return [=](NodeId from, NodeId to) {
        const auto router = [&](NodeId node) {
            Place all = sides;
            for (std::size_t dim = 0; dim < sides.size(); ++dim) all[dim] *= block[dim];
            Place place = place_of(node, all);
            for (std::size_t dim = 0; dim < sides.size(); ++dim) place[dim] /= block[dim];
            return place;
        };
        return grid_way(sides, std::vector<Line>(sides.size(), line), router(from), router(to),
                        {block.front(), block.back()});
    };
}

/// The nodes from `nodes` on are attached to these routers, in addition to node n on router n.
WayOf with_extras(const WayOf& way, NodeId nodes, const std::vector<std::uint32_t>& at) {
    return [=](NodeId from, NodeId to) {
        const auto router = [&](NodeId node) { return node < nodes ? node : at[node - nodes]; };
        return way(router(from), router(to));
    };
}

/// The sparse layout with two nodes at every terminal, one of the row and one of the column, joined
/// by a link of length 1.
WayOf compound(const Place& sides, std::uint32_t segment) {
    return [=](NodeId from, NodeId to) {
        const NodeId in_grid = sides[0] * sides[1];
        const std::uint32_t across = (sides[1] + segment - 1) / segment;
        const auto place = [=](NodeId node) {
            if (node < in_grid) return place_of(node, sides);
            const NodeId terminal = node - in_grid;
            return Place{terminal / across * segment, terminal % across * segment};
        };
        const Place a = place(from);
        const Place b = place(to);
        Way way = grid_way(sides, {2, express_line({segment}, true)}, a, b);
        // Where the packet is after each part of its way: at the node of the row, or of the column.
        std::vector<std::pair<Place, bool>> stays{{a, from >= in_grid}};
        if (a[1] != b[1]) stays.insert(stays.end(), {{a, false}, {{a[0], b[1]}, false}});
        if (a[0] != b[0]) stays.insert(stays.end(), {{{a[0], b[1]}, true}, {b, true}});
        stays.emplace_back(b, to >= in_grid);
        for (std::size_t i = 1; i < stays.size(); ++i) {
            const auto& [at, column] = stays[i];
            const bool is_terminal = at[0] % segment == 0 && at[1] % segment == 0;
            if (is_terminal && at == stays[i - 1].first && column != stays[i - 1].second) {
                way += {1, 1};
            }
        }
        return way;
    };
}

std::uint32_t power(std::uint32_t base, std::uint32_t exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/// Row and column of the tile of a node.
using TileOf = std::function<std::pair<std::uint32_t, std::uint32_t>(NodeId)>;

/// From the stage with the nodes up to the lowest whose routers are above both, then down. Every
/// router is in the middle of the tiles of the nodes below it, on the way those of a subtree of the
/// source, then of the destination.
WayOf fat_tree(std::uint32_t k, const TileOf& tile) {
    return [=](NodeId from, NodeId to) {
        const auto twice_the_middle = [=](NodeId end, std::uint32_t s) {
            const NodeId first = end / power(k, s + 1) * power(k, s + 1);
            auto [top, left] = tile(first);
            auto [bottom, right] = tile(first);
            for (NodeId node = first; node < first + power(k, s + 1); ++node) {
                const auto [row, column] = tile(node);
                top = std::min(top, row);
                left = std::min(left, column);
                bottom = std::max(bottom, row);
                right = std::max(right, column);
            }
            return std::pair(top + bottom, left + right);
        };
        Way way;
        for (std::uint32_t s = 0; from / power(k, s + 1) != to / power(k, s + 1); ++s) {
            for (const NodeId end : {from, to}) {
                const auto [row, column] = twice_the_middle(end, s);
                const auto [above, beside] = twice_the_middle(end, s + 1);
                const std::uint32_t twice = apart(row, above) + apart(column, beside);
                way += {1, std::max(1U, (twice + 1) / 2)};
            }
        }
        return way;
    };
}

/// Groups of a = 3 or 4 routers with p nodes each in a row, blocks of two rows of two routers, so
/// many abreast; the j-th global channel of a group leads to the one j + 1 before it, h of them to
/// a router, and the number of the destination's router chooses among those to its group.
WayOf dragonfly(std::uint32_t g, std::uint32_t a, std::uint32_t h, std::uint32_t abreast,
                std::uint32_t p = 1) {
    return [=](NodeId from, NodeId to) {
        const auto wire = [=](std::uint32_t group, std::uint32_t x, std::uint32_t other,
                              std::uint32_t y) {
            const auto row = [=](std::uint32_t of, std::uint32_t at) {
                return of / abreast * 2 + at / 2;
            };
            const auto column = [=](std::uint32_t of, std::uint32_t at) {
                return of % abreast * 2 + at % 2;
            };
            return apart(row(group, x), row(other, y)) +
                   apart(column(group, x), column(other, y)) * p;
        };
        const std::uint32_t here = from / p / a;
        const std::uint32_t there = to / p / a;
        const std::uint32_t starts = from / p % a;
        const std::uint32_t ends = to / p % a;
        const auto local = [=](std::uint32_t x, std::uint32_t y) {
            return Way{x == y ? 0U : 1U, wire(0, x, 0, y)};
        };
        if (here == there) return local(starts, ends);
        const std::uint32_t round = ends % (a * h / (g - 1));
        const auto router = [=](std::uint32_t group, std::uint32_t other) {
            return (round * (g - 1) + (group + g - 1 - other) % g) / h;
        };
        const std::uint32_t leaves = router(here, there);
        const std::uint32_t arrives = router(there, here);
        Way way = local(starts, leaves);
        way += {1, wire(here, leaves, there, arrives)};
        way += local(arrives, ends);
        return way;
    };
}

/// A tree in which node n is below node (n - 1) / 2, by links of length 1.
Way tree_way(NodeId a, NodeId b) {
    Way way;
    for (; a != b; way += {1, 1}) (a > b ? a : b) = ((a > b ? a : b) - 1) / 2;
    return way;
}

// ---- The machines -------------------------------------------------------------------------------

struct Topology {
    std::string name;
    std::string keys;  ///< keys of fabric.topology
    WayOf way;
    bool has_rings = false;  ///< with more than three nodes: datelines need two virtual channels
};

/// For this process: others run other tests of this file meanwhile.
std::string tree_file() {
    const std::string path =
        fmt::format("{}every_topology_tree_{}.yaml", testing::TempDir(), ::getpid());
    std::ofstream file(path);
    file << "nodes: 11\nlinks:\n";
    for (NodeId n = 1; n < 11; ++n) {
        file << fmt::format("  - {{from: {}, to: {}, both: true}}\n", n, (n - 1) / 2);
    }
    return path;
}

const std::vector<Topology>& topologies() {
    static const std::vector<Topology> all = {
        {"Mesh", "kind: mesh, dims: [3, 2, 4]", grid({3, 2, 4}, mesh_line)},
        {"Torus", "kind: torus, dims: [5, 4]", grid({5, 4}, ring_line), true},
        {"SolidTorus", "kind: torus, dims: [4, 4, 2]",
         grid({4, 4, 2}, {ring_line, ring_line, mesh_line}), true},
        {"FoldedTorus", "kind: torus, dims: [7, 4], folded: true", grid({7, 4}, folded_line), true},
        {"SmallTorus", "kind: torus, dims: [3, 3]", grid({3, 3}, ring_line)},
        {"Hypercube", "kind: hypercube, dimensions: 5", grid({2, 2, 2, 2, 2}, mesh_line)},
        {"Ghc", "kind: ghc, dims: [4, 3]", grid({4, 3}, complete_line)},
        {"SquareGhc", "kind: ghc, dims: [4, 4]", grid({4, 4}, complete_line)},
        {"How", "kind: how, dims: [8, 8], window: 3", grid({8, 8}, how_line(3))},
        {"HowLine", "kind: how, dims: [16], window: 4", grid({16}, how_line(4))},
        {"MixedHow", "kind: how, dims: [4, 6, 3], window: [2, 3, 1]",
         grid({4, 6, 3}, {how_line(2), how_line(3), how_line(1)})},
        {"SparseHamming", "kind: sparse_hamming, dims: [5, 9], offsets: [[3], [3, 4]]",
         grid({5, 9}, {sparse_line({3}), sparse_line({3, 4})})},
        {"SparseHammingLine", "kind: sparse_hamming, dims: [16], offsets: [2, 5, 11]",
         grid({16}, sparse_line({2, 5, 11}))},
        {"Express", "kind: express_mesh, dims: [8, 8], segment: 3",
         grid({8, 8}, express_line({3}, false))},
        {"ExpressLine", "kind: express_mesh, dims: [16], segment: 4",
         grid({16}, express_line({4}, false))},
        {"SolidExpress", "kind: express_mesh, dims: [4, 3, 5], segment: 2, layout: sparse",
         grid({4, 3, 5}, express_line({2}, true))},
        {"Sparse", "kind: express_mesh, dims: [7, 9], segment: 3, layout: sparse",
         grid({7, 9}, express_line({3}, true))},
        {"Shifted", "kind: express_mesh, dims: [6, 9], segment: 4, layout: shifted",
         grid({6, 9}, {shifted_line(4, 2), shifted_line(4, 1)})},
        {"Compound", "kind: express_mesh, dims: [6, 7], segment: 3, layout: compound",
         compound({6, 7}, 3)},
        {"Hierarchy", "kind: express_mesh, dims: [5, 9], segment: 2, layout: hierarchy, levels: 2",
         grid({5, 9}, express_line({2, 4}, true))},
        {"FatTree", "kind: fat_tree, arity: 2, height: 3",
         fat_tree(2, [](NodeId n) { return std::pair(n / 2 % 2, n / 4 * 2 + n % 2); })},
        {"WideFatTree", "kind: fat_tree, arity: 5, height: 2",
         fat_tree(5, [](NodeId n) { return std::pair(n / 5, n % 5); })},
        {"OneSwitch", "kind: fat_tree, arity: 6, height: 1",
         fat_tree(6, [](NodeId n) { return std::pair(n / 3, n % 3); })},
        {"Dragonfly", "kind: dragonfly, groups: 5, group_size: 4, global_links: 1",
         dragonfly(5, 4, 1, 3)},
        {"DoubleDragonfly", "kind: dragonfly, groups: 4, group_size: 3, global_links: 2",
         dragonfly(4, 3, 2, 2)},
        {"LooseDragonfly", "kind: dragonfly, groups: 6, group_size: 4, global_links: 2",
         dragonfly(6, 4, 2, 3)},
        {"ConcentratedMesh", "kind: mesh, dims: [2, 4], concentration: [2, 2]",
         blocks({2, 4}, {2, 2}, mesh_line)},
        {"ConcentratedTorus", "kind: torus, dims: [4, 3], concentration: [2, 1]",
         blocks({4, 3}, {2, 1}, ring_line), true},
        {"FlattenedButterfly", "kind: ghc, dims: [3, 3], concentration: [1, 3]",
         blocks({3, 3}, {1, 3}, complete_line)},
        {"ConcentratedHow", "kind: how, dims: [9], window: 3, concentration: 3",
         blocks({9}, {3}, how_line(3))},
        {"ConcentratedDragonfly",
         "kind: dragonfly, groups: 4, group_size: 3, global_links: 2, concentration: 2",
         dragonfly(4, 3, 2, 2, 2)},
        {"MeshWithMemories", "kind: mesh, dims: [3, 4], extra_nodes: [0, 11, 0]",
         with_extras(grid({3, 4}, mesh_line), 12, {0, 11, 0})},
        {"Custom", "kind: custom, file: '" + tree_file() + "'", tree_way},
    };
    return all;
}

constexpr const char* kConstantDelay = "1";
constexpr const char* kLinearDelay = "{model: linear, reach: 1}";
constexpr const char* kPhysicalDelay =  // a cycle per node pitch, too
    "{model: physical, pitch_mm: 2, ns_per_mm: 0.5}";

Config config_of(const Topology& topology, std::uint32_t virtual_channels, const char* link_delay,
                 const std::string& traffic) {
    // With several virtual channels the TLM engine is exact if the switch is held.
    return parse_config(
        fmt::format("fabric: {{topology: {{{}}}, virtual_channels: {}, link_delay: {}{}}}\n"
                    "traffic: {{{}}}\n",
                    topology.keys, virtual_channels, link_delay,
                    virtual_channels > 1 ? ", switch_arbitration: per_packet" : "", traffic),
        topology.name);
}

/// A machine with a program: a pattern's messages are drawn beforehand, but for replies.
Machine machine_of(const Config& config) {
    Machine machine = build_machine(config);
    require_deadlock_freedom(machine);
    if (machine.pattern && !machine.pattern->replies) {
        machine.program = std::make_shared<const Program>(materialise(config, machine.graph));
        machine.pattern.reset();
    }
    return machine;
}

class EveryTopology : public testing::TestWithParam<std::size_t> {
protected:
    const Topology& topology() const { return topologies()[GetParam()]; }
    std::vector<std::uint32_t> virtual_channels() const {
        return topology().has_rings ? std::vector<std::uint32_t>{2, 4}
                                    : std::vector<std::uint32_t>{1, 2};
    }
};

// ---- Tests --------------------------------------------------------------------------------------

TEST_P(EveryTopology, CarriesAllTrafficAndTheEnginesAgree) {
    const Graph graph = build_topology(config_of(topology(), 2, kConstantDelay, "schedule: gen"));
    const NodeId nodes = graph.node_count();
    const std::string block = "message_bytes: 24";
    std::vector<std::string> traffics = {
        "schedule: naive, " + block,
        "schedule: gen, " + block,
        fmt::format("schedule: broadcast, root: {}, message_bytes: 200", nodes / 2),
        "schedule: allgather, " + block,
        "schedule: scatter, message_bytes: 100",
        "schedule: scatter, algorithm: binomial, root: 1, " + block,
        "pattern: uniform, injection_rate: 0.5, message_bytes: 40, warmup_cycles: 0, "
        "measure_cycles: 120",
        // Bursts of short and long messages, many of them to one end.
        fmt::format(
            "pattern: mixed, mix: {{uniform: 2, hotspot: 1}}, hot_nodes: [0, {}], "
            "arrivals: bursty, burst_cycles: 20, injection_rate: 0.6, message_lengths: {{0: "
            "2, 24: 3, 200: 1}}, warmup_cycles: 0, measure_cycles: 150",
            nodes - 1),
        "pattern: uniform, arrivals: periodic, injection_rate: 0.7, message_lengths: {8: 1, 72: "
        "1}, "
        "warmup_cycles: 0, measure_cycles: 120",
        "pattern: uniform, reply_bytes: 72, reply_delay: 9, injection_rate: 0.6, message_bytes: 8, "
        "warmup_cycles: 0, measure_cycles: 120",
    };
    if (graph.wiring() && graph.has_node_per_router()) {
        traffics.push_back("schedule: broadcast, algorithm: dimension_order, message_bytes: 200");
    }
    if (is_power_of_two(nodes)) {
        traffics.push_back("schedule: pex, " + block);
        traffics.push_back("schedule: allgather, algorithm: recursive_doubling, " + block);
    }
    for (const std::uint32_t vcs : virtual_channels()) {
        for (const char* delay : {kConstantDelay, kLinearDelay}) {
            for (const std::string& traffic : traffics) {
                SCOPED_TRACE(
                    fmt::format("{} virtual channels, link_delay {}, {}", vcs, delay, traffic));
                const Machine machine = machine_of(config_of(topology(), vcs, delay, traffic));
                CompareCounts counts;
                EXPECT_EQ(compare_engines(machine, "tlm", counts), "");
                if (machine.program) {
                    EXPECT_EQ(counts.packets, machine.program->transfers.size());
                }
                EXPECT_GE(counts.packets, nodes - 1U);
                if (nodes > 32) continue;
                EXPECT_EQ(compare_machine_with_golden(machine, {}, counts), "");
            }
        }
    }
}

TEST_P(EveryTopology, TakesTheClosedFormOnAnIdleMachine) {
    constexpr std::uint32_t kRouterDelay = 1;
    constexpr Cycle kSpacing = 200;  // longer than any way
    constexpr std::uint64_t kFlits = 3;
    for (const char* delay : {kConstantDelay, kLinearDelay, kPhysicalDelay}) {
        Config config = config_of(topology(), 2, delay, "schedule: gen");
        Graph graph = build_topology(config);
        if (graph.wiring()) config.fabric.routing = "dimension_order";
        std::unique_ptr<Routing> routing = make_routing(config, graph);
        const NodeId nodes = graph.node_count();
        Program program = steps(nodes, {});
        program.ordering = Ordering::kTimed;
        for (NodeId source = 0; source < nodes; ++source) {
            for (NodeId destination = 0; destination < nodes; ++destination) {
                if (source == destination) continue;
                Transfer transfer{source, destination, 16};
                transfer.time = kSpacing * program.transfers.size();
                program.transfers.push_back(transfer);
            }
        }
        const Machine machine =
            make_machine(config, std::move(graph), std::move(routing), std::move(program));
        const Outcome outcome = run(machine, hw::ScanOrder::kAscending, false);
        ASSERT_EQ(outcome.result.verdict, Verdict::kComplete);
        ASSERT_EQ(outcome.packets.size(), std::size_t{nodes} * (nodes - 1));
        std::uint64_t flit_hops = 0;
        for (const PacketRecord& packet : outcome.packets) {
            const NodeId source = packet.message.source;
            const NodeId destination = packet.message.destination;
            const Way way = topology().way(source, destination);
            const Cycle on_wires = delay == kConstantDelay ? way.hops : way.wire;
            const Cycle head = kRouterDelay + way.hops * kRouterDelay + on_wires;
            EXPECT_EQ(packet.head_delivered - packet.begin, head)
                << source << " to " << destination << ", link_delay " << delay;
            EXPECT_EQ(packet.tail_delivered - packet.head_delivered, kFlits - 1)
                << source << " to " << destination << ", link_delay " << delay;
            flit_hops += kFlits * way.hops;
        }
        EXPECT_EQ(outcome.result.flit_hops, flit_hops);
    }
}

/// Runs of the first network are those of the second one, cycle by cycle.
TEST(SparseHamming, RunsAsTheFamiliesThatItContains) {
    const std::pair<const char*, const char*> equal[] = {
        {"kind: sparse_hamming, dims: [4, 5], offsets: []", "kind: mesh, dims: [4, 5]"},
        {"kind: sparse_hamming, dims: [4, 8], offsets: [[2], [2, 3, 4]]",
         "kind: how, dims: [4, 8], window: [2, 4]"},
        {"kind: sparse_hamming, dims: [4, 4], offsets: [2, 3]", "kind: ghc, dims: [4, 4]"},
        {"kind: sparse_hamming, dims: [3, 3], offsets: [2], concentration: [2, 2]",
         "kind: ghc, dims: [3, 3], concentration: [2, 2]"},
        {"kind: sparse_hamming, dims: [5, 5], offsets: [4]",
         "kind: express_mesh, dims: [5, 5], segment: 4"},
    };
    for (const auto& [sparse, other] : equal) {
        for (const char* const traffic :
             {"schedule: naive, message_bytes: 40",
              "pattern: uniform, injection_rate: 0.6, message_bytes: 40, warmup_cycles: 0, "
              "measure_cycles: 500"}) {
            SCOPED_TRACE(fmt::format("{}, {}", other, traffic));
            const auto hops_and_cycles = [&](const char* keys) {
                const Topology topology{"", keys, {}};
                const Machine machine = machine_of(config_of(topology, 1, kConstantDelay, traffic));
                const Outcome outcome = run(machine, hw::ScanOrder::kAscending, false);
                EXPECT_GT(outcome.result.messages_delivered, 50U);
                return std::pair(outcome.result.flit_hops, outcome.result.cycles);
            };
            EXPECT_EQ(hops_and_cycles(sparse), hops_and_cycles(other));
        }
    }
}

TEST(EveryTopology, IsOneOfEveryFamily) {
    std::set<std::string> tested;
    for (const Topology& topology : topologies()) {
        tested.insert(config_of(topology, 1, kConstantDelay, "schedule: gen").fabric.topology.kind);
    }
    for (const TopologyFamily& family : topology_families()) {
        EXPECT_EQ(tested.count(family.name), 1U) << family.name;
    }
}

TEST(RandomMachines, AreOfEveryFamily) {
    std::map<std::string, std::size_t> drawn;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        for (const CaseRange range : {CaseRange::kSmall, CaseRange::kWide}) {
            ++drawn[random_case(seed, range).config.fabric.topology.kind];
        }
    }
    for (const TopologyFamily& family : topology_families()) {
        EXPECT_GE(drawn[family.name], 10U) << family.name;
    }
}

std::vector<std::size_t> all_topologies() {
    std::vector<std::size_t> all(topologies().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryTopology, testing::ValuesIn(all_topologies()),
                         [](const auto& tested) { return topologies()[tested.param].name; });

}  // namespace
}  // namespace flitscope
