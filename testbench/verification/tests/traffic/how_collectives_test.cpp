// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives of HOW networks: every block is followed, and steps are counted against the
// corrected formulas (errata 004.2 and 004.3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "traffic/schedules/windows/how_collectives.h"

namespace flitscope {
namespace {

constexpr Collective kCollectives[] = {Collective::kOneToAll, Collective::kAllToAll,
                                       Collective::kOneToAllPersonalized,
                                       Collective::kAllToAllPersonalized};
constexpr PortModel kModels[] = {PortModel::kOneOutput, PortModel::kSameValue,
                                 PortModel::kIndependent};

std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }
std::uint32_t ceil_lg(std::uint32_t n) {
    std::uint32_t lg = 0;
    while ((1U << lg) < n) ++lg;
    return lg;
}

std::size_t steps(const HowShape& shape, Collective collective, PortModel ports, NodeId root = 0) {
    const Graph graph = build_how(shape.sides, shape.windows);
    const CollectivePlan plan = how_collective(shape, collective, ports, root);
    EXPECT_THAT(check_plan(plan, graph, collective, root, ports), testing::IsEmpty())
        << graph.description() << " collective " << static_cast<int>(collective) << " model "
        << static_cast<int>(ports) << " root " << root;
    return plan.steps.size();
}

TEST(HowCollectives, MovesAreKnownBeforeTheyAreMade) {
    std::size_t compared = 0;
    for (const HowShape& shape :
         {HowShape{{1}, {1}}, HowShape{{2}, {1}}, HowShape{{16}, {4}}, HowShape{{20}, {3}},
          HowShape{{17}, {16}}, HowShape{{5, 7}, {2, 3}}, HowShape{{6, 4}, {2, 3}}}) {
        for (const PortModel ports : kModels) {
            for (const Collective collective :
                 {Collective::kOneToAllPersonalized, Collective::kAllToAllPersonalized}) {
                for (const NodeId root : {0U, shape.sides.back() / 2}) {
                    std::uint64_t moves = 0;
                    for (const auto& step : how_collective(shape, collective, ports, root).steps) {
                        moves += step.size();
                    }
                    const std::uint64_t known = personalized_moves(shape, collective, ports);
                    if (collective == Collective::kAllToAllPersonalized) {
                        EXPECT_EQ(known, moves) << shape.sides.front() << ' ' << name_of(ports);
                    } else {
                        EXPECT_GE(known, moves) << shape.sides.front() << ' ' << name_of(ports);
                        EXPECT_LE(known, 3 * moves) << shape.sides.front() << ' ' << name_of(ports);
                    }
                    ++compared;
                }
            }
        }
    }
    EXPECT_EQ(compared, 7U * 3 * 2 * 2);
}

TEST(HowCollectives, TakeTheStepsOfTheCorrectedFormulasOnALine) {
    for (std::uint32_t p = 2; p <= 20; ++p) {
        for (std::uint32_t w = 1; w < p; ++w) {
            const HowShape line{{p}, {w}};
            const std::uint32_t windows = ceil_div(p - 1, w);
            const std::uint32_t s1 = ceil_lg(w + 1);
            const std::uint32_t s2 = (1U << s1) < p ? ceil_div(p - (1U << s1), w) : 0;
            SCOPED_TRACE("p " + std::to_string(p) + " w " + std::to_string(w));
            EXPECT_EQ(steps(line, Collective::kOneToAll, PortModel::kOneOutput),
                      w == p - 1 ? ceil_lg(p) : s1 + s2);
            EXPECT_EQ(steps(line, Collective::kOneToAll, PortModel::kSameValue), windows);
            EXPECT_EQ(steps(line, Collective::kOneToAll, PortModel::kIndependent), windows);
            EXPECT_EQ(steps(line, Collective::kAllToAll, PortModel::kSameValue),
                      windows + (windows > 1 ? (p - 1) / (2 * w) : 0));
            EXPECT_EQ(steps(line, Collective::kAllToAll, PortModel::kIndependent), windows);
            EXPECT_EQ(steps(line, Collective::kOneToAllPersonalized, PortModel::kIndependent),
                      windows);
            if (w == 1 && p > 2) continue;  // no ring
            EXPECT_EQ(steps(line, Collective::kAllToAll, PortModel::kOneOutput), p - 1);
            for (const PortModel ports : {PortModel::kOneOutput, PortModel::kSameValue}) {
                EXPECT_EQ(steps(line, Collective::kOneToAllPersonalized, ports), p - 1);
                EXPECT_EQ(steps(line, Collective::kAllToAllPersonalized, ports), p * p / 4);
            }
        }
    }
}

TEST(HowCollectives, MatchTheOraclesOfTheErrata) {
    const auto line = [](std::uint32_t p, std::uint32_t w) { return HowShape{{p}, {w}}; };
    EXPECT_EQ(steps(line(8, 2), Collective::kOneToAll, PortModel::kOneOutput), 4U);
    EXPECT_EQ(steps(line(16, 4), Collective::kOneToAll, PortModel::kOneOutput), 5U);
    EXPECT_EQ(steps(line(64, 8), Collective::kOneToAll, PortModel::kOneOutput), 10U);
    const std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> all_to_all = {
        {{8, 2}, 5}, {{16, 4}, 5}, {{9, 2}, 6}, {{17, 4}, 6}, {{16, 3}, 7}};
    for (const auto& [shape, count] : all_to_all) {
        EXPECT_EQ(
            steps(line(shape.first, shape.second), Collective::kAllToAll, PortModel::kSameValue),
            count);
    }
    const std::map<std::uint32_t, std::size_t> ring = {{8, 16}, {9, 20}, {16, 64}, {17, 72}};
    for (const auto& [p, count] : ring) {
        EXPECT_EQ(steps(line(p, 2), Collective::kAllToAllPersonalized, PortModel::kOneOutput),
                  count);
    }
    // Relay lines: stage 1 and stage 2 together.
    const std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> over_relay_lines = {
        {{8, 2}, 11},  {{8, 4}, 5},  {{16, 2}, 39}, {{16, 3}, 25},
        {{16, 4}, 19}, {{16, 8}, 9}, {{32, 4}, 71}, {{32, 8}, 35}};
    for (const auto& [shape, count] : over_relay_lines) {
        EXPECT_EQ(steps(line(shape.first, shape.second), Collective::kAllToAllPersonalized,
                        PortModel::kIndependent),
                  count)
            << shape.first << ' ' << shape.second;
    }
    for (std::uint32_t p = 2; p <= 16; ++p) {
        EXPECT_EQ(steps(line(p, p - 1), Collective::kAllToAllPersonalized, PortModel::kIndependent),
                  1U);
    }
}

TEST(HowCollectives, AreTheLinesOneAfterTheOtherInTwoDimensions) {
    for (const auto& [s, w] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
             {3, 2}, {4, 2}, {4, 3}, {5, 2}, {6, 3}, {8, 2}, {8, 4}}) {
        const HowShape line{{s}, {w}};
        const HowShape square{{s, s}, {w, w}};
        SCOPED_TRACE(std::to_string(s) + " window " + std::to_string(w));
        for (const PortModel ports : kModels) {
            EXPECT_EQ(steps(square, Collective::kOneToAll, ports),
                      2 * steps(line, Collective::kOneToAll, ports));
            EXPECT_EQ(steps(square, Collective::kAllToAll, ports),
                      (1 + s) * steps(line, Collective::kAllToAll, ports));
            EXPECT_EQ(steps(square, Collective::kAllToAllPersonalized, ports),
                      2 * s * steps(line, Collective::kAllToAllPersonalized, ports));
            EXPECT_EQ(steps(square, Collective::kOneToAllPersonalized, ports),
                      ports == PortModel::kIndependent ? s * ceil_div(s - 1, w) : s * s - 1);
        }
    }
    // Errata 004.3.
    const HowShape eight{{8, 8}, {2, 2}};
    EXPECT_EQ(steps(eight, Collective::kAllToAllPersonalized, PortModel::kOneOutput), 256U);
    EXPECT_EQ(steps(eight, Collective::kAllToAllPersonalized, PortModel::kIndependent), 176U);
    EXPECT_EQ(steps({{4, 4}, {2, 2}}, Collective::kAllToAllPersonalized, PortModel::kIndependent),
              24U);
}

TEST(HowCollectives, ReachEverybodyFromEveryRootOnEveryShape) {
    for (const HowShape& shape : std::vector<HowShape>{
             {{1}, {1}}, {{2}, {1}}, {{7}, {3}}, {{10}, {2}}, {{3, 7}, {2, 4}}, {{6, 2}, {5, 1}}}) {
        NodeId nodes = 1;
        for (const std::uint32_t side : shape.sides) nodes *= side;
        for (NodeId root = 0; root < nodes; ++root) {
            for (const PortModel ports : kModels) {
                steps(shape, Collective::kOneToAll, ports, root);
                steps(shape, Collective::kOneToAllPersonalized, ports, root);
            }
        }
        for (const PortModel ports : kModels) {
            steps(shape, Collective::kAllToAll, ports);
            steps(shape, Collective::kAllToAllPersonalized, ports);
        }
    }
}

TEST(HowCollectives, InformBothSidesOfARootWithinTheLine) {
    // Informed nodes 7; 7-8; 6-9; 4-11; 2-13; 0-14. From the end it takes 8 steps.
    EXPECT_EQ(steps({{15}, {2}}, Collective::kOneToAll, PortModel::kOneOutput, 7), 5U);
    EXPECT_EQ(steps({{15}, {2}}, Collective::kOneToAll, PortModel::kOneOutput, 14), 8U);
    EXPECT_EQ(steps({{15}, {2}}, Collective::kOneToAll, PortModel::kSameValue, 7), 4U);
    EXPECT_EQ(steps({{15}, {2}}, Collective::kOneToAllPersonalized, PortModel::kIndependent, 7),
              4U);
}

TEST(HowCollectives, BecomeProgramsWithAMessagePerMove) {
    const CollectivePlan plan =
        how_collective({{8}, {2}}, Collective::kAllToAll, PortModel::kIndependent, 0);
    const Program program = to_program(plan, 48, build_how({8}, {2}));
    std::size_t moves = 0;
    for (const auto& step : plan.steps) moves += step.size();
    EXPECT_EQ(program.transfers.size(), moves);
    EXPECT_EQ(program.step_count(), plan.steps.size());
    EXPECT_EQ(program.transfers.front().bytes, 48U);
    EXPECT_TRUE(validate(program).empty());
}

TEST(HowCollectives, NamePortsAndCopiesWhereLinksHaveEnds) {
    const CollectivePlan plan =
        how_collective({{8}, {2}}, Collective::kAllToAll, PortModel::kSameValue, 0);
    Graph graph = build_how({8}, {2});
    for (const Transfer& t : to_program(plan, 48, graph).transfers) ASSERT_EQ(t.port, kLocalPort);
    graph.use_per_link_endpoints();
    const Program program = to_program(plan, 48, graph);
    EXPECT_TRUE(validate(program).empty());
    std::size_t copies = 0;
    for (std::size_t id = 0; id < program.transfers.size(); ++id) {
        const Transfer& t = program.transfers[id];
        const LinkId link = graph.out_link(graph.router_of(t.source), t.port);
        ASSERT_EQ(graph.link(link).to, graph.router_of(t.destination));
        // Under this model all that a node sends in a step is one value.
        const bool again = id > 0 && program.transfers[id - 1].source == t.source &&
                           program.transfers[id - 1].step == t.step;
        ASSERT_EQ(t.is_copy, again) << id;
        copies += t.is_copy ? 1 : 0;
    }
    EXPECT_GT(copies, program.transfers.size() / 4);
}

TEST(HowCollectives, StreamWhatTheyWereSentBefore) {
    Graph graph = build_how({16}, {4});
    graph.use_per_link_endpoints();
    for (const Collective collective :
         {Collective::kOneToAll, Collective::kAllToAll, Collective::kOneToAllPersonalized,
          Collective::kAllToAllPersonalized}) {
        for (const PortModel ports : kModels) {
            const CollectivePlan plan = how_collective({{16}, {4}}, collective, ports, 0);
            const Program program = to_streaming_program(plan, 48, graph);
            EXPECT_TRUE(validate(program).empty());
            EXPECT_EQ(program.ordering, Ordering::kTimed);
            for (const Transfer& t : program.transfers) {
                ASSERT_EQ(t.after.size(), t.streams ? 1U : 0U);
                if (!t.streams) continue;
                ASSERT_EQ(program.transfers[t.after[0]].destination, t.source);
                ASSERT_LT(program.transfers[t.after[0]].step, t.step);
            }
        }
    }
    const Program broadcast = to_streaming_program(
        how_collective({{16}, {4}}, Collective::kOneToAll, PortModel::kSameValue, 0), 48, graph);
    for (const Transfer& t : broadcast.transfers) EXPECT_EQ(t.streams, t.source != 0);
}

TEST(HowCollectives, OneValueIsSentAtOnceOverRowAndColumns) {
    const HowShape shape{{5, 6}, {2, 2}};
    const CollectivePlan plan =
        how_collective(shape, Collective::kOneToAll, PortModel::kSameValue, 8);
    const CollectivePlan at_once = sent_at_once(plan);
    EXPECT_THAT(check_plan(at_once, build_how({5, 6}, {2, 2}), Collective::kOneToAll, 8,
                           PortModel::kSameValue),
                testing::IsEmpty());
    std::map<NodeId, std::size_t> step_of;
    std::size_t moves = 0;
    for (std::size_t step = 0; step < at_once.steps.size(); ++step) {
        for (const BlockMove& move : at_once.steps[step]) {
            EXPECT_EQ(step_of.try_emplace(move.from, step).first->second, step) << move.from;
            ++moves;
        }
    }
    EXPECT_EQ(moves, 29U);
}

TEST(HowCollectives, RefuseShapesWithoutRingsAndMoreDimensions) {
    EXPECT_THROW(how_collective({{5}, {1}}, Collective::kAllToAll, PortModel::kOneOutput, 0),
                 std::invalid_argument);
    EXPECT_THROW(how_collective({{5}, {5}}, Collective::kOneToAll, PortModel::kOneOutput, 0),
                 std::invalid_argument);
    EXPECT_THROW(
        how_collective({{2, 2, 2}, {1, 1, 1}}, Collective::kOneToAll, PortModel::kOneOutput, 0),
        std::invalid_argument);
}

/// Plans that break one rule each.
TEST(CheckPlan, FindsEveryKindOfFault) {
    const Graph graph = build_how({4}, {2});
    const auto problems = [&](std::vector<std::vector<BlockMove>> moves, Collective collective,
                              PortModel ports) {
        CollectivePlan plan{"", 4, std::move(moves)};
        std::string all;
        for (const std::string& text : check_plan(plan, graph, collective, 0, ports)) {
            all += text + '\n';
        }
        return all;
    };
    const Block own{0, kEveryone};
    const auto one = PortModel::kOneOutput;
    EXPECT_THAT(problems({}, Collective::kOneToAll, one),
                testing::HasSubstr("block of 0 does not arrive at 1"));
    EXPECT_THAT(problems({{{0, 3, own}}}, Collective::kOneToAll, one),
                testing::HasSubstr("step 1: 0 sends the block of 0 to 3, to whom it has no link"));
    EXPECT_THAT(problems({{{1, 2, own}}}, Collective::kOneToAll, one),
                testing::HasSubstr("which it does not hold"));
    EXPECT_THAT(problems({{{0, 1, own}, {1, 2, own}}}, Collective::kOneToAll, one),
                testing::HasSubstr("1 sends the block of 0 to 2, which it does not hold"));
    EXPECT_THAT(
        problems({{{0, 1, own}, {0, 1, own}}}, Collective::kOneToAll, PortModel::kIndependent),
        testing::HasSubstr("over a channel in use"));
    EXPECT_THAT(problems({{{0, 1, own}, {0, 2, own}}}, Collective::kOneToAll, one),
                testing::HasSubstr("while it uses another output"));
    const std::vector<BlockMove> two = {{0, 1, {0, 1}}, {0, 2, {0, 2}}};
    EXPECT_THAT(problems({two}, Collective::kOneToAllPersonalized, PortModel::kSameValue),
                testing::HasSubstr("while it sends another block"));
    EXPECT_THAT(problems({two}, Collective::kOneToAllPersonalized, PortModel::kIndependent),
                testing::StrEq("block 0 -> 3 does not arrive at 3\n"));
}

}  // namespace
}  // namespace flitscope
