// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many intervals of a given number hold the theoretical mean.
#pragma once

#include <gtest/gtest.h>

#include "models/base/types.h"
#include "testbench/verification/tests/support/depth.h"

namespace flitscope {

constexpr int kSeeds = 200;

/// Of `intervals` of 95 %, from 92 to 98 % hold the mean; of few of them two more or less.
inline void expect_covers(int covered, int intervals = kSeeds) {
    const int more = intervals < kSeeds ? 2 : 0;
    EXPECT_GE(covered + more, 0.92 * intervals);
    EXPECT_LE(covered - more, 0.98 * intervals);
}

/// How many are measured of runs that take millions of cycles, as those near saturation do.
inline int heavy_seeds() { return static_cast<int>(cases_of(40, kSeeds)); }

// --- Geo/D/1 ------------------------------------------------------------------------------------

constexpr Cycle kService = 20;  // cycles, of a message of this many flits
constexpr Cycle kEmpty = 2;     // more without waiting: router and wire

/// Mean latency at `load`: W = p F (F - 1) / (2 (1 - p F)) before the service.
inline double exact_latency(double load) {
    const auto flits = static_cast<double>(kService);
    return load * (flits - 1) / (2 * (1 - load)) + flits + kEmpty;
}

}  // namespace flitscope
