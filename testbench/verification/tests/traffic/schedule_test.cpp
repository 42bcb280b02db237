// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The schedules against the papers: link contention of every step, coverage, causality of trees.
#include "models/config/config.h"
#include "models/config/node_config.h"
#include "models/config/traffic_config.h"
#include "models/config/value_named.h"
#include "models/topology/graph.h"
#include "models/topology/node_places.h"
#include "traffic/schedules/collectives/tree_collectives.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"
#include "traffic/schedules/schedule_catalogue.h"
#include "traffic/schedules/schedule_factory.h"

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/program/program_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Histogram = std::map<std::uint64_t, int>;  // contention -> number of steps

std::vector<std::uint64_t> contention(const Program& program, const Graph& graph) {
    const auto routing = make_routing(Config(), graph);
    std::vector<std::uint64_t> result;
    for (const StepReport& step : analyse(program, graph, *routing, PacketFormat())) {
        EXPECT_EQ(step.step, result.size());  // no gaps in the schedules of this file
        result.push_back(step.max_link_contention);
    }
    return result;
}

Histogram histogram(const std::vector<std::uint64_t>& steps) {
    Histogram result;
    for (const std::uint64_t f : steps) ++result[f];
    return result;
}

/// `from` .. `to` with `count` steps each.
Histogram with_range(Histogram base, std::uint64_t from, std::uint64_t to, int count) {
    for (std::uint64_t f = from; f <= to; ++f) base[f] = count;
    return base;
}

// --- Errata 000.5: histograms of link contention -------------------------------------------------

struct Oracle {
    std::string schedule;
    std::uint32_t rows;
    std::uint32_t columns;
    Histogram expected;

    Graph graph() const { return build_mesh({rows, columns}); }
    Program program() const {
        const NodeId nodes = rows * columns;
        if (schedule == "pex") return pex(nodes, 64);
        if (schedule == "gen") return gen(nodes, 64);
        if (schedule == "pex-gen") return pex_gen(nodes, 64);
        return pex_gen_shift(nodes, 64);
    }
};

std::vector<Oracle> oracles() {
    return {
        {"pex", 4, 4, {{1, 3}, {2, 12}}},
        {"pex", 8, 8, {{1, 3}, {2, 12}, {4, 48}}},
        {"pex", 16, 8, {{1, 3}, {2, 12}, {4, 48}, {8, 64}}},
        {"pex", 16, 16, {{1, 3}, {2, 12}, {4, 48}, {8, 192}}},
        {"pex", 16, 32, {{1, 3}, {2, 12}, {4, 48}, {8, 192}, {16, 256}}},
        {"gen", 4, 4, {{1, 6}, {2, 9}}},
        {"gen", 8, 8, {{1, 6}, {2, 14}, {3, 22}, {4, 21}}},
        {"gen", 16, 8, {{1, 6}, {2, 14}, {3, 22}, {4, 22}, {5, 16}, {6, 16}, {7, 16}, {8, 15}}},
        {"gen", 16, 16, {{1, 6}, {2, 14}, {3, 22}, {4, 30}, {5, 38}, {6, 46}, {7, 54}, {8, 45}}},
        {"gen", 16, 32,
         with_range(
             {{1, 6}, {2, 14}, {3, 22}, {4, 30}, {5, 38}, {6, 46}, {7, 54}, {8, 61}, {16, 16}}, 9,
             15, 32)},
        {"gen", 4, 5, {{1, 6}, {2, 13}}},
        {"gen", 6, 8, {{1, 6}, {2, 14}, {3, 21}, {4, 6}}},
        {"gen", 16, 9, {{1, 6}, {2, 14}, {3, 22}, {4, 30}, {5, 18}, {6, 18}, {7, 18}, {8, 17}}},
        {"gen", 16, 14, {{1, 6}, {2, 14}, {3, 22}, {4, 30}, {5, 38}, {6, 46}, {7, 40}, {8, 27}}},
        {"gen", 16, 30,
         with_range(
             {{1, 6}, {2, 14}, {3, 22}, {4, 30}, {5, 38}, {6, 46}, {7, 54}, {8, 61}, {15, 16}}, 9,
             14, 32)},
        {"pex-gen", 4, 5, {{1, 6}, {2, 23}, {3, 2}}},
        {"pex-gen", 6, 8, {{1, 3}, {2, 28}, {4, 32}}},
        {"pex-gen", 16, 9, {{2, 33}, {3, 50}, {4, 96}, {5, 7}, {6, 5}, {7, 8}, {8, 56}}},
        {"pex-gen", 16, 14, {{1, 1}, {4, 5}, {5, 5}, {6, 49}, {7, 71}, {8, 123}, {9, 1}}},
        {"pex-gen",
         16,
         30,
         {{1, 1},
          {4, 5},
          {5, 1},
          {8, 36},
          {9, 6},
          {10, 28},
          {11, 2},
          {12, 74},
          {13, 10},
          {14, 149},
          {15, 5},
          {16, 158},
          {17, 8},
          {18, 28}}},
        {"pex-gen-shift", 4, 5, {{1, 8}, {2, 22}, {3, 1}}},
        {"pex-gen-shift", 6, 8, {{1, 7}, {2, 20}, {3, 4}, {4, 32}}},
        {"pex-gen-shift", 16, 9, {{1, 5}, {2, 54}, {3, 50}, {4, 74}, {5, 6}, {6, 2}, {8, 64}}},
        {"pex-gen-shift", 16, 14, {{1, 1}, {4, 13}, {5, 5}, {6, 57}, {7, 91}, {8, 87}, {9, 1}}},
        {"pex-gen-shift",
         16,
         30,
         {{1, 1},
          {4, 5},
          {5, 1},
          {8, 69},
          {9, 7},
          {10, 54},
          {11, 6},
          {12, 87},
          {13, 7},
          {14, 100},
          {15, 4},
          {16, 147},
          {17, 5},
          {18, 18}}},
    };
}

class ContentionOracle : public testing::TestWithParam<Oracle> {};

TEST_P(ContentionOracle, HistogramIsTheOneOfTheErrata) {
    const Oracle& oracle = GetParam();
    EXPECT_EQ(histogram(contention(oracle.program(), oracle.graph())), oracle.expected);
}

TEST_P(ContentionOracle, CoversEveryPairOnceAndNodesDoOneThingAtATime) {
    const Program program = GetParam().program();
    EXPECT_TRUE(check_complete_exchange(program).complete());
    EXPECT_THAT(validate(program), testing::IsEmpty());
    const Graph graph = GetParam().graph();
    for (const StepReport& step :
         analyse(program, graph, *make_routing(Config(), graph), PacketFormat())) {
        EXPECT_EQ(step.max_sends, 1U);
        EXPECT_EQ(step.max_receives, 1U);
    }
}

INSTANTIATE_TEST_SUITE_P(Errata, ContentionOracle, testing::ValuesIn(oracles()),
                         [](const auto& tested) {
                             std::string name = tested.param.schedule;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name + "_" + std::to_string(tested.param.rows) + "x" +
                                    std::to_string(tested.param.columns);
                         });

// --- Errata 000.5: step lists --------------------------------------------------------------------

TEST(StepList, Pex4x4) {
    EXPECT_THAT(contention(pex(16, 1), build_mesh({4, 4})),
                ElementsAre(1, 2, 2, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2));
}

TEST(StepList, Pex8x8) {
    std::vector<std::uint64_t> expected = {1, 2, 2, 4, 4, 4, 4, 1, 1, 2, 2, 4, 4, 4, 4, 2,
                                           2, 2, 2, 4, 4, 4, 4, 2, 2, 2, 2, 4, 4, 4, 4};
    expected.insert(expected.end(), 32, 4);
    EXPECT_EQ(contention(pex(64, 1), build_mesh({8, 8})), expected);
}

TEST(StepList, Gen4x5) {
    EXPECT_THAT(contention(gen(20, 1), build_mesh({4, 5})),
                ElementsAre(1, 2, 2, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 1));
}

TEST(StepList, Gen8x8) {
    const std::vector<std::uint64_t> expected = {1, 2, 3, 4, 3, 2, 1, 1, 2, 2, 3, 4, 3, 2, 2, 2,
                                                 3, 3, 3, 4, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4,
                                                 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 4, 3, 3, 3, 2,
                                                 2, 2, 3, 4, 3, 2, 2, 1, 1, 2, 3, 4, 3, 2, 1};
    EXPECT_EQ(contention(gen(64, 1), build_mesh({8, 8})), expected);
}

TEST(StepList, PexGen4x5) {
    EXPECT_THAT(contention(pex_gen(20, 1), build_mesh({4, 5})),
                ElementsAre(2, 3, 2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 1, 2, 2,
                            2, 1, 1, 2, 2, 2, 1));
}

TEST(StepList, PexGenShift4x5) {
    EXPECT_THAT(contention(pex_gen_shift(20, 1), build_mesh({4, 5})),
                ElementsAre(2, 3, 2, 2, 2, 2, 1, 2, 2, 1, 1, 2, 1, 2, 2, 1, 1, 2, 2, 2, 2, 1, 1, 2,
                            2, 2, 2, 2, 2, 2, 2));
}

// --- Errata 000.1 and 000.2: closed forms --------------------------------------------------------

std::uint64_t f_pex(std::uint64_t i, std::uint64_t c) {
    std::uint64_t f = 1;
    while (2 * f <= std::max(i % c, i / c)) f *= 2;
    return f;
}

std::uint64_t f_gen(std::uint64_t i, std::uint64_t r, std::uint64_t c) {
    const std::uint64_t m = i % c;
    const std::uint64_t d = i / c;
    const auto vertical = [r](std::uint64_t s) { return std::min(s % r, r - s % r); };
    return std::max({std::min(m, c - m), vertical(d), m > 0 ? vertical(d + 1) : 0});
}

TEST(ClosedForm, PexContentionIsTheFloorFormOnPowerOfTwoMeshes) {
    for (const auto& [r, c] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
             {4, 4}, {8, 8}, {16, 8}, {8, 16}, {16, 16}, {4, 8}, {2, 8}, {1, 8}, {8, 1}}) {
        const auto routed = contention(pex(r * c, 1), build_mesh({r, c}));
        ASSERT_EQ(routed.size(), r * c - 1);
        for (std::size_t i = 1; i < r * c; ++i)
            EXPECT_EQ(routed[i - 1], f_pex(i, c)) << r << c << i;
    }
}

TEST(ClosedForm, GenContentionIsTheExactFormOnAnyMesh) {
    for (const auto& [r, c] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
             {4, 4}, {8, 8}, {4, 5}, {6, 8}, {16, 9}, {7, 3}, {3, 7}, {1, 9}, {9, 1}, {5, 5}}) {
        const auto routed = contention(gen(r * c, 1), build_mesh({r, c}));
        ASSERT_EQ(routed.size(), r * c - 1);
        for (std::size_t i = 1; i < r * c; ++i) {
            EXPECT_EQ(routed[i - 1], f_gen(i, r, c)) << r << "x" << c << " step " << i;
        }
    }
}

// --- Complete exchange ---------------------------------------------------------------------------

bool mutual(const Program& program) {
    std::set<std::tuple<StepId, NodeId, NodeId>> sends;
    for (const Transfer& t : program.transfers) sends.emplace(t.step, t.source, t.destination);
    return std::all_of(program.transfers.begin(), program.transfers.end(), [&](const Transfer& t) {
        return sends.count({t.step, t.destination, t.source}) == 1;
    });
}

TEST(Exchange, EveryScheduleCoversEveryPairOnceForAnyNodeCount) {
    for (NodeId nodes = 1; nodes <= 33; ++nodes) {
        for (const Program& program : {pex_gen(nodes, 8), pex_gen_shift(nodes, 8), gen(nodes, 8),
                                       naive(nodes, 8), naive(nodes, 8, NaiveOrder::kFromZero)}) {
            EXPECT_TRUE(check_complete_exchange(program).complete()) << program.name << nodes;
            EXPECT_EQ(program.transfers.size(), nodes * (nodes - 1)) << program.name;
            EXPECT_EQ(program.nodes, nodes);
            EXPECT_EQ(program.ordering, Ordering::kSteps);
        }
    }
}

TEST(Exchange, PairwiseSchedulesExchangeMutually) {
    EXPECT_TRUE(mutual(pex(64, 1)));
    for (const NodeId nodes : {3, 5, 15, 20, 25, 48, 49, 144}) {
        EXPECT_TRUE(mutual(pex_gen(nodes, 1))) << nodes;
        EXPECT_TRUE(mutual(pex_gen_shift(nodes, 1))) << nodes;
    }
    EXPECT_FALSE(mutual(gen(5, 1)));
}

TEST(Exchange, PairwisePartnersDifferByTheStepNumber) {
    for (const auto& [program, shift] : {std::pair(pex(32, 1), 0U), std::pair(pex_gen(20, 1), 0U),
                                         std::pair(pex_gen_shift(20, 1), 6U)}) {
        for (const Transfer& t : program.transfers) {
            EXPECT_EQ((t.source + shift) ^ (t.destination + shift), t.step + 1) << program.name;
        }
    }
}

TEST(Exchange, StepsKeepTheNumbersOfTheNextPowerOfTwo) {
    EXPECT_EQ(pex_gen(20, 1).step_count(), 31U);
    EXPECT_EQ(pex_gen_shift(20, 1).step_count(), 31U);
    EXPECT_EQ(pex(16, 1).step_count(), 15U);
    EXPECT_EQ(gen(20, 1).step_count(), 19U);
    EXPECT_EQ(naive(20, 1).step_count(), 1U);
}

TEST(Exchange, ShiftPutsTheRealNodesInTheMiddle) {
    // 20 nodes are virtual 6..25 of 32 (Thakur et al., Sec. 3.3): in step 1 (j = 1) real 0 is
    // virtual 6 and meets virtual 7, in step 2 virtual 4, which does not exist.
    const Program program = pex_gen_shift(20, 1);
    EXPECT_EQ(program.transfers[0].destination, 1U);
    const auto sends_in_step_2 = [](const Transfer& t) { return t.source == 0 && t.step == 1; };
    EXPECT_EQ(std::count_if(program.transfers.begin(), program.transfers.end(), sends_in_step_2),
              0);
}

TEST(Exchange, GenSendsAheadByTheStepNumber) {
    for (const Transfer& t : gen(7, 5).transfers) {
        EXPECT_EQ(t.destination, (t.source + t.step + 1) % 7);
        EXPECT_EQ(t.bytes, 5U);
    }
}

TEST(Exchange, NaiveSendsToSuccessorsOrByNumber) {
    const auto of_node_2 = [](NaiveOrder order) {
        std::vector<NodeId> destinations;
        for (const Transfer& t : naive(4, 1, order).transfers) {
            if (t.source == 2) destinations.push_back(t.destination);
        }
        return destinations;
    };
    EXPECT_THAT(of_node_2(NaiveOrder::kFromNext), ElementsAre(3, 0, 1));
    EXPECT_THAT(of_node_2(NaiveOrder::kFromZero), ElementsAre(0, 1, 3));
}

TEST(Exchange, PexOnHypercubesIsFreeOfContention) {
    for (std::uint32_t dimensions = 1; dimensions <= 8; ++dimensions) {
        const Histogram expected = {{1, (1 << dimensions) - 1}};
        EXPECT_EQ(histogram(contention(pex(1U << dimensions, 1), build_hypercube(dimensions))),
                  expected);
    }
}

// --- Broadcast, allgather, scatter ---------------------------------------------------------------

/// Checks that each node is reached once, that senders were informed in an earlier step, and that
/// no node sends twice in a step.
void expect_broadcast(const Program& program, NodeId root) {
    std::map<NodeId, std::int64_t> informed = {{root, -1}};
    std::set<std::pair<NodeId, StepId>> busy;
    for (const Transfer& t : program.transfers) {  // listed by rising step
        ASSERT_EQ(informed.count(t.source), 1U) << t.source << " sends what it does not have";
        EXPECT_LT(informed[t.source], t.step);
        EXPECT_TRUE(informed.emplace(t.destination, t.step).second) << t.destination << " twice";
        EXPECT_TRUE(busy.emplace(t.source, t.step).second) << t.source << " sends twice";
    }
    EXPECT_EQ(informed.size(), program.nodes);
    EXPECT_THAT(validate(program), testing::IsEmpty());
}

StepId ceil_lg(NodeId n) {
    StepId bits = 0;
    while ((1U << bits) < n) ++bits;
    return bits;
}

TEST(Broadcast, BinomialReachesEveryNodeFromEveryRootInLogarithmicSteps) {
    for (const NodeId nodes : {1, 2, 3, 7, 16, 20, 33}) {
        for (NodeId root = 0; root < nodes; ++root) {
            const Program program = broadcast_binomial(nodes, root, 9);
            expect_broadcast(program, root);
            EXPECT_EQ(program.step_count(), ceil_lg(nodes));
        }
    }
}

TEST(Broadcast, DimensionOrderReachesEveryNodeFromEveryRootWithoutContention) {
    const std::vector<Graph> graphs = {build_mesh({1}),       build_mesh({7}),
                                       build_mesh({4, 5}),    build_mesh({3, 1, 6}),
                                       build_mesh({5, 4, 3}), build_hypercube(5)};
    for (const Graph& graph : graphs) {
        StepId steps = 0;
        for (const std::uint32_t side : graph.dims()) steps += ceil_lg(side);
        for (NodeId root = 0; root < graph.node_count(); ++root) {
            const Program program = broadcast_dimension_order(graph, root, 9);
            expect_broadcast(program, root);
            EXPECT_EQ(program.step_count(), steps) << graph.description();
            for (const std::uint64_t f : contention(program, graph)) EXPECT_EQ(f, 1U);
        }
    }
}

TEST(Broadcast, DimensionOrderGoesAlongTheFastestDimensionFirst) {
    const Program program = broadcast_dimension_order(build_mesh({2, 4}), 0, 1);
    std::vector<std::pair<NodeId, NodeId>> sends;
    for (const Transfer& t : program.transfers) sends.emplace_back(t.source, t.destination);
    EXPECT_THAT(sends,
                ElementsAre(std::pair(0, 2), std::pair(0, 1), std::pair(2, 3), std::pair(0, 4),
                            std::pair(1, 5), std::pair(2, 6), std::pair(3, 7)));
    EXPECT_EQ(program.transfers.back().step, 2U);
}

TEST(Broadcast, DimensionOrderHandsAHalfToItsNearestNode) {
    const Program program = broadcast_dimension_order(build_mesh({8}), 5, 1);
    std::vector<std::pair<NodeId, NodeId>> sends;
    for (const Transfer& t : program.transfers) sends.emplace_back(t.source, t.destination);
    EXPECT_THAT(sends,
                ElementsAre(std::pair(5, 3), std::pair(3, 1), std::pair(5, 6), std::pair(1, 0),
                            std::pair(3, 2), std::pair(5, 4), std::pair(6, 7)));
}

TEST(Allgather, RingPassesOneBlockPerStep) {
    const Program program = allgather_ring(5, 10);
    EXPECT_EQ(program.step_count(), 4U);
    EXPECT_EQ(program.transfers.size(), 20U);
    std::vector<std::set<NodeId>> has(5);
    std::vector<NodeId> last(5);
    for (NodeId n = 0; n < 5; ++n) has[n] = {last[n] = n};
    for (StepId k = 0; k < 4; ++k) {
        std::vector<NodeId> next(5, 99);
        for (const Transfer& t : program.transfers) {
            if (t.step != k) continue;
            EXPECT_EQ(t.bytes, 10U);
            next[t.destination] = last[t.source];
            has[t.destination].insert(last[t.source]);
        }
        last = next;
    }
    for (const auto& blocks : has) EXPECT_EQ(blocks.size(), 5U);
}

TEST(Allgather, RecursiveDoublingDoublesTheMessage) {
    const Program program = allgather_recursive_doubling(8, 10);
    EXPECT_EQ(program.step_count(), 3U);
    EXPECT_EQ(program.transfers.size(), 24U);
    EXPECT_TRUE(mutual(program));
    for (const Transfer& t : program.transfers) {
        EXPECT_EQ(t.destination, t.source ^ (1U << t.step));
        EXPECT_EQ(t.bytes, 10U << t.step);
    }
}

TEST(Scatter, DirectSendsOneBlockToEachNodeInItsOwnStep) {
    const Program program = scatter_direct(4, 2, 7);
    std::vector<std::tuple<NodeId, NodeId, StepId, std::uint64_t>> sends;
    for (const Transfer& t : program.transfers) {
        sends.emplace_back(t.source, t.destination, t.step, t.bytes);
    }
    EXPECT_THAT(
        sends, ElementsAre(std::tuple(2, 3, 0, 7), std::tuple(2, 0, 1, 7), std::tuple(2, 1, 2, 7)));
}

TEST(Scatter, BinomialConservesBytesAtEveryNode) {
    for (const NodeId nodes : {1, 2, 5, 8, 20, 33}) {
        for (NodeId root = 0; root < nodes; ++root) {
            const Program program = scatter_binomial(nodes, root, 7);
            expect_broadcast(program, root);
            EXPECT_EQ(program.step_count(), ceil_lg(nodes));
            std::vector<std::int64_t> held(nodes);
            held[root] = 7 * nodes;
            for (const Transfer& t : program.transfers) {
                held[t.source] -= static_cast<std::int64_t>(t.bytes);
                held[t.destination] += static_cast<std::int64_t>(t.bytes);
                EXPECT_GE(held[t.source], 7);
            }
            for (const std::int64_t bytes : held) EXPECT_EQ(bytes, 7);
        }
    }
}

// --- The choice by configuration -----------------------------------------------------------------

Config schedule_config(const std::string& schedule, const std::string& algorithm = "") {
    Config config;
    config.source = "test.yaml";
    config.traffic.schedule = schedule;
    config.traffic.algorithm = algorithm;
    config.locations["traffic.schedule"] = {"test.yaml", 3, 13};
    return config;
}

std::string error_of(const Config& config, const Graph& graph) {
    return refused_with([&] { build_program(config, graph); });
}

TEST(BuildSchedule, BuildsEveryKindOnEveryNetworkItFits) {
    for (const ScheduleKind& kind : schedule_kinds()) {
        const auto fits = [&kind](const Graph& graph) {
            if (kind.name == "aap") return graph.wiring()->has_port_per_address_bit();
            if (kind.name == "bounded-contention") return graph.wiring()->is_mesh();
            if (kind.name == "median-row" || kind.name == "closest-neighbour") {
                return graph.description() == "mesh 4x4";
            }
            return kind.name != "relayed-exchange" || graph.description() == "mesh 1";
        };
        for (const Graph& graph :
             {build_mesh({4, 4}), build_mesh({1}), build_hypercube(3), build_hypercube(0)}) {
            if (!fits(graph)) {
                EXPECT_THAT(error_of(schedule_config(kind.name), graph),
                            HasSubstr("test.yaml:3:13: error: " + kind.name));
                continue;
            }
            const Program program = build_program(schedule_config(kind.name), graph);
            EXPECT_EQ(program.name, kind.name);
            EXPECT_EQ(program.nodes, graph.node_count());
            EXPECT_EQ(program.transfers.empty(), graph.node_count() == 1) << kind.name;
            EXPECT_FALSE(kind.summary.empty());
        }
    }
}

TEST(BuildSchedule, BuildsOrRefusesEveryAlgorithmOfTheCatalogue) {
    TopologyConfig sparse;
    sparse.dims = {9, 9};
    sparse.segment = 3;
    sparse.layout = ExpressLayout::kSparse;
    const std::vector<Graph> graphs = {build_mesh({4, 4}), build_hypercube(3), build_how({8}, {2}),
                                       build_express_mesh(sparse)};
    for (const ScheduleKind& kind : schedule_kinds()) {
        for (const AlgorithmKind& algorithm : kind.algorithms) {
            Config config = schedule_config(kind.name, algorithm.name);
            config.fabric.topology = sparse;
            if (algorithm.name == "windows_wormhole") {
                EXPECT_THAT(error_of(config, graphs[2]),
                            HasSubstr("windows_wormhole streams, for which nodes need a channel"));
                config.node.port_model = PortModel::kOneOutput;
            }
            const auto builds = [&](const Graph& graph) { return error_of(config, graph).empty(); };
            EXPECT_TRUE(std::any_of(graphs.begin(), graphs.end(), builds))
                << kind.name << ' ' << algorithm.name;
            EXPECT_EQ(algorithm.name.empty(), algorithm.summary.empty());
            EXPECT_FALSE(algorithm.source.empty()) << kind.name << ' ' << algorithm.name;
        }
    }
}

/// Routers on a line of links; those from `nodes` on are only switches.
Graph line_with_switches(std::uint32_t routers, NodeId nodes) {
    Graph graph("custom", {routers}, 3);
    for (RouterId router; router + 1 < routers; ++router) {
        const RouterId next(router + 1);
        graph.add_link({router, 2, next, 1});
        graph.add_link({next, 1, router, 2});
    }
    graph.attach(NodePlaces::one_each(nodes, routers), {nodes});
    return graph;
}

TEST(BuildSchedule, SendsNothingToSwitches) {
    std::size_t built = 0;
    for (const ScheduleKind& kind : schedule_kinds()) {
        for (const AlgorithmKind& algorithm : kind.algorithms) {
            for (const NodeId nodes : {1, 3, 4}) {
                const Graph graph = line_with_switches(5, nodes);
                const Config config = schedule_config(kind.name, algorithm.name);
                SCOPED_TRACE(kind.name + ' ' + algorithm.name + ' ' + std::to_string(nodes));
                Program program;  // built once: a search for one takes seconds
                try {
                    program = build_program(config, graph);
                } catch (const ConfigError&) {
                    continue;
                }
                ++built;
                EXPECT_EQ(program.nodes, nodes);
                EXPECT_EQ(program.transfers.empty(), nodes == 1);
                EXPECT_THAT(validate(program), testing::IsEmpty());
                for (const Transfer& t : program.transfers) {
                    ASSERT_LT(t.source, nodes);
                    ASSERT_LT(t.destination, nodes);
                }
            }
        }
    }
    EXPECT_GT(built, 60U);
}

/// Two nodes on each router of a square.
Graph square_of_pairs() {
    Graph graph = build_mesh({2, 2});
    std::vector<RouterId> routers;
    for (NodeId node = 0; node < 8; ++node) routers.emplace_back(node / 2);
    graph.attach(NodePlaces(routers, 4), {2, 4});
    return graph;
}

TEST(BuildSchedule, IsForNodesOrSaysThatItIsForRouters) {
    const Graph graph = square_of_pairs();
    const std::string refusal = " moves data from router to router, and mesh 2x2 has several nodes";
    for (const char* kind : {"naive", "gen", "pex", "allgather", "scatter"}) {
        EXPECT_EQ(error_of(schedule_config(kind), graph), "");
    }
    EXPECT_THAT(error_of(schedule_config("bounded-contention"), graph), HasSubstr(refusal));
    EXPECT_THAT(error_of(schedule_config("broadcast", "dimension_order"), graph),
                HasSubstr("dimension_order" + refusal));
    std::size_t built = 0;
    for (const ScheduleKind& kind : schedule_kinds()) {
        for (const AlgorithmKind& algorithm : kind.algorithms) {
            const Config config = schedule_config(kind.name, algorithm.name);
            if (!error_of(config, graph).empty()) continue;
            SCOPED_TRACE(kind.name + ' ' + algorithm.name);
            const Program program = build_program(config, graph);
            ++built;
            EXPECT_EQ(program.nodes, 8U);
            EXPECT_THAT(validate(program), testing::IsEmpty());
        }
    }
    EXPECT_GT(built, 20U);
}

TEST(BuildSchedule, KnowsTheDefaultOfANetwork) {
    TopologyConfig express;
    express.dims = {9, 9};
    express.segment = 4;
    std::set<std::string> defaults;
    for (const ExpressLayout layout : {ExpressLayout::kSparse, ExpressLayout::kFull}) {
        express.layout = layout;
        const Graph graph = build_express_mesh(express);
        for (const ScheduleKind& kind : schedule_kinds()) {
            const std::string& first = kind.algorithms.front().name;
            const std::string named = default_algorithm(kind.name, graph);
            ASSERT_NE(find_algorithm_kind(kind.name, named), nullptr) << kind.name;
            EXPECT_EQ(find_algorithm_kind(kind.name, named)->keys, kind.algorithms.front().keys);
            EXPECT_TRUE(named == first || kind.name == "semigroup") << kind.name;
        }
        const auto built = [&](const std::string& algorithm) {
            Config config = schedule_config("semigroup", algorithm);
            config.fabric.topology = express;
            return build_program(config, graph);
        };
        const std::string named = default_algorithm("semigroup", graph);
        EXPECT_EQ(built(named).step_count(), built("").step_count());
        EXPECT_EQ(built(named).transfers.size(), built("").transfers.size());
        defaults.insert(named);
    }
    EXPECT_EQ(defaults, (std::set<std::string>{"rows", "submeshes"}));
    EXPECT_EQ(default_algorithm("semigroup", build_mesh({4, 4})), "rows");
    EXPECT_EQ(default_algorithm("pex", build_mesh({4, 4})), "");
}

TEST(BuildSchedule, AlgorithmSelectsTheVariant) {
    const Graph graph = build_mesh({4, 4});
    const auto steps = [&](const char* schedule, const char* algorithm) {
        return build_schedule(schedule_config(schedule, algorithm), graph).step_count();
    };
    EXPECT_EQ(steps("allgather", ""), 15U);
    EXPECT_EQ(steps("allgather", "ring"), 15U);
    EXPECT_EQ(steps("allgather", "recursive_doubling"), 4U);
    EXPECT_EQ(steps("scatter", ""), 15U);
    EXPECT_EQ(steps("scatter", "binomial"), 4U);
    EXPECT_EQ(steps("broadcast", "dimension_order"), 4U);
    Config config = schedule_config("aap", "interleaved");
    EXPECT_EQ(build_schedule(config, build_hypercube(3)).transfers[16].destination, 4U);
    config.traffic.algorithm = "by_size";
    EXPECT_EQ(build_schedule(config, build_hypercube(3)).transfers[16].destination, 5U);
}

TEST(BuildSchedule, PortModelsTakeTheStepsOfTheirCollectives) {
    const Graph how = build_how({8}, {2});
    const auto steps = [&](const char* schedule, const char* algorithm, const char* ports) {
        Config config = schedule_config(schedule, algorithm);
        config.node.port_model = value_named(kPortModels, ports).value();
        return build_schedule(config, how).step_count();
    };
    EXPECT_EQ(steps("relayed-exchange", "", "single"), 16U);
    EXPECT_EQ(steps("relayed-exchange", "", "one_output"), 16U);
    EXPECT_EQ(steps("relayed-exchange", "", "independent"), 11U);
    EXPECT_EQ(steps("allgather", "windows", "same_value"), 5U);
    EXPECT_EQ(steps("allgather", "windows", "independent"), 4U);
    EXPECT_EQ(steps("broadcast", "windows", "one_output"), 4U);
    EXPECT_EQ(steps("scatter", "windows", "same_value"), 7U);
    Config config = schedule_config("relayed-exchange");
    EXPECT_THAT(error_of(config, build_mesh({4, 4})), HasSubstr("a window of 1 has no channels"));
    EXPECT_THAT(error_of(config, build_torus({4, 4})), HasSubstr("which torus 4x4 is not"));
    config.node.port_model = PortModel::kIndependent;
    EXPECT_NO_THROW(build_schedule(config, build_mesh({4, 4})));
}

TEST(BuildSchedule, ContentionCollapsesPhases) {
    Config config = schedule_config("bounded-contention");
    EXPECT_EQ(build_schedule(config, build_mesh({8, 8})).step_count(), 128U);
    config.traffic.contention = 2;
    EXPECT_EQ(build_schedule(config, build_mesh({8, 8})).step_count(), 64U);
    EXPECT_THAT(error_of(config, build_torus({5, 4})),
                HasSubstr("needs rings of even length, and torus 5x4 has one of 5"));
}

/// The blocks of a complete exchange that nodes hold, step by step: pairs (source, destination).
TEST(RecursiveExchange, BringsEveryBlockToItsDestination) {
    for (const NodeId nodes : {1U, 2U, 8U, 32U}) {
        const Program program = recursive_exchange(nodes, 10);
        std::vector<std::set<std::pair<NodeId, NodeId>>> held(nodes);
        for (NodeId s = 0; s < nodes; ++s) {
            for (NodeId d = 0; d < nodes; ++d) held[s].insert({s, d});
        }
        std::size_t next = 0;
        for (StepId step = 0; step < program.step_count(); ++step) {
            auto after = held;
            for (; next < program.transfers.size() && program.transfers[next].step == step;
                 ++next) {
                const Transfer& t = program.transfers[next];
                const NodeId bit = t.source ^ t.destination;
                std::size_t blocks = 0;
                for (const auto& block : held[t.source]) {
                    if (((block.second ^ t.source) & bit) == 0) continue;
                    after[t.source].erase(block);
                    after[t.destination].insert(block);
                    ++blocks;
                }
                EXPECT_EQ(t.bytes, 10 * blocks);
            }
            held = std::move(after);
        }
        for (NodeId d = 0; d < nodes; ++d) {
            EXPECT_EQ(held[d].size(), nodes);
            for (const auto& block : held[d]) EXPECT_EQ(block.second, d);
        }
    }
}

TEST(BuildSchedule, PexOnOtherNodeCountsNamesTheAlternatives) {
    const std::string error = error_of(schedule_config("pex"), build_mesh({4, 5}));
    EXPECT_THAT(error, HasSubstr("test.yaml:3:13"));
    EXPECT_THAT(error, HasSubstr("mesh 4x5 has 20"));
    EXPECT_THAT(error, HasSubstr("pex-gen, pex-gen-shift or gen"));
}

TEST(BuildSchedule, UnknownNamesAreAnsweredWithTheNearest) {
    const Graph graph = build_mesh({4, 4});
    EXPECT_THAT(error_of(schedule_config("pex-gem"), graph), HasSubstr("did you mean 'pex-gen'?"));
    EXPECT_THAT(error_of(schedule_config("broadcast", "binomal"), graph),
                HasSubstr("did you mean 'binomial'?"));
    EXPECT_THAT(error_of(schedule_config("gen", "ring"), graph), HasSubstr("no variants"));
}

TEST(BuildSchedule, FindingsAreReportedTogether) {
    Config config = schedule_config("broadcast", "dimension_order");
    config.traffic.root = 20;
    const Graph graph("custom", {20}, 1);
    try {
        build_schedule(config, graph);
        FAIL() << "accepted";
    } catch (const ConfigError& error) {
        ASSERT_EQ(error.findings().size(), 2U);
        EXPECT_THAT(error.findings()[0].what,
                    HasSubstr("needs a grid or a hypercube, which custom"));
        EXPECT_THAT(error.findings()[1].hint, HasSubstr("0 .. 19"));
    }
}

TEST(BuildSchedule, RefusesWhatDoesNotFitInMemory) {
    const Graph graph("custom", {65536}, 1);
    EXPECT_THAT(error_of(schedule_config("gen"), graph), HasSubstr("4294901760 messages"));
    EXPECT_EQ(error_of(schedule_config("broadcast"), graph), "");
}

TEST(BuildSchedule, RefusesMoreDataThanCanBeCounted) {
    Config config = schedule_config("gen");
    config.traffic.message_bytes = 1ULL << 41;
    EXPECT_THAT(error_of(config, build_mesh({4, 4})), HasSubstr("message_bytes"));
    config.traffic.message_bytes = 1ULL << 40;
    config.node.packet_bytes = 1;
    EXPECT_THAT(error_of(config, build_mesh({4, 4})),
                HasSubstr("more than 4294967294 (raise node.packet_bytes"));
}

TEST(BuildSchedule, BarrierCostComesFromTheConfiguration) {
    Config config = schedule_config("pex");
    EXPECT_FALSE(build_schedule(config, build_mesh({4, 4})).barrier_cycles.has_value());
    config.traffic.barrier = BarrierConfig{10, 2.5};
    EXPECT_EQ(build_schedule(config, build_mesh({4, 4})).barrier_cycles, Cycle{43});
}

TEST(BuildSchedule, PatternsAreNoPrograms) {
    Config config;
    config.traffic.pattern = "uniform";
    EXPECT_THAT(error_of(config, build_mesh({4, 4})), HasSubstr("pattern"));
}

}  // namespace
}  // namespace flitscope
