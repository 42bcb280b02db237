// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routings by lot, O1TURN and Valiant's: every packet arrives over a path that its lot allows, lots
// are even, and phases that shared virtual channels would close a cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "testbench/verification/tests/models/routing_walks.h"

namespace flitscope {
namespace {

using testing::IsEmpty;

/// The routers that a packet passes, that of its source first; checks that it arrives in time, and
/// that no turn is missing among those stated. `vc` of a link is the lowest one allowed.
std::vector<RouterId> path_of(const Graph& graph, const Routing& routing, const Dependencies& all,
                              RouteQuery query) {
    const RouterId end = graph.router_of(query.destination);
    std::vector<RouterId> path{query.at};
    std::pair<LinkId, std::uint32_t> last{kNoLink, 0};
    while (query.at != end && path.size() <= 2 * graph.router_count()) {
        const RouteChoice choice = routing.route(query);
        const LinkId id = graph.out_link(query.at, choice.port);
        const std::pair<LinkId, std::uint32_t> next{id, lowest_channel(choice.virtual_channels)};
        const auto& places = all;
        if (last.first != kNoLink && places.count({last, next}) == 0) {
            const std::pair<LinkId, std::uint32_t> between{graph.link_count() + query.at, 0};
            EXPECT_TRUE(places.count({last, between}) == 1 && places.count({between, next}) == 1)
                << graph.link_name(id);
        }
        last = next;
        query.at = graph.link(id).to;
        query.in_port = graph.link(id).to_port;
        query.in_vc = next.second;
        query.is_injected = false;
        path.push_back(query.at);
    }
    EXPECT_EQ(path.back(), end);
    EXPECT_EQ(routing.route(query).port, graph.local_port(query.destination));
    return path;
}

TEST(O1Turn, TakesEitherOrderForHalfOfThePackets) {
    for (const std::uint32_t vcs : {2U, 3U, 8U, kMaxVirtualChannels}) {
        const Graph graph = build_mesh({4, 5});
        const auto routing = make_o1turn(graph, vcs, 7);
        EXPECT_EQ(routing->path_choice(), PathChoice::kPerPacket);
        EXPECT_THAT(find_dependency_cycle(graph, *routing), IsEmpty());
        const Dependencies all = stated(graph, *routing);
        std::map<std::uint32_t, int> first_hops;
        for (std::uint32_t sequence = 0; sequence < 1000; ++sequence) {
            // From row 0, column 0 to row 3, column 4.
            const std::vector<RouterId> path = path_of(
                graph, *routing, all, RouteQuery::injected(graph.places(), 0, 19, sequence));
            ASSERT_EQ(path.size(), 8U);
            ++first_hops[path[1]];
            const bool row_first = path[1] == RouterId(1);
            EXPECT_EQ(path[4], RouterId(row_first ? 4 : 16));
            const RouteChoice choice =
                routing->route(RouteQuery::injected(graph.places(), 0, 19, sequence));
            const std::uint32_t lower = (1U << vcs / 2) - 1;
            EXPECT_EQ(choice.virtual_channels, row_first ? lower : ((1U << vcs) - 1) & ~lower);
        }
        EXPECT_EQ(first_hops.size(), 2U);
        EXPECT_NEAR(first_hops[1], 500, 60);
    }
}

TEST(O1Turn, TossesAFairCoinOfItsOwnForEverySource) {
    const PathCoin coin{3, 1};
    for (const NodeId source : {0U, 1U, 77U}) {
        // A permutation of 16 bits: exactly half of all numbers, and these repeat.
        std::uint32_t second = 0;
        for (std::uint32_t n = 0; n < 1U << 16; ++n) second += coin.takes_second(source, n) ? 1 : 0;
        EXPECT_EQ(second, 1U << 15);
        EXPECT_EQ(coin.takes_second(source, 5), coin.takes_second(source, 5 + (7U << 16)));
    }
    // As the formula of hw/TIMING.md ("Two orders") gives it, worked out elsewhere: bit n of packet
    // n.
    const auto tosses = [](std::uint32_t key, std::uint32_t first) {
        std::uint32_t bits = 0;
        for (std::uint32_t n = 0; n < 32; ++n) {
            bits |= (PathCoin::toss(key, first + n) ? 1U : 0U) << n;
        }
        return bits;
    };
    EXPECT_EQ((PathCoin{7, 1}.key(3)), 0x1a99f995U);
    EXPECT_EQ(tosses(0x1a99f995, 0), 0x1d74d05dU);
    EXPECT_EQ(tosses(0xdeadbeef, 0), 0x14d5fb64U);
    EXPECT_EQ(tosses(0xdeadbeef, 0xfff0), 0xfb642d27U);
    // Neither other sources nor other seeds, nor the next packets, follow one another.
    std::uint32_t by_source = 0;
    std::uint32_t by_seed = 0;
    std::uint32_t by_next = 0;
    constexpr std::uint32_t kTosses = 4096;
    for (std::uint32_t n = 0; n < kTosses; ++n) {
        const bool toss = coin.takes_second(n % 64, n / 64);
        by_source += toss == coin.takes_second(n % 64 + 1, n / 64) ? 1 : 0;
        by_seed += toss == PathCoin{4, 1}.takes_second(n % 64, n / 64) ? 1 : 0;
        by_next += toss == coin.takes_second(n % 64, n / 64 + 1) ? 1 : 0;
    }
    EXPECT_NEAR(by_source, kTosses / 2, 160);
    EXPECT_NEAR(by_seed, kTosses / 2, 160);
    EXPECT_NEAR(by_next, kTosses / 2, 160);
}

TEST(O1Turn, EveryPairArrivesWithEveryLot) {
    const Graph graph = build_mesh({3, 4});
    const auto routing = make_o1turn(graph, 2, 1);
    const Dependencies all = stated(graph, *routing);
    for (NodeId source = 0; source < 12; ++source) {
        for (NodeId destination = 0; destination < 12; ++destination) {
            const auto distance = distances_to(graph, destination);
            for (std::uint32_t sequence = 0; sequence < 8; ++sequence) {
                EXPECT_EQ(
                    path_of(graph, *routing, all,
                            RouteQuery::injected(graph.places(), source, destination, sequence))
                        .size(),
                    distance[graph.router_of(source)] + 1);
            }
        }
    }
}

std::vector<std::pair<Graph, std::uint32_t>> valiant_machines() {
    std::vector<std::pair<Graph, std::uint32_t>> machines;
    machines.emplace_back(build_mesh({4, 4}), 2);
    machines.emplace_back(build_mesh({3, 2, 3}), 3);
    machines.emplace_back(build_torus({5, 4}), 4);
    machines.emplace_back(build_torus({7}), 7);
    machines.emplace_back(build_hypercube(4), 2);
    machines.emplace_back(build_how({6, 3}, {3, 2}), 2);
    machines.emplace_back(build_ghc({4, 4}), kMaxVirtualChannels);
    machines.emplace_back(with_nodes_per_router(build_mesh({4, 3}), 2), 2);
    return machines;
}

TEST(Valiant, PassesTheRouterOfTheLotInDimensionOrderAndArrives) {
    for (const auto& [graph, vcs] : valiant_machines()) {
        SCOPED_TRACE(graph.description());
        const auto routing = make_valiant(graph, vcs, 5);
        EXPECT_EQ(routing->path_choice(), PathChoice::kPerPacket);
        EXPECT_THAT(find_dependency_cycle(graph, *routing), IsEmpty());
        const Dependencies all = stated(graph, *routing);
        const auto order = make_dimension_order(graph, vcs / 2);
        const auto routers_of = [&](NodeId from, NodeId to) {
            std::vector<RouterId> routers;
            for (const LinkId id : route_links(graph, *order, from, to)) {
                routers.push_back(graph.link(id).to);
            }
            return routers;
        };
        std::set<RouterId> turns;
        const NodeId last = graph.node_count() - 1;
        const RouterId end = graph.router_of(last);
        for (std::uint32_t sequence = 0; sequence < 400; ++sequence) {
            const std::vector<RouterId> path = path_of(
                graph, *routing, all, RouteQuery::injected(graph.places(), 0, last, sequence));
            std::vector<RouterId> possible;
            for (RouterId turn; turn < graph.router_count(); ++turn) {
                const NodeId there = graph.nodes_at(turn)[0];
                std::vector<RouterId> whole{graph.router_of(0)};
                for (const RouterId router : routers_of(0, there)) whole.push_back(router);
                for (const RouterId router : routers_of(there, last)) whole.push_back(router);
                whole.erase(std::find(whole.begin(), whole.end(), end) + 1, whole.end());
                if (whole == path) possible.push_back(turn);
            }
            EXPECT_THAT(possible, testing::Not(IsEmpty()));
            turns.insert(possible.begin(), possible.end());
        }
        EXPECT_EQ(turns.size(), graph.router_count());
        for (NodeId source = 0; source < graph.node_count(); ++source) {
            for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
                path_of(graph, *routing, all,
                        RouteQuery::injected(graph.places(), source, destination, source + 31));
            }
        }
    }
}

TEST(Valiant, LotsAreEvenAndDependOnSeedSourceAndPacket) {
    const Graph graph = build_mesh({1, 8});
    const auto paths = [&](std::uint64_t seed, NodeId source) {
        const auto routing = make_valiant(graph, 2, seed);
        const Dependencies all = stated(graph, *routing);
        std::vector<std::size_t> lengths;
        for (std::uint32_t sequence = 0; sequence < 800; ++sequence) {
            lengths.push_back(path_of(graph, *routing, all,
                                      RouteQuery::injected(graph.places(), source, 3, sequence))
                                  .size());
        }
        return lengths;
    };
    // From 4 to 3: the turn is at 4 to 7 (0 to 3 hops of detour and back), or after it.
    std::map<std::size_t, int> count;
    for (const std::size_t length : paths(1, 4)) ++count[length];
    EXPECT_EQ(count.size(), 4U);
    EXPECT_NEAR(count[2], 500, 60);
    for (const std::size_t detour : {4U, 6U, 8U}) EXPECT_NEAR(count[detour], 100, 35);
    EXPECT_NE(paths(1, 4), paths(2, 4));
    EXPECT_NE(paths(1, 2), paths(1, 4));
}

/// A routing whose dependencies are given with one class for all virtual channels.
class OneClass final : public Routing {
public:
    explicit OneClass(const Routing& routing) : Routing(routing.places()), routing_(routing) {}
    std::string name() const override { return "one class"; }
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        routing_.visit_dependencies(graph, [&](VirtualLink holds, VirtualLink wants) {
            visit({holds.link, 0}, {wants.link, 0});
        });
    }

private:
    RouteChoice hop(RouterId at, NodeId to) const override { return routing_.route(at, to); }

    const Routing& routing_;
};

TEST(DeadlockCheck, FindsACycleWherePhasesShareVirtualChannels) {
    const Graph mesh = build_mesh({4, 4});
    EXPECT_FALSE(find_dependency_cycle(mesh, OneClass(*make_o1turn(mesh, 2, 1))).empty());
    EXPECT_FALSE(find_dependency_cycle(mesh, OneClass(*make_valiant(mesh, 2, 1))).empty());
    const Graph torus = build_torus({5, 5});
    EXPECT_FALSE(find_dependency_cycle(torus, OneClass(*make_minimal_adaptive(torus))).empty());
    EXPECT_FALSE(find_dependency_cycle(torus, *make_valiant(torus, 2, 1)).empty());  // no datelines
}

}  // namespace
}  // namespace flitscope
