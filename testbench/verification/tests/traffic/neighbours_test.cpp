// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Ways over switches as the searches see them: no two share a link, and they cross to where only
// slow links lead, evenly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "traffic/schedules/synthesis/neighbours.h"

namespace flitscope::synthesis {
namespace {

/// Two servers of `nodes` nodes, each with a link to every one of its `switches`.
class Servers {
public:
    Servers(unsigned nodes, unsigned switches) : nodes_(nodes), switches_(switches) {
        for (unsigned server = 0; server < 2; ++server) {
            for (unsigned node = 0; node < nodes; ++node) {
                for (unsigned s = 0; s < switches; ++s) link(server * nodes + node, at(server, s));
            }
        }
    }
    unsigned at(unsigned server, unsigned s) const { return 2 * nodes_ + server * switches_ + s; }
    /// The first router that is no part of a server.
    unsigned next() const { return 2 * (nodes_ + switches_); }

    void link(unsigned a, unsigned b, unsigned cycles = 1) {
        links_ += fmt::format("  - {{from: {}, to: {}, both: true, rate: 1/{}}}\n", a, b, cycles);
    }
    /// What the searches see of it; `others` routers beside the servers.
    Neighbours neighbours(unsigned others) const {
        const std::string file =
            (std::filesystem::path(testing::TempDir()) / "servers.yaml").string();
        std::ofstream(file) << fmt::format("nodes: {}\nendpoints: {}\nlinks:\n{}", next() + others,
                                           2 * nodes_, links_);
        const Config config =
            parse_config(fmt::format("fabric: {{topology: {{kind: custom, file: {}}}}}\n"
                                     "node: {{port_model: independent}}\n",
                                     file),
                         "test");
        Graph graph = build_topology(config);
        graph.use_per_link_endpoints();
        return {graph, *make_routing(config, graph)};
    }

private:
    unsigned nodes_;
    unsigned switches_;
    std::string links_;
};

/// Links from one server to the other, with the most that begin or end at a node.
std::pair<std::size_t, std::size_t> crossing(const Neighbours& network, NodeId nodes) {
    std::vector<std::size_t> out(network.nodes);
    std::vector<std::size_t> in(network.nodes);
    std::size_t count = 0;
    for (const NeighbourLink& link : network.links) {
        if ((link.from < nodes) == (link.to < nodes)) continue;
        EXPECT_EQ(link.rounds, 4U);
        ++count;
        ++out[link.from];
        ++in[link.to];
    }
    return {count, std::max(*std::max_element(out.begin(), out.end()),
                            *std::max_element(in.begin(), in.end()))};
}

TEST(Neighbours, OfOneServerAreAllLinksOfItsSwitches) {
    Servers servers(8, 6);
    servers.link(0, 8, 4);
    const Neighbours network = servers.neighbours(0);
    EXPECT_EQ(network.links.size(), 2 * (8 * 6 + 1));
    for (NodeId node = 1; node < 8; ++node) {
        EXPECT_EQ(network.out[node].size(), 6) << node;
        EXPECT_EQ(network.in[node].size(), 6) << node;
    }
}

TEST(Neighbours, CrossASlowSwitchOfTheNodesWithEveryLinkOfIt) {
    Servers servers(8, 6);
    for (unsigned node = 0; node < 16; ++node) servers.link(node, servers.next(), 4);
    const Neighbours network = servers.neighbours(1);
    EXPECT_EQ(crossing(network, 8), std::pair(std::size_t{16}, std::size_t{1}));
    EXPECT_EQ(network.links.size(), 2 * 8 * 7);
}

TEST(Neighbours, CrossSlowLinksBetweenSwitchesEachFromAndToAnotherNode) {
    Servers servers(8, 6);
    for (unsigned s = 0; s < 6; ++s) servers.link(servers.at(0, s), servers.at(1, s), 4);
    const Neighbours network = servers.neighbours(0);
    EXPECT_EQ(crossing(network, 8), std::pair(std::size_t{12}, std::size_t{1}));
}

}  // namespace
}  // namespace flitscope::synthesis
