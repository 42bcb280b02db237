// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the conclusions on Bokhari and Nicol 1996 share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "testbench/papers/bokhari/bokhari_formulas.h"

namespace flitscope::reproduce::paragon_exchange {

/// Why nothing slows a node down that has many messages under way.
inline constexpr const char* kNodesAreRobust =
    "The simulated node works off its sends one by one and takes in what arrives at the speed of "
    "its link, so several messages at a node cost it nothing beyond their own time.";

inline std::string mesh(std::uint32_t n) { return fmt::format("{0} x {0}", n); }

struct Range {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

inline double percent(const Breakdown& run, std::initializer_list<Cause> causes) {
    return 100 * run.share(causes);
}

/// On the times by contention at one message size, Figures 12 to 15 and what Figures 8 and 9 add.
std::vector<Conclusion> conclusions_on_slices(const Times& times);

}  // namespace flitscope::reproduce::paragon_exchange
