// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sections of faults, always the same ones, on networks of every kind: most of them name missing
// parts, cut the network, or ask for more than there is. An accepted section gives a network in
// which all working nodes reach each other, written and read as the same. FLITSCOPE_DEPTH=N tries N
// of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/performance/wire_budget.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/faults/faults.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/fault_sections.h"

namespace flitscope {
namespace {

std::size_t texts() { return cases_of(5'000, 50'000); }

constexpr const char* kTopologies[] = {
    "{kind: mesh, dims: [4, 5]}",
    "{kind: mesh, dims: [1]}",
    "{kind: mesh, dims: [30]}",
    "{kind: torus, dims: [4, 4]}",
    "{kind: torus, dims: [3]}",
    "{kind: hypercube, dimensions: 4}",
    "{kind: ghc, dims: [3, 4]}",
    "{kind: how, dims: [12], window: 4}",
    "{kind: express_mesh, dims: [9, 3], segment: 2}",
    "{kind: fat_tree, arity: 2, height: 3}",
    "{kind: dragonfly, groups: 3, group_size: 3, global_links: 1}",
    "{kind: mesh, dims: [2, 3], concentration: [2, 2]}",
    "{kind: torus, dims: [4, 3], concentration: [1, 2], extra_nodes: [0, 11, 0]}",
};

void expect_ways(const Graph& graph, const Routing& routing) {
    for (NodeId from = 0; from < graph.node_count(); ++from) {
        for (NodeId to = 0; to < graph.node_count(); ++to) {
            if (!graph.is_alive(from) || !graph.is_alive(to)) continue;
            ASSERT_NO_THROW(route_links(graph, routing, from, to));  // it arrives
        }
    }
}

TEST(MutatedFaultSections, AreRefusedInWordsOrLeaveANetworkThatWorks) {
    FaultSections sections(11);
    std::size_t taken = 0;
    std::size_t faulty = 0;
    std::clock_t longest = 0;  // processor time, as other work on the machine takes none of it
    for (std::size_t i = 0; i < texts(); ++i) {
        const char* const topology = kTopologies[sections.below(std::size(kTopologies))];
        const std::string text =
            fmt::format("fabric: {{topology: {}, virtual_channels: {}}}\nfaults: {}\n", topology,
                        1 + sections.below(4), sections.next());
        SCOPED_TRACE(fmt::format("text {}:\n{}", i, text));
        const std::clock_t begin = std::clock();
        try {
            Config config = parse_config(text, "faults.yaml");
            const std::string written = to_yaml(config);
            EXPECT_EQ(to_yaml(parse_config(written, "again")), written);
            // Later failures have to leave as good a network.
            if (config.faults) config.faults->at = 0;
            const Graph graph = build_budgeted_topology(config);
            const std::unique_ptr<Routing> routing = make_routing(config, graph);
            ++taken;
            if (graph.has_faults()) {
                ++faulty;
                EXPECT_TRUE(find_dependency_cycle(graph, *routing).empty());
                expect_ways(graph, *routing);
            }
        } catch (const ConfigError& error) {
            ASSERT_FALSE(error.findings().empty());
            for (const Diagnostic& finding : error.findings()) {
                EXPECT_FALSE(finding.what.empty());
                for (const char c : finding.str()) {
                    EXPECT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f);
                }
            }
        }
        longest = std::max(longest, std::clock() - begin);
    }
    // Neither all nor nothing is refused, and none takes long.
    EXPECT_GT(faulty, texts() / 10);
    EXPECT_GT(texts() - taken, texts() / 10);
    EXPECT_LT(longest, 5 * CLOCKS_PER_SEC);
}

/// Large networks, and as much as can be asked of them.
TEST(MutatedFaultSections, OfLargeNetworksAreBoundInTimeAndMemory) {
    std::string many = "links: [";
    for (int i = 0; i < 20'000; ++i) many += (i == 0 ? "" : ", ") + std::to_string(i) + "-0";
    // A torus whose links lead one way, each doubled by one that leads back over two.
    const std::string path = testing::TempDir() + "faults_fuzz_graph.csv";
    std::ofstream file(path);
    constexpr NodeId kNodes = 8000;
    file << "# nodes: " << kNodes << "\nfrom,to\n";
    for (NodeId node = 0; node < kNodes; ++node) {
        for (const NodeId ahead : {NodeId{1}, kNodes - 2, NodeId{80}}) {
            file << node << ',' << (node + ahead) % kNodes << '\n';
        }
    }
    file.close();
    const std::string one_way = "{kind: custom, file: '" + path + "'}";
    const struct {
        const char* topology;
        std::string faults;
        bool is_taken;
    } cases[] = {
        {"{kind: mesh, dims: [90, 90]}", "random_links: 0.45, keep_connected: true", true},
        {"{kind: mesh, dims: [90, 90]}", "random_links: 0.9, keep_connected: true", false},
        {"{kind: mesh, dims: [90, 90]}", "random_nodes: 0.45, keep_connected: true", true},
        {"{kind: torus, dims: [8192]}", "random_links: 1, keep_connected: true", true},
        {"{kind: mesh, dims: [90, 90]}", "random_nodes: 0.99, keep_connected: true", true},
        {"{kind: hypercube, dimensions: 13}", "random_links: 0.5, keep_connected: true", true},
        {"{kind: ghc, dims: [32, 32]}", "random_nodes: 0.9, keep_connected: true", true},
        {"{kind: mesh, dims: [90, 90]}", "random_links: 2147483647", false},
        {"{kind: mesh, dims: [90, 90]}", many + ']', false},
        {"{kind: mesh, dims: [91, 91]}", "links: [0-1]", false},
        {one_way.c_str(), "random_links: 0.4, keep_connected: true", true},
    };
    std::size_t number = 0;
    for (const auto& test : cases) {
        if (number++ % 3 != 0 && !takes_all()) continue;
        SCOPED_TRACE(fmt::format("{} {}", test.topology, test.faults.substr(0, 60)));
        const std::clock_t begin = std::clock();
        bool is_taken = true;
        try {
            Config config = parse_config(fmt::format("fabric: {{topology: {}}}\nfaults: {{{}}}\n",
                                                     test.topology, test.faults),
                                         "faults.yaml");
            EXPECT_TRUE(build_budgeted_topology(config).has_faults());
        } catch (const ConfigError& error) {
            is_taken = false;
            EXPECT_LT(std::string(error.what()).size(), 10'000U);
        }
        EXPECT_EQ(is_taken, test.is_taken);
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        fmt::print("{} {}: {:.2f} s\n", test.topology, test.faults.substr(0, 40), seconds);
        EXPECT_LT(seconds, 60);
    }
}

}  // namespace
}  // namespace flitscope
