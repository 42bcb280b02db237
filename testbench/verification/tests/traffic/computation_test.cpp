// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The computations of Cheung and Lau without a simulator: right values, the step counts of the
// errata, and nothing that the one-port model forbids.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/computations/computations.h"
#include "traffic/computations/grid_computations.h"
#include "traffic/computations/value_operations.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kPrefix = "schedule: prefix, operation: concat";
const std::string kMedianRow = "schedule: median-row";
const std::string kClosest = "schedule: closest-neighbour";
const std::string kMedian = "schedule: median";

Config configure(const std::string& topology, const std::string& traffic, std::uint64_t seed = 1) {
    return parse_config(fmt::format("fabric: {{topology: {{{}}}}}\ntraffic: {{{}}}\nseed: {}\n",
                                    topology, traffic, seed),
                        "test.yaml");
}

/// Steps of a computation that obeys the model and gives the right values.
std::size_t steps(const std::string& topology, const std::string& traffic, std::uint64_t seed = 1) {
    const Config config = configure(topology, traffic, seed);
    const Graph graph = build_topology(config);
    const Computation computation = build_computation(config, graph);
    SCOPED_TRACE(topology + ' ' + traffic);
    EXPECT_EQ(computation.plan.nodes, graph.node_count());
    EXPECT_THAT(check_plan(computation.plan, graph), IsEmpty());
    EXPECT_THAT(wrong_results(computation, execute(computation)), IsEmpty());
    EXPECT_TRUE(traffic == kClosest || !computation.expected.empty());  // there may be no ones
    for (const ComputationStep& step : computation.plan.steps) EXPECT_FALSE(step.moves.empty());
    return computation.plan.steps.size();
}

std::string express(const std::vector<std::uint32_t>& sides, std::uint32_t segment,
                    const std::string& layout = "full", std::uint32_t levels = 0) {
    return fmt::format("kind: express_mesh, dims: [{}], segment: {}, layout: {}{}",
                       fmt::join(sides, ", "), segment, layout,
                       levels == 0 ? "" : fmt::format(", levels: {}", levels));
}

std::string grid(const std::string& kind, const std::vector<std::uint32_t>& sides,
                 std::uint32_t window = 0) {
    return fmt::format("kind: {}, dims: [{}]{}", kind, fmt::join(sides, ", "),
                       window == 0 ? "" : fmt::format(", window: {}", window));
}

std::string semigroup(const std::string& algorithm, const std::string& operation = "concat",
                      std::uint32_t values = 1) {
    return fmt::format("schedule: semigroup, {}operation: {}, values_per_node: {}",
                       algorithm.empty() ? "" : "algorithm: " + algorithm + ", ", operation,
                       values);
}

TEST(Computations, TakeTheStepsOfTheErrataOnSquareMeshes) {
    for (std::uint32_t s = 2; s <= 8; ++s) {
        const std::uint32_t n = s * s;
        SCOPED_TRACE("s " + std::to_string(s));
        EXPECT_EQ(steps(express({n}, s), semigroup("")), 2 * s - 2);
        EXPECT_EQ(steps(express({n, n}, s), semigroup("rows")), 4 * s - 4);
        EXPECT_EQ(steps(express({n, n}, s), semigroup("submeshes")), 4 * s - 4);
        EXPECT_EQ(steps(express({n, n}, s, "sparse"), semigroup("")), 4 * s - 4);
        EXPECT_EQ(steps(express({n, n}, s, "sparse"), semigroup("row_major")), 5 * s - 5);
        EXPECT_EQ(steps(express({n, n}, s, "full"), semigroup("row_major")), 5 * s - 5);
        EXPECT_EQ(steps(express({n, n}, s, "sparse"), semigroup("row_major_printed", "sum")),
                  6 * s - 6);
        EXPECT_EQ(steps(express({n, n}, s, "compound"), semigroup("")), 4 * s - 2);
        if (s >= 4) {
            EXPECT_EQ(steps(express({n, n}, s, "shifted"), semigroup("")), 6 * s - 4);
        }
        EXPECT_EQ(steps(grid("mesh", {n, n}), semigroup("")), 2 * (n - 1));
        EXPECT_EQ(steps(express({n}, s), kPrefix), 3 * s - 3);
        EXPECT_EQ(steps(express({n, n}, s), kPrefix), 8 * s - 8);
        EXPECT_EQ(steps(express({n, n}, s), kMedianRow), 8 * s - 8);
        if (s <= 6) {
            EXPECT_EQ(steps(express({n, n}, s), kClosest), 12 * s - 12);
        }
    }
    EXPECT_EQ(steps(express({256, 256}, 16), semigroup("")), 60U);
    EXPECT_EQ(steps(express({9, 9, 9}, 3), semigroup("")), 12U);
    EXPECT_EQ(steps(express({4, 4, 4, 4}, 2), semigroup("")), 8U);
}

TEST(Computations, TakeTheStepsOfTheErrataOnHierarchies) {
    // 2 (r + 1) (b - 1) on b^(r + 1) nodes a side.
    EXPECT_EQ(steps(express({16, 16}, 4, "hierarchy", 1), semigroup("")), 12U);
    EXPECT_EQ(steps(express({64, 64}, 4, "hierarchy", 2), semigroup("")), 18U);
    EXPECT_EQ(steps(express({27, 27}, 3, "hierarchy", 2), semigroup("")), 12U);
    EXPECT_EQ(steps(express({16, 16}, 2, "hierarchy", 3), semigroup("")), 8U);
    EXPECT_EQ(steps(express({64, 64}, 2, "hierarchy", 5), semigroup("")), 12U);
    EXPECT_EQ(steps(express({256, 256}, 4, "hierarchy", 3), semigroup("")), 24U);
}

TEST(Computations, HaveTheRightValuesForEveryOperationOnEveryLayout) {
    const std::vector<std::string> networks = {express({16}, 4),
                                               express({7, 11}, 3),
                                               express({10, 6}, 4, "sparse"),
                                               express({9, 9}, 4, "shifted"),
                                               express({16, 14}, 5, "shifted"),
                                               express({11, 9}, 4, "compound"),
                                               express({13, 10}, 3, "hierarchy", 2),
                                               grid("mesh", {5, 7}),
                                               grid("torus", {5, 8}),
                                               grid("torus", {3, 2, 4}),
                                               grid("how", {9, 8}, 3),
                                               grid("how", {11}, 2),
                                               grid("ghc", {5, 6}),
                                               "kind: hypercube, dimensions: 5"};
    for (const std::string& network : networks) {
        for (const ValueOperation& operation : value_operations()) {
            steps(network, semigroup("", operation.name));
            steps(network, semigroup("", operation.name, 3));
        }
    }
}

TEST(Computations, KeepTheOrderOnEverySizeThatLinksFit) {
    for (std::uint32_t n = 3; n <= 14; ++n) {
        for (std::uint32_t segment = 2; segment < n; ++segment) {
            const auto on = [&](const std::string& layout) {
                return express({n, n + segment % 3}, segment, layout);
            };
            steps(on("full"), semigroup("rows"));
            steps(on("sparse"), semigroup("submeshes"));
            steps(on("sparse"), semigroup("row_major"));
            steps(on("compound"), semigroup(""));
            if (segment >= 4) {
                steps(on("shifted"), semigroup(""));
                steps(express({n}, segment, "shifted"), semigroup(""));
            }
            steps(on("full"), kPrefix);
            steps(on("full"), kMedianRow);
            steps(on("full"), kClosest);
        }
    }
}

TEST(Computations, OfALineTakeTheLongestSegmentAndTheTerminals) {
    const auto line = [](std::uint32_t n, std::uint32_t segment) {
        return steps(express({n}, segment), semigroup(""));
    };
    for (std::uint32_t n = 3; n <= 40; ++n) {
        for (std::uint32_t segment = 2; segment < n; ++segment) {
            EXPECT_EQ(line(n, segment), segment - 1 + (n + segment - 1) / segment - 1);
        }
    }
    // The square root is the best length, and the only one.
    for (const std::uint32_t root : {4U, 8U, 10U, 16U, 64U}) {
        for (std::uint32_t segment = 2; segment < std::min(root * root, 3 * root); ++segment) {
            if (segment == root) continue;
            EXPECT_GT(line(root * root, segment), 2 * root - 2);
        }
    }
    for (std::uint32_t segment = 4; segment <= 8; ++segment) EXPECT_EQ(line(32, segment), 10U);
}

TEST(Computations, UseTheLinksOfOtherNetworks) {
    // Both ways round a ring; trees in a window and hops of a whole one; halving in a line of a
    // GHC.
    EXPECT_EQ(steps(grid("torus", {16, 16}), semigroup("")), 16U);
    EXPECT_EQ(steps(grid("torus", {5}), semigroup("")), 3U);
    EXPECT_EQ(steps(grid("torus", {3}), semigroup("")), 2U);
    EXPECT_EQ(steps(grid("how", {16, 16}, 4), semigroup("")), 10U);
    EXPECT_EQ(steps(grid("how", {16}, 15), semigroup("")), 4U);
    EXPECT_EQ(steps(grid("ghc", {16, 16}), semigroup("")), 8U);
    EXPECT_EQ(steps("kind: hypercube, dimensions: 8", semigroup("")), 8U);
    for (const std::string& network :
         {grid("mesh", {6, 5}), grid("torus", {6, 5}), grid("torus", {4, 3}),
          grid("how", {9, 10}, 3), grid("how", {8, 7}, 2), grid("ghc", {5, 8})}) {
        steps(network, kPrefix);
        steps(network, kMedianRow);
        steps(network, kClosest);
        steps(network, kMedian);
    }
    steps("kind: hypercube, dimensions: 6", kPrefix);
    steps(grid("mesh", {12}), kPrefix);
    steps(grid("torus", {3, 4, 5}), kPrefix);
    EXPECT_EQ(steps(express({9, 9, 9}, 3), kPrefix), 26U);  // 8s - 8, and 5s - 5 for one more
}

TEST(Computations, PrefixTakesOtherOperationsAndSeveralValues) {
    for (const ValueOperation& operation : value_operations()) {
        for (const std::uint32_t values : {1U, 4U}) {
            steps(express({9, 10}, 3), fmt::format("schedule: prefix, operation: {}, "
                                                   "values_per_node: {}",
                                                   operation.name, values));
        }
    }
}

TEST(Computations, AreRightForManySeeds) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        steps(express({9, 9}, 3), kMedianRow, seed);
        steps(express({9, 9}, 3), kClosest, seed);
        steps(express({5, 4}, 3), kClosest, seed);  // few ones, for some seeds none next to another
        steps(express({5, 4}, 3), kMedianRow, seed);
        steps(express({9, 9}, 3), kMedian, seed);
        steps(express({9, 9}, 3), semigroup("", "affine"), seed);
    }
}

TEST(Computations, MedianTakesTheRoundsThatItsNumbersNeed) {
    std::set<std::uint32_t> seen;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const std::uint32_t rounds = median_rounds(256, seed);
        EXPECT_EQ(steps(express({16, 16}, 4), kMedian, seed), 12 * (2 * rounds + 1));
        seen.insert(rounds);
    }
    EXPECT_GT(seen.size(), 3U);
}

TEST(Computations, MedianIsTheLowerOne) {
    for (const char* network : {"kind: mesh, dims: [4, 4]", "kind: mesh, dims: [3, 5]"}) {
        const Config config = configure(network, kMedian);
        const Computation computation = build_computation(config, build_topology(config));
        std::vector<std::int64_t> numbers;
        for (NodeId node = 0; node < computation.plan.nodes; ++node) {
            numbers.push_back(computation.initial.at(node, 0).words[0]);  // 2^16 x number + node
        }
        std::sort(numbers.begin(), numbers.end());
        EXPECT_EQ(computation.expected[0].value.words[0], numbers[7] >> 16);
    }
}

/// Errata, section C: mean and 95th percentile 9.6 and 15 of 256 numbers, 15.1 and 22 of 4096. In
/// theory a number d places from the median becomes a pivot with probability 1 / (d + 1), when it
/// is the first to be chosen of those between: H(k) + H(N - k + 1) - 1 rounds.
TEST(Computations, MedianRoundsAreThoseOfQuickselect) {
    const auto harmonic = [](NodeId n) {
        double sum = 0;
        for (NodeId k = 1; k <= n; ++k) sum += 1.0 / k;
        return sum;
    };
    const auto measure = [&](NodeId numbers, std::uint32_t seeds, double errata_mean,
                             std::uint32_t errata_p95) {
        std::vector<std::uint32_t> rounds;
        double sum = 0;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            rounds.push_back(median_rounds(numbers, seed));
            sum += rounds.back();
        }
        std::sort(rounds.begin(), rounds.end());
        const double mean = sum / seeds;
        std::printf("%u numbers: mean %.2f, p95 %u\n", numbers, mean, rounds[seeds * 95 / 100]);
        const double expected = harmonic(numbers / 2) + harmonic(numbers / 2 + 1) - 1;
        EXPECT_NEAR(mean, expected, 0.03 * expected);
        EXPECT_NEAR(mean, errata_mean, 0.06 * errata_mean);
        EXPECT_NEAR(rounds[seeds * 95 / 100], errata_p95, 1);
    };
    measure(256, 2000, 9.6, 15);
    measure(4096, 400, 15.1, 22);
}

TEST(Algorithm4, IsOutOfOrderAsPrinted) {
    const Config config = configure(express({16, 16}, 4, "sparse"), semigroup("row_major_printed"));
    const Graph graph = build_topology(config);
    const Computation computation = build_computation(config, graph);
    EXPECT_THAT(check_plan(computation.plan, graph), IsEmpty());
    EXPECT_THAT(wrong_results(computation, execute(computation)),
                ElementsAre("semigroup concat of 256 values: node 0 holds values out of order "
                            "instead of values 0 to 255"));
}

TEST(ValueOperation, IsAssociativeAndCommutesAsItSays) {
    for (const ValueOperation& operation : value_operations()) {
        const auto& combine = operation.combine;
        for (std::uint64_t i = 0; i < 50; ++i) {
            const Value a = operation.draw(7, i);
            const Value b = operation.draw(7, i + 1);
            const Value c = operation.draw(7, i + 2);
            EXPECT_EQ(combine(a, combine(b, c)), combine(combine(a, b), c)) << operation.name;
            EXPECT_EQ(combine(a, b) == combine(b, a), operation.commutes) << operation.name;
            EXPECT_EQ(combine(Value(), a), a);
            EXPECT_EQ(combine(a, Value()), a);
        }
        EXPECT_EQ(operation.draw(7, 3), operation.draw(7, 3));
    }
    const ValueOperation& concat = value_operation("concat");
    const Value gap = concat.combine(concat.draw(1, 0), concat.draw(1, 2));
    EXPECT_EQ(concat.text(gap), "values out of order");
    EXPECT_EQ(concat.text(concat.combine(gap, concat.draw(1, 3))), "values out of order");
    EXPECT_THROW(value_operation("product"), std::invalid_argument);
}

/// Plans that break one rule each.
TEST(CheckComputation, FindsEveryKindOfFault) {
    const Graph graph = build_mesh({4});
    const auto problems = [&](std::vector<ValueMove> moves,
                              std::vector<LocalOperation> after = {}) {
        ComputationPlan plan;
        plan.nodes = 4;
        plan.registers = 2;
        plan.operators.resize(1);
        plan.steps = {{std::move(moves), std::move(after)}};
        return fmt::format("{}", fmt::join(check_plan(plan, graph), "\n"));
    };
    EXPECT_EQ(problems({{0, 1}, {1, 2}, {2, 3}}), "");
    EXPECT_EQ(problems({{0, 2}}), "step 1: 0 sends to 2, to whom it has no link");
    EXPECT_THAT(problems({{1, 0}, {1, 2}}), HasSubstr("1 sends to 2 while it sends another one"));
    EXPECT_THAT(problems({{0, 1}, {2, 1}}), HasSubstr("who receives from another one"));
    EXPECT_THAT(problems({{0, 1}, {1, 0}}), HasSubstr("over a channel used the other way"));
    EXPECT_THAT(problems({{0, 1, 2, 0}}), HasSubstr("from or to what does not exist"));
    EXPECT_THAT(problems({{0, 1, 0, 2}}), HasSubstr("from or to what does not exist"));
    EXPECT_THAT(problems({{0, 1, 0, 0, Receive::kStore, 1}}), HasSubstr("does not exist"));
    EXPECT_THAT(problems({}, {{0, 2, 0, 0, 0}}), HasSubstr("an operation of node 0 uses"));
    EXPECT_THAT(problems({}, {{4, 0, 0, 0, 0}}), HasSubstr("an operation of node 4 uses"));
}

TEST(WrongResults, NameWhoHoldsWhatInsteadOfWhat) {
    const Config config = configure(grid("mesh", {4, 4}), "schedule: prefix, operation: concat");
    Computation computation = build_computation(config, build_topology(config));
    Registers registers = execute(computation);
    registers.at(15, computation.expected[0].id) = Value({0, 7, 0});
    EXPECT_THAT(wrong_results(computation, registers),
                ElementsAre("prefix concat of 16 values: node 15 holds values 0 to 6 instead of "
                            "values 0 to 15"));
    EXPECT_EQ(describe_results(computation),
              "prefix concat of 16 values: node 15 holds values 0 to 15, all 32 results equal to "
              "direct computation");
    EXPECT_EQ(wrong_results(computation, computation.initial).size(), 11U);
}

std::string refusal(const std::string& topology, const std::string& traffic) {
    return refused_with([&] {
        const Config config = configure(topology, traffic);
        build_computation(config, build_topology(config));
    });
}

TEST(Computations, RefuseNetworksThatTheyDoNotFit) {
    EXPECT_THAT(refusal(express({16, 16}, 4, "sparse"), kPrefix),
                HasSubstr("prefix needs express links in every line, which express_mesh 16x16 "
                          "sparse segment 4 does not have (use fabric.topology.layout: full)"));
    EXPECT_THAT(refusal(express({16, 16}, 4, "sparse"), semigroup("rows")),
                HasSubstr("use submeshes, or fabric.topology.layout: full"));
    EXPECT_THAT(refusal(grid("mesh", {4, 4}), semigroup("submeshes")),
                HasSubstr("algorithm submeshes needs an express mesh, which mesh 4x4 is not"));
    EXPECT_THAT(refusal(express({8, 8, 8}, 3, "sparse"), semigroup("row_major")),
                HasSubstr("is for the sparse and the full layout of two dimensions"));
    EXPECT_THAT(refusal(express({16, 16}, 4, "compound"), semigroup("row_major_printed")),
                HasSubstr("use submeshes"));
    EXPECT_THAT(refusal(express({16}, 4), kMedianRow), HasSubstr("give fabric.topology.dims two"));
    EXPECT_THAT(refusal(express({8, 8, 8}, 3), kClosest), HasSubstr("has 3 dimensions"));
}

}  // namespace
}  // namespace flitscope
