// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How good a front is, in one figure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "testbench/app/study/explore/pareto.h"

namespace flitscope::study {

/// The volume that the designs dominate up to `reference`, which is worse than all in everything:
/// exact, by slicing one objective after the other.
inline double hypervolume(std::vector<Objectives> designs, const Objectives& reference) {
    const std::size_t last = reference.size() - 1;
    std::sort(designs.begin(), designs.end(),
              [&](const Objectives& a, const Objectives& b) { return a[last] < b[last]; });
    if (last == 0) {
        return designs.empty() ? 0 : std::max(0.0, reference[0] - designs.front()[0]);
    }
    // Between two values of the last objective the same designs count, without it.
    double volume = 0;
    const Objectives rest(reference.begin(), reference.end() - 1);
    std::vector<Objectives> slice;
    for (std::size_t i = 0; i < designs.size() && designs[i][last] < reference[last]; ++i) {
        slice.emplace_back(designs[i].begin(), designs[i].end() - 1);
        const double until = i + 1 < designs.size()
                                 ? std::min(designs[i + 1][last], reference[last])
                                 : reference[last];
        if (until > designs[i][last]) {
            volume += (until - designs[i][last]) * hypervolume(slice, rest);
        }
    }
    return volume;
}

}  // namespace flitscope::study
