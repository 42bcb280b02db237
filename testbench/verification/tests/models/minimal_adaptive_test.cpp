// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimal adaptive routing: all hops of shortest paths next to an escape, whose channels form no
// cycle whatever other hops a packet takes in between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "models/topology/grid_wiring.h"
#include "testbench/verification/tests/models/routing_walks.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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
    graphs.push_back(with_nodes_per_router(build_torus({5, 4}), 2));
    graphs.push_back(with_nodes_per_router(build_how({5, 3}, {3, 2}), 3));
    return graphs;
}

TEST(MinimalAdaptive, OffersAllShortestPathsBesideTheEscape) {
    for (const Graph& graph : graphs_with_escape()) {
        SCOPED_TRACE(graph.description());
        const auto routing = make_minimal_adaptive(graph);
        const std::uint8_t escapes = graph.wiring()->has_rings() ? 3 : 1;
        for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
            const auto distance = distances_to(graph, destination);
            for (RouterId at; at < graph.router_count(); ++at) {
                if (at == graph.router_of(destination)) continue;
                std::set<PortId> shortest;
                for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
                    const LinkId id = graph.out_link(at, port);
                    if (id != kNoLink && distance[graph.link(id).to] < distance[at]) {
                        shortest.insert(port);
                    }
                }
                const RouteChoices choices =
                    choices_of(*routing, at, graph.nodes_at(at)[0], destination);
                ASSERT_EQ(choices.size(), shortest.size() + 1);
                ASSERT_EQ(choices.escape(), shortest.size());
                std::set<PortId> offered;
                for (std::size_t i = 0; i < choices.escape(); ++i) {
                    offered.insert(choices[i].port);
                    EXPECT_EQ(choices[i].virtual_channels & escapes, 0);
                    EXPECT_EQ(choices[i].virtual_channels | escapes, kAllVirtualChannels);
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
        const RouterId last = graph.router_of(destination);
        const auto channel = [&](RouterId at) {
            const RouteChoice choice = routing.route(at, destination);
            return std::pair(graph.out_link(at, choice.port),
                             lowest_channel(choice.virtual_channels));
        };
        for (RouterId holder; holder < graph.router_count(); ++holder) {
            if (holder == last) continue;
            const auto held = channel(holder);
            std::set<RouterId> seen{graph.link(held.first).to};
            std::vector<RouterId> open(seen.begin(), seen.end());
            while (!open.empty()) {
                const RouterId at = open.back();
                open.pop_back();
                if (at == last) continue;
                occurring.insert({held, channel(at)});
                const NodeId source = graph.nodes_at(at)[0];
                for (const PortId port : ports_of(choices_of(routing, at, source, destination))) {
                    const RouterId next = graph.link(graph.out_link(at, port)).to;
                    if (seen.insert(next).second) open.push_back(next);
                }
            }
        }
    }
    return occurring;
}

TEST(MinimalAdaptive, StatedDependenciesLeadToAllThatOccurAndCloseNoCycle) {
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

/// An escape as it must not be: on tori without datelines, or in a different order per packet.
class BrokenEscape final : public Routing {
public:
    using Escape = std::function<RouteChoice(RouterId, NodeId)>;

    BrokenEscape(const Graph& graph, Escape escape)
        : Routing(graph.shared_places()),
          graph_(graph),
          escape_(std::move(escape)),
          minimal_(make_minimal_adaptive(graph)) {}
    std::string name() const override { return "broken"; }
    void visit_dependencies(const Graph&, const DependencyVisitor& visit) const override {
        for (const auto& [holds, wants] : escape_dependencies(graph_, *this)) {
            visit({holds.first, holds.second}, {wants.first, wants.second});
        }
    }

private:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return at == router_of(destination) ? RouteChoice{} : escape_(at, destination);
    }
    void hops(const RouteQuery& query, RouteChoices& choices) const override {
        minimal_->route(query, choices);
    }

    const Graph& graph_;
    Escape escape_;
    std::unique_ptr<Routing> minimal_;
};

TEST(MinimalAdaptive, EscapesThatCanDeadlockAreFound) {
    const Graph torus = build_torus({5, 5});
    const auto order = make_minimal_adaptive(torus);
    const auto with_datelines = [&](RouterId at, NodeId to) { return order->route(at, to); };
    EXPECT_THAT(find_dependency_cycle(torus, BrokenEscape(torus, with_datelines)), IsEmpty());
    const auto without = [&](RouterId at, NodeId to) {
        return RouteChoice{order->route(at, to).port, 1};
    };
    EXPECT_FALSE(find_dependency_cycle(torus, BrokenEscape(torus, without)).empty());

    const Graph mesh = build_mesh({4, 4});
    const auto any = make_minimal_adaptive(mesh);
    const auto mixed = [&](RouterId at, NodeId to) {
        const RouteChoices choices = choices_of(*any, at, mesh.nodes_at(at)[0], to);
        return RouteChoice{choices[to % choices.escape()].port, 1};
    };
    EXPECT_FALSE(find_dependency_cycle(mesh, BrokenEscape(mesh, mixed)).empty());
}

}  // namespace
}  // namespace flitscope
