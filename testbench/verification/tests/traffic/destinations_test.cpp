// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Destinations of synthetic traffic: hot regions, mixes and matrices, their load on a network, and
// the same traffic as data.
#include "traffic/patterns/destinations.h"
#include "models/config/config.h"
#include "models/topology/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/support/pattern_streams.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/patterns/matrix_file.h"
#include "traffic/patterns/pattern_load.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

// --- Destinations --------------------------------------------------------------------------------

/// Holds what is drawn against share(), for every pair, and share() against received().
void expect_drawn_shares(const Pattern& pattern, NodeId nodes) {
    constexpr std::uint64_t kDraws = 20'000;
    std::vector<double> received(nodes);
    for (NodeId source = 0; source < nodes; ++source) {
        if (!pattern.sends(source)) continue;
        Rng rng(11, source);
        std::vector<std::uint64_t> counts(nodes);
        for (std::uint64_t i = 0; i < kDraws; ++i) ++counts.at(pattern.destination(source, rng));
        EXPECT_EQ(counts[source], 0U);
        double sum = 0;
        for (NodeId node = 0; node < nodes; ++node) {
            const double share = pattern.share(source, node);
            sum += share;
            received[node] += pattern.offered(source) * share;
            SCOPED_TRACE(testing::Message() << source << " to " << node);
            expect_share(counts[node], kDraws, share);
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
    const ReceivedRates rates = pattern.received();
    for (NodeId node = 0; node < nodes; ++node) EXPECT_NEAR(rates.of(node), received[node], 1e-9);
}

TEST(HotRegion, GetsItsFractionEveryNodeOfItAlike) {
    Config config = source_config("hotspot");
    config.traffic.hot_nodes = {9, 5, 6};
    config.traffic.hotspot_fraction = 0.6;
    const Pattern pattern(config, build_mesh({4, 4}));
    expect_drawn_shares(pattern, 16);
    EXPECT_NEAR(pattern.share(0, 5), 0.2 + 0.4 / 15, 1e-12);
    EXPECT_NEAR(pattern.share(0, 1), 0.4 / 15, 1e-12);
    EXPECT_NEAR(pattern.share(5, 9), 0.3 + 0.4 / 15, 1e-12);
    EXPECT_EQ(pattern.share(5, 5), 0);
}

TEST(HotRegion, OfOneNodeIsTheRoot) {
    Config config = source_config("hotspot");
    config.traffic.root = 6;
    const Graph graph = build_mesh({4, 4});
    const Pattern root(config, graph);
    config.traffic.root = 0;
    config.traffic.hot_nodes = {6};
    const Pattern region(config, graph);
    for (NodeId node = 0; node < 16; ++node) {
        Rng a(1, node);
        Rng b(1, node);
        for (int i = 0; i < 200; ++i)
            EXPECT_EQ(root.destination(node, a), region.destination(node, b));
    }
    expect_drawn_shares(region, 16);
}

TEST(HotRegion, RefusesNodesThatAreNotThereOrTwice) {
    Config config = source_config("hotspot");
    config.traffic.hot_nodes = {1, 16, 1};
    EXPECT_THAT(error_of(config, build_mesh({4, 4})),
                testing::AllOf(HasSubstr("hot node 16 does not exist (nodes are 0 .. 15)"),
                               HasSubstr("hot node 1 is listed twice")));
}

TEST(Mixed, DrawsEveryPartByItsWeight) {
    Config config = source_config("mixed");
    config.traffic.mix = {{"uniform", 3}, {"transpose", 1}, {"hotspot", 2}};
    config.traffic.root = 10;
    config.traffic.hotspot_fraction = 0.5;
    const Pattern pattern(config, build_mesh({4, 4}));
    EXPECT_FALSE(pattern.fixed());
    expect_drawn_shares(pattern, 16);
    EXPECT_NEAR(pattern.share(1, 4), (3 / 15.0 + 1 + 2 * 0.5 / 15) / 6, 1e-12);
    // Transpose maps node 5 to itself: it has only the other parts, and its whole load.
    EXPECT_NEAR(pattern.share(5, 10), (3 / 15.0 + 2 * (0.5 + 0.5 / 15)) / 5, 1e-12);
    for (NodeId node = 0; node < 16; ++node) EXPECT_EQ(pattern.offered(node), 1);
}

TEST(Mixed, OfPermutationsIsSilentWhereAllMapANodeToItself) {
    Config config = source_config("mixed");
    config.traffic.mix = {{"bit_reverse", 1}, {"transpose", 1}};
    const Pattern pattern(config, build_mesh({4, 4}));
    EXPECT_FALSE(pattern.sends(0));
    EXPECT_FALSE(pattern.sends(15));
    EXPECT_TRUE(pattern.sends(6));  // bit_reverse maps 6 = 0110 to itself, transpose to 9
    EXPECT_EQ(pattern.share(6, 9), 1);
    EXPECT_EQ(pattern.senders(), 14U);
    EXPECT_EQ(pattern.offered(), 14);
    expect_drawn_shares(pattern, 16);
}

TEST(Mixed, NamesThePartThatDoesNotFit) {
    Config config = source_config("mixed");
    EXPECT_THAT(error_of(config, build_mesh({4, 8})), HasSubstr("'traffic.mix' is not set"));
    config.traffic.mix = {{"uniform", 3}, {"transpose", 1}, {"unifrom", 1}};
    EXPECT_THAT(error_of(config, build_mesh({4, 8})),
                testing::AllOf(HasSubstr("transpose does not fit mesh 4x8"),
                               HasSubstr("did you mean 'uniform'?")));
    config.traffic.mix = {{"mixed", 1}};
    EXPECT_THAT(error_of(config, build_mesh({4, 8})),
                HasSubstr("'mixed' cannot be a part of a mix"));
}

// --- Matrix --------------------------------------------------------------------------------------

std::string matrix_error(const std::string& text, NodeId nodes = 3) {
    return refused_with([&] { parse_matrix(text, "m.csv", nodes); });
}

TEST(Matrix, IsReadRowByRow) {
    const TrafficMatrix matrix = parse_matrix(
        "# from each node a row\n0, 1.5e1 ,2\n\n0,0,0\r\n  # none\n0.25,0.75,0", "m.csv", 3);
    ASSERT_EQ(matrix.size(), 3U);
    ASSERT_EQ(matrix[0].size(), 2U);
    EXPECT_EQ(matrix[0][0].destination, 1U);
    EXPECT_EQ(matrix[0][0].weight, 15);
    EXPECT_EQ(matrix[0][1].weight, 2);
    EXPECT_TRUE(matrix[1].empty());
    EXPECT_EQ(matrix[2][1].weight, 0.75);
}

TEST(Matrix, RefusesWhatIsNoneWithItsPlace) {
    EXPECT_EQ(matrix_error("0,1,1\n1,0,1\n1,1,0\n"), "");
    EXPECT_THAT(matrix_error("0,1,1\n1,x,1\n1,1,0\n"),
                HasSubstr("m.csv:2:3: error: 'x' is not a weight (weights are numbers from 0"));
    EXPECT_THAT(matrix_error("0,1,1\n1,0,-1\n1,1,0\n"), HasSubstr("m.csv:2:5: error: '-1' is no"));
    EXPECT_THAT(matrix_error("0,1,1\n1,0,\n1,1,0\n"), HasSubstr("m.csv:2:5: error: '' is no"));
    EXPECT_THAT(matrix_error("0,1,nan\n1,0,1\n1,1,0\n"), HasSubstr("'nan' is not a weight"));
    EXPECT_THAT(matrix_error("0,1,1\n1,2,1\n1,1,0\n"),
                HasSubstr("m.csv:2:3: error: node 1 sends to itself (such a message crosses no "
                          "network: write 0)"));
    EXPECT_THAT(matrix_error("0,1,1\n1,0\n1,1,0\n"),
                HasSubstr("m.csv:2:1: error: the row of node 1 has 2 weights, but there are 3 "
                          "nodes (write one for every node, 0 for none)"));
    EXPECT_THAT(matrix_error("0,1,1,1\n1,0,1\n1,1,0\n"), HasSubstr("has 4 weights"));
    EXPECT_THAT(matrix_error("0,1,1\n1,0,1\n"),
                HasSubstr("m.csv: error: the matrix has 2 rows, but there are 3 nodes"));
    EXPECT_THAT(matrix_error("0,1,1\n1,0,1\n1,1,0\n1,1,1\n"),
                HasSubstr("m.csv:4: error: a row more than the 3 nodes"));
    for (const char* blanks : {"0 1 1\n1 0 1\n1 1 0\n", "# numpy\n 0.0\t1\t1\r\n1\t0\t1\n"}) {
        const std::string error = matrix_error(blanks);
        EXPECT_THAT(error, HasSubstr(":1: error: values are separated by blanks (write commas"));
        EXPECT_EQ(error.find("error:"), error.rfind("error:")) << error;
    }
    EXPECT_THAT(matrix_error("0 1,1,1\n1,0,1\n1,1,0\n"), HasSubstr("'0 1' is not a weight"));
    EXPECT_THAT(matrix_error("0,0,0\n0,0,0\n0,0,0\n"), HasSubstr("nothing is sent"));
    EXPECT_THAT(matrix_error(""), HasSubstr("0 rows"));
}

class MatrixPattern : public testing::Test {
protected:
    MatrixPattern() {
        const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
        file_ = testing::TempDir() + test.name() + "_matrix.csv";  // tests run at a time
        std::ofstream(file_) << "0,6,2,0\n3,0,0,1\n0,0,0,0\n1,0,0.5,0\n";
        config_ = source_config("matrix");
        config_.traffic.matrix = file_;
    }
    ~MatrixPattern() override { std::remove(file_.c_str()); }

    std::string file_;
    Config config_;
};

TEST_F(MatrixPattern, SendsByTheWeightsOfARow) {
    const Pattern pattern(config_, build_mesh({2, 2}));
    expect_drawn_shares(pattern, 4);
    EXPECT_EQ(pattern.share(0, 1), 0.75);
    EXPECT_FALSE(pattern.sends(2));
    EXPECT_EQ(pattern.senders(), 3U);
    EXPECT_EQ(pattern.offered(0), 1);
    EXPECT_EQ(pattern.offered(1), 0.5);
    EXPECT_EQ(pattern.offered(2), 0);
    EXPECT_EQ(pattern.offered(3), 1.5 / 8);
}

TEST_F(MatrixPattern, OffersARateInProportionToTheSumOfARow) {
    const Graph graph = build_mesh({2, 2});
    for (const ArrivalKind arrivals : kArrivalKinds) {
        SCOPED_TRACE(name_of(arrivals));
        config_.traffic.arrivals = arrivals;
        config_.traffic.injection_rate = 0.4;
        config_.traffic.burst_cycles = 20;
        const PatternTraffic traffic(config_, graph);
        for (const auto& [node, rate] : {std::pair{0U, 0.4}, {1U, 0.2}, {2U, 0.0}, {3U, 0.075}}) {
            const auto messages = static_cast<double>(stream(config_, graph, node).size());
            const double expected = kCycles * rate / 4;
            const double sigma = std::sqrt(traffic.arrivals(node).dispersion() * expected);
            EXPECT_NEAR(messages, expected, arrivals == ArrivalKind::kPeriodic ? 1.0 : 4 * sigma)
                << node;
        }
    }
}

TEST_F(MatrixPattern, IsRefusedForAnotherNumberOfNodes) {
    EXPECT_THAT(error_of(config_, build_mesh({2, 4})), HasSubstr("_matrix.csv:1:1"));
    config_.traffic.matrix.clear();
    EXPECT_THAT(error_of(config_, build_mesh({2, 2})), HasSubstr("'traffic.matrix' is not set"));
    config_.traffic.matrix = "/nowhere/matrix.csv";
    EXPECT_THAT(error_of(config_, build_mesh({2, 2})), HasSubstr("/nowhere/matrix.csv"));
}

// --- What sources ask for ------------------------------------------------------------------------

/// Sums every pair's rate over its route.
double busiest_link(const Config& config, const Graph& graph, const Routing& routing,
                    const Pattern& pattern) {
    std::vector<double> links(graph.link_count());
    for (NodeId a = 0; a < graph.node_count(); ++a) {
        for (NodeId b = 0; b < graph.node_count(); ++b) {
            if (a == b || !pattern.sends(a)) continue;
            const double rate =
                config.traffic.injection_rate * pattern.offered(a) * pattern.share(a, b);
            for (RouterId at = graph.router_of(a); at != graph.router_of(b);) {
                const LinkId link = graph.out_link(at, routing.route(at, b).port);
                links[link] += rate;
                at = graph.link(link).to;
            }
        }
    }
    return *std::max_element(links.begin(), links.end());
}

TEST_F(MatrixPattern, LoadIsTheSumOverAllRoutes) {
    const Graph graph = build_mesh({2, 2});
    config_.traffic.injection_rate = 0.8;
    const auto routing = make_routing(config_, graph);
    const Pattern pattern(config_, graph);
    const PatternLoad load = pattern_load(config_, graph, *routing, pattern);
    EXPECT_NEAR(load.injection, 0.8, 1e-12);
    EXPECT_EQ(load.sender, 0U);
    EXPECT_NEAR(load.ejection, 0.6, 1e-12);
    EXPECT_EQ(load.receiver, 1U);
    EXPECT_NEAR(load.link, busiest_link(config_, graph, *routing, pattern), 1e-12);
}

TEST(PatternLoad, TakesMixesRegionsAndLengths) {
    const Graph graph = build_mesh({4, 4});
    Config config = source_config("mixed");
    config.traffic.mix = {{"bit_reverse", 2}, {"transpose", 1}, {"hotspot", 3}};
    config.traffic.hot_nodes = {5, 6};
    config.traffic.hotspot_fraction = 0.7;
    config.traffic.injection_rate = 0.3;
    config.traffic.message_lengths = {{0, 3}, {1024, 1}};
    config.node.send_overhead = 20;
    config.node.serialize_overhead = true;
    const auto routing = make_routing(config, graph);
    const Pattern pattern(config, graph);
    const PatternLoad load = pattern_load(config, graph, *routing, pattern);
    EXPECT_NEAR(load.link, busiest_link(config, graph, *routing, pattern), 1e-12);
    // Three messages of 1 flit and one of 129, each with 20 cycles of startup.
    EXPECT_NEAR(load.injection_capacity, 132.0 / (132 + 80), 1e-12);
}

TEST(PatternLoad, OfALargeNetworkKnowsWhatAMixSendsWhere) {
    const Graph graph = build_mesh({65, 65});
    Config config = source_config("mixed");
    config.traffic.mix = {{"uniform", 1}, {"hotspot", 1}};
    config.traffic.hot_nodes = {7, 4000};
    config.traffic.hotspot_fraction = 0.01;
    const auto routing = make_routing(config, graph);
    const PatternLoad load = pattern_load(config, graph, *routing, Pattern(config, graph));
    EXPECT_FALSE(load.has_links);
    // For 4223 nodes half of 0.01, half of that; for its fellow twice as much.
    const double hot = 0.5 * (4223 * 0.005 + 0.01);
    EXPECT_NEAR(load.ejection, 0.1 * (hot + 0.5 + 0.5 * 0.99), 1e-9);
    EXPECT_TRUE(load.receiver == 7 || load.receiver == 4000) << load.receiver;
    EXPECT_NEAR(load.injection, 0.1, 1e-12);
}

// --- The same as data ----------------------------------------------------------------------------

TEST(Materialise, IsTheSameTrafficAsTheStreamsOfEverySource) {
    const Graph graph = build_mesh({4, 4});
    for (const ArrivalKind arrivals : kArrivalKinds) {
        Config config = source_config("mixed");
        config.traffic.arrivals = arrivals;
        config.traffic.burst_cycles = 30;
        config.traffic.mix = {{"uniform", 1}, {"transpose", 2}};
        config.traffic.message_lengths = {{0, 1}, {24, 2}, {200, 1}};
        config.traffic.measure_cycles = 5000;
        using Entry = std::tuple<Cycle, NodeId, NodeId, std::uint64_t>;
        std::vector<Entry> streamed;
        for (NodeId node = 0; node < 16; ++node) {
            for (const Sent& sent : stream(config, graph, node)) {
                streamed.emplace_back(sent.begin, node, sent.message.destination,
                                      sent.message.bytes);
            }
        }
        std::sort(streamed.begin(), streamed.end());
        std::vector<Entry> data;
        for (const Transfer& t : materialise(config, graph).transfers) {
            data.emplace_back(t.time, t.source, t.destination, t.bytes);
        }
        EXPECT_GT(data.size(), 500U);
        EXPECT_EQ(data, streamed) << name_of(arrivals);
    }
}

}  // namespace
}  // namespace flitscope
