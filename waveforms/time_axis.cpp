// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/time_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace flitscope {

TimeAxis make_time_axis(double clock_ns) {
    if (!(clock_ns > 0)) throw std::invalid_argument("the clock period is not positive");
    const double ps = clock_ns * 1e3;
    // Decimal fractions are not exact in binary: 0.7 ns still means 700 ps. The tolerance is no
    // larger, since a fraction of a long period is many femtoseconds.
    const double inexact = 4 * std::numeric_limits<double>::epsilon() * ps;
    if (std::abs(ps - std::round(ps)) <= inexact && std::round(ps) >= 1) {
        return {static_cast<std::uint64_t>(std::llround(ps)), "1ps", 1'000'000};
    }
    return {static_cast<std::uint64_t>(std::max(1LL, std::llround(clock_ns * 1e6))), "1fs",
            1'000'000'000};
}

}  // namespace flitscope
