// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes that users write (fabric.routing: {file: routes.csv}): what is read, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "models/config/config.h"
#include "models/performance/wire_budget.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/support/switch_graphs.h"

namespace flitscope {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string in_file(const std::string& text) {
    const std::string path = testing::TempDir() + "route_file_test.csv";
    std::ofstream(path) << text;
    return path;
}

std::unique_ptr<Routing> routes(const Graph& graph, const std::string& text,
                                std::uint32_t virtual_channels = 2) {
    Config config;
    config.fabric.routing = "file";
    config.fabric.routes_file = in_file(text);
    config.fabric.virtual_channels = virtual_channels;
    return make_routing(config, graph);
}

std::string error_of(const Graph& graph, const std::string& text) {
    return refused_with([&] { routes(graph, text); });
}

/// Nodes 0 - 1 - 2.
Graph line() { return graph_of_channels(3, 3, {{0, 1}, {1, 2}}); }
constexpr const char* kLine = "at,to,next\n0,*,1\n1,0,0\n1,2,2\n2,*,1\n";

TEST(RouteFile, NamesLinksForOneDestinationOrForAllOthers) {
    const Graph graph = line();
    const auto routing = routes(graph, std::string("# of a line\n\n") + kLine);
    EXPECT_EQ(routing->name(), "file");
    EXPECT_EQ(routing->path_choice(), PathChoice::kFixed);
    EXPECT_EQ(route_links(graph, *routing, 0, 2).size(), 2U);
    EXPECT_EQ(route_links(graph, *routing, 2, 0).size(), 2U);
    EXPECT_EQ(routing->route(RouterId(0), 2).virtual_channels, kAllVirtualChannels);
    // By links, and in another order.
    const auto named =
        routes(graph, "at,to,next\n2,*,link_002_001\n1,*,2\n1,0,link_001_000\n0,*,link_000_001\n");
    for (RouterId at; at < 3; ++at) {
        for (NodeId to = 0; to < 3; ++to) {
            EXPECT_EQ(named->route(at, to).port, routing->route(at, to).port);
        }
    }
}

TEST(RouteFile, NamesVirtualChannelsOfEveryHop) {
    const Graph graph = line();
    const auto routing =
        routes(graph, "at,to,next,vcs\n0,*,1,0\n0,2,1,1-2\n1,0,0,\n1,2,2,0 2\n2,*,1,\n", 3);
    EXPECT_EQ(routing->route(RouterId(0), 1).virtual_channels, 1);
    EXPECT_EQ(routing->route(RouterId(0), 2).virtual_channels, 6);
    EXPECT_EQ(routing->route(RouterId(1), 2).virtual_channels, 5);
    EXPECT_EQ(routing->route(RouterId(1), 0).virtual_channels, kAllVirtualChannels);
}

/// A ring one way: packets that have crossed its end change the virtual channel.
TEST(RouteFile, IsProvedWithItsVirtualChannels) {
    Graph graph("custom", {4}, 3);
    for (RouterId router; router < 4; ++router) {
        graph.add_link({router, 1, RouterId((router + 1) % 4), 2, kNoDimension, 1, 1});
    }
    const std::string plain = "at,to,next\n0,*,1\n1,*,2\n2,*,3\n3,*,0\n";
    EXPECT_FALSE(find_dependency_cycle(graph, *routes(graph, plain)).empty());
    const std::string without_values = "at,to,next,vcs\n0,*,1\n1,*,2\n2,*,3\n3,*,0\n";
    EXPECT_FALSE(find_dependency_cycle(graph, *routes(graph, without_values)).empty());
    const std::string datelines =
        "at,to,next,vcs\n0,*,1,1\n1,*,2,1\n1,0,2,0\n2,*,3,0\n2,3,3,1\n3,*,0,0\n";
    EXPECT_TRUE(find_dependency_cycle(graph, *routes(graph, datelines)).empty());
}

TEST(RouteFile, IsRefusedWhereALineCannotBeUnderstood) {
    const Graph graph = line();
    EXPECT_THAT(error_of(graph, ""), HasSubstr("at,to,next"));
    EXPECT_THAT(error_of(graph, "from,to\n"),
                AllOf(HasSubstr("csv:1:1"), HasSubstr("'from,to' is not the header")));
    EXPECT_THAT(error_of(graph, "at,to,next\n0,1\n"),
                AllOf(HasSubstr("csv:2:1"), HasSubstr("2 values for 3 columns")));
    EXPECT_THAT(error_of(graph, "at,to,next,vcs\n0,1\n"), HasSubstr("2 values for 4 columns"));
    EXPECT_THAT(error_of(graph, "at,to,next\n3,1,0\n"), HasSubstr("'3' is no router"));
    EXPECT_THAT(error_of(graph, "at,to,next\n0,7,1\n"),
                AllOf(HasSubstr("csv:2:3"), HasSubstr("'7' is no destination"),
                      HasSubstr("destinations are 0 .. 2")));
    EXPECT_THAT(error_of(graph, "at,to,next\n0,1,2\n"),
                AllOf(HasSubstr("csv:2:5"), HasSubstr("no link leads from 0 to '2'"),
                      HasSubstr("links that leave it: link_000_001")));
    EXPECT_THAT(error_of(graph, "at,to,next\n1,1,2\n"), HasSubstr("node 1 is where it goes"));
    EXPECT_THAT(error_of(graph, "at,to,next,vcs\n0,*,1,2\n"),
                AllOf(HasSubstr("'2' names no virtual channels"), HasSubstr("0 .. 1")));
    EXPECT_THAT(error_of(graph, "at,to,next\n0,1,1\n0,1,1\n"),
                AllOf(HasSubstr("csv:3:1"), HasSubstr("is in line 2 already")));
}

TEST(RouteFile, IsRefusedWhereARouteIsMissingOrGoesRound) {
    const Graph graph = line();
    EXPECT_THAT(error_of(graph, "at,to,next\n0,*,1\n1,0,0\n2,*,1\n"),
                AllOf(HasSubstr("no route at 1 to 2, on the way from 0"),
                      HasSubstr("add a line such as: 1,2,NEXT")));
    EXPECT_THAT(error_of(graph, "at,to,next\n0,*,1\n1,*,0\n2,*,1\n"),
                AllOf(HasSubstr("csv:"), HasSubstr("the route from 0 to 2 ends in a loop")));
}

TEST(RouteFile, IsAValueOfTheKeyWithANameRelativeToTheFolderOfItsConfiguration) {
    const Config config = parse_config(
        "fabric: {topology: {kind: mesh, dims: [3]}, routing: {file: there/mine.csv}}\n", "test");
    EXPECT_EQ(config.fabric.routing, "file");
    EXPECT_THAT(config.fabric.routes_file, HasSubstr("there/mine.csv"));
    const std::string written = to_yaml(configuration_table(), config);
    EXPECT_THAT(written, HasSubstr("routing: {file: "));
    EXPECT_EQ(parse_config(written, "again").fabric.routing, "file");
    const auto refused = [](const std::string& value) {
        return refused_with([&] {
            parse_config("fabric: {topology: {kind: mesh, dims: [3]}, routing: " + value + "}\n",
                         "test");
        });
    };
    EXPECT_THAT(refused("{path: x}"), HasSubstr("write {file: routes.csv}"));
    EXPECT_THAT(refused("file"), HasSubstr("unknown routing 'file'"));
}

TEST(RouteFile, LeadsAroundFaultsIfItIsWrittenSo) {
    Config config = parse_config(
        "fabric: {topology: {kind: torus, dims: [4]}, routing: {file: x.csv}}\n"
        "faults: {links: [0-3]}\n",
        "test");
    const auto built = [&](const std::string& text) {
        config.fabric.routes_file = in_file(text);
        const Graph graph = build_budgeted_topology(config);
        return make_routing(config, graph)->route(RouterId(3), 0).port;
    };
    EXPECT_NE(built("at,to,next\n0,*,1\n1,0,0\n1,*,2\n2,3,3\n2,*,1\n3,*,2\n"), kLocalPort);
    EXPECT_THROW(built("at,to,next\n0,*,3\n1,0,0\n1,*,2\n2,3,3\n2,*,1\n3,*,2\n"), ConfigError);
}

}  // namespace
}  // namespace flitscope
