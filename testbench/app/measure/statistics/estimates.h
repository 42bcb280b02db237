// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Statistics of correlated series, as simulations give them: where the warm-up ends, how precise a
// mean is, whether a series grows. Nothing here depends on the meaning of the numbers.
#pragma once

#include <cstddef>
#include <vector>

namespace flitscope::statistics {

/// P(T <= t) = `probability`, in (0, 1), for Student's t of `degrees` >= 1 degrees of freedom.
double student_quantile(double probability, std::size_t degrees);

/// The end of the warm-up of a series by MSER-5 (White, Cobb and Spratt 2000): the number of
/// samples to leave out for which the squared standard error of the rest is least.
struct WarmUp {
    std::size_t samples = 0;  ///< a multiple of 5
    /// The minimum is in the first half. Otherwise the series may be too short to decide.
    bool has_ended = false;
};
WarmUp mser5(const std::vector<double>& series);

/// The values of one interval of a simulation: how many, and their sum.
struct Interval {
    double sum = 0;
    double count = 0;
};

/// A mean and its precision.
struct Estimate {
    double mean = 0;
    double half_width = 0;  ///< of the confidence interval; infinite if unknown
    /// Neighbouring batches are hardly correlated: |r1| < 1.96 / sqrt(batches). Otherwise the
    /// interval may be too narrow, and the series is too short.
    bool is_sound = false;

    double relative_half_width() const { return half_width / mean; }
};

/// Batches from which a mean is computed.
inline constexpr std::size_t kBatches = 32;

/// The mean value of a stationary series by the method of batch means, its intervals in kBatches
/// batches of the same length (but for one interval). A ratio of sums (Cochran 1977, section 6.3):
/// intervals with more values count for more. A correlation r1 > 0 that is left between
/// neighbouring batches widens the interval by sqrt((1 + r1) / (1 - r1)), as in Skart (Tafazzoli,
/// Wilson, Lada and Steiger 2011). `confidence` in (0, 1).
Estimate batch_means(const std::vector<Interval>& series, double confidence);

double mean(const std::vector<double>& values);
/// Half of Student's interval for the mean of at least two values that do not depend on each other,
/// as replications give them (Law and Kelton 2000, section 9.4.1). `confidence` in (0, 1).
double mean_half_width(const std::vector<double>& values, double confidence);

/// Least squares through the means of kBatches batches: the slope per sample, and how many standard
/// errors it is away from 0 (t of kBatches - 2 degrees of freedom).
struct Trend {
    double slope = 0;
    double t = 0;
};
Trend linear_trend(const std::vector<double>& series);

}  // namespace flitscope::statistics
