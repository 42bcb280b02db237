// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a study takes, by a few of its designs and within a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "testbench/app/study/explore/exploration.h"

namespace flitscope::study {
namespace {

using testing::HasSubstr;

/// Six designs.
Study small_study() {
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "estimate_base.yaml")
        << "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
           "traffic: {schedule: pex, message_bytes: 64}\n";
    std::ofstream(folder + "estimate_study.yaml")
        << "base: estimate_base.yaml\n"
           "vary: {fabric.buffer_depth: [2, 4, 8], fabric.flit_bits: [32, 64]}\n"
           "objectives: {min: [time_ns, pins]}\n";
    return load_study(folder + "estimate_study.yaml", {});
}

ExploreOptions options() {
    ExploreOptions options;
    options.engine = "auto";
    return options;
}

TEST(Estimate, SaysWhatItHasMeasured) {
    Database database("", Database::Access::kWrite);
    ExploreOptions patient = options();
    patient.most_trial_seconds = 1e6;
    std::vector<std::uint64_t> told;
    patient.on_designs = [&](std::uint64_t designs) { told.push_back(designs); };
    const Study study = small_study();
    const ExploreEstimate found = estimate(study, database, patient);
    EXPECT_EQ(told, std::vector<std::uint64_t>{6});
    EXPECT_EQ(found.points, 6U);
    EXPECT_EQ(found.tried, 5U);
    EXPECT_EQ(found.measured, 5U);
    EXPECT_EQ(found.ruled_out, 0U);
    EXPECT_GT(found.seconds.value(), 0);
    EXPECT_FALSE(found.is_least);
    EXPECT_EQ(found.problem, "");
}

TEST(Estimate, EndsWithItsTime) {
    Database database("", Database::Access::kWrite);
    ExploreOptions hasty = options();
    hasty.most_trial_seconds = 0;
    const Study study = small_study();
    const ExploreEstimate found = estimate(study, database, hasty);
    EXPECT_EQ(found.points, 6U);
    EXPECT_EQ(found.measured, 0U);
    EXPECT_FALSE(found.seconds);
    EXPECT_THAT(found.problem, HasSubstr("after 0 s"));
}

TEST(Estimate, IsCancelledByTheUserAlone) {
    Database database("", Database::Access::kWrite);
    ExploreOptions cancelled = options();
    cancelled.is_cancelled = [] { return true; };
    cancelled.most_trial_seconds = 0;
    const Study study = small_study();
    EXPECT_THROW(estimate(study, database, cancelled), Cancelled);
}

}  // namespace
}  // namespace flitscope::study
