// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The static check of requests and replies: cycles over links, within a router, and none where
// replies have a class of their own, whatever the routing.
#include "traffic/patterns/reply_cycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "traffic/patterns/pattern.h"

namespace flitscope {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The cycle, as describe_cycle() names it.
std::string cycle(const std::string& fabric, const std::string& traffic = "") {
    const Config config = parse_config(
        "fabric: {" + fabric +
            "}\ntraffic: {pattern: uniform, message_bytes: 8, reply_bytes: 8, injection_rate: 0.1, "
            "reply_queue: 1" +
            traffic + "}\n",
        "reply_dependencies_test");
    const Graph graph = build_topology(config);
    const auto routing = make_routing(config, graph);
    const Pattern pattern(config, graph);
    return describe_cycle(graph, find_reply_cycle(config, pattern, graph, *routing));
}

const std::string kOwnClass = ", classes: {low: 1}, reply_class: high";

TEST(ReplyDependencies, FormACycleOfLinks) {
    EXPECT_THAT(cycle("topology: {kind: mesh, dims: [3]}"), HasSubstr("link_000_001 -> "));
}

TEST(ReplyDependencies, FormACycleOverNoLinkBetweenNodesOfARouter) {
    const std::string pair = "topology: {kind: mesh, dims: [1], concentration: 2}";
    const std::string found = cycle(pair);
    EXPECT_THAT(found, HasSubstr("inject_000 -> inject_001"));
    EXPECT_THAT(found, Not(HasSubstr("link_")));
    EXPECT_EQ(cycle(pair + ", virtual_channels: 2, classes: [low, high]", kOwnClass), "");
}

TEST(ReplyDependencies, OfRepliesInAClassOfTheirOwnFormNone) {
    for (const char* topology :
         {"kind: mesh, dims: [4, 4]", "kind: mesh, dims: [3, 4], concentration: [2, 2]",
          "kind: mesh, dims: [4, 3], extra_nodes: [0, 5, 5]"}) {
        for (const char* routing : {"dimension_order", "minimal_adaptive", "valiant", "o1turn",
                                    "west_first", "negative_first", "odd_even", "up_down"}) {
            EXPECT_EQ(cycle(std::string("topology: {") + topology + "}, routing: " + routing +
                                ", virtual_channels: 4, classes: [low, high]",
                            kOwnClass),
                      "")
                << topology << ' ' << routing;
        }
    }
}

}  // namespace
}  // namespace flitscope
