// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of applications: their messages and dependencies, counted by hand and played without a
// network.
#include "traffic/schedules/kernels/kernels.h"
#include "models/config/config.h"
#include "models/topology/graph.h"

#include "models/topology/families/topologies.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/program/operation_player.h"
#include "traffic/schedules/kernels/process_grid.h"
#include "traffic/schedules/schedule_factory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Program kernel(const std::string& topology, const std::string& traffic) {
    const Config config =
        parse_config("fabric: {topology: {" + topology + "}}\ntraffic: {" + traffic + "}\n", "c");
    Program program = build_program(config, build_topology(config));
    EXPECT_THAT(validate(program), IsEmpty());
    return program;
}

std::uint64_t bytes(const Program& program) {
    return std::accumulate(
        program.transfers.begin(), program.transfers.end(), std::uint64_t{0},
        [](std::uint64_t sum, const Transfer& transfer) { return sum + transfer.bytes; });
}

/// When every node has finished if a message arrives `latency` cycles after its send began.
std::vector<Cycle> ends(const Program& program, Cycle latency) {
    OperationRun run(*program.operations, 0, 0);
    std::vector<std::unique_ptr<OperationPlayer>> players;
    for (NodeId node = 0; node < program.nodes; ++node) {
        players.push_back(std::make_unique<OperationPlayer>(run, node));
    }
    using Arrival = std::tuple<Cycle, NodeId, MessageId>;
    std::set<Arrival> arrivals;
    const auto send = [&](NodeId node) {
        while (const auto next = players[node]->next()) {
            const Transfer& t = program.transfers[next->message];
            players[node]->hand_over();
            players[node]->injected(*next, next->begin);
            arrivals.emplace(next->begin + latency, t.destination, next->message);
        }
    };
    for (NodeId node = 0; node < program.nodes; ++node) send(node);
    while (!arrivals.empty()) {
        const auto [cycle, node, id] = *arrivals.begin();
        arrivals.erase(arrivals.begin());
        Message message;
        message.id = id;
        message.source = program.transfers[id].source;
        players[node]->delivered(message, cycle - 1);
        send(node);
    }
    std::vector<Cycle> all;
    for (const auto& player : players) {
        player->finish();
        EXPECT_TRUE(player->has_finished()) << player->waiting_for();
        all.push_back(player->end());
    }
    return all;
}

Cycle last_end(const Program& program, Cycle latency) {
    const std::vector<Cycle> all = ends(program, latency);
    return *std::max_element(all.begin(), all.end());
}

TEST(ProcessGrid, IsThatOfTheNetworkOrAsEvenAsItCan) {
    EXPECT_THAT(ProcessGrid(build_mesh({3, 4}), 2).sides(), ElementsAre(3, 4));
    EXPECT_THAT(ProcessGrid(build_mesh({3, 4}), 3).sides(), ElementsAre(3, 2, 2));
    EXPECT_THAT(ProcessGrid(build_mesh({7}), 2).sides(), ElementsAre(7, 1));
    EXPECT_THAT(ProcessGrid(build_hypercube(4), 2).sides(), ElementsAre(4, 4));
    const ProcessGrid grid(build_mesh({3, 4}), 2);
    EXPECT_EQ(grid.neighbour(5, 0, 1), 9U);
    EXPECT_EQ(grid.neighbour(5, 1, -1), 4U);
    EXPECT_EQ(grid.neighbour(4, 1, -1), std::nullopt);
    EXPECT_EQ(grid.neighbour(9, 0, 1), std::nullopt);
    EXPECT_EQ(grid.periodic_neighbour(5, 0, 1), 9U);
    EXPECT_EQ(grid.periodic_neighbour(4, 1, -1), 7U);
    EXPECT_EQ(grid.periodic_neighbour(9, 0, 1), 1U);
    EXPECT_EQ(grid.periodic_neighbour(1, 0, -1), 9U);
    EXPECT_EQ(ProcessGrid(build_mesh({7}), 2).periodic_neighbour(3, 1, 1), std::nullopt);
    EXPECT_THAT(grid.line(5, 0), ElementsAre(1, 5, 9));
    EXPECT_THAT(grid.line(5, 1), ElementsAre(4, 5, 6, 7));
}

TEST(Kernels, HaloExchangesFacesWithAllNeighboursInEveryIteration) {
    const std::string mesh = "kind: mesh, dims: [4, 4]";
    const Program two = kernel(mesh,
                               "schedule: halo-2d, iterations: 3, compute_cycles: 100, "
                               "message_bytes: 10");
    EXPECT_EQ(two.transfers.size(), 3U * 48);
    EXPECT_EQ(bytes(two), 3U * 48 * 10);
    EXPECT_EQ(last_end(two, 7), 3U * 107);
    // 4 x 2 x 2: 3 x 4 + 2 x 8 links.
    const Program three = kernel(mesh, "schedule: halo-3d, compute_cycles: 100");
    EXPECT_EQ(three.transfers.size(), 2U * 28);
    EXPECT_EQ(last_end(three, 7), 107U);
}

TEST(Kernels, PeriodicHaloGoesAroundTheGrid) {
    const std::string halo =
        "schedule: halo-2d, periodic: true, iterations: 2, compute_cycles: 100";
    const Program torus = kernel("kind: mesh, dims: [4, 4]", halo);
    EXPECT_EQ(torus.transfers.size(), 2U * 64);
    std::map<NodeId, std::multiset<NodeId>> to;
    for (const Transfer& transfer : torus.transfers)
        to[transfer.source].insert(transfer.destination);
    EXPECT_THAT(to[0], ElementsAre(1, 1, 3, 3, 4, 4, 12, 12));
    EXPECT_THAT(to[15], ElementsAre(3, 3, 11, 11, 12, 12, 14, 14));
    EXPECT_EQ(last_end(torus, 7), 2U * 107);
    // A side of two: both neighbours are the other node, and each face goes to its own receive. A
    // side of one has no neighbours.
    EXPECT_EQ(kernel("kind: mesh, dims: [2, 3]", halo).transfers.size(), 2U * 24);
    EXPECT_EQ(kernel("kind: mesh, dims: [1, 4]", halo).transfers.size(), 2U * 8);
    EXPECT_EQ(last_end(kernel("kind: mesh, dims: [2, 3]", halo), 7), 2U * 107);
}

TEST(Kernels, WavefrontFillsAndDrainsTheGrid) {
    const Program program =
        kernel("kind: mesh, dims: [3, 5]", "schedule: wavefront, blocks: 4, compute_cycles: 100");
    // Each link of the grid in two of the sweeps each way, for every block.
    EXPECT_EQ(program.transfers.size(), 4U * 4 * (2 * 5 + 3 * 4));
    const Program one =
        kernel("kind: mesh, dims: [1, 5]", "schedule: wavefront, blocks: 4, compute_cycles: 100");
    // Along a line two sweeps go one way, then ... the corners (1, 1), (1, -1), (-1, 1), (-1, -1):
    // right, left, right, left; a sweep follows one from the other end without a gap there.
    const std::vector<Cycle> end = ends(one, 10);
    EXPECT_EQ(*std::max_element(end.begin(), end.end()), end.front());
    EXPECT_EQ(end.front(), 4U * (4 * 100 + 4 * 110));
}

TEST(Kernels, FftSendsToAllOfTheRowThenOfTheColumn) {
    const Program program = kernel("kind: mesh, dims: [2, 3]",
                                   "schedule: fft-transpose, message_bytes: 8, compute_cycles: 50");
    std::map<std::pair<NodeId, NodeId>, int> pairs;
    for (const Transfer& t : program.transfers) ++pairs[{t.source, t.destination}];
    EXPECT_EQ(pairs.size(), 6U * (1 + 2));
    for (const auto& [pair, count] : pairs) {
        EXPECT_EQ(count, 1);
        EXPECT_TRUE(pair.first / 3 == pair.second / 3 || pair.first % 3 == pair.second % 3);
    }
    EXPECT_EQ(last_end(program, 9), 3U * 50 + 2 * 9);
}

TEST(Kernels, TrainingComputesInAPipelineAndSumsRoundRings) {
    const std::string cube = "kind: hypercube, dimensions: 3";
    const Program data = kernel(cube,
                                "schedule: training-step, blocks: 1, gradient_bytes: 1001, "
                                "compute_cycles: 100");
    EXPECT_EQ(data.transfers.size(), 8U * 14);  // a ring of eight, twice seven steps
    EXPECT_EQ(bytes(data), 14U * 1001);
    EXPECT_EQ(last_end(data, 10), 300U + 14 * 10);

    const Program pipeline = kernel(cube,
                                    "schedule: training-step, blocks: 4, pipeline_stages: 8, "
                                    "compute_cycles: 100, message_bytes: 64");
    EXPECT_EQ(pipeline.transfers.size(), 4U * 7 * 2);
    EXPECT_EQ(bytes(pipeline), 4U * 7 * 2 * 64);
    // Stages fill, pass all blocks forward, and drain backward, which takes twice as long.
    EXPECT_EQ(last_end(pipeline, 10), 4U * 100 + 7 * 110 + 4 * 200 + 7 * 210);

    const Program all =
        kernel(cube,
               "schedule: training-step, blocks: 3, pipeline_stages: 2, tensor_ranks: 2, "
               "gradient_bytes: 10, message_bytes: 64");
    // Tensor pairs: 2 messages of half, per block and direction; stages; replicas.
    EXPECT_EQ(all.transfers.size(), 8U * 3 * 2 * 2 + 3 * 4 * 2 + 8 * 2);
    EXPECT_EQ(bytes(all), 8U * 3 * 2 * 2 * 32 + 3 * 4 * 2 * 64 + 8 * 2 * 5);
}

TEST(Kernels, RandomAccessSendsAsDrawnAndReceivesAll) {
    const std::string text = "schedule: random-access, iterations: 30, compute_cycles: 5";
    const Program program = kernel("kind: mesh, dims: [4, 4]", text);
    EXPECT_EQ(program.transfers.size(), 16U * 30);
    std::vector<int> received(16);
    for (const Transfer& t : program.transfers) {
        EXPECT_NE(t.source, t.destination);
        ++received[t.destination];
    }
    EXPECT_EQ(std::count(received.begin(), received.end(), 0), 0);
    EXPECT_GE(last_end(program, 9), 30U * 5 + 9);
    const Program again = kernel("kind: mesh, dims: [4, 4]", text);
    for (MessageId id = 0; id < program.transfers.size(); ++id) {
        ASSERT_EQ(again.transfers[id].destination, program.transfers[id].destination);
    }
}

TEST(Kernels, RefuseWhatDoesNotFit) {
    const auto refusal = [](const std::string& traffic, const std::string& more = "") {
        const Config config = parse_config("fabric: {topology: {kind: mesh, dims: [4, 4]}}\n" +
                                               more + "traffic: {schedule: " + traffic + "}\n",
                                           "c");
        return refused_with([&] { build_program(config, build_topology(config)); });
    };
    EXPECT_THAT(refusal("training-step, tensor_ranks: 3"),
                HasSubstr("3 tensor ranks x 1 pipeline stages do not divide 16 nodes"));
    EXPECT_THAT(refusal("halo-2d", "node: {port_model: independent}\n"),
                HasSubstr("halo-2d is for nodes with one channel"));
    EXPECT_THAT(refusal("wavefront, iterations: 10000, blocks: 4096"),
                HasSubstr("needs up to 5242880000 messages"));
    EXPECT_THAT(refusal("halo-2d, barrier: true"),
                HasSubstr("operations have no steps to put barriers between"));
}

}  // namespace
}  // namespace flitscope
