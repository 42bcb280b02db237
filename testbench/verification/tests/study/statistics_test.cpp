// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Statistics of series, held against tables and an autoregressive series.
#include "testbench/app/measure/statistics/estimates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "testbench/verification/tests/study/interval_coverage.h"

namespace flitscope {
namespace {

using statistics::Estimate;
using statistics::Interval;

/// x' = phi x + e: mean 10, standard deviation 1 / sqrt(1 - phi^2).
std::vector<double> autoregressive(std::uint64_t seed, double phi, std::size_t samples) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise;
    std::vector<double> series;
    double x = noise(random) / std::sqrt(1 - phi * phi);
    for (std::size_t i = 0; i < samples; ++i) {
        series.push_back(10 + x);
        x = phi * x + noise(random);
    }
    return series;
}

TEST(Student, QuantilesAreThoseOfTheTables) {
    EXPECT_NEAR(statistics::student_quantile(0.975, 1), 12.7062, 1e-4);
    EXPECT_NEAR(statistics::student_quantile(0.975, 31), 2.0395, 1e-4);
    EXPECT_NEAR(statistics::student_quantile(0.99, 30), 2.4573, 1e-4);
}

TEST(Mser5, LeavesOutWhatIsNotLikeTheRest) {
    std::vector<double> series = autoregressive(1, 0, 1000);
    for (std::size_t i = 0; i < 200; ++i) series[i] += 10 - static_cast<double>(i) / 20;
    const statistics::WarmUp warmup = statistics::mser5(series);
    EXPECT_TRUE(warmup.has_ended);
    EXPECT_GE(warmup.samples, 130U);
    EXPECT_LE(warmup.samples, 260U);
    EXPECT_EQ(warmup.samples % 5, 0U);
}

TEST(Mser5, LeavesNothingOutOfAConstant) {
    // Thirds have no end in binary digits: their sums of squares have rounding errors.
    for (const double third : {0.0, 1.0, 2.0}) {
        for (int whole = 3; whole < 40; ++whole) {
            for (const std::size_t samples : {100U, 160U, 500U, 540U}) {
                const std::vector<double> series(samples, whole + third / 3);
                const statistics::WarmUp warmup = statistics::mser5(series);
                ASSERT_TRUE(warmup.has_ended) << series.front() << ", " << samples;
                ASSERT_EQ(warmup.samples, 0U) << series.front() << ", " << samples;
            }
        }
    }
}

TEST(Mser5, SaysThatASeriesThatStillRisesIsTooShort) {
    std::vector<double> series;
    for (int i = 0; i < 500; ++i) series.push_back(i);
    EXPECT_FALSE(statistics::mser5(series).has_ended);
    EXPECT_FALSE(statistics::mser5({}).has_ended);
}

TEST(BatchMeans, CoverTheMeanOfACorrelatedSeries) {
    for (const double phi : {0.0, 0.5, 0.9}) {
        int covered = 0;
        for (int seed = 1; seed <= kSeeds; ++seed) {
            std::vector<Interval> series;
            for (const double x : autoregressive(seed, phi, 20'000)) series.push_back({x, 1});
            const Estimate estimate = statistics::batch_means(series, 0.95);
            if (std::abs(estimate.mean - 10) <= estimate.half_width) ++covered;
        }
        SCOPED_TRACE(phi);
        expect_covers(covered);
    }
}

TEST(BatchMeans, SayWhenASeriesIsTooShortForItsCorrelation) {
    int unsound = 0;
    for (int seed = 1; seed <= kSeeds; ++seed) {
        std::vector<Interval> series;
        for (const double x : autoregressive(seed, 0.99, 320)) series.push_back({x, 1});
        if (!statistics::batch_means(series, 0.95).is_sound) ++unsound;
    }
    EXPECT_GT(unsound, kSeeds * 9 / 10);
}

TEST(BatchMeans, WeighIntervalsByTheirCounts) {
    std::vector<Interval> series;
    for (int i = 0; i < 64; ++i)
        series.push_back({i % 2 == 0 ? 30.0 : 5.0, i % 2 == 0 ? 3.0 : 1.0});
    const Estimate estimate = statistics::batch_means(series, 0.95);
    EXPECT_DOUBLE_EQ(estimate.mean, 35.0 / 4);
    EXPECT_NEAR(estimate.half_width, 0, 1e-12);  // all batches are alike
    EXPECT_TRUE(std::isinf(statistics::batch_means({}, 0.95).half_width));
}

TEST(LinearTrend, FindsTheSlopeAndHowSureItIs) {
    std::vector<double> series = autoregressive(3, 0, 3200);
    EXPECT_LT(std::abs(statistics::linear_trend(series).t), 3);
    for (std::size_t i = 0; i < series.size(); ++i) series[i] += 0.01 * static_cast<double>(i);
    const statistics::Trend trend = statistics::linear_trend(series);
    EXPECT_NEAR(trend.slope, 0.01, 1e-4);
    EXPECT_GT(trend.t, 100);
}

}  // namespace
}  // namespace flitscope
