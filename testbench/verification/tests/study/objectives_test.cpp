// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures that a study can ask for, from made-up runs.
#include "testbench/app/study/explore/objectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/app/run/energy_counts.h"

namespace flitscope::study {
namespace {

using testing::HasSubstr;

/// Two routers of 3 pJ per cycle, 5 pJ for a flit that is written.
PointOutcome counted(double cycles, double writes, double payload_bits) {
    EnergyCounts counts;
    counts.cycles = cycles;
    counts.routers = 2;
    counts.writes = writes;
    PointOutcome outcome;
    for (const auto& [name, member] : kEnergyCounts) {
        outcome.metrics.push_back({name, "", counts.*member});
    }
    outcome.metrics.push_back({kPayloadBits, "bits", payload_bits});
    outcome.metrics.push_back({"lower_bound", "cycles", cycles});
    return outcome;
}

TEST(Metrics, TheEnergyOfABitIsThatOfTheRunOverThePayloadThatArrived) {
    RouterCost router;
    router.energy.emplace();
    router.energy->idle_pj = 3;
    router.energy->write_pj = 5;
    const MetricInfo& metric = *find_metric("energy_per_bit_pj");
    // 2 x 100 x 3 + 40 x 5 = 800 pJ for 50 bytes; at least 2 x 60 x 3 = 360 pJ.
    const PointOutcome run = counted(100, 40, 400);
    const PointOutcome appraisal = counted(60, 0, 400);
    Evaluation evaluation{&appraisal, &run, &router, {}};
    EXPECT_DOUBLE_EQ(metric.value(evaluation).value(), 2);
    EXPECT_DOUBLE_EQ(metric.bound(evaluation).value(), 0.9);
    // Over workloads the mean, and not the sum: 3 x 2 pJ and 1 x 4 pJ.
    const PointOutcome half = counted(100, 40, 200);
    Evaluation other{&appraisal, &half, &router, {}};
    evaluation.weight = 3;
    EXPECT_DOUBLE_EQ(combine(metric, {evaluation, other}, false).value(), 2.5);
    // Bare headers carry no payload.
    const PointOutcome none = counted(100, 40, 0);
    other.measured = &none;
    EXPECT_FALSE(metric.value(other));
}

TEST(Metrics, ALoadThatIsTooMuchHasNoEnergy) {
    RouterCost router;
    router.energy.emplace();
    router.energy->idle_pj = 3;
    for (const char* const name : {"energy_uj", "energy_per_bit_pj"}) {
        const MetricInfo& metric = *find_metric(name);
        PointOutcome run = counted(100, 40, 400);
        const Evaluation evaluation{&run, &run, &router, {}};
        EXPECT_TRUE(metric.value(evaluation)) << name;
        run.status = PointStatus::kUnstable;
        EXPECT_FALSE(metric.value(evaluation)) << name;
        EXPECT_THAT(missing(metric, {evaluation}), HasSubstr("no steady state at this load"));
        run.status = PointStatus::kComplete;
        run.words.emplace_back(kOverloaded, "so much");
        EXPECT_FALSE(metric.value(evaluation)) << name;
        EXPECT_THAT(missing(metric, {evaluation}), HasSubstr("overloaded"));
    }
}

TEST(Metrics, ASaturationThatWasNotFoundIsNone) {
    const MetricInfo& metric = *find_metric("saturation");
    PointOutcome outcome;
    outcome.status = PointStatus::kComplete;
    outcome.metrics = {{"saturation_upper", "flits/node/cycle", 0.01}};
    Evaluation evaluation;
    evaluation.measured = &outcome;
    evaluation.measurement = Measurement::kSaturation;
    EXPECT_FALSE(combine(metric, {evaluation}, false));
    EXPECT_EQ(missing(metric, {evaluation}),
              "no saturation: the backlog grew at the least load that was run");
    outcome.metrics.push_back({"saturation", "flits/node/cycle", 0.005});
    EXPECT_EQ(combine(metric, {evaluation}, false), 0.005);
}

}  // namespace
}  // namespace flitscope::study
