// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `steady`: a measurement that lasts until the mean latency has converged.
#pragma once

#include <optional>

#include "models/base/types.h"

namespace flitscope {

/// Measures a pattern until its mean latency is known well enough.
struct SteadyConfig {
    /// Least value of `max_cycles`: enough for two looks at batches of a hundred cycles and more.
    static constexpr Cycle kShortest = 40'000;
    /// What `warmup` must leave of them: fewer batches cannot tell a load that grows from one that
    /// does not, and a saturation found by them was up to twice the true one.
    static constexpr Cycle kLeastMeasured = 16'000;

    double confidence = 0.95;      ///< confidence level of the interval, 0.5 .. 0.999
    double half_width = 0.05;      ///< half width of the interval, as a share of the mean
    Cycle max_cycles = 1'000'000;  ///< the warm-up included
    std::optional<Cycle> warmup;   ///< none: found by MSER-5
};

}  // namespace flitscope
