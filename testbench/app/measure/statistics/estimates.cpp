// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/measure/statistics/estimates.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace flitscope::statistics {
namespace {

/// The batch of sample `i` of `samples`: lengths differ by at most one.
std::size_t batch_of(std::size_t i, std::size_t samples) { return i * kBatches / samples; }

}  // namespace

double student_quantile(double probability, std::size_t degrees) {
    return quantile(boost::math::students_t(static_cast<double>(degrees)), probability);
}

WarmUp mser5(const std::vector<double>& series) {
    constexpr std::size_t kGroup = 5;
    const std::size_t groups = series.size() / kGroup;
    std::vector<double> means(groups);
    for (std::size_t i = 0; i < groups * kGroup; ++i) means[i / kGroup] += series[i] / kGroup;
    // From the back: mean and squared deviations of what would be left (Welford 1962). Sums of
    // squares would leave rounding errors of a series that hardly varies, and those decide.
    double mean = 0;
    double squares = 0;
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = groups;
    for (std::size_t d = groups; d-- > 0;) {
        const auto left = static_cast<double>(groups - d);
        const double before = means[d] - mean;
        mean += before / left;
        squares += before * (means[d] - mean);
        const double error = squares / (left * left);
        // The last few groups may be alike by chance. On a tie, the earliest.
        if (groups - d >= kGroup && error <= least) {
            least = error;
            best = d;
        }
    }
    return {best * kGroup, best < groups / 2};
}

Estimate batch_means(const std::vector<Interval>& series, double confidence) {
    constexpr double kCount = kBatches;
    Estimate estimate;
    estimate.half_width = std::numeric_limits<double>::infinity();
    std::array<Interval, kBatches> batches{};
    Interval total;
    for (std::size_t i = 0; i < series.size(); ++i) {
        Interval& batch = batches[batch_of(i, series.size())];
        batch.sum += series[i].sum;
        batch.count += series[i].count;
        total.sum += series[i].sum;
        total.count += series[i].count;
    }
    if (total.count == 0) return estimate;
    estimate.mean = total.sum / total.count;
    double squares = 0;
    double products = 0;
    double before = 0;
    for (std::size_t b = 0; b < kBatches; ++b) {
        const double residual = batches[b].sum - estimate.mean * batches[b].count;
        squares += residual * residual;
        if (b > 0) products += residual * before;
        before = residual;
    }
    const double r1 = squares > 0 ? products / squares : 0;
    estimate.half_width = student_quantile((1 + confidence) / 2, kBatches - 1) *
                          std::sqrt(squares / (kCount * (kCount - 1))) / (total.count / kCount);
    if (r1 > 0) estimate.half_width *= std::sqrt((1 + r1) / (1 - r1));
    estimate.is_sound = std::abs(r1) <= 1.96 / std::sqrt(kCount);
    return estimate;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

double mean_half_width(const std::vector<double>& values, double confidence) {
    const auto count = static_cast<double>(values.size());
    const double middle = mean(values);
    double squares = 0;
    for (const double value : values) squares += (value - middle) * (value - middle);
    return student_quantile((1 + confidence) / 2, values.size() - 1) *
           std::sqrt(squares / (count * (count - 1)));
}

Trend linear_trend(const std::vector<double>& series) {
    constexpr double kCount = kBatches;
    if (series.size() < kBatches) return {};
    std::array<double, kBatches> batches{};
    std::array<double, kBatches> counts{};
    for (std::size_t i = 0; i < series.size(); ++i) {
        batches[batch_of(i, series.size())] += series[i];
        counts[batch_of(i, series.size())] += 1;
    }
    double mean = 0;
    for (std::size_t b = 0; b < kBatches; ++b) {
        batches[b] /= counts[b];
        mean += batches[b] / kCount;
    }
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (std::size_t b = 0; b < kBatches; ++b) {
        const double x = static_cast<double>(b) - (kCount - 1) / 2;
        const double y = batches[b] - mean;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    const double slope = xy / xx;
    const double residual = std::max(yy - slope * xy, 0.0) / (kCount - 2);
    Trend trend;
    trend.slope = slope * kCount / static_cast<double>(series.size());
    if (slope != 0) trend.t = slope / std::sqrt(residual / xx);
    return trend;
}

}  // namespace flitscope::statistics
