// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/endpoints/latency.h"

#include <algorithm>
#include <cmath>

namespace flitscope {

void LatencyStatistics::add(Cycle cycles) {
    ++count_;
    sum_ += cycles;
    max_ = std::max(max_, cycles);
    if (cycles >= kDense) {
        ++sparse_[cycles];
        return;
    }
    if (cycles >= dense_.size()) dense_.resize(std::max<std::size_t>(cycles + 1, 64), 0);
    ++dense_[cycles];
}

Cycle LatencyStatistics::percentile(double percent) const {
    const auto rank =
        static_cast<std::uint64_t>(std::ceil(percent / 100 * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (Cycle c = 0; c < dense_.size(); ++c) {
        seen += dense_[c];
        if (seen >= rank && seen != 0) return c;
    }
    for (const auto& [cycles, n] : sparse_) {
        seen += n;
        if (seen >= rank) return cycles;
    }
    return 0;
}

}  // namespace flitscope
