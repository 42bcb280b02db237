// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routings with more than one path per pair of nodes, and shortest paths over express links: every
// packet arrives over a legal path whatever is chosen, and the stated dependencies cover what can
// occur.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/performance/bounds.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Sides = std::vector<std::uint32_t>;
using Dependencies = std::set<std::pair<std::pair<LinkId, std::uint32_t>,  //
                                        std::pair<LinkId, std::uint32_t>>>;

std::vector<std::uint32_t> distances_to(const Graph& graph, NodeId destination) {
    std::vector<std::uint32_t> distance(graph.node_count(), UINT32_MAX);
    std::queue<NodeId> open;
    distance[destination] = 0;
    open.push(destination);
    for (; !open.empty(); open.pop()) {
        for (PortId port = 1; port < graph.port_count(); ++port) {
            const LinkId id = graph.in_link(open.front(), port);
            if (id == kNoLink || distance[graph.link(id).from] != UINT32_MAX) continue;
            distance[graph.link(id).from] = distance[open.front()] + 1;
            open.push(graph.link(id).from);
        }
    }
    return distance;
}

RouteChoices choices_of(const Routing& routing, NodeId at, NodeId source, NodeId destination) {
    RouteQuery query;
    query.at = at;
    query.source = source;
    query.destination = destination;
    RouteChoices choices;
    routing.route(query, choices);
    return choices;
}

std::vector<PortId> ports_of(const RouteChoices& choices) {
    std::vector<PortId> ports;
    for (std::size_t i = 0; i < choices.size(); ++i) ports.push_back(choices[i].port);
    return ports;
}

/// The pairs of links that some packet of a minimal adaptive routing takes one after the other.
/// Checks on the way that every choice brings it nearer, and that there always is one.
std::set<std::pair<LinkId, LinkId>> turns_taken(const Graph& graph, const Routing& routing) {
    std::set<std::pair<LinkId, LinkId>> turns;
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        const auto distance = distances_to(graph, destination);
        for (NodeId source = 0; source < graph.node_count(); ++source) {
            std::set<LinkId> arrivals;
            std::vector<LinkId> open;
            const auto go_on = [&](NodeId at, LinkId last) {
                const RouteChoices choices = choices_of(routing, at, source, destination);
                ASSERT_GT(choices.size(), 0U);
                for (std::size_t i = 0; i < choices.size(); ++i) {
                    if (at == destination) {
                        EXPECT_EQ(choices[i].port, kLocalPort);
                        continue;
                    }
                    const LinkId next = graph.out_link(at, choices[i].port);
                    ASSERT_NE(next, kNoLink);
                    ASSERT_EQ(distance[graph.link(next).to] + 1, distance[at]);
                    if (last != kNoLink) turns.insert({last, next});
                    if (arrivals.insert(next).second) open.push_back(next);
                }
            };
            go_on(source, kNoLink);
            while (!open.empty()) {
                const LinkId last = open.back();
                open.pop_back();
                go_on(graph.link(last).to, last);
            }
        }
    }
    return turns;
}

Dependencies stated(const Graph& graph, const Routing& routing) {
    Dependencies dependencies;
    routing.visit_dependencies(graph, [&](VirtualLink a, VirtualLink b) {
        dependencies.insert({{a.link, a.vc}, {b.link, b.vc}});
    });
    return dependencies;
}

// Turn models.

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
    for (const Sides& sides : GetParam().meshes) {
        const Graph graph = build_mesh(sides);
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

/// The turns of a routing, and one more: at `column`, behind a hop through `from`, through `to`.
class OneTurnMore final : public Routing {
public:
    OneTurnMore(const Routing& routing, PortId from, PortId to, std::uint32_t parity)
        : routing_(routing), from_(from), to_(to), parity_(parity) {}
    std::string name() const override { return "one turn more"; }
    RouteChoice route(NodeId at, NodeId destination) const override {
        return routing_.route(at, destination);
    }
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
    const Routing& routing_;
    PortId from_;
    PortId to_;
    std::uint32_t parity_;
};

constexpr PortId kEast = 1;
constexpr PortId kWest = 2;
constexpr PortId kSouth = 3;
constexpr PortId kNorth = 4;

TEST(TurnModels, EveryForbiddenTurnClosesACircle) {
    const Graph graph = build_mesh({6, 6});
    const auto count_circles = [&](const Routing& routing) {
        int circles = 0;
        for (const PortId from : {kEast, kWest, kSouth, kNorth}) {
            for (const PortId to : {kEast, kWest, kSouth, kNorth}) {
                if ((from < kSouth) == (to < kSouth)) continue;
                for (const std::uint32_t parity : {0U, 1U}) {
                    const OneTurnMore more(routing, from, to, parity);
                    circles += find_dependency_cycle(graph, more).empty() ? 0 : 1;
                }
            }
        }
        return circles;
    };
    // Two turns of eight are left out, at columns of either parity; odd-even leaves four out, each
    // at every second column.
    EXPECT_EQ(count_circles(*make_west_first(graph)), 4);
    EXPECT_EQ(count_circles(*make_negative_first(graph)), 4);
    EXPECT_EQ(count_circles(*make_odd_even(graph)), 4);
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
    const auto ports = [&](NodeId at, NodeId source, NodeId destination) {
        return ports_of(choices_of(*routing, at, source, destination));
    };
    // To the east: leaves an even column only where it began, and the odd ones always.
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

// Minimal adaptive routing with an escape.

std::vector<Graph> graphs_with_escape() {
    std::vector<Graph> graphs;
    for (const Sides& sides : std::vector<Sides>{{1}, {6}, {3, 4}, {3, 2, 3}}) {
        graphs.push_back(build_mesh(sides));
    }
    for (const Sides& sides : std::vector<Sides>{{3}, {4}, {5}, {8}, {4, 5}, {2, 6}, {3, 4, 2}}) {
        graphs.push_back(build_torus(sides));
    }
    graphs.push_back(build_how({8}, {3}));
    graphs.push_back(build_how({5, 4}, {2, 3}));
    graphs.push_back(build_how({4, 3, 3}, {2, 1, 2}));
    graphs.push_back(build_ghc({4, 3}));
    return graphs;
}

TEST(MinimalAdaptive, OffersAllShortestPathsBesideTheEscape) {
    for (const Graph& graph : graphs_with_escape()) {
        SCOPED_TRACE(graph.description());
        const auto routing = make_minimal_adaptive(graph);
        const std::uint8_t escapes = graph.wiring()->has_rings() ? 3 : 1;
        for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
            const auto distance = distances_to(graph, destination);
            for (NodeId at = 0; at < graph.node_count(); ++at) {
                if (at == destination) continue;
                std::set<PortId> shortest;
                for (PortId port = 1; port < graph.port_count(); ++port) {
                    const LinkId id = graph.out_link(at, port);
                    if (id != kNoLink && distance[graph.link(id).to] < distance[at]) {
                        shortest.insert(port);
                    }
                }
                const RouteChoices choices = choices_of(*routing, at, at, destination);
                ASSERT_EQ(choices.size(), shortest.size() + 1);
                ASSERT_EQ(choices.escape(), shortest.size());
                std::set<PortId> offered;
                for (std::size_t i = 0; i < choices.escape(); ++i) {
                    offered.insert(choices[i].port);
                    EXPECT_EQ(choices[i].virtual_channels & escapes, 0);
                    EXPECT_EQ(choices[i].virtual_channels | escapes, 0xff);
                }
                EXPECT_EQ(offered, shortest);
                const RouteChoice& escape = choices[choices.escape()];
                EXPECT_EQ(shortest.count(escape.port), 1U);
                EXPECT_NE(escape.virtual_channels & escapes, 0);
                EXPECT_EQ(escape.virtual_channels & ~escapes, 0);
                EXPECT_EQ(escape.port, routing->route(at, destination).port);
            }
        }
    }
}

TEST(MinimalAdaptive, PrefersTheLongerDimensionThenPlusThenLongHops) {
    const Graph how = build_how({9, 9}, {4, 4});
    // 8 columns on, which takes two hops of 4, and 6 rows down, two hops of 2 to 4.
    const RouteChoices choices = choices_of(*make_minimal_adaptive(how), 0, 0, 6 * 9 + 8);
    const GridWiring& wiring = *how.wiring();
    EXPECT_THAT(ports_of(choices),
                ElementsAre(wiring.port(1, 3, false, 0), wiring.port(0, 3, false, 0),
                            wiring.port(0, 2, false, 0), wiring.port(0, 1, false, 0),
                            wiring.port(1, 3, false, 0)));
    const Graph torus = build_torus({6, 4});
    EXPECT_THAT(ports_of(choices_of(*make_minimal_adaptive(torus), 0, 0, 3 * 4 + 2)),
                ElementsAre(kSouth, kNorth, kEast, kWest, kEast));
}

TEST(MinimalAdaptive, KeepsThePlaceOfTheEscapeWhereHopsAreMany) {
    const Graph line = build_how({200}, {100});
    const RouteChoices choices = choices_of(*make_minimal_adaptive(line), 0, 0, 110);
    ASSERT_EQ(choices.size(), RouteChoices::kMost);
    EXPECT_EQ(choices.escape(), RouteChoices::kMost - 1);
    EXPECT_EQ(choices[choices.escape()].virtual_channels, 1);
}

/// From every escape channel that a packet may hold to every one that it may ask for next, after
/// any number of other hops: by following every packet.
Dependencies escape_dependencies(const Graph& graph, const Routing& routing) {
    Dependencies occurring;
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        const auto channel = [&](NodeId at) {
            const RouteChoice choice = routing.route(at, destination);
            return std::pair(graph.out_link(at, choice.port),
                             lowest_channel(choice.virtual_channels));
        };
        for (NodeId holder = 0; holder < graph.node_count(); ++holder) {
            if (holder == destination) continue;
            const auto held = channel(holder);
            std::set<NodeId> seen{graph.link(held.first).to};
            std::vector<NodeId> open(seen.begin(), seen.end());
            while (!open.empty()) {
                const NodeId at = open.back();
                open.pop_back();
                if (at == destination) continue;
                occurring.insert({held, channel(at)});
                for (const PortId port : ports_of(choices_of(routing, at, at, destination))) {
                    const NodeId next = graph.link(graph.out_link(at, port)).to;
                    if (seen.insert(next).second) open.push_back(next);
                }
            }
        }
    }
    return occurring;
}

TEST(MinimalAdaptive, StatedDependenciesLeadToAllThatOccurAndCloseNoCircle) {
    for (const Graph& graph : graphs_with_escape()) {
        SCOPED_TRACE(graph.description());
        const auto routing = make_minimal_adaptive(graph);
        EXPECT_THAT(find_dependency_cycle(graph, *routing), IsEmpty());
        std::map<std::pair<LinkId, std::uint32_t>, std::vector<std::pair<LinkId, std::uint32_t>>>
            next;
        for (const auto& [holds, wants] : stated(graph, *routing)) next[holds].push_back(wants);
        std::map<std::pair<LinkId, std::uint32_t>, std::set<std::pair<LinkId, std::uint32_t>>>
            reached;
        for (const auto& [held, wanted] : escape_dependencies(graph, *routing)) {
            std::set<std::pair<LinkId, std::uint32_t>>& from = reached[held];
            if (from.empty()) {
                std::vector<std::pair<LinkId, std::uint32_t>> open = next[held];
                while (!open.empty()) {
                    const auto place = open.back();
                    open.pop_back();
                    if (!from.insert(place).second || place.first < graph.link_count()) continue;
                    open.insert(open.end(), next[place].begin(), next[place].end());
                }
            }
            EXPECT_EQ(from.count(wanted), 1U)
                << graph.link_name(held.first) << " " << graph.link_name(wanted.first);
        }
    }
}

/// An escape as it must not be: on tori without datelines, or in an order of its own per packet.
class BrokenEscape final : public Routing {
public:
    BrokenEscape(const Graph& graph, std::function<RouteChoice(NodeId, NodeId)> escape)
        : graph_(graph), escape_(std::move(escape)), minimal_(make_minimal_adaptive(graph)) {}
    std::string name() const override { return "broken"; }
    RouteChoice route(NodeId at, NodeId destination) const override {
        return at == destination ? RouteChoice{} : escape_(at, destination);
    }
    using Routing::route;
    void route(const RouteQuery& query, RouteChoices& choices) const override {
        minimal_->route(query, choices);
    }
    void visit_dependencies(const Graph&, const DependencyVisitor& visit) const override {
        for (const auto& [holds, wants] : escape_dependencies(graph_, *this)) {
            visit({holds.first, holds.second}, {wants.first, wants.second});
        }
    }

private:
    const Graph& graph_;
    std::function<RouteChoice(NodeId, NodeId)> escape_;
    std::unique_ptr<Routing> minimal_;
};

TEST(MinimalAdaptive, EscapesThatCanDeadlockAreFound) {
    const Graph torus = build_torus({5, 5});
    const auto order = make_minimal_adaptive(torus);
    const auto with_datelines = [&](NodeId at, NodeId to) { return order->route(at, to); };
    EXPECT_THAT(find_dependency_cycle(torus, BrokenEscape(torus, with_datelines)), IsEmpty());
    const auto without = [&](NodeId at, NodeId to) {
        return RouteChoice{order->route(at, to).port, 1};
    };
    EXPECT_FALSE(find_dependency_cycle(torus, BrokenEscape(torus, without)).empty());

    const Graph mesh = build_mesh({4, 4});
    const auto any = make_minimal_adaptive(mesh);
    const auto mixed = [&](NodeId at, NodeId to) {
        const RouteChoices choices = choices_of(*any, at, at, to);
        return RouteChoice{choices[to % choices.escape()].port, 1};
    };
    EXPECT_FALSE(find_dependency_cycle(mesh, BrokenEscape(mesh, mixed)).empty());
}

// Oblivious routing at random.

/// The nodes that a packet passes, the source first; checks that it arrives in time, and that no
/// turn is missing among those stated. `vc` of a link is the lowest one allowed.
std::vector<NodeId> path_of(const Graph& graph, const Routing& routing, const Dependencies& all,
                            RouteQuery query) {
    std::vector<NodeId> path{query.at};
    std::pair<LinkId, std::uint32_t> last{kNoLink, 0};
    while (query.at != query.destination && path.size() <= 2 * graph.node_count()) {
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
        path.push_back(query.at);
    }
    EXPECT_EQ(path.back(), query.destination);
    EXPECT_EQ(routing.route(query).port, kLocalPort);
    return path;
}

RouteQuery injected(NodeId source, NodeId destination, std::uint32_t sequence) {
    RouteQuery query;
    query.at = query.source = source;
    query.destination = destination;
    query.sequence = sequence;
    return query;
}

TEST(O1Turn, TakesEitherOrderForHalfOfThePackets) {
    for (const std::uint32_t vcs : {2U, 3U, 8U}) {
        const Graph graph = build_mesh({4, 5});
        const auto routing = make_o1turn(graph, vcs, 7);
        EXPECT_EQ(routing->path_choice(), PathChoice::kPerPacket);
        EXPECT_THAT(find_dependency_cycle(graph, *routing), IsEmpty());
        const Dependencies all = stated(graph, *routing);
        std::map<NodeId, int> first_hops;
        for (std::uint32_t sequence = 0; sequence < 1000; ++sequence) {
            // From row 0, column 0 to row 3, column 4.
            const std::vector<NodeId> path =
                path_of(graph, *routing, all, injected(0, 19, sequence));
            ASSERT_EQ(path.size(), 8U);
            ++first_hops[path[1]];
            const bool row_first = path[1] == 1;
            EXPECT_EQ(path[4], row_first ? 4U : 16U);
            const RouteChoice choice = routing->route(injected(0, 19, sequence));
            const std::uint32_t lower = (1U << vcs / 2) - 1;
            EXPECT_EQ(choice.virtual_channels, row_first ? lower : ((1U << vcs) - 1) & ~lower);
        }
        EXPECT_EQ(first_hops.size(), 2U);
        EXPECT_NEAR(first_hops[1], 500, 60);
    }
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
                    path_of(graph, *routing, all, injected(source, destination, sequence)).size(),
                    distance[source] + 1);
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
    machines.emplace_back(build_ghc({4, 4}), 8);
    return machines;
}

TEST(Valiant, PassesTheNodeOfTheLotInDimensionOrderAndArrives) {
    for (const auto& [graph, vcs] : valiant_machines()) {
        SCOPED_TRACE(graph.description());
        const auto routing = make_valiant(graph, vcs, 5);
        EXPECT_EQ(routing->path_choice(), PathChoice::kPerPacket);
        EXPECT_THAT(find_dependency_cycle(graph, *routing), IsEmpty());
        const Dependencies all = stated(graph, *routing);
        const auto order = make_dimension_order(graph, vcs / 2);
        const auto nodes_of = [&](NodeId from, NodeId to) {
            std::vector<NodeId> nodes;
            for (const LinkId id : route_links(graph, *order, from, to)) {
                nodes.push_back(graph.link(id).to);
            }
            return nodes;
        };
        std::set<NodeId> turns;
        const NodeId last = graph.node_count() - 1;
        for (std::uint32_t sequence = 0; sequence < 400; ++sequence) {
            const std::vector<NodeId> path =
                path_of(graph, *routing, all, injected(0, last, sequence));
            std::vector<NodeId> possible;
            for (NodeId turn = 0; turn < graph.node_count(); ++turn) {
                std::vector<NodeId> whole{0};
                for (const NodeId node : nodes_of(0, turn)) whole.push_back(node);
                for (const NodeId node : nodes_of(turn, last)) whole.push_back(node);
                whole.erase(std::find(whole.begin(), whole.end(), last) + 1, whole.end());
                if (whole == path) possible.push_back(turn);
            }
            EXPECT_THAT(possible, testing::Not(IsEmpty()));
            turns.insert(possible.begin(), possible.end());
        }
        EXPECT_EQ(turns.size(), graph.node_count());
        for (NodeId source = 0; source < graph.node_count(); ++source) {
            for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
                path_of(graph, *routing, all, injected(source, destination, source + 31));
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
            lengths.push_back(path_of(graph, *routing, all, injected(source, 3, sequence)).size());
        }
        return lengths;
    };
    // From 4 to 3: the turn is at 4 to 7 (0 to 3 hops of detour and back), or behind.
    std::map<std::size_t, int> count;
    for (const std::size_t length : paths(1, 4)) ++count[length];
    EXPECT_EQ(count.size(), 4U);
    EXPECT_NEAR(count[2], 500, 60);
    for (const std::size_t detour : {4U, 6U, 8U}) EXPECT_NEAR(count[detour], 100, 35);
    EXPECT_NE(paths(1, 4), paths(2, 4));
    EXPECT_NE(paths(1, 2), paths(1, 4));
}

/// A routing whose dependencies are told with one class for all virtual channels.
class OneClass final : public Routing {
public:
    explicit OneClass(const Routing& routing) : routing_(routing) {}
    std::string name() const override { return "one class"; }
    RouteChoice route(NodeId at, NodeId to) const override { return routing_.route(at, to); }
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        routing_.visit_dependencies(graph, [&](VirtualLink holds, VirtualLink wants) {
            visit({holds.link, 0}, {wants.link, 0});
        });
    }

private:
    const Routing& routing_;
};

TEST(DeadlockCheck, FindsACircleWherePhasesShareVirtualChannels) {
    const Graph mesh = build_mesh({4, 4});
    EXPECT_FALSE(find_dependency_cycle(mesh, OneClass(*make_o1turn(mesh, 2, 1))).empty());
    EXPECT_FALSE(find_dependency_cycle(mesh, OneClass(*make_valiant(mesh, 2, 1))).empty());
    const Graph torus = build_torus({5, 5});
    EXPECT_FALSE(find_dependency_cycle(torus, OneClass(*make_minimal_adaptive(torus))).empty());
    EXPECT_FALSE(find_dependency_cycle(torus, *make_valiant(torus, 2, 1)).empty());  // no datelines
}

// Shortest paths over express links.

Graph express(const Sides& dims, std::uint32_t segment, const std::string& layout) {
    TopologyConfig topology;
    topology.kind = "express_mesh";
    topology.dims = dims;
    topology.segment = segment;
    topology.layout = value_named(kExpressLayouts, layout).value();
    return build_express_mesh(topology);
}

struct ExpressCase {
    Sides dims;
    std::uint32_t segment;
};

const std::vector<ExpressCase> kExpressCases{
    {{3}, 2},    {{10}, 2},   {{16}, 4},    {{23}, 5},     {{5, 5}, 2},    {{9, 7}, 3},
    {{8, 8}, 4}, {{6, 9}, 5}, {{10, 6}, 4}, {{16, 16}, 4}, {{5, 6, 7}, 2}, {{4, 5, 4}, 3}};

TEST(ExpressShortest, LosesNothingAgainstShortestPaths) {
    for (const std::string layout : {"full", "sparse"}) {
        std::uint64_t shorter = 0;
        for (const ExpressCase& test : kExpressCases) {
            const Graph graph = express(test.dims, test.segment, layout);
            SCOPED_TRACE(graph.description());
            const auto routing = make_express_shortest(graph, layout == "full", 2);
            const auto monotone = make_dimension_order(graph);
            for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
                const auto distance = distances_to(graph, destination);
                for (NodeId source = 0; source < graph.node_count(); ++source) {
                    const std::size_t hops =
                        route_links(graph, *routing, source, destination).size();
                    ASSERT_EQ(hops, distance[source]) << source << " to " << destination;
                    shorter += route_links(graph, *monotone, source, destination).size() - hops;
                }
            }
        }
        EXPECT_GT(shorter, 1000U) << layout;  // than without going back to a terminal
    }
}

TEST(ExpressShortest, StatedDependenciesCoverAllThatOccurAndCloseNoCircle) {
    for (const std::string layout : {"full", "sparse"}) {
        for (const ExpressCase& test : kExpressCases) {
            const Graph graph = express(test.dims, test.segment, layout);
            SCOPED_TRACE(graph.description());
            const auto routing = make_express_shortest(graph, layout == "full", 4);
            EXPECT_THAT(find_dependency_cycle(graph, *routing), IsEmpty());
            const Dependencies all = stated(graph, *routing);
            Dependencies occurring;
            routing->Routing::visit_dependencies(graph, [&](VirtualLink a, VirtualLink b) {
                occurring.insert({{a.link, a.vc}, {b.link, b.vc}});
            });
            EXPECT_TRUE(std::includes(all.begin(), all.end(), occurring.begin(), occurring.end()));
        }
    }
}

TEST(ExpressShortest, CanDeadlockWhereTheLegsShareVirtualChannels) {
    for (const std::string layout : {"full", "sparse"}) {
        const Graph graph = express({9, 9}, 4, layout);
        const auto routing = make_express_shortest(graph, layout == "full", 2);
        class Occurring final : public Routing {
        public:
            explicit Occurring(const Routing& routing) : routing_(routing) {}
            std::string name() const override { return "occurring"; }
            RouteChoice route(NodeId at, NodeId to) const override {
                return {routing_.route(at, to).port};
            }

        private:
            const Routing& routing_;
        };
        EXPECT_FALSE(find_dependency_cycle(graph, Occurring(*routing)).empty()) << layout;
    }
}

// Bounds.

TEST(LowerBounds, CountNoLinkWhereThePathIsOpenAndTakeTheFastestOne) {
    Graph graph = build_mesh({3, 3});
    for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_delay(id, 9);
    // The way round, 0 to 3 to 4 to 1, is the fast one.
    for (const auto& [node, port] :
         std::vector<std::pair<NodeId, PortId>>{{0, kSouth}, {3, kEast}, {4, kNorth}}) {
        graph.set_delay(graph.out_link(node, port), 1);
    }
    Config config;
    config.fabric.virtual_channels = 2;
    config.fabric.buffer_depth = 32;  // long links stream
    const std::vector<Flow> flows{{4, 5, 7}, {0, 1, 10}, {0, 2, 1}};
    const auto fixed = make_dimension_order(graph);
    IdlePaths fixed_paths(config, graph, *fixed);
    const LowerBounds straight = lower_bounds(config, fixed_paths, flows);
    EXPECT_EQ(straight.link, 11U);
    EXPECT_EQ(straight.latency, 1U + 2 * 10 + 1);  // 0 to 2
    for (const auto& open : {make_valiant(graph, 2, 1), make_minimal_adaptive(graph)}) {
        IdlePaths open_paths(config, graph, *open);
        const LowerBounds bounds = lower_bounds(config, open_paths, flows);
        EXPECT_EQ(bounds.link, 0U);
        EXPECT_EQ(bounds.latency, 1U + 3 * 2 + 10 + 1);  // 0 to 2 by way of 3
        EXPECT_EQ(bounds.injection, straight.injection);
        EXPECT_EQ(bounds.bisection, straight.bisection);
    }
}

// The factory.

std::string refusal(const std::string& routing, const Graph& graph, std::uint32_t vcs,
                    const std::string& layout = "full") {
    Config config;
    config.fabric.routing = routing;
    config.fabric.virtual_channels = vcs;
    config.fabric.topology.layout = value_named(kExpressLayouts, layout).value();
    try {
        EXPECT_EQ(make_routing(config, graph)->name(), routing);
        return "";
    } catch (const ConfigError& error) {
        return error.what();
    }
}

TEST(RoutingFactory, RefusesWhatDoesNotFitAndSaysWhatWould) {
    const Graph mesh = build_mesh({4, 4});
    const Graph cube = build_mesh({3, 3, 3});
    const Graph torus = build_torus({4, 4});
    const Graph how = build_how({6, 6}, {2, 2});
    for (const char* name : {"west_first", "odd_even"}) {
        EXPECT_EQ(refusal(name, mesh, 1), "");
        EXPECT_THAT(refusal(name, cube, 1), HasSubstr("is for meshes of 2 dimensions"));
        EXPECT_THAT(refusal(name, cube, 1), HasSubstr("use negative_first"));
        EXPECT_THAT(refusal(name, torus, 1), HasSubstr("not for topology kind 'torus'"));
    }
    EXPECT_EQ(refusal("negative_first", cube, 1), "");
    EXPECT_THAT(refusal("negative_first", how, 1), HasSubstr("negative_first is for meshes, not"));
    EXPECT_EQ(refusal("o1turn", mesh, 2), "");
    EXPECT_THAT(refusal("o1turn", cube, 2), HasSubstr("2 dimensions"));
    EXPECT_THAT(refusal("o1turn", mesh, 1), HasSubstr("set fabric.virtual_channels: 2"));
    EXPECT_EQ(refusal("valiant", mesh, 2), "");
    EXPECT_THAT(refusal("valiant", mesh, 1), HasSubstr("set fabric.virtual_channels: 2"));
    EXPECT_EQ(refusal("valiant", torus, 4), "");
    EXPECT_THAT(refusal("valiant", torus, 3), HasSubstr("set fabric.virtual_channels: 4"));
    EXPECT_EQ(refusal("minimal_adaptive", how, 2), "");
    EXPECT_THAT(refusal("minimal_adaptive", how, 1), HasSubstr("virtual_channels: 2"));
    EXPECT_EQ(refusal("minimal_adaptive", torus, 3), "");
    EXPECT_THAT(refusal("minimal_adaptive", torus, 2), HasSubstr("virtual_channels: 3"));
    EXPECT_THAT(refusal("minimal_adaptive", build_hypercube(3), 2),
                HasSubstr("{kind: ghc, dims: [2, 2, ...]}"));
    const Graph full = express({8, 8}, 4, "full");
    EXPECT_EQ(refusal("express_shortest", full, 2), "");
    EXPECT_THAT(refusal("express_shortest", full, 1), HasSubstr("virtual_channels: 2"));
    EXPECT_EQ(refusal("express_shortest", express({8, 8}, 4, "sparse"), 2, "sparse"), "");
    EXPECT_THAT(refusal("express_shortest", express({8, 8}, 4, "shifted"), 2, "shifted"),
                HasSubstr("not for layout 'shifted'"));
    EXPECT_THAT(refusal("express_shortest", mesh, 2), HasSubstr("topology kind 'mesh'"));
}

}  // namespace
}  // namespace flitscope
