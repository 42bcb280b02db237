// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which channels are traced, and the errors for missing ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/node_places.h"
#include "waveforms/selection.h"

namespace flitscope::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Selection : public ::testing::Test {
protected:
    Selection() : graph_(build_mesh({3, 3})) {
        config_.source = "test.yaml";
        config_.locations["waveform.links"] = {"test.yaml", 4, 10};
    }

    std::set<std::string> links() const {
        std::set<std::string> names;
        for (const LinkId id : select_channels(config_, graph_).links) {
            names.insert(graph_.link_name(id));
        }
        return names;
    }
    std::vector<std::string> findings() const {
        std::vector<std::string> texts;
        try {
            select_channels(config_, graph_);
        } catch (const ConfigError& error) {
            for (const Diagnostic& d : error.findings()) texts.push_back(d.str());
        }
        return texts;
    }

    Config config_;
    Graph graph_;
};

TEST_F(Selection, OfNothingIsEveryLinkAndNoEndpoint) {
    EXPECT_EQ(select_channels(config_, graph_).links.size(), graph_.link_count());
    EXPECT_THAT(select_channels(config_, graph_).endpoints, IsEmpty());
    config_.trace.endpoints = true;
    EXPECT_EQ(select_channels(config_, graph_).endpoints.size(), 9U);
}

TEST_F(Selection, SaysWhichLinkIsDead) {
    std::vector<bool> dead(graph_.link_count());
    for (LinkId id = 0; id < graph_.link_count(); ++id) {
        dead[id] = graph_.link_name(id) == "link_004_005";
    }
    graph_ = graph_.without(dead, std::vector<bool>(graph_.router_count()),
                            std::vector<bool>(graph_.node_count()));
    config_.trace.links = {"4-5", "5-4", "4-8"};
    EXPECT_THAT(
        findings(),
        ElementsAre(
            HasSubstr("the link from node 4 to node 5 has failed (section faults) (links that"),
            HasSubstr("there is no link from node 4 to node 8")));
}

TEST_F(Selection, IsTheUnionOfLinksNodesAndDimensions) {
    config_.trace.links = {"4-5", "link_000_003"};
    EXPECT_THAT(links(), ElementsAre("link_000_003", "link_004_005"));
    config_.trace.nodes = {8};
    EXPECT_THAT(links(), ElementsAre("link_000_003", "link_004_005", "link_005_008", "link_007_008",
                                     "link_008_005", "link_008_007"));
    config_.trace.dimensions = {1};
    EXPECT_EQ(links().size(), 12U + 3U);  // all of dimension 1, and 0-3, 5-8, 8-5
}

TEST_F(Selection, TakesEndpointsOfNodesOrElseOfTouchedNodes) {
    config_.trace.endpoints = true;
    config_.trace.links = {"4-5"};
    EXPECT_THAT(select_channels(config_, graph_).endpoints, ElementsAre(4, 5));
    config_.trace.nodes = {0};
    EXPECT_THAT(select_channels(config_, graph_).endpoints, ElementsAre(0));
}

/// Nodes 2r and 2r + 1 are attached to router r of a line.
class SelectionOfRouters : public Selection {
protected:
    SelectionOfRouters() {
        graph_ = build_mesh({3});
        std::vector<RouterId> places;
        for (NodeId node = 0; node < 6; ++node) places.emplace_back(node / 2);
        graph_.attach(NodePlaces(std::move(places), 3), {6});
        config_.trace.endpoints = true;
    }
};

TEST_F(SelectionOfRouters, HasTheirLinksAndAllOfTheirNodes) {
    config_.trace.routers = {"2"};
    EXPECT_THAT(links(), ElementsAre("link_001_002", "link_002_001"));
    EXPECT_THAT(select_channels(config_, graph_).endpoints, ElementsAre(4, 5));
    config_.trace.nodes = {1};
    EXPECT_EQ(links().size(), 4U);
    EXPECT_THAT(select_channels(config_, graph_).endpoints, ElementsAre(1, 4, 5));
}

TEST_F(SelectionOfRouters, HasTheLinksOfTheRouterOfANodeAndNoOtherNodeThere) {
    config_.trace.nodes = {5};
    EXPECT_THAT(links(), ElementsAre("link_001_002", "link_002_001"));
    EXPECT_THAT(select_channels(config_, graph_).endpoints, ElementsAre(5));
}

TEST_F(SelectionOfRouters, TakesAllNodesAtTheEndsOfLinks) {
    config_.trace.links = {"0-1"};
    EXPECT_THAT(select_channels(config_, graph_).endpoints, ElementsAre(0, 1, 2, 3));
}

TEST_F(Selection, OfParallelLinksIsAllOrTheOneThatIsNamed) {
    graph_ = build_dragonfly(2, 1, 3);
    config_.trace.links = {"0-1"};
    EXPECT_THAT(links(), ElementsAre("link_000_001", "link_000_001_1", "link_000_001_2"));
    config_.trace.links = {"link_000_001", "1-0_2"};
    EXPECT_THAT(links(), ElementsAre("link_000_001", "link_001_000_2"));
    config_.trace.links = {"link_000_001_3", "2-0"};
    EXPECT_THAT(findings(),
                ElementsAre(HasSubstr("no link \"link_000_001_3\""), HasSubstr("no node 2")));
}

TEST_F(SelectionOfRouters, ReportsRoutersThatDoNotExist) {
    config_.trace.links = {"0-2", "0-5"};
    config_.trace.nodes = {6};
    config_.trace.routers = {"3"};
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("no link from router 0 to router 2"),
                                        AllOf(HasSubstr("no router 5"), HasSubstr("0 to 2")),
                                        AllOf(HasSubstr("no node 6"), HasSubstr("0 to 5")),
                                        AllOf(HasSubstr("no router \"3\""), HasSubstr("0 to 2"))));
}

TEST_F(Selection, ReportsEverythingThatDoesNotExist) {
    config_.trace.links = {"0-4", "0-9", "link_000_033", "left"};
    config_.trace.nodes = {9};
    config_.trace.dimensions = {2};
    config_.trace.from = 5;
    config_.trace.until = 5;
    EXPECT_THAT(
        findings(),
        ElementsAre(AllOf(HasSubstr("test.yaml:4:10"), HasSubstr("no link from node 0 to node 4"),
                          HasSubstr("0-1, 0-3")),
                    AllOf(HasSubstr("no node 9"), HasSubstr("0 to 8")),
                    AllOf(HasSubstr("link_000_033"), HasSubstr("did you mean link_000_003?")),
                    AllOf(HasSubstr("\"left\""), HasSubstr("link_000_001")),
                    AllOf(HasSubstr("no node 9"), HasSubstr("0 to 8")),
                    AllOf(HasSubstr("dimension 2"), HasSubstr("0, 1")),
                    AllOf(HasSubstr("cycle 5"), HasSubstr("until"))));
}

}  // namespace
}  // namespace flitscope::testing
