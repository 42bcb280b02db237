// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthetic traffic: the maps of the patterns, the exactness of the draws, and the equality of
// streamed and materialised traffic.
#include "models/config/config.h"
#include "models/topology/graph.h"
#include "traffic/patterns/pattern_source.h"

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/support/pattern_streams.h"
#include "traffic/patterns/pattern_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Config pattern_config(const std::string& pattern) {
    Config config = source_config(pattern);
    config.traffic.warmup_cycles = 1000;
    config.traffic.measure_cycles = 9000;
    return config;
}

/// Destination of every node; a node that sends nothing maps to itself.
std::vector<NodeId> mapping(const Config& config, const Graph& graph) {
    const Pattern pattern(config, graph);
    EXPECT_TRUE(pattern.fixed());
    Rng rng(1, 0);
    std::vector<NodeId> result;
    for (NodeId n = 0; n < graph.node_count(); ++n) {
        result.push_back(pattern.sends(n) ? pattern.destination(n, rng) : n);
    }
    return result;
}

std::vector<NodeId> mapping(const std::string& name, const Graph& graph) {
    return mapping(pattern_config(name), graph);
}

TEST(PatternTraffic, EndsWithinTheTimeThatTheClockCanTell) {
    Config config = pattern_config("uniform");
    config.clock_ns = 1e6;
    config.traffic.injection_rate = 1e-9;
    config.traffic.measure_cycles = 18446744073 - 1000;
    EXPECT_EQ(error_of(config, build_mesh({2, 2})), "");
    ++config.traffic.measure_cycles;
    EXPECT_THAT(error_of(config, build_mesh({2, 2})),
                HasSubstr("a clock of 1000000 ns never reaches the end of the measurement, cycle "
                          "18446744074"));
}

// --- Random numbers ------------------------------------------------------------------------------

TEST(Rng, IsTheSameOnEveryMachine) {
    // mt19937_64 is fixed by the standard, the seed by splitmix64: these values are contracts.
    Rng rng(1, 0);
    const std::uint64_t first = rng.bits();
    EXPECT_EQ(Rng(1, 0).bits(), first);
    EXPECT_NE(Rng(1, 1).bits(), first);
    EXPECT_NE(Rng(2, 0).bits(), first);
    EXPECT_NE(Rng(0, 1).bits(), first);
    EXPECT_EQ(first, 8144083929183497542U);
}

TEST(Rng, BelowReachesEveryValueEquallyOften) {
    Rng rng(7, 7);
    std::vector<int> counts(6);
    for (int i = 0; i < 60000; ++i) ++counts[rng.below(6)];
    double chi_squared = 0;
    for (const int count : counts) chi_squared += std::pow(count - 10000, 2) / 10000.0;
    EXPECT_LT(chi_squared, 20.5);  // 0.1 % point for 5 degrees of freedom
    for (int i = 0; i < 10; ++i) EXPECT_EQ(rng.below(1), 0U);
    for (int i = 0; i < 100; ++i) EXPECT_LT(rng.below((1ULL << 63) + 1), (1ULL << 63) + 1);
}

TEST(Geometric, HasTheDistributionOfRepeatedTrials) {
    const double p = 0.3;
    const Geometric gap(p);
    Rng rng(3, 5);
    constexpr int kDraws = 100000;
    std::vector<int> counts(6);
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) {
        const std::uint64_t k = gap.draw(rng);
        sum += static_cast<double>(k);
        if (k < counts.size()) ++counts[k];
    }
    const double mean = (1 - p) / p;
    const double deviation = std::sqrt((1 - p) / (p * p) / kDraws);
    EXPECT_NEAR(sum / kDraws, mean, 4 * deviation);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const double expected = p * std::pow(1 - p, static_cast<double>(k));
        const double sigma = std::sqrt(expected * (1 - expected) / kDraws);
        EXPECT_NEAR(counts[k] / static_cast<double>(kDraws), expected, 4 * sigma) << k;
    }
}

TEST(Geometric, KnowsCertaintyAndImpossibility) {
    Rng rng(1, 1);
    const Geometric always(1.0);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(always.draw(rng), 0U);
    EXPECT_TRUE(Geometric(0.0).never());
    EXPECT_FALSE(Geometric(1e-9).never());
}

TEST(Geometric, RareEventsKeepTheirMean) {
    const double p = 1e-5;
    const Geometric gap(p);
    Rng rng(11, 2);
    constexpr int kDraws = 20000;
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) sum += static_cast<double>(gap.draw(rng));
    EXPECT_NEAR(sum / kDraws * p, 1.0, 4 / std::sqrt(kDraws));
}

// --- Patterns ------------------------------------------------------------------------------------

TEST(Pattern, TransposeSwapsCoordinates) {
    EXPECT_THAT(mapping("transpose", build_mesh({3, 3})), ElementsAre(0, 3, 6, 1, 4, 7, 2, 5, 8));
}

TEST(Pattern, TransposeSwapsTheHalvesOfAHypercubeAddress) {
    const std::vector<NodeId> map = mapping("transpose", build_hypercube(4));
    for (NodeId n = 0; n < 16; ++n) EXPECT_EQ(map[n], ((n & 3) << 2) | (n >> 2));
}

/// The rule of BookSim2's TransposeTrafficPattern (commit 28f43299f171).
TEST(Pattern, TransposeSwapsTheHalvesOfANumberInNetworksWithoutAGrid) {
    const auto expect_halves_swapped = [](const Graph& graph, NodeId nodes, unsigned half) {
        const std::vector<NodeId> map = mapping("transpose", graph);
        ASSERT_EQ(map.size(), nodes);
        for (NodeId n = 0; n < nodes; ++n) {
            EXPECT_EQ(map[n], (n >> half | n << half) & (nodes - 1)) << graph.description();
        }
    };
    expect_halves_swapped(build_fat_tree(4, 3), 64, 3);
    expect_halves_swapped(build_fat_tree(2, 4), 16, 2);
    expect_halves_swapped(build_mesh({4, 4, 4}), 64, 3);
    expect_halves_swapped(build_mesh({16}), 16, 2);
}

TEST(Pattern, BitReverseAndShufflePermuteAddressBits) {
    EXPECT_THAT(mapping("bit_reverse", build_mesh({8})), ElementsAre(0, 4, 2, 6, 1, 5, 3, 7));
    EXPECT_THAT(mapping("shuffle", build_mesh({2, 4})), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
}

TEST(Pattern, BitComplementInvertsEveryAddressBit) {
    EXPECT_THAT(mapping("bit_complement", build_mesh({8})), ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
    const Graph square = build_mesh({8, 8});
    const std::vector<NodeId> map = mapping("bit_complement", square);
    for (NodeId n = 0; n < 64; ++n) {
        // In a mesh that is the point reflection at its middle.
        const RouterId to = square.router_of(map[n]);
        const RouterId from = square.router_of(n);
        EXPECT_EQ(square.coordinate(to, 0), 7 - square.coordinate(from, 0));
        EXPECT_EQ(square.coordinate(to, 1), 7 - square.coordinate(from, 1));
    }
    const Pattern pattern(pattern_config("bit_complement"), square);
    EXPECT_EQ(pattern.senders(), 64U);  // no node is its own complement
}

TEST(Pattern, TornadoGoesAlmostHalfWayRoundEveryDimension) {
    EXPECT_THAT(mapping("tornado", build_mesh({8})), ElementsAre(3, 4, 5, 6, 7, 0, 1, 2));
    EXPECT_THAT(mapping("tornado", build_mesh({5})), ElementsAre(2, 3, 4, 0, 1));
    EXPECT_EQ(mapping("tornado", build_mesh({4, 8}))[31], 2U);  // (3, 7) to (0, 2)
}

TEST(Pattern, NeighbourGoesOneAheadInEveryDimension) {
    EXPECT_THAT(mapping("neighbour", build_mesh({2, 3})), ElementsAre(4, 5, 3, 1, 2, 0));
    EXPECT_THAT(mapping("neighbour", build_hypercube(2)), ElementsAre(3, 2, 1, 0));
}

TEST(Pattern, DrawnPermutationsAreCyclesEachAsLikely) {
    std::map<std::vector<NodeId>, int> drawn;
    constexpr int kDraws = 6000;
    for (int seed = 0; seed < kDraws; ++seed) {
        Config config = pattern_config("random_permutation");
        config.seed = static_cast<std::uint64_t>(seed);
        ++drawn[mapping(config, build_mesh({4}))];
    }
    ASSERT_EQ(drawn.size(), 6U);  // 3! cycles through four nodes
    double chi_squared = 0;
    for (const auto& [map, count] : drawn) {
        NodeId node = 0;
        for (int step = 1; step < 4; ++step) {
            node = map[node];
            EXPECT_NE(node, 0U);
        }
        EXPECT_EQ(map[node], 0U);
        chi_squared += std::pow(count - kDraws / 6.0, 2) / (kDraws / 6.0);
    }
    EXPECT_LT(chi_squared, 20.5);  // 0.1 % point for 5 degrees of freedom
}

TEST(Pattern, FixedPatternsArePermutations) {
    const std::vector<Graph> graphs = {build_mesh({4, 4}), build_mesh({8, 8}), build_hypercube(4),
                                       build_hypercube(6)};
    for (const char* name :
         {"transpose", "bit_reverse", "bit_complement", "shuffle", "tornado", "neighbour"}) {
        for (const Graph& graph : graphs) {
            if (name == std::string("tornado") && graph.dims().front() == 2) continue;
            std::vector<NodeId> map = mapping(name, graph);
            std::sort(map.begin(), map.end());
            std::vector<NodeId> all(graph.node_count());
            std::iota(all.begin(), all.end(), NodeId{0});
            EXPECT_EQ(map, all) << name << " on " << graph.description();
        }
    }
}

TEST(Pattern, NodesMappedToThemselvesSendNothing) {
    const Pattern pattern(pattern_config("transpose"), build_mesh({3, 3}));
    for (NodeId n = 0; n < 9; ++n) EXPECT_EQ(pattern.sends(n), n != 0 && n != 4 && n != 8);
}

TEST(Pattern, UniformReachesEveryOtherNodeAlike) {
    const Pattern pattern(pattern_config("uniform"), build_mesh({2, 4}));
    EXPECT_FALSE(pattern.fixed());
    Rng rng(5, 3);
    std::vector<int> counts(8);
    for (int i = 0; i < 70000; ++i) ++counts[pattern.destination(3, rng)];
    EXPECT_EQ(counts[3], 0);
    double chi_squared = 0;
    for (NodeId n = 0; n < 8; ++n) {
        if (n != 3) chi_squared += std::pow(counts[n] - 10000, 2) / 10000.0;
    }
    EXPECT_LT(chi_squared, 22.5);  // 0.1 % point for 6 degrees of freedom
}

TEST(Pattern, HotspotSendsItsFractionToTheRoot) {
    Config config = pattern_config("hotspot");
    config.traffic.root = 6;
    config.traffic.hotspot_fraction = 0.25;
    const Pattern pattern(config, build_mesh({2, 4}));
    Rng rng(5, 3);
    constexpr int kDraws = 70000;
    int to_root = 0;
    for (int i = 0; i < kDraws; ++i) {
        const NodeId destination = pattern.destination(3, rng);
        EXPECT_NE(destination, 3U);
        to_root += destination == 6 ? 1 : 0;
        EXPECT_NE(pattern.destination(6, rng), 6U);
    }
    const double expected = 0.25 + 0.75 / 7;
    EXPECT_NEAR(to_root / static_cast<double>(kDraws), expected,
                4 * std::sqrt(expected * (1 - expected) / kDraws));
}

TEST(Pattern, EveryKindIsListedAndWorksOnASquareMesh) {
    const Graph graph = build_mesh({4, 4});
    std::set<std::string> names;
    for (const PatternKind& kind : pattern_kinds()) {
        EXPECT_FALSE(kind.summary.empty());
        EXPECT_TRUE(names.insert(kind.name).second);
        if (kind.reads("matrix")) continue;  // needs a file: destinations_test.cpp
        Config config = pattern_config(kind.name);
        if (kind.reads("mix")) config.traffic.mix = {{"uniform", 1}, {"transpose", 2}};
        EXPECT_FALSE(materialise(config, graph).transfers.empty()) << kind.name;
    }
    EXPECT_EQ(names.size(), 11U);
}

TEST(Pattern, RefusesNetworksOfTheWrongShape) {
    EXPECT_THAT(error_of(pattern_config("transpose"), build_mesh({4, 8})), HasSubstr("mesh 4x8"));
    EXPECT_THAT(error_of(pattern_config("transpose"), build_mesh({36})), HasSubstr("mesh 36"));
    EXPECT_THAT(error_of(pattern_config("transpose"), build_hypercube(3)),
                HasSubstr("a grid of two equal halves, such as 6 x 6, or 4, 16, 64, ... nodes"));
    EXPECT_THAT(error_of(pattern_config("bit_reverse"), build_mesh({4, 5})),
                HasSubstr("mesh 4x5 has 20"));
    EXPECT_THAT(error_of(pattern_config("bit_complement"), build_mesh({3, 4})),
                HasSubstr("bit_complement needs a power-of-two number of nodes, but mesh 3x4"));
    EXPECT_THAT(error_of(pattern_config("shuffle"), build_mesh({3})), HasSubstr("power-of-two"));
    EXPECT_THAT(error_of(pattern_config("tornado"), build_hypercube(4)),
                HasSubstr("nothing is sent"));
    EXPECT_THAT(error_of(pattern_config("unifrom"), build_mesh({4})),
                HasSubstr("did you mean 'uniform'?"));
}

TEST(Pattern, ReportsEverythingThatIsWrongAtOnce) {
    Config config = pattern_config("hotspot");
    config.traffic.root = 16;
    config.traffic.hotspot_fraction = 1.5;
    config.traffic.injection_rate = std::nan("");
    try {
        PatternTraffic(config, build_mesh({4, 4}));
        FAIL() << "accepted";
    } catch (const ConfigError& error) {
        ASSERT_EQ(error.findings().size(), 3U);
        EXPECT_THAT(error.findings()[0].what, HasSubstr("root 16"));
        EXPECT_THAT(error.findings()[1].what, HasSubstr("hotspot_fraction 1.5"));
        EXPECT_THAT(error.findings()[2].what, HasSubstr("injection_rate"));
    }
}

// --- Streams -------------------------------------------------------------------------------------

TEST(PatternSource, OffersTheConfiguredRate) {
    const Config config = pattern_config("uniform");
    const Graph graph = build_mesh({8, 8});
    double messages = 0;
    for (NodeId n = 0; n < 64; ++n)
        messages += static_cast<double>(stream(config, graph, n).size());
    // 0.1 flits per cycle in messages of 4: 64 x 10000 trials with probability 0.025.
    EXPECT_NEAR(messages, 16000, 4 * std::sqrt(16000 * 0.975));
}

TEST(PatternSource, TimesRiseAndEndWithTheMeasurement) {
    const std::vector<Sent> sent = stream(pattern_config("uniform"), build_mesh({4, 4}), 5);
    ASSERT_GT(sent.size(), 100U);
    for (std::size_t i = 0; i < sent.size(); ++i) {
        EXPECT_LT(sent[i].begin, 10000U);
        if (i > 0) {
            EXPECT_GT(sent[i].begin, sent[i - 1].begin);
        }
        EXPECT_EQ(sent[i].message.id, i * 16 + 5);
        EXPECT_EQ(sent[i].message.source, 5U);
        EXPECT_EQ(sent[i].message.bytes, 24U);
    }
}

TEST(PatternSource, FullRateOfSingleFlitsSendsInEveryCycle) {
    Config config = pattern_config("neighbour");
    config.traffic.message_bytes = 0;
    config.traffic.injection_rate = 1;
    const std::vector<Sent> sent = stream(config, build_mesh({4}), 2);
    ASSERT_EQ(sent.size(), 10000U);
    for (Cycle cycle = 0; cycle < 10000; ++cycle) EXPECT_EQ(sent[cycle].begin, cycle);
}

TEST(PatternSource, DoesNotDependOnOtherNodes) {
    const Config config = pattern_config("uniform");
    const Graph graph = build_mesh({4, 4});
    const auto traffic = std::make_shared<const PatternTraffic>(config, graph);
    const std::vector<Sent> alone = stream(config, graph, 3);
    PatternSource three(traffic, 3);
    PatternSource nine(traffic, 9);
    Sent sent;
    Sent other;
    for (const Sent& expected : alone) {
        nine.next(other.message, other.begin);
        ASSERT_TRUE(three.next(sent.message, sent.begin));
        EXPECT_EQ(sent.begin, expected.begin);
        EXPECT_EQ(sent.message.id, expected.message.id);
        EXPECT_EQ(sent.message.destination, expected.message.destination);
    }
}

TEST(PatternSource, TheSeedChangesTheTraffic) {
    Config config = pattern_config("uniform");
    const Graph graph = build_mesh({4, 4});
    const Cycle first = stream(config, graph, 0).at(0).begin;
    config.seed = 2;
    EXPECT_NE(stream(config, graph, 0).at(0).begin, first);
    EXPECT_EQ(first, 32U);  // a contract: seed 1, node 0, probability 0.025
}

TEST(PatternSource, SendsNothingWhereThereIsNothingToSend) {
    EXPECT_TRUE(stream(pattern_config("transpose"), build_mesh({4, 4}), 5).empty());
    EXPECT_TRUE(stream(pattern_config("uniform"), build_mesh({1}), 0).empty());
    EXPECT_TRUE(stream(pattern_config("neighbour"), build_mesh({1}), 0).empty());
    Config config = pattern_config("uniform");
    config.traffic.injection_rate = 0;
    EXPECT_TRUE(stream(config, build_mesh({4}), 0).empty());
}

TEST(PatternSource, RefusesRatesAndLengthsThatCannotBe) {
    const Graph graph = build_mesh({4, 4});
    Config config = pattern_config("uniform");
    config.traffic.injection_rate = 1.01;
    EXPECT_THAT(error_of(config, graph), HasSubstr("injection_rate 1.01"));
    config.traffic.injection_rate = -0.1;
    EXPECT_THAT(error_of(config, graph), HasSubstr("injection_rate -0.1"));
    config.traffic.injection_rate = 1;
    config.traffic.measure_cycles = 1ULL << 40;
    EXPECT_THAT(error_of(config, graph), HasSubstr("32 bits"));
    config.traffic.measure_cycles = kNever;
    EXPECT_THAT(error_of(config, graph), HasSubstr("32 bits"));
}

TEST(PatternSource, CountsTheFlitsOfEachHalfOfTheMeasurement) {
    Config config = pattern_config("uniform");
    config.traffic.injection_rate = 0.3;
    const Graph graph = build_mesh({3, 3});
    const auto shared = std::make_shared<const PatternTraffic>(config, graph);
    EXPECT_EQ(shared->middle(), 5500U);
    PatternSource all(shared, 4);
    std::vector<Cycle> begins;
    Message message;
    Cycle begin = 0;
    while (all.next(message, begin)) begins.push_back(begin);
    const auto within = [&](Cycle from, Cycle until) {
        return static_cast<std::uint64_t>(std::count_if(
            begins.begin(), begins.end(), [=](Cycle b) { return b >= from && b < until; }));
    };
    EXPECT_GT(within(0, 1000), 10U);
    for (const Cycle end : {Cycle{0}, Cycle{500}, Cycle{1000}, begins[100], begins[100] + 1,
                            Cycle{5500}, Cycle{9000}, Cycle{10000}}) {
        const Halves expected = {4 * within(1000, std::min<Cycle>(end, 5500)),
                                 4 * within(5500, end)};
        // However far ahead somebody has looked.
        for (const std::size_t asked_for : {std::size_t{0}, std::size_t{50}, begins.size()}) {
            PatternSource source(shared, 4);
            for (std::size_t i = 0; i < asked_for; ++i) source.next(message, begin);
            const GeneratedTraffic generated = source.generated_before(end);
            EXPECT_EQ(generated.flits, expected) << end << ' ' << asked_for;
            EXPECT_EQ(4 * generated.messages, expected[0] + expected[1]);
            EXPECT_EQ(generated.variance, 16.0 * static_cast<double>(generated.messages));
        }
    }
}

TEST(PatternSource, CountsByWindowsWhatHasBegunHoweverFarItHasBeenDrawn) {
    Config config = pattern_config("uniform");
    config.traffic.message_lengths = {{8, 1}, {24, 1}};
    const Graph graph = build_mesh({3, 3});
    const auto shared = std::make_shared<const PatternTraffic>(config, graph);
    constexpr Cycle kWindow = 100;
    constexpr Cycle kEnd = 12'000;  // generation ends before
    const std::array<NodeId, 2> nodes = {4, 5};
    Message message;
    std::map<Cycle, std::uint64_t> expected;
    for (const NodeId node : nodes) {
        PatternSource all(shared, node);
        for (Cycle begin = 0; all.next(message, begin) && begin < kEnd;) {
            expected[begin / kWindow * kWindow] += shared->lengths.flits_of(message.bytes);
        }
    }
    EXPECT_GT(expected.size(), 90U);
    std::mt19937_64 random(1);
    for (int run = 0; run < 20; ++run) {
        FlitWindows windows(kWindow);
        std::vector<PatternSource> sources;
        for (const NodeId node : nodes) sources.emplace_back(shared, node).count_in(windows);
        std::vector<Cycle> drawn(sources.size(), 0);
        Cycle taken = 0;
        for (Cycle end = 0; end < kEnd;) {
            end = std::min<Cycle>(end + random() % 2000, kEnd);
            for (std::size_t i = 0; i < sources.size(); ++i) {
                // The network is behind, or a message of another class was searched for.
                const Cycle until = random() % (end + 2000);
                while (drawn[i] < until && sources[i].next(message, drawn[i])) {
                }
                sources[i].count_before(end);
            }
            for (; taken + kWindow <= end; taken += kWindow) {
                EXPECT_EQ(windows.take(taken), expected[taken]) << run << ' ' << taken;
            }
        }
    }
}

// --- Overload ------------------------------------------------------------------------------------

MeasuredTraffic measured(Halves generated, Halves delivered) {
    MeasuredTraffic m;
    m.nodes = 64;
    m.senders = 56;
    m.cycles = 1000;
    m.generated.messages = generated[0] + generated[1];
    m.generated.flits = {9 * generated[0], 9 * generated[1]};
    m.generated.variance = 81.0 * static_cast<double>(m.generated.messages);
    m.delivered = delivered;
    return m;
}

TEST(MeasuredTraffic, TellsWhatIsOfferedFromWhatIsAccepted) {
    const MeasuredTraffic m = measured({100, 300}, {900, 2600});
    EXPECT_EQ(m.flits_generated(), 3600U);
    EXPECT_DOUBLE_EQ(m.offered(), 3600 / 64e3);
    EXPECT_DOUBLE_EQ(m.accepted(), 3500 / 64e3);
    EXPECT_DOUBLE_EQ(m.offered_by_senders(), 3600 / 56e3);
    EXPECT_DOUBLE_EQ(m.accepted_of_senders(), 3500 / 56e3);
    EXPECT_EQ(m.backlog_growth(), 100);
    EXPECT_EQ(measured({0, 0}, {10, 0}).backlog_growth(), -10);
    EXPECT_EQ(MeasuredTraffic().offered(), 0);
}

TEST(MeasuredTraffic, IsOverloadedWhenItsBacklogGrowsBeyondChance) {
    // 400 messages of 9 flits: three standard deviations are 60 messages, 540 flits.
    EXPECT_FALSE(measured({200, 200}, {1530, 1530}).is_overloaded());
    EXPECT_TRUE(measured({200, 200}, {1530, 1529}).is_overloaded());
    // The network fills: all of the growth, or more than three quarters, is in the first half.
    EXPECT_FALSE(measured({200, 200}, {800, 1800}).is_overloaded());
    EXPECT_FALSE(measured({200, 200}, {1050, 1551}).is_overloaded());
    EXPECT_TRUE(measured({200, 200}, {1050, 1550}).is_overloaded());
    MeasuredTraffic part = measured({200, 200}, {0, 0});
    EXPECT_TRUE(part.is_overloaded());
    part.is_whole = false;
    EXPECT_FALSE(part.is_overloaded());
}

// --- What a pattern asks for ---------------------------------------------------------------------

TEST(PatternLoad, IsTheSumOverAllRoutes) {
    struct Case {
        std::string pattern;
        Graph graph;
    };
    for (const auto& [name, graph] :
         {Case{"uniform", build_mesh({3, 4})}, Case{"hotspot", build_mesh({4, 4})},
          Case{"transpose", build_mesh({4, 4})}, Case{"bit_reverse", build_hypercube(4)},
          Case{"bit_complement", build_mesh({4, 4})}, Case{"uniform", build_hypercube(3)},
          Case{"tornado", build_mesh({5, 5})}}) {
        SCOPED_TRACE(name + " on " + graph.description());
        Config config = pattern_config(name);
        config.traffic.root = 5;
        config.traffic.injection_rate = 0.25;
        const Pattern pattern(config, graph);
        const auto routing = make_routing(config, graph);
        std::vector<double> links(graph.link_count());
        std::vector<double> into(graph.node_count());
        for (NodeId a = 0; a < graph.node_count(); ++a) {
            double sum = 0;
            for (NodeId b = 0; b < graph.node_count(); ++b) {
                const double rate = pattern.sends(a) ? 0.25 * pattern.share(a, b) : 0;
                sum += rate;
                into[b] += rate;
                for (RouterId at = graph.router_of(a); at != graph.router_of(b) && rate != 0;) {
                    const LinkId link = graph.out_link(at, routing->route(at, b).port);
                    links[link] += rate;
                    at = graph.link(link).to;
                }
            }
            EXPECT_NEAR(sum, pattern.sends(a) ? 0.25 : 0, 1e-12);
        }
        const PatternLoad load = pattern_load(config, graph, *routing, pattern);
        EXPECT_TRUE(load.has_links);
        EXPECT_NEAR(load.link, *std::max_element(links.begin(), links.end()), 1e-12);
        EXPECT_NEAR(links[load.busiest], load.link, 1e-12);
        EXPECT_NEAR(load.taken,
                    std::inner_product(links.begin(), links.end(), links.begin(), 0.0) /
                        std::accumulate(links.begin(), links.end(), 0.0),
                    1e-12);
        EXPECT_NEAR(load.ejection, *std::max_element(into.begin(), into.end()), 1e-12);
        EXPECT_NEAR(into[load.receiver], load.ejection, 1e-12);
        EXPECT_NEAR(load.injection, 0.25, 1e-12);
        EXPECT_EQ(load.injection_capacity, 1);
        EXPECT_THAT(load.overloads(graph), testing::IsEmpty());
    }
}

TEST(PatternLoad, WarnsOfEveryKindOfChannelThatCannotKeepUp) {
    const Graph graph = build_mesh({8, 8});
    const auto overloads = [&graph](Config config) {
        const auto routing = make_routing(config, graph);
        return pattern_load(config, graph, *routing, Pattern(config, graph)).overloads(graph);
    };
    Config config = pattern_config("hotspot");
    config.traffic.root = 27;
    config.traffic.hotspot_fraction = 0.2;
    config.traffic.injection_rate = 0.05;
    EXPECT_THAT(overloads(config), testing::IsEmpty());
    config.traffic.injection_rate = 0.1;
    EXPECT_THAT(overloads(config), ElementsAre(HasSubstr("node 27 is asked to receive 1.3")));
    config.node.injection_bandwidth = {1, 20};
    EXPECT_THAT(overloads(config),
                ElementsAre("nodes are asked to send 0.1 flits/cycle and can send 0.05",
                            HasSubstr("node 27")));
    config = pattern_config("uniform");
    config.node.send_overhead = 60;  // side by side, but for serialize_overhead
    EXPECT_THAT(overloads(config), testing::IsEmpty());
    config.node.serialize_overhead = true;  // 4 flits in 64 cycles
    EXPECT_THAT(overloads(config),
                ElementsAre("nodes are asked to send 0.1 flits/cycle and can send 0.0625"));
    config = pattern_config("transpose");
    config.traffic.injection_rate = 0.5;  // seven nodes of a row send over one link
    EXPECT_THAT(overloads(config), ElementsAre(HasSubstr(" is asked for 3.5 flits/cycle")));
    config = pattern_config("uniform");
    config.fabric.routing = "o1turn";
    config.fabric.virtual_channels = 2;
    config.traffic.injection_rate = 0.49;
    EXPECT_THAT(overloads(config), testing::IsEmpty());
    config.traffic.injection_rate = 0.5;
    EXPECT_THAT(overloads(config), ElementsAre(HasSubstr("links of the middle cut are asked for "
                                                         "1.016 flits/cycle each")));
}

/// The traffic of every pair of nodes, one after the other.
TEST(PatternLoad, CountsRepliesOnTheirWayBack) {
    const Graph graph = build_mesh({4, 4});
    for (const char* const name : {"uniform", "hotspot", "transpose"}) {
        Config config = pattern_config(name);
        config.traffic.root = 5;
        config.traffic.hotspot_fraction = 0.3;
        config.traffic.injection_rate = 0.2;
        config.traffic.message_bytes = 24;  // 4 flits
        config.traffic.reply_bytes = 72;    // 10 flits
        config.node.send_overhead = 20;
        config.node.serialize_overhead = true;
        const Pattern pattern(config, graph);
        const auto routing = make_routing(config, graph);
        std::vector<double> links(graph.link_count());
        std::vector<double> sent(16);
        std::vector<double> into(16);
        std::vector<double> busy(16);
        const auto send = [&](NodeId from, NodeId to, double messages, double flits) {
            sent[from] += messages * flits;
            into[to] += messages * flits;
            busy[from] += messages * (flits + 20);
            for (RouterId at = graph.router_of(from); at != graph.router_of(to);) {
                const LinkId link = graph.out_link(at, routing->route(at, to).port);
                links[link] += messages * flits;
                at = graph.link(link).to;
            }
        };
        for (NodeId a = 0; a < 16; ++a) {
            for (NodeId b = 0; b < 16; ++b) {
                if (!pattern.sends(a) || pattern.share(a, b) == 0) continue;
                const double messages = 0.2 / 14 * pattern.share(a, b);
                send(a, b, messages, 4);
                send(b, a, messages, 10);
            }
        }
        const auto most = [](const std::vector<double>& all) {
            return *std::max_element(all.begin(), all.end());
        };
        const PatternLoad load = pattern_load(config, graph, *routing, pattern);
        EXPECT_NEAR(load.link, most(links), 1e-12) << name;
        EXPECT_NEAR(load.ejection, most(into), 1e-12) << name;
        EXPECT_NEAR(load.injection, sent[load.sender], 1e-12) << name;
        EXPECT_NEAR(load.injection / load.injection_capacity, most(busy), 1e-12) << name;
    }
    // The same from the sums over nodes, if there are too many pairs.
    const Graph large = build_mesh({65, 65});
    Config config = pattern_config("hotspot");
    config.traffic.root = 4000;
    config.traffic.hotspot_fraction = 0.01;
    config.traffic.message_bytes = 24;
    config.traffic.reply_bytes = 72;
    const auto routing = make_routing(config, large);
    const PatternLoad load = pattern_load(config, large, *routing, Pattern(config, large));
    const double requested = 0.1 * (0.01 * 4224 + 0.99);  // with the replies to it
    EXPECT_EQ(load.sender, 4000U);
    EXPECT_NEAR(load.injection, 0.1 * 4 / 14 + requested * 10 / 14, 1e-9);
    EXPECT_EQ(load.receiver, 4000U);
    EXPECT_NEAR(load.ejection, requested * 4 / 14 + 0.1 * 10 / 14, 1e-9);
}

TEST(PatternLoad, OfALargeNetworkIsThatOfItsNodes) {
    const Graph graph = build_mesh({65, 65});
    Config config = pattern_config("hotspot");
    config.traffic.root = 4000;
    config.traffic.hotspot_fraction = 0.01;
    const auto routing = make_routing(config, graph);
    PatternLoad load = pattern_load(config, graph, *routing, Pattern(config, graph));
    EXPECT_FALSE(load.has_links);
    EXPECT_EQ(load.receiver, 4000U);
    EXPECT_NEAR(load.ejection, 0.1 * (0.01 * 4224 + 0.99), 1e-9);
    config = pattern_config("uniform");
    load = pattern_load(config, graph, *routing, Pattern(config, graph));
    EXPECT_NEAR(load.ejection, 0.1, 1e-9);
}

// --- The same as data ----------------------------------------------------------------------------

TEST(Materialise, IsTheSameTrafficAsTheStreams) {
    const Config config = pattern_config("hotspot");
    const Graph graph = build_mesh({4, 4});
    const Program program = materialise(config, graph);
    EXPECT_EQ(program.ordering, Ordering::kTimed);
    EXPECT_THAT(validate(program), testing::IsEmpty());
    EXPECT_TRUE(std::is_sorted(program.transfers.begin(), program.transfers.end(),
                               [](const auto& a, const auto& b) {
                                   return std::tie(a.time, a.source) < std::tie(b.time, b.source);
                               }));
    std::size_t total = 0;
    for (NodeId n = 0; n < 16; ++n) {
        const std::vector<Sent> sent = stream(config, graph, n);
        std::size_t i = 0;
        for (const Transfer& t : program.transfers) {
            if (t.source != n) continue;
            ASSERT_LT(i, sent.size());
            EXPECT_EQ(t.time, sent[i].begin);
            EXPECT_EQ(t.destination, sent[i].message.destination);
            EXPECT_EQ(t.bytes, sent[i].message.bytes);
            ++i;
        }
        EXPECT_EQ(i, sent.size());
        total += i;
    }
    EXPECT_EQ(total, program.transfers.size());
    EXPECT_GT(total, 1000U);
}

}  // namespace
}  // namespace flitscope
