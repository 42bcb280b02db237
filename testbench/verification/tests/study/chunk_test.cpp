// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Input and output of a job of a cluster.
#include "testbench/app/study/slurm/chunk.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/measurement.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope::study {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed when the test ends.
class ChunkTest : public testing::Test {
protected:
    ChunkTest() { fs::create_directory(folder_); }
    ~ChunkTest() override { fs::remove_all(folder_); }

    const fs::path folder_ =
        fs::temp_directory_path() / testing::UnitTest::GetInstance()->current_test_info()->name();
    const std::string file_ = (folder_ / "chunk_0.json").string();
};

DesignPoint ring(std::uint64_t bytes) {
    DesignPoint point;
    point.config = parse_config(
        "fabric: {topology: {kind: mesh, dims: [4]}}\n"
        "traffic: {schedule: gen, message_bytes: " +
            std::to_string(bytes) + "}\n",
        "test");
    return point;
}

TEST_F(ChunkTest, PointsOfEveryConfigurationThatShipsKeepTheirDigest) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(FLITSCOPE_CONFIGS)) {
        if (entry.path().extension() != ".yaml") continue;
        std::ifstream file(entry.path());
        const std::string text(std::istreambuf_iterator<char>(file), {});
        if (text.find("traffic:") == std::string::npos) continue;  // a graph
        DesignPoint point;
        point.config = load_config(entry.path().string());
        point.engine = "cycle";
        point.useful_cycles = 1234;
        const DesignPoint again = point_from_json(to_json(point));
        EXPECT_EQ(digest(again), digest(point)) << entry.path();
        EXPECT_EQ(again.useful_cycles, point.useful_cycles);
        ++count;
    }
    EXPECT_GT(count, 10U);
}

TEST_F(ChunkTest, DigestsDifferWhereOutcomesMay) {
    const DesignPoint point = ring(64);
    DesignPoint other = point;
    other.engine = "cycle";
    EXPECT_NE(digest(other), digest(point));
    other = point;
    other.measurement = Measurement::kAppraisal;
    EXPECT_NE(digest(other), digest(point));
    EXPECT_NE(digest(ring(72)), digest(point));
    other = point;
    other.by_cause = true;
    EXPECT_NE(digest(other), digest(point));
    EXPECT_EQ(digest(point_from_json(to_json(other))), digest(other));
    other = point;
    other.config.trace.endpoints = true;
    other.useful_cycles = 10;
    EXPECT_EQ(digest(other), digest(point));
}

TEST_F(ChunkTest, OutcomesAreThoseOfMeasuringHere) {
    const std::vector<DesignPoint> points = {ring(64), ring(128), ring(64)};
    write_chunk(file_, points);
    EXPECT_FALSE(read_outcome(file_, 0).has_value());
    std::set<std::size_t> told;
    measure_chunk(file_, [&](std::size_t point, const PointOutcome&) { told.insert(point); });
    EXPECT_EQ(told, (std::set<std::size_t>{0, 1, 2}));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto outcome = read_outcome(file_, i);
        ASSERT_TRUE(outcome.has_value());
        EXPECT_EQ(outcome->status, PointStatus::kComplete);
        EXPECT_GT(outcome->cycles("cycles"), 0U);
    }
    EXPECT_EQ(read_outcome(file_, 0)->cycles("cycles"), read_outcome(file_, 2)->cycles("cycles"));
    EXPECT_LT(read_outcome(file_, 0)->cycles("cycles"), read_outcome(file_, 1)->cycles("cycles"));
    remove_chunk(file_);
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ChunkTest, WhatIsThereIsNotMeasuredAgain) {
    write_chunk(file_, {ring(64), ring(128)});
    measure_chunk(file_, [](std::size_t, const PointOutcome&) {});
    fs::remove(folder_ / "chunk_0" / "1.json");
    std::vector<std::size_t> told;
    measure_chunk(file_, [&](std::size_t point, const PointOutcome&) { told.push_back(point); });
    EXPECT_EQ(told, std::vector<std::size_t>{1});
}

TEST_F(ChunkTest, OutcomesHaveTheCausesThatWereAskedFor) {
    DesignPoint point = ring(64);
    EXPECT_FALSE(measure(point).outcome.by_cause);
    point.by_cause = true;
    const PointOutcome outcome = measure(point).outcome;
    Cycle sum = 0;
    for (const Cycle cycles : outcome.by_cause.value()) sum += cycles;
    EXPECT_EQ(sum, outcome.cycles("cycles"));
    EXPECT_EQ(outcome_from_json(to_json(outcome)).by_cause, outcome.by_cause);
}

TEST_F(ChunkTest, RunsThatTakeTooLongAreStoppedAndSaySo) {
    DesignPoint whole = ring(64);
    DesignPoint limited = whole;
    limited.useful_cycles = 10;
    write_chunk(file_, {limited, whole});
    measure_chunk(file_, [](std::size_t, const PointOutcome&) {});
    const PointOutcome stopped = *read_outcome(file_, 0);
    EXPECT_EQ(stopped.status, PointStatus::kStopped);
    EXPECT_EQ(stopped.cycles("lower_bound"), 10U);
    const Cycle cycles = read_outcome(file_, 1)->cycles("cycles");
    ASSERT_GT(cycles, 10U);

    // At its very time it is not too long.
    limited.useful_cycles = cycles;
    write_chunk((folder_ / "chunk_1.json").string(), {limited});
    measure_chunk((folder_ / "chunk_1.json").string(), [](std::size_t, const PointOutcome&) {});
    EXPECT_EQ(read_outcome((folder_ / "chunk_1.json").string(), 0)->status, PointStatus::kComplete);
}

TEST(Points, RanksThatComputeOnStopNoRun) {
    DesignPoint point;
    point.config = parse_config(
        "fabric: {topology: {kind: mesh, dims: [2, 2]}}\n"
        "traffic: {schedule: fft-transpose, message_bytes: 64, compute_cycles: 100000}\n",
        "test");
    const PointOutcome whole = measure(point).outcome;
    const Cycle ends = whole.cycles("ranks_end");
    ASSERT_GT(ends, whole.cycles("cycles"));
    // The compared event may be the last delivery.
    point.useful_cycles = whole.cycles("cycles");
    const PointOutcome useful = measure(point).outcome;
    EXPECT_EQ(useful.status, PointStatus::kComplete);
    EXPECT_EQ(useful.cycles("ranks_end"), ends);
    // The limit of the configuration holds for the ranks, too.
    point.config.limits.max_cycles = ends - 1;
    EXPECT_EQ(measure(point).outcome.status, PointStatus::kTimeout);
}

TEST_F(ChunkTest, StrangeFilesAreRefused) {
    EXPECT_THROW(read_chunk(file_), ConfigError);
    for (const char* text : {"", "[]", "{}", "{\"program\": 3}"}) {
        std::ofstream(file_) << text;
        EXPECT_THROW(read_chunk(file_), ConfigError) << text;
    }
    std::ofstream(file_) << Json{{"program", "flitscope of yesterday"}, {"points", Json::array()}};
    EXPECT_NE(refused_with([&] { read_chunk(file_); }).find("of yesterday"), std::string::npos);
}

}  // namespace
}  // namespace flitscope::study
