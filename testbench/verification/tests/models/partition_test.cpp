// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks cut into parts: none is empty, they are of about equal size, and few links are between
// them.
#include "models/topology/partition.h"
#include "models/config/config.h"
#include "models/topology/graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "models/topology/families/topologies.h"
#include "testbench/app/configuration/configuration.h"

namespace flitscope {
namespace {

Graph network(const std::string& topology) {
    return build_topology(
        parse_config("fabric: {topology: " + topology + "}\ntraffic: {schedule: gen}\n", "t.yaml"));
}

std::vector<std::size_t> sizes(const std::vector<std::uint32_t>& part_of, std::uint32_t parts) {
    std::vector<std::size_t> routers(parts);
    for (const std::uint32_t part : part_of) ++routers.at(part);
    return routers;
}

TEST(Partition, CutsWhatThereIsToCut) {
    struct Case {
        std::string topology;
        std::uint32_t parts;
        std::size_t cut;  // both directions: the bisection of what is cut into halves
    };
    for (const Case& c :
         {Case{"{kind: mesh, dims: [16, 16]}", 2, 32}, Case{"{kind: torus, dims: [16, 16]}", 2, 64},
          Case{"{kind: hypercube, dimensions: 6}", 2, 64},
          Case{"{kind: mesh, dims: [4, 64]}", 2, 8}, Case{"{kind: mesh, dims: [8, 8]}", 1, 0},
          Case{"{kind: mesh, dims: [32, 8]}", 4, 3 * 16}}) {
        const Graph graph = network(c.topology);
        const std::vector<std::uint32_t> part_of = partition(graph, c.parts);
        EXPECT_LE(cut_links(graph, part_of), c.cut) << c.topology;
        EXPECT_EQ(partition(graph, c.parts), part_of);
    }
}

std::atomic<int> terminations{0};

/// METIS reports a SIGTERM while it cuts as its own error.
TEST(Partition, ASignalMeanwhileIsLeftToWhomItIsFor) {
    const Graph graph = network("{kind: hypercube, dimensions: 10}");
    const std::vector<std::uint32_t> undisturbed = partition(graph, 7);
    struct sigaction mine = {};
    mine.sa_handler = [](int) { ++terminations; };
    mine.sa_flags = SA_RESTART;
    struct sigaction before = {};
    sigaction(SIGTERM, &mine, &before);
    const pthread_t cutting = pthread_self();
    std::atomic<bool> is_over{false};
    std::thread sender([&] {
        while (!is_over) {
            pthread_kill(cutting, SIGTERM);
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    });
    while (terminations < 5) EXPECT_EQ(partition(graph, 7), undisturbed);
    is_over = true;
    sender.join();
    struct sigaction after = {};
    sigaction(SIGTERM, &before, &after);
    EXPECT_EQ(after.sa_handler, mine.sa_handler);
    EXPECT_TRUE(after.sa_flags & SA_RESTART) << "as METIS has it, it would be for one signal alone";
    EXPECT_FALSE(after.sa_flags & static_cast<int>(SA_RESETHAND));
}

TEST(Partition, LeavesNoPartEmptyAndNoneMuchLargerThanAnother) {
    for (const char* const topology :
         {"{kind: mesh, dims: [8, 8]}", "{kind: hypercube, dimensions: 6}",
          "{kind: how, dims: [64], window: 4}", "{kind: fat_tree, arity: 4, height: 3}",
          "{kind: dragonfly, groups: 9, group_size: 4, global_links: 2}"}) {
        const Graph graph = network(topology);
        for (const std::uint32_t parts : {1U, 2U, 3U, 7U, 16U}) {
            SCOPED_TRACE(fmt::format("{} {}", topology, parts));
            const std::vector<std::uint32_t> part_of = partition(graph, parts);
            ASSERT_EQ(part_of.size(), graph.router_count());
            const std::vector<std::size_t> routers = sizes(part_of, parts);
            const double mean = static_cast<double>(graph.router_count()) / parts;
            EXPECT_GE(*std::min_element(routers.begin(), routers.end()), 1U);
            EXPECT_LE(static_cast<double>(*std::max_element(routers.begin(), routers.end())),
                      2 * mean + 1);
        }
    }
}

TEST(Partition, GivesEveryRouterAPartOfItsOwnWhereThereAreAsMany) {
    const Graph graph = network("{kind: mesh, dims: [3, 3]}");
    EXPECT_EQ(sizes(partition(graph, 9), 9), std::vector<std::size_t>(9, 1));
}

}  // namespace
}  // namespace flitscope
