// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Complete exchanges of bounded contention, checked by walking every route.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "traffic/program/program_report.h"
#include "traffic/schedules/exchange/bounded_contention.h"
#include "traffic/schedules/exchange/line_classes.h"

namespace flitscope {
namespace {

using Sides = std::vector<std::uint32_t>;

/// A directed link of a line or ring: the position it leaves, and whether it goes to the right.
using Step = std::pair<std::uint32_t, bool>;

std::vector<Step> way(const Move& move, std::uint32_t side, bool ring) {
    const std::uint32_t forward = (move.to + side - move.from) % side;
    bool plus = move.from < move.to;
    if (ring) {
        const bool tie = 2 * forward == side;
        plus = tie ? move.from % (side / 2) % 2 == 0 : 2 * forward < side;
    }
    std::vector<Step> steps;
    for (std::uint32_t at = move.from; at != move.to;) {
        steps.emplace_back(at, plus);
        at = (at + (plus ? 1 : side - 1)) % side;
    }
    return steps;
}

void expect_classes(const std::vector<LineClass>& classes, std::uint32_t side, bool ring) {
    SCOPED_TRACE((ring ? "ring " : "line ") + std::to_string(side));
    ASSERT_EQ(classes.size(), side);
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const LineClass& patterns : classes) {
        EXPECT_LE(patterns.size(), ring ? (side + 7) / 8 : (side + 3) / 4);
        std::set<std::uint32_t> sources;
        std::set<std::uint32_t> destinations;
        for (const MovePattern& pattern : patterns) {
            std::set<Step> used;
            for (const Move& move : pattern) {
                EXPECT_TRUE(pairs.insert({move.from, move.to}).second);
                EXPECT_TRUE(sources.insert(move.from).second);
                EXPECT_TRUE(destinations.insert(move.to).second);
                for (const Step& step : way(move, side, ring)) {
                    EXPECT_TRUE(used.insert(step).second);
                }
            }
        }
        EXPECT_EQ(sources.size(), side);
    }
    EXPECT_EQ(pairs.size(), std::size_t{side} * side);
}

TEST(LineClasses, CoverEveryPairOnceWithoutContention) {
    for (std::uint32_t side = 1; side <= 64; ++side) {
        expect_classes(line_classes(side), side, false);
    }
}

TEST(RingClasses, CoverEveryPairOnceWithoutContention) {
    for (std::uint32_t side = 2; side <= 64; side += 2) {
        expect_classes(ring_classes(side), side, true);
    }
}

struct Bounded {
    std::size_t steps = 0;
    std::uint64_t link_contention = 0;
    std::uint32_t node_contention = 0;
};

Bounded examine(const Graph& graph, std::uint32_t contention) {
    const Program program = bounded_contention(graph, 8, contention);
    const ExchangeReport exchange = check_complete_exchange(program);
    EXPECT_TRUE(exchange.complete()) << graph.description();
    const auto routing = make_dimension_order(graph, 2);
    Bounded result;
    for (const StepReport& step : analyse(program, graph, *routing, {})) {
        ++result.steps;
        result.link_contention = std::max(result.link_contention, step.max_link_contention);
        result.node_contention =
            std::max({result.node_contention, step.max_sends, step.max_receives});
    }
    EXPECT_EQ(result.steps, program.step_count()) << "a step without messages";
    return result;
}

TEST(BoundedContention, TakesTheStepsOfTheBisectionBoundOnSquareMeshes) {
    // side, contention, steps: Bokhari and Nicol's Table 2, with the entries that their rule leaves
    // blank (errata 002, SCOTT_SCHEDULE section 6).
    const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::size_t>> cases = {
        {4, 1, 16},    {8, 1, 128},   {8, 2, 64},   {12, 1, 432}, {12, 2, 216},
        {12, 3, 144},  {16, 1, 1024}, {16, 2, 512}, {16, 4, 256}, {16, 3, 384},
        {20, 1, 2000}, {20, 2, 1000}, {20, 4, 500}, {20, 5, 400}, {24, 6, 576}};
    for (const auto& [side, contention, steps] : cases) {
        const Bounded result = examine(build_mesh({side, side}), contention);
        EXPECT_EQ(result.steps, steps) << side << " contention " << contention;
        EXPECT_EQ(result.link_contention, contention);
        EXPECT_EQ(result.node_contention, 1U);
    }
}

TEST(BoundedContention, LetsNodesSendSeveralMessagesBeyondAQuarterOfTheSide) {
    const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::size_t>> cases = {
        {4, 2, 8}, {4, 4, 4}, {8, 4, 32}, {8, 8, 16}, {12, 6, 72}, {12, 12, 36}, {16, 8, 128}};
    for (const auto& [side, contention, steps] : cases) {
        const Bounded result = examine(build_mesh({side, side}), contention);
        EXPECT_EQ(result.steps, steps) << side << " contention " << contention;
        EXPECT_LE(result.link_contention, contention);
        EXPECT_EQ(result.node_contention, contention / (side / 4));
    }
}

TEST(BoundedContention, CoversRectanglesAndMoreDimensions) {
    const std::vector<std::tuple<Sides, std::uint32_t, std::size_t>> cases = {
        {{4, 8}, 1, 64},       {{8, 4}, 1, 64},        {{8, 12}, 1, 288},    {{8, 12}, 3, 96},
        {{16, 4}, 1, 256},     {{4, 4, 4}, 1, 64},     {{8, 8, 8}, 1, 1024}, {{8, 8, 8}, 2, 512},
        {{4, 8, 12}, 1, 1152}, {{4, 4, 4, 4}, 1, 256}, {{16}, 1, 64},        {{12, 4, 4}, 3, 192}};
    for (const auto& [sides, contention, steps] : cases) {
        const Graph graph = build_mesh(sides);
        const Bounded result = examine(graph, contention);
        EXPECT_EQ(result.steps, steps) << graph.description();
        EXPECT_EQ(result.link_contention, contention) << graph.description();
        EXPECT_EQ(result.node_contention, 1U) << graph.description();
    }
}

TEST(BoundedContention, CoversSidesThatAreNoMultiplesOfFour) {
    for (const Sides& sides : std::vector<Sides>{{1},
                                                 {2},
                                                 {3},
                                                 {5},
                                                 {6, 6},
                                                 {7, 7},
                                                 {5, 5},
                                                 {9, 9},
                                                 {10, 3},
                                                 {4, 5},
                                                 {2, 2},
                                                 {3, 3, 3},
                                                 {13, 2},
                                                 {1, 6},
                                                 {11, 4}}) {
        const Graph graph = build_mesh(sides);
        const std::uint32_t longest = *std::max_element(sides.begin(), sides.end());
        const std::uint32_t most = (longest + 3) / 4;
        for (const std::uint32_t contention : {1U, most}) {
            const Bounded result = examine(graph, contention);
            EXPECT_LE(result.steps,
                      std::size_t{graph.node_count()} * ((most + contention - 1) / contention))
                << graph.description();
            EXPECT_LE(result.link_contention, contention) << graph.description();
            EXPECT_LE(result.node_contention, 1U) << graph.description();
        }
    }
}

// The bound by their links, as for multiples of 4.
TEST(BoundedContention, FillsTheLinksOfSquaresWithAnOddNumberOfMirrorPairs) {
    for (const std::uint32_t side : {6U, 10U, 14U, 18U, 22U, 26U}) {
        const Bounded result = examine(build_mesh({side, side}), 1);
        EXPECT_EQ(result.steps, side * side * side / 4) << side;
        EXPECT_EQ(result.link_contention, 1U) << side;
        EXPECT_EQ(result.node_contention, 1U) << side;
    }
}

// That bound again, and for 4q + 1 (n + 1) / n of it (SCOTT_SCHEDULE, section 7.3).
TEST(BoundedContention, LosesLittleOnSquaresOfOddSide) {
    for (const std::uint32_t side : {5U, 7U, 9U, 11U, 13U, 15U, 17U, 19U, 23U, 25U}) {
        const Bounded result = examine(build_mesh({side, side}), 1);
        const std::uint32_t bound = side * (side * side - 1) / 4;
        EXPECT_EQ(result.steps, side % 4 == 3 ? bound : bound / side * (side + 1)) << side;
        EXPECT_EQ(result.link_contention, 1U) << side;
        EXPECT_EQ(result.node_contention, 1U) << side;
    }
}

TEST(BoundedContention, TakesHalfTheStepsOnTori) {
    const std::vector<std::tuple<Sides, std::uint32_t, std::size_t>> cases = {
        {{8, 8}, 1, 64},     {{16, 16}, 1, 512},  {{16, 16}, 2, 256}, {{8, 16}, 1, 256},
        {{8, 8, 8}, 1, 512}, {{2, 2}, 1, 3},      {{4, 4}, 1, 16},    {{6, 6}, 1, 36},
        {{24, 24}, 3, 576},  {{4, 6, 8}, 1, 192}, {{12, 12}, 2, 144}};
    for (const auto& [sides, contention, steps] : cases) {
        const Graph graph = build_torus(sides);
        const Bounded result = examine(graph, contention);
        EXPECT_EQ(result.steps, steps) << graph.description();
        EXPECT_LE(result.link_contention, contention) << graph.description();
        EXPECT_EQ(result.node_contention, 1U) << graph.description();
    }
}

// The turns of one direction are an odd number there, which leaves one without a partner in each
// class: n^3 / 8 steps on square ones whose side is a multiple of 4 all the same.
TEST(BoundedContention, PairsOppositeDirectionsAcrossClassesOfTori) {
    const std::vector<std::tuple<Sides, std::size_t>> cases = {
        {{12, 12}, 216}, {{20, 20}, 1000}, {{12}, 18},     {{12, 4}, 72},      {{4, 12}, 72},
        {{12, 8}, 144},  {{10, 10}, 150},  {{6, 12}, 108}, {{12, 12, 4}, 864}, {{6, 4, 12}, 432},
        {{18, 6}, 270},  {{20, 12}, 600},  {{10}, 15},     {{4, 10, 4}, 240}};
    for (const auto& [sides, steps] : cases) {
        const Graph graph = build_torus(sides);
        const Bounded result = examine(graph, 1);
        EXPECT_EQ(result.steps, steps) << graph.description();
        EXPECT_EQ(result.link_contention, 1U) << graph.description();
        EXPECT_EQ(result.node_contention, 1U) << graph.description();
    }
}

TEST(BoundedContention, LetsNodesSendSeveralMessagesOnEveryGrid) {
    const std::vector<std::tuple<Graph, std::uint32_t, std::size_t, std::uint32_t>> cases = {
        {build_mesh({8, 12}), 6, 48, 2},
        {build_mesh({4, 4, 8}), 4, 64, 2},
        {build_mesh({4, 4, 8}), 8, 32, 4},
        {build_torus({8, 8}), 2, 32, 2},
        {build_torus({8, 16}), 4, 64, 2}};
    for (const auto& [graph, contention, steps, sends] : cases) {
        const Bounded result = examine(graph, contention);
        EXPECT_EQ(result.steps, steps) << graph.description();
        EXPECT_LE(result.link_contention, contention) << graph.description();
        EXPECT_EQ(result.node_contention, sends) << graph.description();
    }
}

// ---- Bokhari and Nicol 1996, Figures 4 and 5 ----------------------------------------------------

/// A permutation of an 8 x 8 mesh as printed: per node the row and column of its target, or "--".
using Panel = std::vector<std::string>;

const std::vector<Panel>& panels() {
    static const std::vector<Panel> all = {
        {"-- -- 14 12 15 13 -- --", "-- -- 74 72 75 73 -- --", "36 30 -- -- -- -- 37 31",
         "56 50 -- -- -- -- 57 51", "26 20 -- -- -- -- 27 21", "46 40 -- -- -- -- 47 41",
         "-- -- 04 02 05 03 -- --", "-- -- 64 62 65 63 -- --"},
        {"21 27 -- -- -- -- 20 26", "-- -- 43 45 42 44 -- --", "71 77 -- -- -- -- 70 76",
         "-- -- 13 15 12 14 -- --", "-- -- 63 65 62 64 -- --", "01 07 -- -- -- -- 00 06",
         "-- -- 33 35 32 34 -- --", "51 57 -- -- -- -- 50 56"},
        {"35 -- 30 -- -- 37 -- 32", "-- 23 -- 26 21 -- 24 --", "-- 63 -- 66 61 -- 64 --",
         "75 -- 70 -- -- 77 -- 72", "05 -- 00 -- -- 07 -- 02", "-- 13 -- 16 11 -- 14 --",
         "-- 53 -- 56 51 -- 54 --", "45 -- 40 -- -- 47 -- 42"},
        {"11 17 -- -- -- -- 10 16", "71 77 -- -- -- -- 70 76", "-- -- 33 35 32 34 -- --",
         "-- -- 53 55 52 54 -- --", "-- -- 23 25 22 24 -- --", "-- -- 43 45 42 44 -- --",
         "01 07 -- -- -- -- 00 06", "61 67 -- -- -- -- 60 66"},
        {"-- -- 13 15 12 14 -- --", "-- -- 73 75 72 74 -- --", "31 37 -- -- -- -- 30 36",
         "51 57 -- -- -- -- 50 56", "21 27 -- -- -- -- 20 26", "41 47 -- -- -- -- 40 46",
         "-- -- 03 05 02 04 -- --", "-- -- 63 65 62 64 -- --"},
    };
    return all;
}

using Pairs = std::set<std::pair<NodeId, NodeId>>;

Pairs pairs_of(const Panel& panel) {
    Pairs pairs;
    for (NodeId row = 0; row < 8; ++row) {
        std::istringstream cells(panel[row]);
        std::string cell;
        for (NodeId column = 0; cells >> cell; ++column) {
            if (cell == "--") continue;
            const auto to_row = static_cast<NodeId>(cell[0] - '0');
            const auto to_column = static_cast<NodeId>(cell[1] - '0');
            pairs.insert({8 * row + column, 8 * to_row + to_column});
        }
    }
    return pairs;
}

Pairs step_of(const Program& program, StepId step) {
    Pairs pairs;
    for (const Transfer& t : program.transfers) {
        if (t.step == step) pairs.insert({t.source, t.destination});
    }
    return pairs;
}

TEST(BoundedContention, HasThePrintedPermutationsAmongItsPhases) {
    const Program program = bounded_contention(build_mesh({8, 8}), 8, 1);
    std::map<Pairs, StepId> phases;
    for (StepId step = 0; step < 128; ++step) phases[step_of(program, step)] = step;
    std::vector<StepId> found;
    for (const Panel& panel : panels()) {
        const Pairs pairs = pairs_of(panel);
        ASSERT_EQ(pairs.size(), 32U);  // a fraction 4 / n of the nodes is active
        const auto phase = phases.find(pairs);
        ASSERT_NE(phase, phases.end());
        found.push_back(phase->second);
    }
    // Three of Figure 4, two of Figure 5 (SCOTT_SCHEDULE, head and section 4).
    EXPECT_EQ(found, (std::vector<StepId>{43, 72, 114, 40, 41}));
}

TEST(BoundedContention, CollapsesTheTwoPermutationsOfFigureFiveIntoTheThird) {
    const Graph graph = build_mesh({8, 8});
    const Program program = bounded_contention(graph, 8, 2);
    Pairs both = pairs_of(panels()[3]);
    both.merge(pairs_of(panels()[4]));
    EXPECT_EQ(both.size(), 64U);
    EXPECT_EQ(step_of(program, 20), both);
    const auto steps = analyse(program, graph, *make_dimension_order(graph, 2), {});
    EXPECT_EQ(steps[20].max_link_contention, 2U);
    EXPECT_EQ(steps[20].max_sends, 1U);
    EXPECT_EQ(steps[20].max_receives, 1U);
}

}  // namespace
}  // namespace flitscope
