// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths over express links, which may go back to a terminal behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "testbench/verification/tests/models/routing_walks.h"

namespace flitscope {
namespace {

using testing::IsEmpty;

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
                    ASSERT_EQ(hops, distance[graph.router_of(source)])
                        << source << " to " << destination;
                    shorter += route_links(graph, *monotone, source, destination).size() - hops;
                }
            }
        }
        EXPECT_GT(shorter, 1000U) << layout;  // than without going back to a terminal
    }
}

TEST(ExpressShortest, StatedDependenciesCoverAllThatOccurAndCloseNoCycle) {
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
            explicit Occurring(const Routing& routing)
                : Routing(routing.places()), routing_(routing) {}
            std::string name() const override { return "occurring"; }

        private:
            RouteChoice hop(RouterId at, NodeId to) const override {
                return {routing_.route(at, to).port};
            }

            const Routing& routing_;
        };
        EXPECT_FALSE(find_dependency_cycle(graph, Occurring(*routing)).empty()) << layout;
    }
}

}  // namespace
}  // namespace flitscope
