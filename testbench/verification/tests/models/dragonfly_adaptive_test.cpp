// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// UGAL and progressive adaptive routing on dragonflies: paths for all that queues may say, the
// comparison of two of them to the flit, and the legs of paths, whose channels close no cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/split_mix.h"
#include "models/routing/link_queues.h"
#include "models/routing/routing_factory.h"
#include "models/routing/virtual_networks.h"
#include "models/topology/graph.h"
#include "testbench/verification/tests/models/routing_walks.h"

namespace flitscope {
namespace {

using testing::IsEmpty;

constexpr DragonflyChoice kChoices[] = {DragonflyChoice::kUgalLocal, DragonflyChoice::kUgalGlobal,
                                        DragonflyChoice::kProgressive};
constexpr Cycle kNow = 7;

/// Anything, but the same for the same question.
class AnyQueues final : public LinkQueues {
public:
    explicit AnyQueues(std::uint64_t seed) : seed_(seed) {}
    std::uint64_t queued(LinkId link, VcMask virtual_channels, Cycle now) const override {
        EXPECT_EQ(now, kNow);
        return split_mix(seed_ ^ split_mix(std::uint64_t{link} << 16 | virtual_channels)) % 5;
    }

private:
    std::uint64_t seed_;
};

/// What is written down for links and virtual channels; all others are empty. Notes what was asked.
class WrittenQueues final : public LinkQueues {
public:
    std::uint64_t queued(LinkId link, VcMask virtual_channels, Cycle now) const override {
        EXPECT_EQ(now, kNow);
        asked.insert({link, virtual_channels});
        const auto found = flits.find({link, virtual_channels});
        return found == flits.end() ? 0 : found->second;
    }

    std::map<std::pair<LinkId, VcMask>, std::uint64_t> flits;
    mutable std::set<std::pair<LinkId, VcMask>> asked;
};

struct Network {
    std::uint32_t groups;
    std::uint32_t group_size;
    std::uint32_t global_links;
    NodeId nodes = 1;  ///< per router

    Graph build() const {
        Graph graph = build_dragonfly(groups, group_size, global_links);
        return nodes == 1 ? std::move(graph) : with_nodes_per_router(std::move(graph), nodes);
    }
    std::uint32_t group(RouterId router) const { return router / group_size; }
    bool is_global(const Link& link) const { return group(link.from) != group(link.to); }
};

const std::vector<Network>& networks() {
    // With all channels connected, some left over, two groups, groups of one, and several channels
    // between two groups, of which a router has several.
    static const std::vector<Network> all = {{9, 4, 2}, {5, 4, 1, 2}, {6, 4, 2},
                                             {2, 3, 1}, {4, 1, 3},    {3, 5, 1, 2},
                                             {4, 3, 4}, {3, 2, 5},    {3, 3, 4}};
    return all;
}

std::uint32_t fewest_channels(DragonflyChoice choice) {
    return choice == DragonflyChoice::kProgressive ? 4 : 3;
}

/// The packet at the other end of `link`.
RouteQuery moved(const Graph& graph, RouteQuery query, LinkId link, std::uint32_t vc) {
    query.at = graph.link(link).to;
    query.in_port = graph.link(link).to_port;
    query.in_vc = vc;
    query.is_injected = false;
    return query;
}

struct Hop {
    LinkId link;
    VcMask virtual_channels;
};

/// All hops of a packet; checks that every next one is among the stated dependencies. It takes the
/// highest virtual channel that it may have.
std::vector<Hop> path_of(const Graph& graph, const Routing& routing, const Dependencies& all,
                         RouteQuery query, const LinkQueues& queues, std::uint32_t vcs) {
    std::vector<Hop> path;
    while (query.at != graph.router_of(query.destination) && path.size() < 9) {
        const RouteChoice choice = routing.route(query, queues, kNow);
        const LinkId id = graph.out_link(query.at, choice.port);
        EXPECT_NE(id, kNoLink);
        EXPECT_NE(choice.virtual_channels, 0);
        EXPECT_EQ(choice.virtual_channels >> vcs, 0);
        const std::uint32_t lowest = lowest_channel(choice.virtual_channels);
        if (!path.empty()) {
            const std::pair held{path.back().link, lowest_channel(path.back().virtual_channels)};
            EXPECT_EQ(all.count({held, {id, lowest}}), 1U);
        }
        path.push_back({id, choice.virtual_channels});
        query = moved(graph, query, id, 31 - __builtin_clz(choice.virtual_channels));
    }
    EXPECT_EQ(query.at, graph.router_of(query.destination));
    EXPECT_EQ(routing.route(query, queues, kNow).port, graph.local_port(query.destination));
    return path;
}

std::uint32_t globals_of(const Network& network, const Graph& graph, const std::vector<Hop>& path) {
    return static_cast<std::uint32_t>(std::count_if(path.begin(), path.end(), [&](const Hop& hop) {
        return network.is_global(graph.link(hop.link));
    }));
}

TEST(DragonflyAdaptive, ArrivesOverOneGroupMoreAtMostWhateverQueuesSay) {
    for (const Network& network : networks()) {
        const Graph graph = network.build();
        SCOPED_TRACE(graph.description());
        const auto minimal = make_dragonfly_minimal(graph, 2);
        for (const DragonflyChoice choice : kChoices) {
            const bool progressive = choice == DragonflyChoice::kProgressive;
            for (const std::uint32_t vcs : {fewest_channels(choice), 5U, 8U}) {
                const auto routing = make_dragonfly_adaptive(graph, vcs, 3, choice);
                SCOPED_TRACE(routing->name());
                EXPECT_EQ(routing->path_choice(), PathChoice::kByQueues);
                const Dependencies all = stated(graph, *routing);
                std::size_t longest = 0;
                for (NodeId source = 0; source < graph.node_count(); ++source) {
                    for (NodeId to = 0; to < graph.node_count(); ++to) {
                        const auto path =
                            path_of(graph, *routing, all,
                                    RouteQuery::injected(graph.places(), source, to, source + to),
                                    AnyQueues(source * 97 + to), vcs);
                        longest = std::max(longest, path.size());
                        const std::size_t direct = route_links(graph, *minimal, source, to).size();
                        const std::uint32_t globals = globals_of(network, graph, path);
                        const bool leaves = network.group(graph.router_of(source)) !=
                                            network.group(graph.router_of(to));
                        ASSERT_LE(globals, leaves ? 2U : 0U);
                        if (globals < 2) {
                            ASSERT_EQ(path.size(), direct);
                        }
                        ASSERT_LE(path.size(), progressive ? 6U : 5U);
                    }
                }
                if (network.groups == 9) {
                    EXPECT_EQ(longest, progressive ? 6U : 5U);
                }
            }
        }
    }
}

TEST(DragonflyAdaptive, LegsHaveChannelsOfTheirOwnAndCloseNoCycle) {
    for (const Network& network : networks()) {
        const Graph graph = network.build();
        for (const DragonflyChoice choice : kChoices) {
            for (std::uint32_t vcs = fewest_channels(choice); vcs <= kMaxVirtualChannels; ++vcs) {
                const auto routing = make_dragonfly_adaptive(graph, vcs, 1, choice);
                EXPECT_THAT(find_dependency_cycle(graph, *routing), IsEmpty());
            }
        }
    }
}

/// All legs on the same channels.
class OneLeg final : public Routing {
public:
    explicit OneLeg(const Graph& graph)
        : Routing(graph.shared_places()),
          legs_(make_dragonfly_adaptive(graph, 3, 1, DragonflyChoice::kUgalLocal)) {}
    std::string name() const override { return "one leg"; }
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return legs_->route(at, destination);
    }
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        legs_->visit_dependencies(graph, [&](VirtualLink holds, VirtualLink wants) {
            visit({holds.link, 0}, {wants.link, 0});
        });
    }

private:
    std::unique_ptr<Routing> legs_;
};

TEST(DragonflyAdaptive, LegsOnTheSameChannelsCloseACycle) {
    const Graph graph = build_dragonfly(5, 4, 1);
    EXPECT_FALSE(find_dependency_cycle(graph, OneLeg(graph)).empty());
}

/// The virtual channels of each leg, first come in the order of TIMING.md's table.
TEST(DragonflyAdaptive, DividesChannelsAsTheContractSays) {
    const Network network{9, 4, 2};
    const Graph graph = network.build();
    const auto masks = [&](DragonflyChoice choice, std::uint32_t vcs) {
        const auto routing = make_dragonfly_adaptive(graph, vcs, 3, choice);
        const Dependencies all = stated(graph, *routing);
        std::set<std::string> seen;
        for (NodeId to = 0; to < graph.node_count(); ++to) {
            for (std::uint32_t sequence = 0; sequence < 40; ++sequence) {
                std::string legs;
                for (const Hop& hop : path_of(graph, *routing, all,
                                              RouteQuery::injected(graph.places(), 0, to, sequence),
                                              AnyQueues(sequence), vcs)) {
                    legs += network.is_global(graph.link(hop.link)) ? 'g' : 'l';
                    legs += std::to_string(hop.virtual_channels) + ' ';
                }
                seen.insert(legs);
            }
        }
        return seen;
    };
    // All legs of a minimal path, of a detour and, progressive, of one that was begun late.
    for (const DragonflyChoice ugal : {DragonflyChoice::kUgalLocal, DragonflyChoice::kUgalGlobal}) {
        const auto seen = masks(ugal, 3);
        EXPECT_EQ(seen.count("l2 g6 l4 "), 1U);
        EXPECT_EQ(seen.count("l1 g1 l2 g6 l4 "), 1U);
        EXPECT_EQ(seen.count("l4 "), 1U);
        EXPECT_EQ(masks(ugal, 8).count("l3 g15 l28 g240 l224 "), 1U);
    }
    const auto seen = masks(DragonflyChoice::kProgressive, 4);
    EXPECT_EQ(seen.count("l1 g12 l8 "), 1U);
    EXPECT_EQ(seen.count("l2 g3 l4 g12 l8 "), 1U);
    EXPECT_EQ(seen.count("l1 l2 g3 l4 g12 l8 "), 1U);
    EXPECT_EQ(seen.count("l8 "), 1U);
}

/// A packet with its two ways from the router of its source, found by queues that forbid one.
struct TwoWays {
    RouteQuery query;
    std::vector<Hop> minimal;
    std::vector<Hop> detour;

    bool begin_together() const { return minimal.front().link == detour.front().link; }
};

class ForbiddenLinks final : public LinkQueues {
public:
    explicit ForbiddenLinks(std::vector<Hop> path) : path_(std::move(path)) {}
    std::uint64_t queued(LinkId link, VcMask virtual_channels, Cycle) const override {
        const bool is_on_it = std::any_of(path_.begin(), path_.end(), [&](const Hop& hop) {
            return hop.link == link && (virtual_channels == kAllVirtualChannels ||
                                        virtual_channels == hop.virtual_channels);
        });
        return is_on_it ? 1000 : 0;
    }

private:
    std::vector<Hop> path_;
};

std::optional<TwoWays> ways_of(const Network& network, const Graph& graph, const Routing& routing,
                               NodeId source, NodeId destination, std::uint32_t sequence) {
    TwoWays ways{RouteQuery::injected(graph.places(), source, destination, sequence), {}, {}};
    const Dependencies all = stated(graph, routing);
    ways.minimal = path_of(graph, routing, all, ways.query, WrittenQueues(), 4);
    ways.detour = path_of(graph, routing, all, ways.query, ForbiddenLinks(ways.minimal), 4);
    if (globals_of(network, graph, ways.detour) != 2) return std::nullopt;
    return ways;
}

TEST(DragonflyAdaptive, ComparesQueuesTimesHopsAndPrefersTheMinimalPath) {
    const Network network{9, 4, 2};
    const Graph graph = network.build();
    for (const DragonflyChoice choice : kChoices) {
        const auto routing = make_dragonfly_adaptive(graph, 4, 3, choice);
        SCOPED_TRACE(routing->name());
        int together = 0;
        int apart = 0;
        for (std::uint32_t sequence = 0; sequence < 60; ++sequence) {
            const NodeId to = 4 + sequence % 32;
            const auto ways = ways_of(network, graph, *routing, 1, to, sequence);
            // A path that was left behind its first channel says nothing of the choice before.
            if (!ways || ways->detour.size() > 5) continue;
            const auto measured = [&](const std::vector<Hop>& path) {
                std::size_t hop = 0;
                while (choice == DragonflyChoice::kUgalGlobal &&
                       !network.is_global(graph.link(path[hop].link))) {
                    ++hop;
                }
                const bool counts_own =
                    choice != DragonflyChoice::kUgalGlobal && ways->begin_together();
                return std::pair{path[hop].link,
                                 counts_own ? path[hop].virtual_channels : kAllVirtualChannels};
            };
            ++(ways->begin_together() ? together : apart);
            const std::uint64_t direct = ways->minimal.size();
            const std::uint64_t around = ways->detour.size();
            for (std::uint64_t other = 0; other < 4; ++other) {
                // The most flits on the minimal path with which it is still preferred.
                const std::uint64_t most = other * around / direct;
                for (const std::uint64_t flits : {std::uint64_t{0}, most, most + 1}) {
                    WrittenQueues queues;
                    queues.flits[measured(ways->minimal)] = flits;
                    queues.flits[measured(ways->detour)] = other;
                    const RouteChoice chosen = routing->route(ways->query, queues, kNow);
                    const std::vector<Hop>& path = flits <= most ? ways->minimal : ways->detour;
                    ASSERT_EQ(graph.out_link(ways->query.at, chosen.port), path.front().link);
                    ASSERT_EQ(chosen.virtual_channels, path.front().virtual_channels);
                    ASSERT_EQ(queues.asked.size(), 2U);
                    ASSERT_EQ(queues.asked.count(measured(ways->minimal)), 1U);
                    ASSERT_EQ(queues.asked.count(measured(ways->detour)), 1U);
                }
            }
        }
        EXPECT_GE(together, 3);
        EXPECT_GE(apart, 20);
    }
}

TEST(DragonflyAdaptive, AsksForQueuesOnlyWhereItMayChoose) {
    const Network network{9, 4, 2};
    const Graph graph = network.build();
    for (const DragonflyChoice choice : kChoices) {
        const auto routing = make_dragonfly_adaptive(graph, 4, 3, choice);
        SCOPED_TRACE(routing->name());
        for (NodeId to = 0; to < graph.node_count(); ++to) {
            const bool leaves = network.group(graph.router_of(to)) != 0;
            RouteQuery query = RouteQuery::injected(graph.places(), 0, to, to);
            while (query.at != graph.router_of(to)) {
                const WrittenQueues queues;
                const RouteChoice next = routing->route(query, queues, kNow);
                const bool is_second = !query.is_injected && network.group(query.at) == 0;
                const bool may_choose =
                    query.is_injected || (is_second && choice == DragonflyChoice::kProgressive);
                EXPECT_EQ(queues.asked.empty(), !leaves || !may_choose);
                query = moved(graph, query, graph.out_link(query.at, next.port),
                              lowest_channel(next.virtual_channels));
            }
        }
    }
}

TEST(DragonflyAdaptive, DetoursLeadOverAllOtherGroupsAlikeBySeedSourceAndPacket) {
    const Network network{9, 4, 2};
    const Graph graph = network.build();
    const auto over = [&](std::uint64_t seed, NodeId source, std::uint32_t sequence) {
        const auto routing = make_dragonfly_adaptive(graph, 4, seed, DragonflyChoice::kUgalGlobal);
        const auto ways = ways_of(network, graph, *routing, source, 20, sequence);
        if (!ways) return network.groups;
        for (const Hop& hop : ways->detour) {
            const Link& link = graph.link(hop.link);
            if (network.is_global(link)) return network.group(link.to);
        }
        return network.groups;
    };
    std::map<std::uint32_t, int> seen;
    int by_seed = 0;
    int by_source = 0;
    for (std::uint32_t sequence = 0; sequence < 210; ++sequence) {
        const std::uint32_t group = over(3, 0, sequence);
        ++seen[group];
        by_seed += over(4, 0, sequence) != group ? 1 : 0;
        by_source += over(3, 1, sequence) != group ? 1 : 0;
    }
    EXPECT_EQ(seen.size(), 7U);
    EXPECT_EQ(seen.count(0) + seen.count(5), 0U);
    for (const auto& [group, count] : seen) EXPECT_NEAR(count, 30, 18) << group;
    EXPECT_GT(by_seed, 130);
    EXPECT_GT(by_source, 130);
}

/// Of several channels to the group between, all are taken.
TEST(DragonflyAdaptive, DetoursTakeEveryChannelToTheGroupBetween) {
    const Network network{3, 3, 4};
    const Graph graph = network.build();
    const auto routing = make_dragonfly_adaptive(graph, 4, 1, DragonflyChoice::kUgalGlobal);
    std::set<LinkId> taken;
    for (std::uint32_t sequence = 0; sequence < 100; ++sequence) {
        const auto ways = ways_of(network, graph, *routing, 0, 3, sequence);
        ASSERT_TRUE(ways.has_value());
        for (const Hop& hop : ways->detour) {
            const Link& link = graph.link(hop.link);
            if (network.is_global(link) && network.group(link.from) == 0) taken.insert(hop.link);
        }
    }
    EXPECT_EQ(taken.size(), 6U);
}

TEST(DragonflyAdaptive, CountsAllClassesOfMessagesOrItsOwnChannels) {
    const Network network{9, 4, 2};
    const Graph graph = network.build();
    const auto routing = make_virtual_networks(
        make_dragonfly_adaptive(graph, 3, 3, DragonflyChoice::kUgalLocal), 2, 3);
    std::set<VcMask> seen;
    for (std::uint32_t sequence = 0; sequence < 60; ++sequence) {
        RouteQuery query = RouteQuery::injected(graph.places(), 1, 30, sequence);
        query.in_vc = 4;
        const WrittenQueues queues;
        routing->route(query, queues, kNow);
        for (const auto& [link, channels] : queues.asked) seen.insert(channels);
    }
    EXPECT_EQ(seen, (std::set<VcMask>{kAllVirtualChannels, 1 << 3, 2 << 3}));
}

}  // namespace
}  // namespace flitscope
