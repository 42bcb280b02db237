// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures of a pattern without a simulation, and the key of its stored outcome.
#include "testbench/app/study/appraisal.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/measurement.h"

namespace flitscope::study {
namespace {

Config config_of(const std::string& traffic) {
    return parse_config(
        "fabric: {topology: {kind: mesh, dims: [2, 2]}}\ntraffic: {" + traffic + "}\n", "test");
}

PointOutcome appraisal_of(const std::string& traffic) {
    return appraise({config_of(traffic), Measurement::kAppraisal, "auto"});
}

TEST(Appraisal, WeighsLengths) {
    const std::string pattern = "pattern: uniform, ";
    const double shorter = appraisal_of(pattern + "message_bytes: 8").value("zero_load_latency");
    const double longer = appraisal_of(pattern + "message_bytes: 800").value("zero_load_latency");
    EXPECT_DOUBLE_EQ(longer - shorter, 99);
    const PointOutcome both = appraisal_of(pattern + "message_lengths: {8: 3, 800: 1}");
    EXPECT_DOUBLE_EQ(both.value("zero_load_latency"), (3 * shorter + longer) / 4);
    EXPECT_DOUBLE_EQ(both.value("bits_per_flit"), 8 * (3 * 8 + 800) / (3 * 2 + 101.0));
    EXPECT_EQ(both.value("senders"), 4);
}

TEST(Appraisal, BuffersAreThoseOfTheSwitchingAndThePortModel) {
    const auto bits = [](const std::string& fabric, const std::string& node) {
        const Config config = parse_config(
            "fabric: {topology: {kind: hypercube, dimensions: 4}, buffer_depth: 8, " + fabric +
                "}\n" + node + "traffic: {schedule: pex, message_bytes: 16}\n",
            "test");
        return appraise({config, Measurement::kAppraisal, "auto"}).value("buffer_bits");
    };
    constexpr double kFifo = 8 * 64;
    EXPECT_EQ(bits("virtual_channels: 2", ""), 16 * (4 + 1) * 2 * kFifo);
    // TIMING.md, "Port models": an injection channel for each of the four links.
    EXPECT_EQ(bits("virtual_channels: 1", "node: {port_model: independent}\n"),
              16 * (4 + 4) * kFifo);
    EXPECT_EQ(bits("switching: store_and_forward, flit_bits: 32", ""), 16 * (4 + 1) * kFifo / 2);
}

TEST(Appraisal, CircuitsHaveNoBuffers) {
    const Config config = parse_config(
        "fabric: {topology: {kind: hypercube, dimensions: 4}, switching: circuit}\n"
        "traffic: {schedule: pex, message_bytes: 64}\n",
        "test");
    EXPECT_EQ(appraise({config, Measurement::kAppraisal, "auto"}).value("buffer_bits"), 0);
}

TEST(Appraisal, LatencyWithoutLoadIsThatOfARunOrIsNotKnown) {
    const auto text = [](const std::string& fabric, const std::string& node) {
        return "fabric: {topology: {kind: mesh, dims: [4, 4]}, " + fabric + "}\n" + node +
               "traffic: {pattern: transpose, message_bytes: 64, injection_rate: 0.001, arrivals: "
               "periodic, warmup_cycles: 9000, measure_cycles: 90000}\n";
    };
    const auto zero_load = [&](const std::string& fabric, const std::string& node) {
        const Config config = parse_config(text(fabric, node), "test");
        const PointOutcome outcome = appraise({config, Measurement::kAppraisal, "auto"});
        const Metric* metric = outcome.find("zero_load_latency");
        if (metric == nullptr) return 0.0;
        const FreshKernel kernel;
        EXPECT_DOUBLE_EQ(simulate(build_machine(config), "auto", {}).latency.mean(), metric->value);
        return metric->value;
    };
    // Pairs of nodes 2, 4 and 6 links apart (6, 4 and 2 of them) take 21, 41 and 61 cycles
    // (TIMING.md, "Switching").
    EXPECT_NEAR(zero_load("switching: store_and_forward, buffer_depth: 16", ""), 412.0 / 12, 1e-9);
    EXPECT_GT(zero_load("virtual_channels: 2, buffer_depth: 4", "node: {packet_bytes: 32}\n"), 0);
    // Packets that wait for each other.
    EXPECT_EQ(zero_load("virtual_channels: 2, buffer_depth: 1", "node: {packet_bytes: 32}\n"), 0);
    EXPECT_EQ(
        zero_load("switching: store_and_forward, buffer_depth: 16", "node: {packet_bytes: 32}\n"),
        0);
}

TEST(Appraisal, CountsReplies) {
    const std::string pattern = "pattern: uniform, ";
    const double request = appraisal_of(pattern + "message_bytes: 8").value("zero_load_latency");
    const double reply = appraisal_of(pattern + "message_bytes: 800").value("zero_load_latency");
    const PointOutcome both = appraisal_of(pattern + "message_bytes: 8, reply_bytes: 800");
    EXPECT_DOUBLE_EQ(both.value("zero_load_latency"), (request + reply) / 2);
    EXPECT_DOUBLE_EQ(both.value("bits_per_flit"), 8 * 808 / 103.0);
    // Between them a reply waits for nothing but the end of the request.
    const double between = static_cast<double>(
        replies_of(config_of(pattern + "message_bytes: 8, reply_bytes: 800"))->begin(0));
    EXPECT_DOUBLE_EQ(both.value("zero_load_round_trip"), request + between + reply);
    const PointOutcome delayed =
        appraisal_of(pattern + "message_bytes: 8, reply_bytes: 800, reply_delay: 30");
    EXPECT_DOUBLE_EQ(delayed.value("zero_load_round_trip"), request + between + 30 + reply);
    EXPECT_EQ(appraisal_of(pattern + "message_bytes: 8").find("zero_load_round_trip"), nullptr);
    EXPECT_EQ(both.value("saturation_bound"), 1);
    // Node 0 replies to three nodes with 101 flits each, and sends a request of 2 for each.
    const PointOutcome to_one = appraisal_of(
        "pattern: hotspot, root: 0, hotspot_fraction: 1, message_bytes: 8, reply_bytes: 800");
    EXPECT_NEAR(to_one.value("saturation_bound"), 103.0 / (3 * 101 + 2), 1e-12);
}

/// On a line of eight nodes, where pairs are one to seven links apart.
Config on_a_line(const std::string& traffic, const std::string& more = "") {
    return parse_config(
        "fabric: {topology: {kind: mesh, dims: [8]}}\ntraffic: {" + traffic + "}\n" + more, "test");
}

TEST(Appraisal, BoundsWhatARunMeasuresOfWhatIsDrawn) {
    const std::string pattern = "pattern: uniform, message_lengths: {8: 1, 64: 2}, ";
    for (const std::string& traffic :
         {pattern + "injection_rate: 0.002, measure_cycles: 20000",
          pattern + "injection_rate: 0.4, measure_cycles: 1000",
          pattern + "injection_rate: 0.002, reply_bytes: 16, measure_cycles: 20000",
          pattern + "injection_rate: 0.2, reply_bytes: 256, measure_cycles: 1000",
          std::string("pattern: shuffle, message_bytes: 64, injection_rate: 0.002, "
                      "measure_cycles: 20000")}) {
        bool is_below_the_mean = false;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            DesignPoint point;
            point.config = on_a_line(traffic);
            point.config.seed = seed;
            const PointOutcome appraisal = appraise(point);
            const PointOutcome run = measure(point).outcome;
            ASSERT_EQ(run.status, PointStatus::kComplete);
            EXPECT_LE(appraisal.value("least_latency"), run.value("mean_latency"))
                << traffic << ' ' << seed;
            is_below_the_mean |= run.value("mean_latency") < appraisal.value("zero_load_latency");
            if (run.find("mean_round_trip") == nullptr) continue;
            EXPECT_LE(appraisal.value("least_round_trip"), run.value("mean_round_trip"));
        }
        const bool is_idle = traffic.find("injection_rate: 0.002") != std::string::npos;
        if (!is_idle) continue;
        EXPECT_TRUE(is_below_the_mean) << traffic;  // which is therefore no bound
    }
}

TEST(Appraisal, OfMessagesThatMeetNobodyTheBoundIsTheMeanOfTheRun) {
    DesignPoint point;
    point.config = on_a_line(
        "pattern: uniform, message_bytes: 8, injection_rate: 0.0001, measure_cycles: 200000");
    const PointOutcome run = measure(point).outcome;
    ASSERT_GT(run.find("mean_latency")->count, 20U);
    EXPECT_EQ(appraise(point).value("least_latency"), run.value("mean_latency"));
}

TEST(Appraisal, BoundsARunThatGoesOnUntilItIsSureByTheQuickestPair) {
    const std::string pattern = "pattern: uniform, message_bytes: 64, injection_rate: 0.002";
    bool is_below_the_mean = false;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        DesignPoint point;
        point.config = on_a_line(pattern, "steady: {half_width: 0.2}\n");
        point.config.seed = seed;
        const PointOutcome appraisal = appraise(point);
        const double least = appraisal.value("least_latency");
        EXPECT_EQ(least, 8 + 1 + 2);  // to the next node, of 9 flits
        const double mean = measure(point).outcome.value("mean_latency");
        EXPECT_LE(least, mean);
        is_below_the_mean |= mean < appraisal.value("zero_load_latency");
    }
    EXPECT_TRUE(is_below_the_mean);
}

TEST(Appraisal, KnowsWhatNoBurstCanOffer) {
    const std::string bursts = "pattern: uniform, arrivals: bursty, burst_rate: ";
    EXPECT_EQ(appraisal_of(bursts + "1").value("saturation_bound"), 1);
    EXPECT_EQ(appraisal_of(bursts + "0.25").value("saturation_bound"), 0.25);
}

TEST(Appraisal, TimesInNsAndLoadsInUnitsAskForTheClockOfTheRouter) {
    const auto needs = [](const std::string& traffic, const char* clock) {
        Config config;
        config.clock_is_synthesized = std::string(clock) == "synth";
        if (traffic == "trace") config.traffic.trace.file = "a.goal";
        if (traffic == "program") config.traffic.program = "a.csv";
        if (traffic == "delay") config.traffic.times_in_ns["traffic.reply_delay"].ns = 40;
        if (traffic == "startup") config.node.times_in_ns["node.send_startup"].ns = 40;
        if (traffic == "load") config.traffic.load_in_units = UnitLoad{6.4, LoadUnit::kGbps};
        return needs_router_figures(config);
    };
    for (const char* const traffic : {"trace", "program", "delay", "startup", "load"}) {
        EXPECT_TRUE(needs(traffic, "synth")) << traffic;
        EXPECT_FALSE(needs(traffic, "1")) << traffic;
    }
    EXPECT_FALSE(needs("pattern", "synth"));
}

TEST(Appraisal, OfWiresThatFollowFromTheRouterIsOfTheRouterAlone) {
    const auto of = [](const std::string& wires, const std::string& clock) {
        return parse_config(
            "fabric: {topology: {kind: express_mesh, dims: [9], segment: 4}, link_delay: {model: "
            "physical, " +
                wires + "}}\ntraffic: {schedule: gen}\nclock_ns: " + clock + "\n",
            "test");
    };
    const auto appraised = [](const Config& config) {
        return appraise({config, Measurement::kAppraisal, "auto"});
    };
    const Config stated = of("pitch_mm: 2, ns_per_mm: 0.3", "1");
    EXPECT_FALSE(needs_router_figures(stated));
    const PointOutcome all = appraised(stated);
    EXPECT_EQ(all.word("link_delays"), "1:16 3:4");
    EXPECT_NE(all.find("lower_bound"), nullptr);
    for (const Config& open :
         {of("pitch_mm: 2, ns_per_mm: 0.3", "synth"), of("pitch_mm: area, node_mm2: 1", "1")}) {
        EXPECT_TRUE(needs_router_figures(open));
        const PointOutcome router = appraised(open);
        EXPECT_TRUE(router.is_measured());
        EXPECT_EQ(router.word("router"), all.word("router"));
        EXPECT_TRUE(router.metrics.empty());
    }
    EXPECT_FALSE(needs_router_figures(parse_config(
        "fabric: {topology: {kind: mesh, dims: [4]}}\ntraffic: {schedule: gen}\nclock_ns: synth\n",
        "test")));
}

TEST(Appraisal, CountsPinsInTheDirectionOfANodeWithMoreLinks) {
    const std::string file = testing::TempDir() + "one_way_links.yaml";
    std::ofstream(file)
        << "nodes: 4\nlinks: [{from: 0, to: 1}, {from: 1, to: 2}, {from: 2, to: 3}, "
           "{from: 1, to: 0}, {from: 2, to: 0}, {from: 3, to: 0}]\n";
    DesignPoint point;
    point.config = parse_config("fabric: {topology: {kind: custom, file: " + file +
                                    "}, flit_bits: 64, allow_deadlock: true}\n"
                                    "traffic: {schedule: naive}\n",
                                "test");
    point.measurement = Measurement::kAppraisal;
    EXPECT_EQ(appraise(point).value("pins"), 3 * 64);  // three arrive at node 0, two leave node 1
    std::remove(file.c_str());
}

class Matrix : public testing::Test {
protected:
    ~Matrix() override { std::remove(file_.c_str()); }

    std::string traffic(const std::string& rows) const {
        std::ofstream(file_) << rows;
        return "pattern: matrix, injection_rate: 0.01, message_bytes: 8, matrix: " + file_;
    }

    std::string file_ =
        testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

TEST_F(Matrix, NodesCountForWhatTheyOffer) {
    // Node 0 sends one hop, node 1 a fifth as much over two.
    const PointOutcome outcome = appraisal_of(traffic("0,5,0,0\n0,0,1,0\n0,0,0,0\n0,0,0,0\n"));
    EXPECT_DOUBLE_EQ(outcome.value("senders"), 1.2);
    EXPECT_EQ(outcome.value("saturation_bound"), 1);
    const double far =
        appraisal_of("pattern: neighbour, message_bytes: 8").value("zero_load_latency");
    const Machine machine = build_machine(
        config_of(traffic("0,1,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n") + ", arrivals: periodic"));
    const FreshKernel kernel;
    const double near = simulate(machine, "cycle", {}).latency.mean();
    EXPECT_DOUBLE_EQ(outcome.value("zero_load_latency"), (5 * near + far) / 6);
}

TEST_F(Matrix, ARoundTripOnAnIdleNetworkIsThatOfTheFabric) {
    const std::string exchange = traffic("0,1,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n") +
                                 ", arrivals: periodic, reply_bytes: 64, reply_delay: 5";
    const Machine machine = build_machine(config_of(exchange));
    const FreshKernel kernel;
    const SimulationResult run = simulate(machine, "cycle", {});
    ASSERT_GT(run.replies->round_trip.count(), 0U);
    EXPECT_DOUBLE_EQ(appraisal_of(exchange).value("zero_load_round_trip"),
                     run.replies->round_trip.mean());
}

TEST_F(Matrix, ContentsDecideTheOutcome) {
    const auto digest_with = [&](const std::string& rows) {
        return digest({config_of(traffic(rows)), Measurement::kRun, "auto"});
    };
    const std::string rows = "0,5,0,0\n0,0,1,0\n0,0,0,0\n0,0,0,0\n";
    const std::string before = digest_with(rows);
    EXPECT_NE(digest_with("0,5,0,0\n0,0,2,0\n0,0,0,0\n0,0,0,0\n"), before);
    EXPECT_EQ(digest_with(rows), before);
    const Config config = config_of(traffic(rows));
    std::remove(file_.c_str());
    EXPECT_THROW(digest({config, Measurement::kRun, "auto"}), std::runtime_error);
}

}  // namespace
}  // namespace flitscope::study
