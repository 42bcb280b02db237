// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Turn models: every choice of a packet is a hop of a shortest path, every turn is stated, and one
// turn more would close a cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/verification/tests/models/routing_walks.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The pairs of links that some packet of a minimal adaptive routing takes one after the other.
/// Checks on the way that every choice brings it nearer, and that there always is one.
std::set<std::pair<LinkId, LinkId>> turns_taken(const Graph& graph, const Routing& routing) {
    std::set<std::pair<LinkId, LinkId>> turns;
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        const auto distance = distances_to(graph, destination);
        for (NodeId source = 0; source < graph.node_count(); ++source) {
            std::set<LinkId> arrivals;
            std::vector<LinkId> open;
            const auto go_on = [&](RouterId at, LinkId last) {
                const RouteChoices choices = choices_of(routing, at, source, destination);
                ASSERT_GT(choices.size(), 0U);
                for (std::size_t i = 0; i < choices.size(); ++i) {
                    if (at == graph.router_of(destination)) {
                        EXPECT_EQ(choices[i].port, graph.local_port(destination));
                        continue;
                    }
                    const LinkId next = graph.out_link(at, choices[i].port);
                    ASSERT_NE(next, kNoLink);
                    ASSERT_EQ(distance[graph.link(next).to] + 1, distance[at]);
                    if (last != kNoLink) turns.insert({last, next});
                    if (arrivals.insert(next).second) open.push_back(next);
                }
            };
            go_on(graph.router_of(source), kNoLink);
            while (!open.empty()) {
                const LinkId last = open.back();
                open.pop_back();
                go_on(graph.link(last).to, last);
            }
        }
    }
    return turns;
}

using MakeTurnModel = std::unique_ptr<Routing> (*)(const Graph&);
struct TurnModelCase {
    const char* name;
    MakeTurnModel make;
    std::vector<Sides> meshes;
};

class TurnModels : public testing::TestWithParam<TurnModelCase> {};

const std::vector<Sides> kFlatMeshes{{1, 1}, {1, 6}, {5, 1}, {2, 2}, {3, 4}, {4, 5}, {6, 5}};

INSTANTIATE_TEST_SUITE_P(Kinds, TurnModels,
                         testing::Values(TurnModelCase{"west_first", make_west_first, kFlatMeshes},
                                         TurnModelCase{"odd_even", make_odd_even, kFlatMeshes},
                                         TurnModelCase{
                                             "negative_first",
                                             make_negative_first,
                                             {{1}, {7}, {3, 4}, {5, 5}, {3, 2, 4}, {2, 3, 2, 2}}}),
                         [](const auto& model) { return std::string(model.param.name); });

TEST_P(TurnModels, EveryChoiceIsMinimalAndItsTurnIsStated) {
    std::vector<Graph> graphs;
    for (const Sides& sides : GetParam().meshes) graphs.push_back(build_mesh(sides));
    graphs.push_back(with_nodes_per_router(build_mesh(GetParam().meshes.back()), 2));
    for (const Graph& graph : graphs) {
        SCOPED_TRACE(graph.description());
        const auto routing = GetParam().make(graph);
        EXPECT_EQ(routing->path_choice(), PathChoice::kAdaptive);
        const auto all = stated(graph, *routing);
        for (const auto& [last, next] : turns_taken(graph, *routing)) {
            EXPECT_EQ(all.count({{last, 0}, {next, 0}}), 1U)
                << graph.link_name(last) << " " << graph.link_name(next);
        }
        EXPECT_THAT(find_dependency_cycle(graph, *routing), IsEmpty());
    }
}

TEST_P(TurnModels, ThePathOfReportsIsOneOfThosePackets) {
    const Graph graph = build_mesh(GetParam().meshes.back());
    const auto routing = GetParam().make(graph);
    for (NodeId source = 0; source < graph.node_count(); ++source) {
        for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
            for (const LinkId id : route_links(graph, *routing, source, destination)) {
                const Link& link = graph.link(id);
                EXPECT_THAT(ports_of(choices_of(*routing, link.from, source, destination)),
                            testing::Contains(link.from_port));
            }
        }
    }
}

/// The turns of a routing, and one more: at `column`, after a hop through `from`, through `to`.
class OneTurnMore final : public Routing {
public:
    OneTurnMore(const Routing& routing, PortId from, PortId to, std::uint32_t parity)
        : Routing(routing.places()), routing_(routing), from_(from), to_(to), parity_(parity) {}
    std::string name() const override { return "one turn more"; }
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        routing_.visit_dependencies(graph, visit);
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            if (link.from_port != from_ || graph.coordinate(link.to, 1) % 2 != parity_) continue;
            const LinkId next = graph.out_link(link.to, to_);
            if (next != kNoLink) visit({id, 0}, {next, 0});
        }
    }

private:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return routing_.route(at, destination);
    }

    const Routing& routing_;
    PortId from_;
    PortId to_;
    std::uint32_t parity_;
};

TEST(TurnModels, EveryForbiddenTurnClosesACycle) {
    const Graph graph = build_mesh({6, 6});
    const auto count_cycles = [&](const Routing& routing) {
        int cycles = 0;
        for (const PortId from : {kEast, kWest, kSouth, kNorth}) {
            for (const PortId to : {kEast, kWest, kSouth, kNorth}) {
                if ((from < kSouth) == (to < kSouth)) continue;
                for (const std::uint32_t parity : {0U, 1U}) {
                    const OneTurnMore more(routing, from, to, parity);
                    cycles += find_dependency_cycle(graph, more).empty() ? 0 : 1;
                }
            }
        }
        return cycles;
    };
    // Two turns of eight are left out, at columns of either parity; odd-even leaves four out, each
    // at every second column.
    EXPECT_EQ(count_cycles(*make_west_first(graph)), 4);
    EXPECT_EQ(count_cycles(*make_negative_first(graph)), 4);
    EXPECT_EQ(count_cycles(*make_odd_even(graph)), 4);
}

TEST(WestFirst, IsAdaptiveToTheEastOnly) {
    const Graph graph = build_mesh({5, 5});
    const auto routing = make_west_first(graph);
    EXPECT_THAT(ports_of(choices_of(*routing, 12, 12, 0)), ElementsAre(kWest));
    EXPECT_THAT(ports_of(choices_of(*routing, 12, 12, 20)), ElementsAre(kWest));
    EXPECT_THAT(ports_of(choices_of(*routing, 12, 12, 24)), ElementsAre(kEast, kSouth));
    EXPECT_THAT(ports_of(choices_of(*routing, 12, 12, 4)), ElementsAre(kEast, kNorth));
    EXPECT_THAT(ports_of(choices_of(*routing, 11, 11, 22)), ElementsAre(kSouth, kEast));
    EXPECT_THAT(ports_of(choices_of(*routing, 12, 12, 2)), ElementsAre(kNorth));
}

TEST(NegativeFirst, IsAdaptiveWithinEitherPhase) {
    const Graph graph = build_mesh({5, 5});
    const auto routing = make_negative_first(graph);
    EXPECT_THAT(ports_of(choices_of(*routing, 12, 12, 0)), ElementsAre(kWest, kNorth));
    EXPECT_THAT(ports_of(choices_of(*routing, 12, 12, 24)), ElementsAre(kEast, kSouth));
    EXPECT_THAT(ports_of(choices_of(*routing, 12, 12, 20)), ElementsAre(kWest));
    EXPECT_THAT(ports_of(choices_of(*routing, 12, 12, 4)), ElementsAre(kNorth));
}

TEST(OddEven, TurnsWhereTheColumnAllowsIt) {
    const Graph graph = build_mesh({6, 6});
    const auto routing = make_odd_even(graph);
    const auto ports = [&](std::uint32_t at, NodeId source, NodeId destination) {
        return ports_of(choices_of(*routing, at, source, destination));
    };
    // To the east: leaves an even column only if it began there, and an odd one always.
    EXPECT_THAT(ports(2, 0, 35), ElementsAre(kEast));
    EXPECT_THAT(ports(2, 2, 35), ElementsAre(kSouth, kEast));
    EXPECT_THAT(ports(3, 0, 35), ElementsAre(kSouth, kEast));
    // It must not reach an even destination column in another row.
    EXPECT_THAT(ports(3, 0, 34), ElementsAre(kSouth));
    EXPECT_THAT(ports(4, 0, 35), ElementsAre(kEast));
    EXPECT_THAT(ports(33, 0, 34), ElementsAre(kEast));
    // To the west: leaves the row in even columns only.
    EXPECT_THAT(ports(5, 5, 30), ElementsAre(kWest));
    EXPECT_THAT(ports(4, 5, 30), ElementsAre(kSouth, kWest));
    EXPECT_THAT(ports(1, 5, 31), ElementsAre(kSouth));
}

}  // namespace
}  // namespace flitscope
