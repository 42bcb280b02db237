// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many of so many intervals hold the mean that theory gives.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "models/base/types.h"

namespace flitscope {

constexpr int kSeeds = 200;

/// Of `intervals` of 95 %, from 92 to 98 % hold the mean; of few of them two more or less.
inline void expect_covers(int covered, int intervals = kSeeds) {
    const int more = intervals < kSeeds ? 2 : 0;
    EXPECT_GE(covered + more, 0.92 * intervals);
    EXPECT_LE(covered - more, 0.98 * intervals);
}

/// Near saturation a run takes millions of cycles: FLITSCOPE_STEADY_SEEDS=200 for all of them.
inline int heavy_seeds() {
    const char* const asked = std::getenv("FLITSCOPE_STEADY_SEEDS");
    return asked != nullptr ? std::atoi(asked) : 40;
}

// --- Geo/D/1 ------------------------------------------------------------------------------------

constexpr Cycle kService = 20;  // cycles, of a message of so many flits
constexpr Cycle kEmpty = 2;     // more where nobody waits: router and wire

/// Mean latency at `load`: W = p F (F - 1) / (2 (1 - p F)) before the service.
inline double exact_latency(double load) {
    const auto flits = static_cast<double>(kService);
    return load * (flits - 1) / (2 * (1 - load)) + flits + kEmpty;
}

}  // namespace flitscope
