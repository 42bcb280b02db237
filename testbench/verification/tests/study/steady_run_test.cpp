// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of fabrics until their steady state, and saturation: two nodes under uniform traffic are the
// queue Geo/D/1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/loads.h"
#include "testbench/app/study/measurement.h"
#include "testbench/app/study/saturation.h"
#include "testbench/verification/tests/study/interval_coverage.h"

namespace flitscope {
namespace {

using statistics::Estimate;
using study::PointStatus;

SimulationResult run_two_nodes(double load, std::uint64_t seed, const std::string& engine) {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [2]}}\n"
        "traffic: {pattern: uniform, message_bytes: 152, injection_rate: " +
        std::to_string(load) + "}\nsteady: {half_width: 0.1}\nseed: " + std::to_string(seed) + "\n";
    const FreshKernel kernel;
    return simulate(build_machine(parse_config(text, "test")), engine, {});
}

TEST(SteadyRun, IntervalsCoverTheMeanThatTheoryGives) {
    int covered = 0;
    for (int seed = 1; seed <= kSeeds; ++seed) {
        const SimulationResult result = run_two_nodes(0.5, seed, "auto");
        ASSERT_TRUE(result.steady);
        EXPECT_EQ(result.verdict, Verdict::kComplete);
        EXPECT_EQ(result.steady->status, SteadyStatus::kStable);
        const Estimate& latency = result.steady->latency;
        EXPECT_NEAR(result.latency.mean(), latency.mean, 1e-9);
        if (std::abs(latency.mean - exact_latency(0.5)) <= latency.half_width) ++covered;
    }
    expect_covers(covered);
}

/// Two nodes that send messages of 20 flits in bursts.
SimulationResult run_bursty(double load, double burst_cycles, std::uint64_t seed) {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [2]}}\n"
        "traffic: {pattern: uniform, message_bytes: 152, arrivals: bursty, burst_cycles: " +
        std::to_string(burst_cycles) + ", injection_rate: " + std::to_string(load) +
        "}\nsteady: {}\nseed: " + std::to_string(seed) + "\n";
    const FreshKernel kernel;
    return simulate(build_machine(parse_config(text, "test")), "auto", {});
}

TEST(SteadyRun, BurstsAreNoGrowthAndAreSeenOften) {
    constexpr double kBurst = 2000;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const SimulationResult result = run_bursty(0.5, kBurst, seed);
        // Bursts and pauses of 2000 cycles are remembered for 1000: batches of 5000.
        EXPECT_GE(result.steady->cycles, 160'000U);
        EXPECT_NE(result.steady->status, SteadyStatus::kUnstable) << seed;
        EXPECT_EQ(result.verdict, Verdict::kComplete);
    }
}

TEST(SteadyRun, BurstsOfMoreThanIsTakenAreUnstable) {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [3]}}\n"
        "traffic: {pattern: hotspot, root: 1, hotspot_fraction: 1, message_bytes: 152, arrivals: "
        "bursty, burst_cycles: 500, injection_rate: 0.6}\nsteady: {}\n";
    const FreshKernel kernel;
    const SimulationResult result = simulate(build_machine(parse_config(text, "test")), "auto", {});
    EXPECT_EQ(result.steady->status, SteadyStatus::kUnstable);
}

// --- Long ways -----------------------------------------------------------------------------------

Config on_a_mesh(const std::string& more, double load, const std::string& steady) {
    return parse_config("fabric: {topology: {kind: mesh, dims: [4, 4]}" + more +
                            "traffic: {pattern: uniform, message_bytes: 64, injection_rate: " +
                            std::to_string(load) + "}\nsteady: {" + steady + "}\n",
                        "test");
}

TEST(SteadyRun, ALongStartupIsNoGrowth) {
    for (const std::string warmup : {"", "warmup: 1000"}) {
        const FreshKernel kernel;
        const SimulationResult result =
            simulate(build_machine(on_a_mesh("}\nnode: {send_overhead: 20000}\n", 0.01, warmup)),
                     "auto", {});
        EXPECT_EQ(result.steady->status, SteadyStatus::kStable) << warmup;
        EXPECT_NEAR(result.steady->latency.mean, 20'014, 5);
        EXPECT_EQ(result.verdict, Verdict::kComplete);
    }
}

TEST(SteadyRun, PacketsThatAreStoredForLongAreNoGrowth) {
    const std::string stored =
        ", switching: store_and_forward, buffer_depth: 2000, combining_delay: 5000}\n";
    const FreshKernel kernel;
    const SimulationResult result =
        simulate(build_machine(on_a_mesh(stored, 0.02, "half_width: 0.05")), "auto", {});
    EXPECT_EQ(result.steady->status, SteadyStatus::kStable);
    EXPECT_GT(result.steady->latency.mean, 5'000);
}

TEST(SteadyRun, ALongStartupThatIsTooMuchIsUnstable) {
    // A message takes a node's processor for 20,000 cycles, and the next one waits for it.
    const FreshKernel kernel;
    const SimulationResult result =
        simulate(build_machine(on_a_mesh(
                     "}\nnode: {send_overhead: 20000, serialize_overhead: true}\n", 0.01, "")),
                 "auto", {});
    EXPECT_EQ(result.steady->status, SteadyStatus::kUnstable);
    EXPECT_GT(result.latency.count(), 0U);
}

TEST(SteadyRun, WhereNothingArrivesThereIsNoLatency) {
    study::DesignPoint point;
    point.config = on_a_mesh("}\nnode: {send_overhead: 1000000}\n", 0.01, "max_cycles: 40000");
    const study::PointOutcome outcome = study::measure(point).outcome;
    EXPECT_EQ(outcome.status, PointStatus::kNotConverged);
    EXPECT_TRUE(outcome.is_measured());
    EXPECT_EQ(outcome.value("accepted"), 0);
    for (const char* const name : {"mean_latency", "p50_latency", "p95_latency", "p99_latency"}) {
        EXPECT_EQ(outcome.find(name), nullptr) << name;
    }
    const study::LoadPoint load = study::measure_loads(point.config, {0.01}, {"auto"}).front();
    EXPECT_EQ(load.status, PointStatus::kNotConverged);
    EXPECT_FALSE(load.latency);
    // Nor in a window of cycles.
    point.config.steady.reset();
    point.config.traffic.warmup_cycles = 100;
    point.config.traffic.measure_cycles = 10;
    point.config.traffic.injection_rate = 1e-6;
    const study::PointOutcome window = study::measure(point).outcome;
    EXPECT_EQ(window.status, PointStatus::kComplete);
    EXPECT_EQ(window.find("mean_latency"), nullptr);
    EXPECT_EQ(window.find("p99_latency"), nullptr);
}

TEST(Saturation, BelowTheLeastLoadThatIsExpectedIsLookedForThere) {
    // A flit that is not yet known to have left its FIFO holds up the next one for 2000 cycles.
    const std::string slow = ", buffer_depth: 1, link_delay: {cycles: 1000}}\n";
    const study::Saturation found =
        study::find_saturation(on_a_mesh(slow, 0.01, "half_width: 0.2"), {"auto"});
    ASSERT_TRUE(found.runs.front().is_unstable());
    EXPECT_GT(found.runs.front().accepted, 0);  // it ran until messages arrived
    EXPECT_TRUE(found.zero_load_is_exact);
    EXPECT_GT(found.zero_load_latency.value(), 1000);
    if (found.at_3x_zero_load) {
        EXPECT_LT(found.at_3x_zero_load->middle(), found.load.upper);
    }
    EXPECT_LT(found.load.upper, found.runs.front().rate);
    EXPECT_LT(found.load.lower, found.load.upper);
    EXPECT_LE(found.runs.size(), study::kMostLoads);
    for (const study::LoadPoint& run : found.runs) {
        if (run.is_unstable()) {
            EXPECT_GT(run.rate, found.load.lower);
        }
    }
}

TEST(Saturation, TheEndsOfABracketHaveNoHalfWidth) {
    study::DesignPoint point;
    point.measurement = study::Measurement::kSaturation;
    point.config = on_a_mesh("}\n", 0.01, "half_width: 0.2");
    const study::PointOutcome outcome = study::measure(point).outcome;
    for (const char* const name : {"saturation", "saturation_upper"}) {
        const study::Metric* const end = outcome.find(name);
        ASSERT_NE(end, nullptr) << name;
        EXPECT_GT(end->value, 0) << name;
        EXPECT_FALSE(end->half_width) << name;
    }
    EXPECT_LT(outcome.value("saturation"), outcome.value("saturation_upper"));
}

TEST(Loads, StandInPlaceOfTheOneOfTheConfiguration) {
    for (const char* const load : {"0.2", "6.4 Gbit/s", "200 Gbit/s"}) {
        const Config config =
            parse_config(std::string("fabric: {topology: {kind: mesh, dims: [2]}}\n"
                                     "traffic: {pattern: uniform, injection_rate: ") +
                             load + "}\n",
                         "test");
        EXPECT_EQ(build_machine(study::at_rate(config, 0.3)).config.traffic.injection_rate, 0.3);
    }
}

TEST(Saturation, LatencyWithoutLoadIsThatOfMessagesThatMeetNobody) {
    // All but the first message of a burst wait at the source, at any load.
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [2]}}\n"
        "traffic: {pattern: uniform, message_bytes: 8, arrivals: bursty, burst_cycles: 100}\n"
        "steady: {half_width: 0.2}\n";
    const Config config = study::steady_config(parse_config(text, "test"), "auto", 1);
    const study::Saturation found = study::find_saturation(config, {"auto"});
    const std::string program =
        "fabric: {topology: {kind: mesh, dims: [2]}}\n"
        "traffic: {schedule: gen, message_bytes: 8}\n";
    const FreshKernel kernel;
    const SimulationResult alone =
        simulate(build_machine(parse_config(program, "test")), "auto", {});
    ASSERT_EQ(alone.latency.count(), 2U);  // each on its own wires
    EXPECT_TRUE(found.zero_load_is_exact);
    EXPECT_EQ(found.zero_load_latency.value(), alone.latency.mean());
    EXPECT_GT(found.runs.front().latency->mean.value, alone.latency.mean() + 1);
}

TEST(Saturation, WhereTheRoutingChoosesTheFirstRunTellsTheLatencyWithoutLoad) {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [2, 2]}, virtual_channels: 2, routing: "
        "minimal_adaptive}\n"
        "traffic: {pattern: uniform, message_bytes: 64, injection_rate: 0.01}\n"
        "steady: {half_width: 0.5}\n";
    const study::Saturation found = study::find_saturation(parse_config(text, "test"), {"auto"});
    EXPECT_FALSE(found.zero_load_is_exact);
    EXPECT_EQ(found.zero_load_latency.value(), found.runs.front().latency->mean.value);
}

TEST(SteadyRun, GeneratedFlitsAreThoseOfTheLengthsDrawn) {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [2, 2]}}\n"
        "traffic: {pattern: uniform, message_lengths: {0: 3, 792: 1}, injection_rate: 0.3}\n"
        "steady: {half_width: 0.1}\n";
    for (const char* const engine : {"cycle", "tlm"}) {
        const FreshKernel kernel;
        const SimulationResult result =
            simulate(build_machine(parse_config(text, "test")), engine, {});
        const SteadyOutcome& steady = *result.steady;
        EXPECT_EQ(steady.status, SteadyStatus::kStable);
        const auto cycles = static_cast<double>(4 * steady.cycles);
        EXPECT_NEAR(static_cast<double>(steady.generated) / cycles, 0.3, 0.02);
        EXPECT_NEAR(static_cast<double>(steady.delivered) / cycles, 0.3, 0.02);
        EXPECT_EQ(result.measured->flits_generated(), steady.generated);
    }
}

TEST(SteadyRun, AMeanWithoutTheRarestMessagesIsNotKnown) {
    // One message in 5001 takes half of the flits, and others wait for it: a mean of some 400
    // cycles, but of 7 in a run in which none was sent. Lengths as classes are drawn the same way.
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
        "traffic: {pattern: uniform, message_lengths: {8: 5000, 65536: 1}, injection_rate: 0.02}\n"
        "steady: {half_width: 0.05, max_cycles: 200000}\n"
        "seed: ";
    for (int seed = 1; seed <= 6; ++seed) {
        const FreshKernel kernel;
        const SimulationResult result =
            simulate(build_machine(parse_config(text + std::to_string(seed), "test")), "tlm", {});
        EXPECT_EQ(result.steady->status, SteadyStatus::kNotConverged) << seed;
        EXPECT_LT(result.steady->cycles, result.steady->least);
    }
}

TEST(SteadyRun, RepliesAreGeneratedWhenTheyBeginAndRoundTripsAreOfTheTimeMeasured) {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [2, 2]}}\n"
        "traffic: {pattern: uniform, message_bytes: 8, reply_bytes: 136, reply_delay: 50,\n"
        "          injection_rate: 0.4}\n"
        "steady: {half_width: 0.05}\n";
    std::vector<SimulationResult> results;
    for (const char* const engine : {"cycle", "tlm"}) {
        const FreshKernel kernel;
        results.push_back(simulate(build_machine(parse_config(text, "test")), engine, {}));
        const SteadyOutcome& steady = *results.back().steady;
        EXPECT_EQ(steady.status, SteadyStatus::kStable);
        const auto cycles = static_cast<double>(4 * steady.cycles);
        EXPECT_NEAR(static_cast<double>(steady.generated) / cycles, 0.4, 0.02);
        EXPECT_NEAR(static_cast<double>(steady.delivered) / cycles, 0.4, 0.02);
        const LatencyStatistics& trip = results.back().replies->round_trip;
        const auto messages = static_cast<double>(results.back().latency.count());
        EXPECT_NEAR(static_cast<double>(trip.count()), messages / 2, 20);
        // Two messages, whose mean latency is `latency`, and 51 cycles in between.
        EXPECT_NEAR(trip.mean(), 2 * results.back().latency.mean() + 51, 1);
    }
    EXPECT_EQ(results[0].simulated_cycles, results[1].simulated_cycles);
    EXPECT_EQ(results[0].steady->generated, results[1].steady->generated);
    EXPECT_EQ(results[0].replies->round_trip.mean(), results[1].replies->round_trip.mean());
    EXPECT_EQ(results[0].messages_expected, results[1].messages_expected);
}

/// It ends when its mean has converged, mostly long before steady.max_cycles.
TEST(SteadyRun, TellsHowSureItIsAndNotHowMuchIsLeft) {
    Progress last;
    SimulationOptions options;
    options.on_progress = [&last](const Progress& progress) {
        EXPECT_FALSE(progress.fraction);
        last = progress;
        return true;
    };
    const FreshKernel kernel;
    const SimulationResult result =
        simulate(build_machine(on_a_mesh("}\n", 0.02, "half_width: 0.05")), "cycle", options);
    ASSERT_EQ(result.steady->status, SteadyStatus::kStable);
    ASSERT_TRUE(last.precision);
    EXPECT_EQ(last.precision->wanted, 0.05);
    EXPECT_EQ(last.precision->half_width, result.steady->latency.relative_half_width());
    EXPECT_GT(last.cycle, 0U);
}

TEST(SteadyRun, EnginesEndInTheSameCycleWithTheSameFigures) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const double load = 0.03 * static_cast<double>(seed);
        const SimulationResult cycle = run_two_nodes(load, seed, "cycle");
        const SimulationResult tlm = run_two_nodes(load, seed, "tlm");
        EXPECT_EQ(cycle.simulated_cycles, tlm.simulated_cycles);
        EXPECT_EQ(cycle.steady->latency.mean, tlm.steady->latency.mean);
        EXPECT_EQ(cycle.steady->latency.half_width, tlm.steady->latency.half_width);
        EXPECT_EQ(cycle.steady->generated, tlm.steady->generated);
        EXPECT_EQ(cycle.latency.percentile(99), tlm.latency.percentile(99));
    }
}

}  // namespace
}  // namespace flitscope
