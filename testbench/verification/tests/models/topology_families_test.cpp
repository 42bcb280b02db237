// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of topology families as such, and the two families whose nodes are not in lines: fat
// trees and dragonflies against their definitions and closed forms, their routings against shortest
// paths and the deadlock check.
#include "models/topology/families/topology_families.h"
#include "models/config/config.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/performance/bisection.h"
#include "models/performance/topology_metrics.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

Config config_of(const std::string& topology, const std::string& fabric = "") {
    return parse_config("fabric: {topology: {" + topology + "}" + fabric + "}\n", "c.yaml");
}

std::string findings_of(const std::string& topology, const std::string& fabric = "") {
    return refused_with([&] {
        const Config config = config_of(topology, fabric);
        make_routing(config, build_topology(config));
    });
}

// ---- The table ----------------------------------------------------------------------------------

TEST(TopologyFamilies, AreDescribedWhole) {
    std::set<std::string> names;
    for (const TopologyFamily& family : topology_families()) {
        SCOPED_TRACE(family.name);
        EXPECT_TRUE(names.insert(family.name).second);
        EXPECT_EQ(find_topology_family(family.name), &family);
        EXPECT_THAT(family.summary, HasSubstr("{kind: " + family.name + ", "));
        EXPECT_TRUE(family.reads(family.size_key()));
        ASSERT_NE(family.size, nullptr);
        EXPECT_NE(family.build == nullptr, family.load == nullptr) << "one of them makes it";
        if (family.example.empty()) {
            EXPECT_TRUE(family.reads("file"));
            continue;
        }
        const Config config = config_of(family.example);
        const Graph graph = build_topology(config);
        EXPECT_EQ(graph.kind(), family.name);
        EXPECT_EQ(graph.description().find(family.name + ' '), 0U);
        const auto size = topology_size(config.fabric.topology);
        ASSERT_TRUE(size);
        EXPECT_EQ(size->routers, graph.router_count());
        EXPECT_EQ(size->nodes, graph.node_count());
        EXPECT_EQ(parse_config(to_yaml(config), "again.yaml").fabric.topology.parameters,
                  config.fabric.topology.parameters);
    }
}

TEST(TopologyFamilies, DescribeANetworkByItsParameters) {
    const std::pair<const char*, const char*> described[] = {
        {"kind: torus, dims: [2, 5], folded: true", "folded torus 2x5"},
        {"kind: ghc, dims: [4, 3]", "ghc 4x3"},
        {"kind: how, dims: [8, 8], window: 3", "how 8x8 window 3x3"},
        {"kind: how, dims: [4, 6], window: [3, 1]", "how 4x6 window 3x1"},
        {"kind: sparse_hamming, dims: [8, 8], offsets: [[], [3, 7]]",
         "sparse_hamming 8x8 offsets {}x{3,7}"},
        {"kind: express_mesh, dims: [9], segment: 4", "express_mesh 9 full segment 4"},
        {"kind: express_mesh, dims: [9, 9], segment: 2, layout: hierarchy, levels: 3",
         "express_mesh 9x9 hierarchy segment 2 levels 3"},
        {"kind: fat_tree, arity: 4, height: 2", "fat_tree arity 4 height 2"},
        {"kind: dragonfly, groups: 9, group_size: 4, global_links: 2",
         "dragonfly 9 groups of 4 global 2"},
    };
    for (const auto& [keys, text] : described) {
        EXPECT_EQ(build_topology(config_of(keys)).description(), text);
    }
}

TEST(TopologyFamilies, ReadEveryKeyAndAgreeOnWhichAreRequired) {
    std::map<std::string, std::set<bool>> required{{"extra_nodes", {false}}};  // every family
    for (const TopologyFamily& family : topology_families()) {
        for (const std::string& key : family.required_keys) required[key].insert(true);
        for (const std::string& key : family.optional_keys) required[key].insert(false);
        for (const TopologyParameter& own : family.parameters) required[own.name].insert(true);
    }
    std::size_t keys = 0;
    for (const ConfigKey& key : configuration_table().keys()) {
        if (parent_path(key.path) != "fabric.topology" || leaf_name(key.path) == "kind") continue;
        SCOPED_TRACE(key.path);
        ++keys;
        EXPECT_THAT(required[leaf_name(key.path)], testing::ElementsAre(key.is_required));
    }
    EXPECT_EQ(required.size(), keys);
}

/// So that the name of a link, and the scope of its signals, is of no other.
TEST(TopologyFamilies, HaveOneLinkAtMostFromARouterToAnother) {
    const auto expect_no_twins = [](const std::string& topology) {
        SCOPED_TRACE(topology);
        const Graph graph = build_topology(config_of(topology));
        EXPECT_GT(graph.link_count(), 0U);
        std::set<std::pair<RouterId, RouterId>> pairs;
        for (const Link& link : graph.links()) {
            EXPECT_TRUE(pairs.emplace(link.from, link.to).second) << link.from << ' ' << link.to;
        }
    };
    for (const char* const dims : {"[2]", "[3]", "[2, 2]", "[2, 3]", "[4, 2]", "[2, 2, 2]"}) {
        for (const char* const kind :
             {"mesh", "torus", "torus, folded: true", "ghc", "how, window: 1"}) {
            expect_no_twins(fmt::format("kind: {}, dims: {}", kind, dims));
        }
    }
    for (const char* const window : {"2", "3", "4"}) {
        expect_no_twins(fmt::format("kind: how, dims: [5, 6], window: {}", window));
    }
    for (const int dimensions : {1, 2, 3}) {
        expect_no_twins(fmt::format("kind: hypercube, dimensions: {}", dimensions));
    }
    // If express links are as long as others, the two would be twins.
    for (const char* const layout : {"full", "sparse", "compound", "hierarchy, levels: 2"}) {
        for (const char* const more : {"dims: [9, 9], segment: 2", "dims: [10, 10], segment: 3"}) {
            expect_no_twins(fmt::format("kind: express_mesh, layout: {}, {}", layout, more));
        }
    }
    expect_no_twins("kind: express_mesh, layout: shifted, dims: [12, 12], segment: 4");
    for (const char* const shape : {"arity: 2, height: 2", "arity: 2, height: 3"}) {
        expect_no_twins(fmt::format("kind: fat_tree, {}", shape));
    }
    for (const char* const shape :
         {"groups: 2, group_size: 1, global_links: 1", "groups: 2, group_size: 2, global_links: 1",
          "groups: 3, group_size: 2, global_links: 2"}) {
        expect_no_twins(fmt::format("kind: dragonfly, {}", shape));
    }
}

TEST(TopologyFamilies, RefuseATopologyOfNoneOfThem) {
    Config config;
    config.fabric.topology.kind = "moebius";
    config.fabric.topology.dims = {4, 4};
    EXPECT_THAT(refused_with([&] { build_topology(config); }),
                HasSubstr("unknown topology kind 'moebius' (choices: mesh, "));
}

// ---- Fat trees ----------------------------------------------------------------------------------

std::uint32_t power(std::uint32_t base, std::uint32_t exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

const std::vector<std::pair<std::uint32_t, std::uint32_t>>& fat_trees() {
    static const std::vector<std::pair<std::uint32_t, std::uint32_t>> all = {
        {2, 1}, {2, 2}, {2, 3}, {2, 5}, {3, 1}, {3, 2}, {3, 3}, {4, 1}, {4, 2}, {4, 3}, {5, 2}};
    return all;
}

/// Digits to the base k, the most significant first.
std::vector<std::uint32_t> digits(std::uint32_t number, std::uint32_t k, std::uint32_t count) {
    std::vector<std::uint32_t> result(count);
    for (std::uint32_t i = count; i-- > 0; number /= k) result[i] = number % k;
    return result;
}

/// Definition 2 of Petrini and Vanneschi 1997: switches (w, l) and (w', l + 1) are joined if w and
/// w' differ at most in digit l. Here switches are numbered from level n - 1, which has the nodes,
/// to the roots on level 0.
std::set<std::pair<RouterId, RouterId>> defined_channels(std::uint32_t k, std::uint32_t n) {
    const std::uint32_t wide = power(k, n - 1);
    const auto id = [&](std::uint32_t w, std::uint32_t level) {
        return RouterId((n - 1 - level) * wide + w);
    };
    std::set<std::pair<RouterId, RouterId>> channels;
    for (std::uint32_t level = 0; level + 1 < n; ++level) {
        for (std::uint32_t above = 0; above < wide; ++above) {
            for (std::uint32_t below = 0; below < wide; ++below) {
                auto w = digits(above, k, n - 1);
                const auto other = digits(below, k, n - 1);
                w[level] = other[level];
                if (w == other) channels.insert({id(below, level + 1), id(above, level)});
            }
        }
    }
    return channels;
}

TEST(FatTree, IsTheKAryNTree) {
    for (const auto& [k, n] : fat_trees()) {
        const Graph graph = build_fat_tree(k, n);
        SCOPED_TRACE(graph.description());
        EXPECT_EQ(graph.node_count(), power(k, n));
        EXPECT_EQ(graph.router_count(), n * power(k, n - 1));
        EXPECT_EQ(graph.link_count(), 2 * (n - 1) * power(k, n));
        EXPECT_EQ(graph.local_ports(), k);
        EXPECT_EQ(graph.port_count(), k + (n == 1 ? 0 : 2 * k));  // no ports without links
        // (w, n - 1) and a node are joined if w is the node's first digits.
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            EXPECT_EQ(graph.router_of(node), RouterId(node / k));
            EXPECT_EQ(graph.local_port(node), node % k);
        }
        std::set<std::pair<RouterId, RouterId>> channels;
        for (const Link& link : graph.links()) {
            EXPECT_NE(graph.opposite(link), kNoLink);
            channels.insert(std::minmax(link.from, link.to));
        }
        EXPECT_EQ(channels, defined_channels(k, n));
        // Behind the nodes come k ports down, then those up.
        for (const Link& link : graph.links()) {
            EXPECT_EQ(link.from_port >= 2 * k, link.from < link.to);
        }
    }
}

TEST(FatTree, HasTheFiguresOfItsClosedForms) {
    for (const auto& [k, n] : fat_trees()) {
        const Graph graph = build_fat_tree(k, n);
        SCOPED_TRACE(graph.description());
        const TopologyMetrics m = measure_topology(graph);
        const std::uint64_t leaves = power(k, n);
        EXPECT_EQ(m.nodes, leaves);
        EXPECT_EQ(m.switches, (n - 1) * power(k, n - 1));
        EXPECT_EQ(m.channels, (n - 1) * leaves);
        EXPECT_EQ(m.degree_min, n == 1 ? 0 : k);
        EXPECT_EQ(m.degree_max, std::min(n - 1, 2U) * k);
        EXPECT_EQ(m.diameter, 2 * (n - 1));
        double hops =
            0;  // to all others from one node: 2 j, where the numbers differ up to digit j
        for (std::uint32_t j = 0; j < n; ++j) hops += 2.0 * j * (power(k, j + 1) - power(k, j));
        EXPECT_NEAR(m.average_distance, hops / static_cast<double>(leaves - 1), 1e-9);
        EXPECT_EQ(m.distance_sources, leaves);
        // A switch and its nodes are on one side. Every permutation has disjoint paths, so no cut
        // has fewer channels than its smaller half has nodes.
        const std::uint64_t smaller = power(k, n - 1) / 2 * k;
        EXPECT_GE(m.bisection, smaller);
        EXPECT_LE(m.bisection, leaves - smaller);
        EXPECT_EQ(m.bisection_proof.empty(), m.bisection != smaller);
        const HalvesCut cut = cut_into_halves(graph);
        std::uint64_t lower = 0;
        for (NodeId node = 0; node < leaves; ++node) {
            lower += cut.upper[graph.router_of(node)] ? 0 : 1;
        }
        EXPECT_EQ(lower, smaller);
        EXPECT_EQ(middle_cut(graph).up, m.bisection);
    }
}

TEST(FatTreeRouting, IsShortestFreeOfDeadlockAndSpreadOverAllRoots) {
    for (const auto& [k, n] : fat_trees()) {
        const Graph graph = build_fat_tree(k, n);
        SCOPED_TRACE(graph.description());
        Config config;
        const auto routing = make_routing(config, graph);
        EXPECT_EQ(routing->name(), "up_down");
        const NodeId leaves = graph.node_count();
        const std::uint32_t roots = power(k, n - 1);
        std::vector<std::uint64_t> through(roots);
        std::uint64_t over = 0;
        for (NodeId source = 0; source < leaves; ++source) {
            for (NodeId destination = 0; destination < leaves; ++destination) {
                std::uint32_t stages = 0;  // that they have to go up
                while (source / power(k, stages + 1) != destination / power(k, stages + 1)) {
                    ++stages;
                }
                const auto path = route_links(graph, *routing, source, destination);
                ASSERT_EQ(path.size(), 2 * stages);
                for (const LinkId id : path) {
                    const RouterId at = graph.link(id).to;
                    if (at < graph.router_count() - roots) continue;
                    ++through[at - (graph.router_count() - roots)];
                    ++over;
                }
            }
        }
        for (const std::uint64_t paths : through) EXPECT_EQ(paths * roots, over);
        EXPECT_TRUE(find_dependency_cycle(graph, *routing).empty());
        // The stated dependencies are those that occur.
        std::set<std::pair<LinkId, LinkId>> stated;
        routing->visit_dependencies(graph, [&](VirtualLink a, VirtualLink b) {
            stated.insert({a.link, b.link});
        });
        for (NodeId source = 0; source < leaves; ++source) {
            for (NodeId destination = 0; destination < leaves; ++destination) {
                const auto path = route_links(graph, *routing, source, destination);
                for (std::size_t i = 1; i < path.size(); ++i) {
                    ASSERT_EQ(stated.count({path[i - 1], path[i]}), 1U);
                }
            }
        }
    }
}

/// Every node sends to the one that is `shift` further: no link is shared (Zahavi et al. 2010).
TEST(FatTreeRouting, ThatAdaptsOffersEveryWayUpAndTheOnlyOneDown) {
    for (const auto& [k, n] : fat_trees()) {
        const Graph graph = build_fat_tree(k, n);
        SCOPED_TRACE(graph.description());
        const auto fixed = make_fat_tree_up_down(graph);
        const auto adaptive = make_fat_tree_up_down(graph, true);
        EXPECT_TRUE(find_dependency_cycle(graph, *adaptive).empty());
        RouteChoices choices;
        for (RouterId at; at < graph.router_count(); ++at) {
            const std::uint32_t stage = at / power(k, n - 1);
            for (NodeId to = 0; to < graph.node_count(); ++to) {
                adaptive->route({at, graph.local_ports(), 0, 0, to, 0, false}, choices);
                const PortId usual = fixed->route(at, to).port;
                EXPECT_EQ(choices[0].port, usual);
                EXPECT_FALSE(choices.has_escape());
                const LinkId first = graph.out_link(at, usual);
                const bool goes_up =
                    first != kNoLink && graph.link(first).to / power(k, n - 1) > stage;
                ASSERT_EQ(choices.size(), goes_up ? k : 1);
                std::set<PortId> ports;
                for (std::size_t i = 0; i < choices.size(); ++i) ports.insert(choices[i].port);
                EXPECT_EQ(ports.size(), choices.size());
                for (const PortId port : ports) {
                    if (!goes_up) continue;
                    const LinkId up = graph.out_link(at, port);
                    ASSERT_NE(up, kNoLink);
                    EXPECT_EQ(graph.link(up).to / power(k, n - 1), stage + 1);
                }
            }
        }
    }
}

TEST(FatTreeRouting, CarriesEveryShiftWithoutContention) {
    for (const auto& [k, n] : fat_trees()) {
        const Graph graph = build_fat_tree(k, n);
        SCOPED_TRACE(graph.description());
        const auto routing = make_routing(Config(), graph);
        const NodeId leaves = graph.node_count();
        for (NodeId shift = 1; shift < leaves; ++shift) {
            std::vector<std::uint32_t> load(graph.link_count());
            for (NodeId source = 0; source < leaves; ++source) {
                for (const LinkId id :
                     route_links(graph, *routing, source, (source + shift) % leaves)) {
                    ASSERT_EQ(++load[id], 1U) << graph.link_name(id) << ", shift " << shift;
                }
            }
        }
    }
}

TEST(FatTree, RefusesWhatItCannotBe) {
    EXPECT_THAT(findings_of("kind: fat_tree, arity: 4, height: 8"),
                HasSubstr("c.yaml:1:55: error: a fat_tree of arity 4 and height 8 has 65536 nodes "
                          "and 131072 switches, more than 65536"));
    EXPECT_THAT(findings_of("kind: fat_tree, arity: 1, height: 2"), HasSubstr("from 2 to"));
    EXPECT_THAT(findings_of("kind: fat_tree, arity: 4"),
                HasSubstr("'fabric.topology.height' is missing"));
    EXPECT_THAT(findings_of("kind: mesh, dims: [4], arity: 4"),
                HasSubstr("key 'arity' does not apply to topology kind 'mesh'"));
    EXPECT_THAT(findings_of("kind: fat_tree, arity: 2, height: 2", ", routing: dimension_order"),
                HasSubstr("needs coordinates"));
    EXPECT_THAT(findings_of("kind: fat_tree, arity: 2, height: 2",
                            ", routing: valiant, virtual_channels: 4"),
                HasSubstr("needs coordinates"));
}

// ---- Dragonflies --------------------------------------------------------------------------------

struct Dragonfly {
    std::uint32_t groups;
    std::uint32_t size;
    std::uint32_t links;
};

const std::vector<Dragonfly>& dragonflies() {
    static const std::vector<Dragonfly> all = {{2, 1, 1},
                                               {3, 2, 1},
                                               {5, 4, 1},
                                               {9, 4, 2},
                                               {4, 1, 3},
                                               {4, 3, 2},
                                               {3, 4, 2},
                                               {7, 3, 2},
                                               {6, 4, 2},
                                               {3, 5, 1},
                                               // Several channels of a router to a group.
                                               {5, 4, 8},
                                               {2, 4, 2},
                                               {2, 1, 5},
                                               {3, 2, 5},
                                               {4, 3, 4},
                                               {5, 2, 5},
                                               {3, 3, 4}};
    return all;
}

TEST(Dragonfly, JoinsEveryGroupWithinAndEveryTwoGroupsAlike) {
    for (const auto& [g, a, h] : dragonflies()) {
        const Graph graph = build_dragonfly(g, a, h);
        SCOPED_TRACE(graph.description());
        const std::uint32_t per_pair = a * h / (g - 1);
        EXPECT_EQ(graph.router_count(), g * a);
        EXPECT_EQ(graph.node_count(), g * a);
        EXPECT_EQ(graph.link_count(), g * a * (a - 1) + g * (g - 1) * per_pair);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> between;
        std::map<std::pair<RouterId, RouterId>, std::uint32_t> links;
        for (const Link& link : graph.links()) {
            EXPECT_EQ(link.rank, (links[{link.from, link.to}]++));
            ASSERT_NE(graph.opposite(link), kNoLink);
            EXPECT_EQ(graph.link(graph.opposite(link)).rank, link.rank);
            const std::uint32_t from = link.from / a;
            const std::uint32_t to = link.to / a;
            if (from != to) ++between[{from, to}];
            // The palmtree: the j-th channel of a group leads to the one j + 1 before it.
            if (from == to) continue;
            const std::uint32_t channel = link.from % a * h + link.from_port - a;
            EXPECT_EQ((to + 1 + channel % (g - 1)) % g, from);
        }
        EXPECT_EQ(between.size(), std::size_t{g} * (g - 1));
        for (const auto& [pair, count] : between) EXPECT_EQ(count, per_pair);
    }
}

TEST(Dragonfly, OfOneChannelPerPairHasTheFiguresOfItsClosedForms) {
    for (const auto& [g, a, h] : dragonflies()) {
        if (g != a * h + 1) continue;
        const Graph graph = build_dragonfly(g, a, h);
        SCOPED_TRACE(graph.description());
        const TopologyMetrics m = measure_topology(graph);
        EXPECT_EQ(m.channels, g * a * (a - 1) / 2 + g * (g - 1) / 2);
        EXPECT_EQ(m.degree_min, a - 1 + h);
        EXPECT_EQ(m.degree_max, a - 1 + h);
        EXPECT_EQ(m.diameter, a == 1 ? 1U : 3U);
        EXPECT_EQ(m.switches, 0U);
        if (h == 1) {  // to the other groups: one is next to it, and the rest of that, and so on
            const double hops = (a - 1) + (1 + 2 * (a - 1)) + (a - 1) * (2 + 3.0 * (a - 1));
            EXPECT_NEAR(m.average_distance, hops / (g * a - 1), 1e-9);
        }
    }
}

TEST(DragonflyRouting, GoesOverOneGlobalChannelAtMostAndCannotDeadlock) {
    for (const auto& [g, a, h] : dragonflies()) {
        const Graph graph = build_dragonfly(g, a, h);
        SCOPED_TRACE(graph.description());
        for (const std::uint32_t vcs : {2U, 3U, 5U}) {
            Config config;
            config.fabric.virtual_channels = vcs;
            const auto routing = make_routing(config, graph);
            EXPECT_EQ(routing->name(), "dragonfly_minimal");
            for (NodeId source = 0; source < graph.node_count(); ++source) {
                for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
                    std::uint32_t global = 0;
                    const auto path = route_links(graph, *routing, source, destination);
                    ASSERT_LE(path.size(), 3U);
                    for (const LinkId id : path) {
                        global += graph.link(id).from / a != graph.link(id).to / a ? 1 : 0;
                    }
                    ASSERT_EQ(global, source / a == destination / a ? 0U : 1U);
                }
            }
            using Channel = std::pair<LinkId, std::uint32_t>;
            std::set<std::pair<Channel, Channel>> stated;
            std::set<std::pair<Channel, Channel>> occurring;
            const auto into = [](auto& set) {
                return [&set](VirtualLink x, VirtualLink y) {
                    set.insert({{x.link, x.vc}, {y.link, y.vc}});
                };
            };
            routing->visit_dependencies(graph, into(stated));
            routing->Routing::visit_dependencies(graph, into(occurring));
            EXPECT_TRUE(
                std::includes(stated.begin(), stated.end(), occurring.begin(), occurring.end()));
            EXPECT_TRUE(find_dependency_cycle(graph, *routing).empty());
        }
        Config config;
        config.fabric.routing = "valiant";
        config.fabric.virtual_channels = 4;
        const auto valiant = make_routing(config, graph);
        EXPECT_TRUE(find_dependency_cycle(graph, *valiant).empty());
        EXPECT_LE(measure_routing(graph, *valiant).max_hops, 6U);
        config.fabric = {};
        EXPECT_TRUE(find_dependency_cycle(graph, *make_routing(config, graph)).empty());
    }
}

TEST(Dragonfly, RefusesWhatItCannotBe) {
    EXPECT_THAT(findings_of("kind: dragonfly, groups: 6, group_size: 2, global_links: 2"),
                HasSubstr("c.yaml:1:46: error: 6 groups, and the 4 global links of a group reach 4 "
                          "others (at most 5 groups, or more 'global_links')"));
    EXPECT_THAT(findings_of("kind: dragonfly, groups: 300, group_size: 300, global_links: 2"),
                HasSubstr("has more than 65536 nodes"));
    EXPECT_THAT(findings_of("kind: dragonfly, groups: 3, group_size: 2, global_links: 1",
                            ", routing: dragonfly_minimal"),
                HasSubstr("dragonfly_minimal needs 2 virtual channels here, and there is 1"));
    EXPECT_THAT(findings_of("kind: dragonfly, groups: 3, group_size: 2, global_links: 1",
                            ", routing: valiant, virtual_channels: 3"),
                HasSubstr("valiant needs 4 virtual channels here"));
    EXPECT_THAT(
        findings_of("kind: mesh, dims: [4]", ", routing: dragonfly_minimal, virtual_channels: 2"),
        HasSubstr("dragonfly_minimal is for dragonflies, not for topology kind 'mesh'"));
}

}  // namespace
}  // namespace flitscope
