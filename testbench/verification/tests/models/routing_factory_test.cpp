// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routings by name: the requirements of each on a network and its virtual channels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/config/config.h"
#include "models/config/value_named.h"
#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "testbench/verification/tests/models/routing_walks.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

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
    const Graph dragonfly = build_dragonfly(5, 4, 1);
    for (const char* name : {"ugal_local", "ugal_global"}) {
        EXPECT_EQ(refusal(name, dragonfly, 3), "");
        EXPECT_THAT(refusal(name, dragonfly, 2), HasSubstr("virtual_channels: 3"));
        EXPECT_THAT(refusal(name, mesh, 4), HasSubstr("is for dragonflies, not for"));
    }
    EXPECT_EQ(refusal("progressive_adaptive", dragonfly, 4), "");
    EXPECT_THAT(refusal("progressive_adaptive", dragonfly, 3), HasSubstr("virtual_channels: 4"));
}

TEST(RoutingFactory, RefusesTablesOfMoreThan8192Nodes) {
    const Graph mesh = build_mesh({64, 129});
    for (const char* name : {"shortest_path", "up_down"}) {
        EXPECT_THAT(refusal(name, mesh, 1),
                    HasSubstr(std::string(name) +
                              " is a table of 8256^2 entries, too large (at most 8192 nodes)"));
    }
}

TEST(RoutingFactory, CountsTheVirtualChannelsOfAllClasses) {
    Config config;
    config.fabric.routing = "minimal_adaptive";
    config.fabric.virtual_channels = 2;
    config.fabric.classes = {"control", "bulk"};
    EXPECT_THAT(refused_with([&] {
                    make_routing(config, build_mesh({4, 4}));
                }),
                HasSubstr("needs 2 virtual channels for each class, and there is 1 (set "
                          "fabric.virtual_channels: 4 or more)"));
    config.fabric.virtual_channels = 4;
    EXPECT_EQ(make_routing(config, build_mesh({4, 4}))->name(), "minimal_adaptive");
}

}  // namespace
}  // namespace flitscope
