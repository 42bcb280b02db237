// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cycles as points in time, without rounding.
#pragma once

#include <cstdint>

namespace flitscope {

/// Cycle t is at tick t * per_cycle.
struct TimeAxis {
    std::uint64_t per_cycle = 1000;
    const char* timescale = "1ps";
    std::uint64_t per_microsecond = 1'000'000;
};

/// Ticks of 1 ps if the clock period is a whole number of them, else of 1 fs (to which the period
/// is rounded). Throws std::invalid_argument when the period is not positive.
TimeAxis make_time_axis(double clock_ns);

}  // namespace flitscope
