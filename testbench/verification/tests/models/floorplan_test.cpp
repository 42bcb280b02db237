// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Wires and chips of small networks, measured by hand in mm; fat trees and dragonflies laid out
// again from the tiles of their nodes.
#include "models/topology/families/floorplan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {
namespace {

Config config_of(const std::string& topology, const std::string& pitch_mm,
                 const std::string& more = "") {
    return parse_config("fabric: {topology: {" + topology +
                            "}, link_delay: {model: physical, ns_per_mm: 0.5, pitch_mm: " +
                            pitch_mm + "}" + more + "}\n",
                        "c.yaml");
}

/// What the wires of a network are, and its chip.
struct Measured {
    double all_mm = 0;      ///< channels
    std::set<double> each;  ///< lengths that occur
    ChipSize chip;
};

Measured measured(const Config& config) {
    const Graph graph = build_topology(config);
    Measured result;
    for (const Link& link : graph.links()) {
        result.all_mm += link.mm / 2;
        result.each.insert(link.mm);
        EXPECT_EQ(link.delay, std::max(1.0, std::ceil(link.mm * 0.5 - 1e-9)));
    }
    result.chip = chip_size(graph, config.fabric.link_delay);
    return result;
}

void expect(const Config& config, double all_mm, const std::set<double>& each, double width,
            double height) {
    SCOPED_TRACE(to_yaml(config));
    const Measured found = measured(config);
    EXPECT_DOUBLE_EQ(found.all_mm, all_mm);
    EXPECT_EQ(found.each, each);
    EXPECT_DOUBLE_EQ(found.chip.width_mm, width);
    EXPECT_DOUBLE_EQ(found.chip.height_mm, height);
}

TEST(Floorplan, MeasuresWiresAlongTheWidthAndTheHeightOfTiles) {
    // Two rows of three: two wires in each row, three between the rows.
    expect(config_of("kind: mesh, dims: [2, 3]", "[2, 3]"), 4 * 2 + 3 * 3, {2, 3}, 6, 6);
    expect(config_of("kind: mesh, dims: [2, 3]", "2"), 7 * 2, {2}, 6, 4);
    expect(config_of("kind: ghc, dims: [1, 3]", "[2, 3]"), 2 + 2 + 4, {2, 4}, 6, 3);
    expect(config_of("kind: torus, dims: [4, 1], folded: true", "[2, 3]"), 3 + 6 + 6 + 3, {3, 6}, 2,
           12);
}

TEST(Floorplan, GivesARouterTheTilesOfItsNodesButNoneForThoseInAddition) {
    const char* const keys = "kind: mesh, dims: [2, 2], concentration: [1, 3]";
    expect(config_of(keys, "[2, 3]"), 2 * 6 + 2 * 3, {6, 3}, 12, 6);
    expect(config_of(std::string(keys) + ", extra_nodes: [0, 0, 3]", "[2, 3]"), 2 * 6 + 2 * 3,
           {6, 3}, 12, 6);
}

/// 4 x 4 tiles: four routers in the middles of the quarters, four in the middle of the chip, from
/// each of which a wire leads to each of these, along one width and one height of a tile.
TEST(Floorplan, OfAFatTreeIsAnHTree) {
    expect(config_of("kind: fat_tree, arity: 4, height: 2", "1.5"), 16 * 3, {3}, 6, 6);
    expect(config_of("kind: fat_tree, arity: 4, height: 2", "[1, 2]"), 16 * 3, {3}, 4, 8);
    // A stage more: twice as far. The chip is that of the mesh of 64 nodes.
    expect(config_of("kind: fat_tree, arity: 4, height: 3", "1.5"), 64 * 3 + 64 * 6, {3, 6}, 12,
           12);
    expect(config_of("kind: mesh, dims: [8, 8]", "1.5"), 112 * 1.5, {1.5}, 12, 12);
    // Two nodes side by side, two of these above each other, two of these side by side.
    expect(config_of("kind: fat_tree, arity: 2, height: 3", "[1, 2]"), 8 * 1 + 8 * 1, {1}, 4, 4);
}

/// Each router is in the middle of the rectangle of the nodes that are reached by links down.
TEST(Floorplan, PutsRoutersOfAFatTreeInTheMiddleOfTheirNodes) {
    const Graph graph = build_fat_tree(4, 3);
    const std::uint32_t per_stage = 16;
    for (RouterId router; router < graph.router_count(); ++router) {
        std::set<RouterId> below{router};
        for (std::uint32_t stage = router / per_stage; stage > 0; --stage) {
            std::set<RouterId> next;
            for (const Link& link : graph.links()) {
                if (below.count(link.from) != 0 && link.to < link.from) next.insert(link.to);
            }
            below = next;
        }
        std::set<std::uint32_t> rows;
        std::set<std::uint32_t> columns;
        for (const RouterId lowest : below) {
            for (const NodeId n : graph.nodes_at(lowest)) {  // every second bit is of the row
                rows.insert((n >> 1U & 1U) | (n >> 2U & 2U) | (n >> 3U & 4U));
                columns.insert((n & 1U) | (n >> 1U & 2U) | (n >> 2U & 4U));
            }
        }
        EXPECT_EQ(graph.site(router).row, (*rows.begin() + *rows.rbegin()) / 2.0);
        EXPECT_EQ(graph.site(router).column, (*columns.begin() + *columns.rbegin()) / 2.0);
    }
}

/// Nine groups of 2 x 2 routers in 3 x 3 blocks; with four nodes a router has 2 x 2 tiles.
TEST(Floorplan, OfADragonflyHasItsGroupsInBlocks) {
    const char* const keys = "kind: dragonfly, groups: 9, group_size: 4, global_links: 2";
    for (const std::uint32_t side : {1U, 2U}) {
        const Config config =
            config_of(fmt::format("{}{}", keys, side == 1 ? "" : ", concentration: 4"), "[1, 2]");
        const Graph graph = build_topology(config);
        for (const Link& link : graph.links()) {
            const auto row = [](std::uint32_t router) { return router / 12 * 2 + router / 2 % 2; };
            const auto column = [](std::uint32_t router) {
                return router / 4 % 3 * 2 + router % 2;
            };
            const auto apart = [](std::uint32_t a, std::uint32_t b) {
                return a > b ? a - b : b - a;
            };
            const std::uint32_t rows = apart(row(link.from), row(link.to)) * side;
            const std::uint32_t columns = apart(column(link.from), column(link.to)) * side;
            EXPECT_EQ(link.length, rows + columns);
            EXPECT_DOUBLE_EQ(link.mm, columns + 2 * rows);
        }
        const ChipSize chip = chip_size(graph, config.fabric.link_delay);
        EXPECT_DOUBLE_EQ(chip.width_mm, 6 * side);
        EXPECT_DOUBLE_EQ(chip.height_mm, 12 * side);
    }
}

/// Two cores of 1 x 1 mm and a switch between them; a memory controller left of the tiles, without
/// one.
TEST(Floorplan, OfACustomGraphHasItsPositionsInMillimetres) {
    const std::string path = fmt::format("{}floorplan_{}.yaml", testing::TempDir(), ::getpid());
    std::ofstream(path) << "nodes: 4\nendpoints: 2\n"
                           "positions: [[0.5, 1.5], [0.5, 3.25], [0.5, 2.5], [1, 0.75]]\n"
                           "links:\n"
                           "  - {from: 0, to: 2, both: true}\n"
                           "  - {from: 2, to: 1, both: true}\n"
                           "  - {from: 3, to: 0, both: true}\n"
                           "  - {from: 3, to: 2, both: true, length: 4}\n";
    const std::string keys = "kind: custom, file: '" + path + "', extra_nodes: {mem: 3}";
    // From the controller at 0.75 mm to the end of the right core; as high as cores, and to the
    // controller at their upper edge.
    expect(config_of(keys, "1"), 1 + 0.75 + 1.25 + 4, {0.75, 1, 1.25, 4}, 3, 1);
    const Graph graph = build_topology(config_of(keys, "1"));
    EXPECT_EQ(graph.link(graph.link_between(RouterId(3), RouterId(0), 0)).length, 2U);  // of 1.25
    EXPECT_FALSE(graph.has_tile(RouterId(3)));
    EXPECT_TRUE(graph.has_tile(RouterId(1)));
}

/// Half a millimetre between dies of 1 x 2 tiles.
TEST(Floorplan, HasGapsBetweenDies) {
    const std::string dies = ", link_rate: {die: [1, 2], gap_mm: 0.5}";
    expect(config_of("kind: mesh, dims: [2, 4]", "[2, 3]", dies), 2 * (2 + 2.5 + 2) + 4 * 3.5,
           {2, 2.5, 3.5}, 8.5, 6.5);
    // The link of length 4 passes both gaps of three dies.
    expect(config_of("kind: sparse_hamming, dims: [6], offsets: [4]", "2",
                     ", link_rate: {die: [2], gap_mm: 0.5}"),
           3 * 2 + 2 * 2.5 + 2 * 9, {2, 2.5, 9}, 13, 2);
    // One die has none.
    expect(config_of("kind: mesh, dims: [2, 4]", "2", ", link_rate: {die: [2, 4], gap_mm: 0.5}"),
           10 * 2, {2}, 8, 4);
    const auto error = [&](const std::string& topology, const std::string& more) {
        return refused_with([&] { build_topology(config_of(topology, "2", more)); });
    };
    EXPECT_THAT(error("kind: mesh, dims: [2, 2, 2]", ", link_rate: {die: [1, 1, 1], gap_mm: 1}"),
                testing::HasSubstr("not for 3 dimensions"));
    EXPECT_THAT(error("kind: torus, dims: [4, 4]", ", link_rate: {die: [2, 4]}"),
                testing::HasSubstr("key 'die' does not apply to topology kind 'torus'"));
    EXPECT_THAT(error("kind: express_mesh, dims: [4, 4], segment: 3, layout: compound",
                      ", link_rate: {die: [2, 4]}"),
                testing::HasSubstr("has no grid of routers that dies could divide"));
}

TEST(Floorplan, KeepsTilesAsTheyAreWritten) {
    const auto again = [](const std::string& pitch_mm) {
        const Config config = config_of("kind: mesh, dims: [2]", pitch_mm);
        const LinkDelayConfig read = parse_config(to_yaml(config), "again.yaml").fabric.link_delay;
        return std::pair(read.pitch_mm, read.row_mm());
    };
    EXPECT_EQ(again("[2, 3.5]"), std::pair(2.0, 3.5));
    EXPECT_EQ(again("2"), std::pair(2.0, 2.0));
    EXPECT_EQ(again("[2, 2]"), std::pair(2.0, 2.0));
    for (const char* const wrong : {"[2]", "[1, 2, 3]", "[]"}) {
        EXPECT_THAT(refused_with([&] { config_of("kind: mesh, dims: [2]", wrong); }),
                    testing::HasSubstr("'fabric.link_delay.pitch_mm' must be a "
                                       "number, or a list of two"));
    }
    EXPECT_THROW(config_of("kind: mesh, dims: [2]", "[1, 0]"), ConfigError);
    EXPECT_THROW(config_of("kind: mesh, dims: [2]", "[0, 1]"), ConfigError);
}

}  // namespace
}  // namespace flitscope
