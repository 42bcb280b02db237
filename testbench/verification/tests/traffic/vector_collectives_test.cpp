// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcasts and reductions: every contribution is followed, steps and bytes are counted against
// closed forms, and routes are walked if steps are said to share no link.
#include "traffic/schedules/collectives/vector_collectives.h"
#include "models/config/config.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/base/powers_of_two.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/program/program_report.h"
#include "traffic/schedules/collectives/node_order.h"
#include "traffic/schedules/collectives/tree_collectives.h"
#include "traffic/schedules/collectives/vector_schedules.h"
#include "traffic/schedules/schedule_catalogue.h"
#include "traffic/schedules/schedule_factory.h"

namespace flitscope {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr VectorOperation kBroadcast = VectorOperation::kBroadcast;
constexpr VectorOperation kReduce = VectorOperation::kReduce;
constexpr VectorOperation kAllreduce = VectorOperation::kAllreduce;
constexpr VectorOperation kReduceScatter = VectorOperation::kReduceScatter;

std::uint32_t ceil_lg(std::uint32_t n) {
    std::uint32_t lg = 0;
    while ((1U << lg) < n) ++lg;
    return lg;
}

/// Lines, rectangles, boxes, rings and cubes, and a network without coordinates.
std::vector<Graph> networks() {
    Graph star("custom", {5}, 5);
    for (RouterId leaf(1); leaf < 5; ++leaf) {
        star.add_link({RouterId(0), leaf, leaf, 1});
        star.add_link({leaf, 1, RouterId(0), leaf});
    }
    return {build_mesh({1}),     build_mesh({2}),           build_mesh({7}),
            build_mesh({4, 6}),  build_mesh({5, 4}),        build_mesh({3, 5}),
            build_mesh({1, 6}),  build_mesh({3, 3, 3}),     build_mesh({3, 2, 3}),
            build_torus({5}),    build_torus({8}),          build_torus({4, 4}),
            build_torus({3, 5}), build_torus({3, 3, 5}),    build_hypercube(0),
            build_hypercube(1),  build_hypercube(4),        build_ghc({3, 5}),
            build_how({7}, {2}), build_how({3, 9}, {2, 4}), std::move(star)};
}

Config config_for(const Graph& graph, const std::string& schedule, const std::string& algorithm,
                  std::uint64_t bytes = 1000) {
    Config config;
    config.fabric.topology.kind = graph.kind();
    config.fabric.virtual_channels = 2;
    config.traffic.schedule = schedule;
    config.traffic.algorithm = algorithm;
    config.traffic.message_bytes = bytes;
    return config;
}

/// Messages over the most used link in each step.
std::vector<std::uint64_t> contention(const Graph& graph, const Config& config) {
    const auto routing = make_routing(config, graph);
    std::vector<std::uint64_t> most;
    for (const StepReport& step :
         analyse(build_schedule(config, graph), graph, *routing, config.packet_format())) {
        most.push_back(step.max_link_contention);
    }
    return most;
}

std::uint64_t bytes_of(const Program& program) {
    std::uint64_t sum = 0;
    for (const Transfer& transfer : program.transfers) sum += transfer.bytes;
    return sum;
}

TEST(LinkedOrder, HasEveryNodeOnceAndSaysWhetherItsNeighboursAreLinked) {
    for (const Graph& graph : networks()) {
        SCOPED_TRACE(graph.description());
        const NodeOrder order = linked_order(graph);
        std::vector<NodeId> sorted = order.nodes;
        std::sort(sorted.begin(), sorted.end());
        ASSERT_THAT(sorted, SizeIs(graph.node_count()));
        for (NodeId node = 0; node < graph.node_count(); ++node) EXPECT_EQ(sorted[node], node);
        const auto linked = [&](NodeId from, NodeId to) {
            return std::any_of(graph.links().begin(), graph.links().end(), [&](const Link& link) {
                return link.from == graph.router_of(from) && link.to == graph.router_of(to);
            });
        };
        bool all = true;
        for (std::size_t i = 0; i + 1 < order.nodes.size(); ++i) {
            all = all && linked(order.nodes[i], order.nodes[i + 1]);
        }
        EXPECT_EQ(order.is_linked, all);
        EXPECT_EQ(order.is_linked, graph.wiring().has_value());
        EXPECT_EQ(order.is_closed, all && linked(order.nodes.back(), order.nodes.front()));
    }
}

TEST(LinkedOrder, IsARingWhereverOneSideIsEvenOrAllLinesAreRings) {
    for (const Graph& graph : networks()) {
        const std::string& name = graph.description();
        const bool none = name == "mesh 1" || name == "mesh 7" || name == "mesh 3x5" ||
                          name == "mesh 1x6" || name == "mesh 3x3x3" || name == "hypercube 0" ||
                          !graph.wiring();
        EXPECT_EQ(linked_order(graph).is_closed, !none) << name;
    }
}

TEST(LinkedOrder, BeginsAnywhere) {
    const NodeOrder order = linked_order(build_mesh({2, 3}));
    EXPECT_THAT(order.nodes, ElementsAre(1, 2, 5, 4, 3, 0));
    EXPECT_THAT(order_from(order, 4), ElementsAre(4, 3, 0, 1, 2, 5));
}

TEST(VectorCollectives, DeliverEveryContributionOnceOnAnyNetworkFromAnyRoot) {
    for (const Graph& graph : networks()) {
        const NodeId p = graph.node_count();
        const NodeOrder order = linked_order(graph);
        for (NodeId root = 0; root < p; ++root) {
            SCOPED_TRACE(graph.description() + " root " + std::to_string(root));
            EXPECT_THAT(check_plan(scatter_ring_allgather(order, root), kBroadcast, root),
                        IsEmpty());
            for (const std::uint32_t pieces : {1U, 2U, 7U}) {
                const VectorPlan chain = pipelined_chain(order, root, pieces);
                EXPECT_THAT(check_plan(chain, kBroadcast, root), IsEmpty());
                EXPECT_THAT(check_plan(reversed(chain), kReduce, root), IsEmpty());
                EXPECT_THAT(chain.steps, SizeIs(p == 1 ? 0 : p + pieces - 2));
                const VectorPlan tree = pipelined_tree(order, root, pieces);
                EXPECT_THAT(check_plan(tree, kBroadcast, root), IsEmpty());
                EXPECT_THAT(check_plan(reversed(tree), kReduce, root), IsEmpty());
                EXPECT_LE(tree.steps.size(), p == 1 ? 0 : 2 * (pieces - 1) + 2 * ceil_lg(p) - 1);
            }
            const VectorPlan binomial = whole_vectors(broadcast_binomial(p, root, 8));
            EXPECT_THAT(check_plan(binomial, kBroadcast, root), IsEmpty());
            EXPECT_THAT(check_plan(reversed(binomial), kReduce, root), IsEmpty());
            EXPECT_THAT(check_plan(allreduce_both(reversed(binomial), binomial), kAllreduce, root),
                        IsEmpty());
            if (!graph.wiring()) continue;
            const VectorPlan lines = whole_vectors(broadcast_dimension_order(graph, root, 8));
            EXPECT_THAT(check_plan(lines, kBroadcast, root), IsEmpty());
            EXPECT_THAT(check_plan(reversed(lines), kReduce, root), IsEmpty());
        }
        SCOPED_TRACE(graph.description());
        EXPECT_THAT(check_plan(allreduce_ring(order), kAllreduce, 0), IsEmpty());
        EXPECT_THAT(check_plan(reduce_scatter_ring(order), kReduceScatter, 0), IsEmpty());
    }
}

std::vector<std::string> messages_of(const Program& program) {
    std::vector<std::string> all;
    for (const Transfer& t : program.transfers) {
        all.push_back(fmt::format("{}>{} {} {}", t.source, t.destination, t.bytes, t.step));
    }
    return all;
}

/// The plans, which say what a message carries, and the rules that are played.
TEST(VectorCollectives, RoundARingAreRulesIfTheirPiecesAreEqual) {
    for (const char* const topology :
         {"kind: mesh, dims: [3, 5]", "kind: mesh, dims: [4, 3]", "kind: hypercube, dimensions: 3",
          "kind: mesh, dims: [2, 2], concentration: [1, 2]", "kind: mesh, dims: [1]"}) {
        for (const std::uint64_t bytes : {0U, 1200U, 1201U}) {
            const Config config = parse_config(
                fmt::format(
                    "fabric: {{topology: {{{}}}}}\n"
                    "traffic: {{schedule: allreduce, algorithm: ring, message_bytes: {}}}\n",
                    topology, bytes),
                "c");
            const Graph graph = build_topology(config);
            const NodeOrder order = linked_order(graph);
            const NodeId nodes = graph.node_count();
            SCOPED_TRACE(graph.description());
            const Program all = allreduce_round_a_ring(graph, config);
            EXPECT_EQ(messages_of(all),
                      messages_of(to_program(allreduce_ring(order), even_pieces(bytes, nodes))));
            EXPECT_EQ(all.transfers.rule() != nullptr, bytes % nodes == 0);
            const Program scattered = reduce_scatter_round_a_ring(graph, config);
            EXPECT_EQ(messages_of(scattered),
                      messages_of(to_program(reduce_scatter_ring(order),
                                             std::vector<std::uint64_t>(nodes, bytes))));
            EXPECT_NE(scattered.transfers.rule(), nullptr);
            const Program list = to_program(allreduce_ring(order), even_pieces(bytes, nodes));
            const auto routing = make_routing(config, graph);
            const auto of_rule = analyse(all, graph, *routing, config.packet_format());
            const auto of_list = analyse(list, graph, *routing, config.packet_format());
            ASSERT_EQ(of_rule.size(), of_list.size());
            for (std::size_t i = 0; i < of_list.size(); ++i) {
                EXPECT_EQ(of_rule[i].step, of_list[i].step);
                EXPECT_EQ(of_rule[i].first, of_list[i].first);
                EXPECT_EQ(of_rule[i].max_link_contention, of_list[i].max_link_contention);
            }
            const ExchangeReport report = check_complete_exchange(all);
            const ExchangeReport expected = check_complete_exchange(list);
            EXPECT_EQ(report.missing, expected.missing);
            EXPECT_EQ(report.repeated, expected.repeated);
            EXPECT_EQ(report.examples, expected.examples);
        }
    }
}

TEST(VectorCollectives, OfRecursiveDoublingWorkForAnyNumberOfNodes) {
    for (NodeId p = 1; p <= 33; ++p) {
        SCOPED_TRACE(p);
        const std::uint32_t lg = floor_log2(p);
        const std::uint32_t folding = is_power_of_two(p) ? 0 : 2;
        const VectorPlan doubling = allreduce_doubling(p);
        EXPECT_THAT(check_plan(doubling, kAllreduce, 0), IsEmpty());
        EXPECT_THAT(doubling.steps, SizeIs(lg + folding));
        const VectorPlan rabenseifner = allreduce_halving_doubling(p);
        EXPECT_THAT(check_plan(rabenseifner, kAllreduce, 0), IsEmpty());
        EXPECT_THAT(rabenseifner.steps, SizeIs(2 * lg + folding));
        if (folding != 0) {
            EXPECT_THROW(reduce_scatter_halving(p), std::invalid_argument);
            EXPECT_THROW(scatter_doubling(p, 0), std::invalid_argument);
            continue;
        }
        EXPECT_THAT(check_plan(reduce_scatter_halving(p), kReduceScatter, 0), IsEmpty());
        for (NodeId root = 0; root < p; ++root) {
            const VectorPlan plan = scatter_doubling(p, root);
            EXPECT_THAT(check_plan(plan, kBroadcast, root), IsEmpty()) << root;
            EXPECT_THAT(plan.steps, SizeIs(2 * lg));
        }
    }
}

TEST(CheckPlan, FindsWhatIsWrong) {
    const NodeOrder line = linked_order(build_mesh({4}));
    VectorPlan plan = allreduce_doubling(4);
    plan.steps.push_back(plan.steps.front());
    EXPECT_THAT(check_plan(plan, kAllreduce, 0),
                testing::Contains("step 2: 0 sends piece 0 to 1, where 0 has contributed already"));
    plan.steps.resize(1);
    EXPECT_THAT(
        check_plan(plan, kAllreduce, 0),
        ElementsAre("node 0 ends without all of piece 0", "node 1 ends without all of piece 0",
                    "node 2 ends without all of piece 0", "node 3 ends without all of piece 0"));
    EXPECT_THAT(check_plan(plan, kReduce, 3), ElementsAre("node 3 ends without all of piece 0"));
    plan = pipelined_chain(line, 0, 2);
    std::swap(plan.steps[0], plan.steps[1]);
    EXPECT_THAT(check_plan(plan, kBroadcast, 0),
                testing::Contains("step 0: 1 sends piece 0 to 2, which it does not have"));
    plan = reduce_scatter_halving(4);
    EXPECT_THAT(check_plan(plan, kAllreduce, 0), SizeIs(10));  // and no more
    plan.steps[0][0].to = plan.steps[0][1].to;
    plan.steps[0][2].from = plan.steps[0][1].from;
    EXPECT_THAT(check_plan(plan, kReduceScatter, 0),
                testing::AllOf(testing::Contains("step 0: 3 receives twice"),
                               testing::Contains("step 0: 1 sends twice")));
}

TEST(VectorPrograms, HaveTheBytesOfTheirClosedForms) {
    // 16 nodes, vectors of 1600 bytes, blocks of 100: bytes that all nodes send together.
    constexpr std::uint64_t kVector = 1600;
    constexpr std::uint64_t kBlock = 100;
    const Graph graph = build_mesh({4, 4});
    const auto bytes = [&](const char* schedule, const char* algorithm) {
        const bool blocks = std::string(schedule) == "reduce-scatter";
        return bytes_of(build_schedule(
            config_for(graph, schedule, algorithm, blocks ? kBlock : kVector), graph));
    };
    EXPECT_EQ(bytes("broadcast", "binomial"), 15 * kVector);
    EXPECT_EQ(bytes("broadcast", "scatter_allgather"), (4 * 8 + 15 * 16) * kBlock);
    EXPECT_EQ(bytes("broadcast", "scatter_doubling"), (4 * 8 + 15 * 16) * kBlock);
    EXPECT_EQ(bytes("broadcast", "pipelined_chain"), 15 * kVector);
    EXPECT_EQ(bytes("broadcast", "pipelined_tree"), 15 * kVector);
    EXPECT_EQ(bytes("reduce", "binomial"), 15 * kVector);
    EXPECT_EQ(bytes("reduce", "dimension_order"), 15 * kVector);
    EXPECT_EQ(bytes("reduce", "pipelined_chain"), 15 * kVector);
    EXPECT_EQ(bytes("allreduce", "recursive_doubling"), 16 * 4 * kVector);
    EXPECT_EQ(bytes("allreduce", "rabenseifner"), 16 * 2 * 15 * kBlock);
    EXPECT_EQ(bytes("allreduce", "ring"), 16 * 2 * 15 * kBlock);
    EXPECT_EQ(bytes("allreduce", "reduce_broadcast"), 2 * 15 * kVector);
    EXPECT_EQ(bytes("reduce-scatter", "ring"), 16 * 15 * kBlock);
    EXPECT_EQ(bytes("reduce-scatter", "recursive_halving"), 16 * 15 * kBlock);
}

TEST(VectorPrograms, OfNearestPartnersSendTheLargestMessagesTheShortestWay) {
    const Graph graph = build_hypercube(3);
    const Program program =
        build_schedule(config_for(graph, "allreduce", "rabenseifner", 800), graph);
    std::vector<std::pair<NodeId, std::uint64_t>> of_node_0;
    for (const Transfer& t : program.transfers) {
        if (t.source == 0) of_node_0.emplace_back(t.destination, t.bytes);
    }
    using To = std::pair<NodeId, std::uint64_t>;
    EXPECT_THAT(of_node_0, ElementsAre(To{1, 400}, To{2, 200}, To{4, 100}, To{4, 100}, To{2, 200},
                                       To{1, 400}));
}

TEST(VectorPrograms, SplitBytesEvenlyAndLeaveOutEmptyMessages) {
    EXPECT_THAT(even_pieces(10, 4), ElementsAre(3, 3, 2, 2));
    EXPECT_THAT(even_pieces(2, 4), ElementsAre(1, 1, 0, 0));
    const VectorPlan chain = pipelined_chain(linked_order(build_mesh({3})), 0, 4);
    EXPECT_THAT(to_program(chain, even_pieces(10, 4)).transfers, SizeIs(8));
    EXPECT_THAT(to_program(chain, even_pieces(2, 4)).transfers, SizeIs(4));
    EXPECT_THAT(to_program(chain, even_pieces(0, 4)).transfers, SizeIs(8));
    EXPECT_THROW(to_program(chain, {1, 2, 3}), std::invalid_argument);
    // The root hands over the last two of pieces of 3, 3, 3 and 2 bytes.
    EXPECT_EQ(to_program(scatter_doubling(4, 0), even_pieces(11, 4)).transfers[0].bytes, 5U);
}

TEST(VectorPrograms, SendOverLinksOfTheirOwnWhereTheNetworkHasARingOrASnake) {
    const std::vector<Graph> rings = {
        build_mesh({4, 6}), build_mesh({3, 5}),  build_mesh({3, 3, 3}),
        build_mesh({7}),    build_torus({4, 4}), build_torus({3, 5}),
        build_hypercube(4), build_ghc({3, 4}),   build_how({4, 6}, {2, 2})};
    for (const Graph& graph : rings) {
        for (const auto& [schedule, algorithm] :
             {std::pair{"broadcast", "pipelined_chain"}, std::pair{"reduce", "pipelined_chain"},
              std::pair{"allreduce", "ring"}, std::pair{"reduce-scatter", "ring"}}) {
            Config config = config_for(graph, schedule, algorithm);
            config.traffic.chunks = algorithm == std::string("ring") ? 0 : 5;
            config.traffic.root = algorithm == std::string("ring") ? 0 : graph.node_count() / 2;
            EXPECT_THAT(contention(graph, config), Each(1U))
                << graph.description() << ' ' << schedule;
        }
        // After the scatter.
        std::vector<std::uint64_t> steps =
            contention(graph, config_for(graph, "broadcast", "scatter_allgather"));
        steps.erase(steps.begin(), steps.begin() + ceil_lg(graph.node_count()));
        EXPECT_THAT(steps, Each(1U)) << graph.description();
    }
}

TEST(VectorPrograms, OfXorPartnersSendOverLinksOfTheirOwnOnHypercubes) {
    const Graph graph = build_hypercube(4);
    for (const auto& [schedule, algorithm] :
         {std::pair{"allreduce", "recursive_doubling"}, std::pair{"allreduce", "rabenseifner"},
          std::pair{"reduce-scatter", "recursive_halving"},
          std::pair{"broadcast", "scatter_doubling"}, std::pair{"reduce", "dimension_order"}}) {
        Config config = config_for(graph, schedule, algorithm);
        config.traffic.root = reads_key(schedule, algorithm, "root") ? 11 : 0;
        EXPECT_THAT(contention(graph, config), Each(1U)) << schedule << ' ' << algorithm;
    }
    EXPECT_THAT(
        contention(build_mesh({4, 8}), config_for(build_mesh({4, 8}), "reduce", "dimension_order")),
        Each(1U));
}

TEST(Pieces, AreThoseOfTheModelUnlessTheyAreGiven) {
    // (P - 1 + 15) (10 + 1000 / P) is least at sqrt(14 x 1000 / 10) = 37.4.
    EXPECT_EQ(best_pieces(1, 15, 10, 1000, 65536), 37U);
    EXPECT_EQ(best_pieces(1, 15, 10, 1000, 20), 20U);
    // (2 (P - 1) + 8) (10 + 1000 / P): sqrt(6 x 1000 / 20) = 17.3.
    EXPECT_EQ(best_pieces(2, 8, 10, 1000, 65536), 17U);
    EXPECT_EQ(best_pieces(1, 15, 0, 1000, 65536), 65536U);
    EXPECT_EQ(best_pieces(1, 1, 10, 1000, 65536), 1U);

    const Graph graph = build_mesh({4, 4});
    Config config = config_for(graph, "broadcast", "pipelined_chain", 8000);
    config.node.send_overhead = 9;
    const auto messages = [&] { return build_schedule(config, graph).transfers.size(); };
    EXPECT_EQ(messages(), 15U * 37);
    config.traffic.schedule = "reduce";
    EXPECT_EQ(messages(), 15U * 37);
    config.node.injection_bandwidth = {1, 4};  // (9 + 4) + 4000 / P
    EXPECT_EQ(messages(), 15U * 66);
    config.traffic.barrier.emplace();
    config.traffic.barrier->fixed = 80;
    config.node.recv_overhead = 20;  // 100 more for each step
    EXPECT_EQ(messages(), 15U * 22);
    config.traffic.chunks = 3;
    EXPECT_EQ(messages(), 15U * 3);
}

TEST(Pieces, BeyondTheLargestProgramAreRefused) {
    EXPECT_EQ(most_pieces(2), 65536U);
    EXPECT_EQ(most_pieces(1025), 65536U);
    EXPECT_EQ(most_pieces(4097), 16384U);
    const Graph graph = build_mesh({64, 128});
    Config config = config_for(graph, "broadcast", "pipelined_chain");
    config.traffic.chunks = 10000;
    EXPECT_THAT(refused_with([&] { build_schedule(config, graph); }),
                HasSubstr("10000 chunks among 8192 nodes are too many (at most "
                          "8193, or 0 to have the number chosen)"));
}

TEST(VectorPrograms, RefuseNetworksThatAreTooLargeOrDoNotFit) {
    const auto error = [](const Graph& graph, const char* schedule, const char* algorithm) {
        return refused_with([&] { build_schedule(config_for(graph, schedule, algorithm), graph); });
    };
    EXPECT_THAT(error(build_mesh({5792, 2}), "allreduce", "ring"),
                HasSubstr("allreduce among 11584 nodes needs up to 268354944 messages (at most "
                          "67108864: use 5793 nodes or fewer"));
    EXPECT_THAT(error(build_mesh({5}), "broadcast", "scatter_doubling"),
                HasSubstr("scatter_doubling needs a power-of-two number of nodes, but mesh 5 has 5 "
                          "(use binomial)"));
    EXPECT_THAT(error(build_mesh({5}), "reduce-scatter", "recursive_halving"),
                HasSubstr("(use ring)"));
}

}  // namespace
}  // namespace flitscope
