// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// When the messages of synthetic traffic begin and how long they are, held against the processes
// that these are.
#include "traffic/patterns/arrivals.h"
#include "models/config/config.h"
#include "models/config/packet_format.h"
#include "models/topology/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/support/pattern_streams.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

Config bursty_config(double rate, double burst_cycles, double burst_rate) {
    Config config = source_config();
    config.traffic.arrivals = ArrivalKind::kBursty;
    config.traffic.injection_rate = rate;
    config.traffic.burst_cycles = burst_cycles;
    config.traffic.burst_rate = burst_rate;
    return config;
}

// --- Periodic ------------------------------------------------------------------------------------

TEST(Periodic, HasExactlyTheRateAndGapsThatDifferByOneAtMost) {
    const Graph graph = build_mesh({4, 4});
    for (const double rate : {0.1, 0.3, 1.0 / 3, 0.77, 1.0}) {
        Config config = source_config();
        config.traffic.arrivals = ArrivalKind::kPeriodic;
        config.traffic.injection_rate = rate;
        const double period = 4 / rate;
        for (NodeId node = 0; node < 16; ++node) {
            const std::vector<Sent> sent = stream(config, graph, node);
            EXPECT_LT(std::abs(static_cast<double>(sent.size()) - kCycles / period), 1) << rate;
            ASSERT_GT(sent.size(), 100U);
            EXPECT_LT(sent[0].begin, std::ceil(period));
            for (std::size_t i = 1; i < sent.size(); ++i) {
                const auto gap = static_cast<double>(sent[i].begin - sent[i - 1].begin);
                ASSERT_GE(gap, std::floor(period + 1e-9)) << rate;
                ASSERT_LE(gap, std::ceil(period - 1e-9)) << rate;
            }
        }
    }
}

TEST(Periodic, EveryNodeHasAPhaseOfItsOwn) {
    Config config = source_config();
    config.traffic.arrivals = ArrivalKind::kPeriodic;
    config.traffic.injection_rate = 0.04;  // a hundred cycles
    const Graph graph = build_mesh({16, 16});
    std::vector<Cycle> first;
    for (NodeId node = 0; node < 256; ++node) {
        first.push_back(stream(config, graph, node).at(0).begin);
    }
    const double mean = std::accumulate(first.begin(), first.end(), 0.0) / 256;
    EXPECT_NEAR(mean, 49.5, 4 * 100 / std::sqrt(12.0 * 256));  // uniform over 0 .. 99
}

TEST(Periodic, FullRateOfSingleFlitsSendsInEveryCycle) {
    Config config = source_config();
    config.traffic.arrivals = ArrivalKind::kPeriodic;
    config.traffic.message_bytes = 0;
    config.traffic.injection_rate = 1;
    config.traffic.measure_cycles = 1000;
    EXPECT_EQ(stream(config, build_mesh({2, 2}), 1).size(), 1000U);
}

// --- Bursty --------------------------------------------------------------------------------------

/// Messages of all nodes, and their number in each of many stretches of `length` cycles.
struct Counts {
    double messages = 0;
    double mean = 0;
    double variance = 0;
};

Counts counts_of(const Config& config, const Graph& graph, Cycle length) {
    std::vector<double> stretches;
    Counts counts;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        std::vector<double> of_node(config.traffic.measure_cycles / length);
        for (const Sent& sent : stream(config, graph, node)) {
            counts.messages += 1;
            of_node.at(sent.begin / length) += 1;
        }
        stretches.insert(stretches.end(), of_node.begin(), of_node.end());
    }
    const auto n = static_cast<double>(stretches.size());
    for (const double count : stretches) counts.mean += count / n;
    for (const double count : stretches) {
        counts.variance += (count - counts.mean) * (count - counts.mean) / (n - 1);
    }
    return counts;
}

TEST(Bursty, HasTheMeanRateAndTheVarianceOfItsTwoStates) {
    const Graph graph = build_mesh({8, 8});
    struct Case {
        double rate, burst_cycles, burst_rate;
    };
    // The third has an off state of less than a cycle, the last none at all.
    for (const auto& [rate, burst_cycles, burst_rate] :
         {Case{0.1, 50, 1}, Case{0.2, 200, 0.5}, Case{0.9, 5, 1}, Case{0.4, 100, 0.4}}) {
        SCOPED_TRACE(testing::Message() << rate << ' ' << burst_cycles << ' ' << burst_rate);
        const Config config = bursty_config(rate, burst_cycles, burst_rate);
        const Arrivals arrivals(config.traffic, rate, 4);
        const Counts counts = counts_of(config, graph, 10'000);
        const double expected = 64 * kCycles * rate / 4;
        EXPECT_NEAR(counts.messages, expected, 4 * std::sqrt(arrivals.dispersion() * expected));
        // 1280 stretches: the standard deviation of a variance is 4 % of it.
        const double bernoulli = arrivals.messages_per_cycle();
        const double dispersion = arrivals.dispersion() - bernoulli;
        EXPECT_NEAR(counts.variance / counts.mean, dispersion, 0.18 * dispersion);
    }
    EXPECT_GT(Arrivals(bursty_config(0.1, 50, 1).traffic, 0.1, 4).dispersion(), 15);
    EXPECT_EQ(Arrivals(bursty_config(0.4, 50, 0.4).traffic, 0.4, 4).dispersion(), 1);
    EXPECT_EQ(Arrivals(source_config().traffic, 0.1, 4).dispersion(), 1);
}

/// For messages of one flit at burst_rate 1, which begin in every cycle of the on state and in no
/// other: the lengths of whole on and off states.
struct States {
    std::vector<Cycle> on;
    std::vector<Cycle> off;
    std::uint64_t starts_on = 0;
};

States states_of(const Config& config, const Graph& graph) {
    States states;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        const std::vector<Sent> sent = stream(config, graph, node);
        if (!sent.empty() && sent[0].begin == 0) ++states.starts_on;
        Cycle run = 1;
        bool is_whole = false;
        for (std::size_t i = 1; i < sent.size(); ++i, ++run) {
            const Cycle gap = sent[i].begin - sent[i - 1].begin - 1;
            if (gap == 0) continue;
            if (is_whole) states.on.push_back(run);
            states.off.push_back(gap);
            is_whole = true;
            run = 0;
        }
    }
    return states;
}

/// That lengths from 1 on have the geometric distribution with this mean.
void expect_geometric(const std::vector<Cycle>& lengths, double mean) {
    const double p = 1 / mean;
    const auto n = static_cast<double>(lengths.size());
    const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    EXPECT_NEAR(sum / n, mean, 4 * std::sqrt((1 - p) / n) * mean);
    for (const Cycle beyond :
         {Cycle{1}, Cycle{3}, static_cast<Cycle>(mean), static_cast<Cycle>(2 * mean)}) {
        const auto longer = static_cast<std::uint64_t>(std::count_if(
            lengths.begin(), lengths.end(), [=](Cycle length) { return length > beyond; }));
        expect_share(longer, lengths.size(), std::pow(1 - p, static_cast<double>(beyond)));
    }
}

TEST(Bursty, StatesAreGeometricAndBeginInTheSteadyState) {
    const Graph graph = build_mesh({16, 16});
    Config config = bursty_config(0.2, 8, 1);  // off states of 32 cycles
    config.traffic.message_bytes = 0;
    config.traffic.measure_cycles = 20'000;
    const States states = states_of(config, graph);
    ASSERT_GT(states.on.size(), 50'000U);
    expect_geometric(states.on, 8);
    expect_geometric(states.off, 32);
    expect_share(states.starts_on, 256, 0.2);
}

TEST(Bursty, LengthensBurstsWherePausesWouldBeShorterThanACycle) {
    Config config = bursty_config(0.9, 5, 1);  // off states of 0.56 cycles
    config.traffic.message_bytes = 0;
    const States states = states_of(config, build_mesh({4, 4}));
    for (const Cycle off : states.off) ASSERT_EQ(off, 1U);
    expect_geometric(states.on, 9);
}

TEST(Bursty, RefusesMoreThanItsBurstsOffer) {
    const Graph graph = build_mesh({4, 4});
    EXPECT_EQ(error_of(bursty_config(0.5, 10, 0.5), graph), "");
    EXPECT_THAT(error_of(bursty_config(0.51, 10, 0.5), graph),
                HasSubstr("injection_rate 0.51 is more than a bursty source offers in its bursts, "
                          "burst_rate 0.5 (lower injection_rate or raise burst_rate)"));
}

TEST(Bursty, MakesTheBacklogOfABurstNoOverload) {
    const Graph graph = build_mesh({4, 4});
    const Config config = bursty_config(0.1, 1000, 1);
    PatternSource source(std::make_shared<const PatternTraffic>(config, graph), 3);
    const GeneratedTraffic generated = source.generated_before(kCycles);
    const Arrivals arrivals(config.traffic, 0.1, 4);
    EXPECT_GT(arrivals.dispersion(), 300);
    EXPECT_DOUBLE_EQ(generated.variance,
                     16 * arrivals.dispersion() * static_cast<double>(generated.messages));
    const auto traffic = std::make_shared<const PatternTraffic>(config, graph);
    EXPECT_DOUBLE_EQ(traffic->variance_per_cycle(), 16 * 0.025 * 16 * arrivals.dispersion());
    EXPECT_DOUBLE_EQ(traffic->correlation_cycles(), 900);  // 1 / (1/1000 + 1/9000)
    EXPECT_EQ(PatternTraffic(source_config(), graph).correlation_cycles(), 0);
}

// --- Lengths -------------------------------------------------------------------------------------

TEST(MessageLengths, AreDrawnByWeightAndKeepTheRate) {
    Config config = source_config();
    config.traffic.message_lengths = {{0, 3}, {24, 5}, {1024, 2}};  // 1, 4 and 129 flits
    config.traffic.injection_rate = 0.5;
    const Graph graph = build_mesh({4, 4});
    std::map<std::uint64_t, std::uint64_t> counts;
    std::uint64_t messages = 0;
    double flits = 0;
    const PacketFormat format = config.packet_format();
    const auto traffic = std::make_shared<const PatternTraffic>(config, graph);
    EXPECT_DOUBLE_EQ(traffic->lengths.mean_flits(), 28.1);
    EXPECT_DOUBLE_EQ(traffic->lengths.mean_bytes(), 216.8);
    double generated = 0;
    double variance = 0;
    for (NodeId node = 0; node < 16; ++node) {
        for (const Sent& sent : stream(config, graph, node)) {
            ++counts[sent.message.bytes];
            ++messages;
            flits += static_cast<double>(format.message_flits(sent.message.bytes));
        }
        const GeneratedTraffic of_node = PatternSource(traffic, node).generated_before(kCycles);
        generated += static_cast<double>(of_node.flits[0] + of_node.flits[1]);
        variance += of_node.variance;
    }
    EXPECT_EQ(generated, flits);
    ASSERT_GT(messages, 50'000U);
    expect_share(counts[0], messages, 0.3);
    expect_share(counts[24], messages, 0.5);
    expect_share(counts[1024], messages, 0.2);
    const double mean_square = 0.3 * 1 + 0.5 * 16 + 0.2 * 129 * 129;
    EXPECT_NEAR(variance, static_cast<double>(messages) * mean_square, 1e-6 * variance);
    EXPECT_NEAR(flits, 0.5 * 16 * kCycles, 4 * std::sqrt(variance));
}

TEST(MessageLengths, OneLengthIsTheSameTrafficAsMessageBytes) {
    Config config = source_config();
    config.traffic.measure_cycles = 5000;
    const Graph graph = build_mesh({4, 4});
    const std::vector<Sent> fixed = stream(config, graph, 5);
    config.traffic.message_bytes = 8;
    config.traffic.message_lengths = {{24, 7}};
    const std::vector<Sent> listed = stream(config, graph, 5);
    ASSERT_EQ(fixed.size(), listed.size());
    for (std::size_t i = 0; i < fixed.size(); ++i) {
        EXPECT_EQ(fixed[i].begin, listed[i].begin);
        EXPECT_EQ(fixed[i].message.destination, listed[i].message.destination);
        EXPECT_EQ(listed[i].message.bytes, 24U);
    }
}

}  // namespace
}  // namespace flitscope
