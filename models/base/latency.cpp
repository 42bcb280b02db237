// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/latency.h"

#include <algorithm>
#include <cmath>

namespace flitscope {

/// Counts a sample for which there is no dense count yet.
void LatencyStatistics::add_beyond(Cycle cycles) {
    if (cycles >= kDense) {
        ++sparse_[cycles];
        return;
    }
    dense_.resize(std::max<std::size_t>(cycles + 1, 64), 0);
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

LatencyHistogram LatencyStatistics::histogram(std::size_t most) const {
    LatencyHistogram result;
    if (count_ == 0) return result;
    const Cycle least = percentile(0);
    const auto ranges = [&] { return max_ / result.width - least / result.width + 1; };
    for (unsigned step = 0; ranges() > most; ++step) {  // 1, 2, 5, 10, 20, ...
        result.width = step % 3 == 1 ? result.width / 2 * 5 : result.width * 2;
    }
    result.first = least / result.width * result.width;
    result.counts.resize(ranges());
    const auto count = [&](Cycle cycles, std::uint64_t samples) {
        result.counts[(cycles - result.first) / result.width] += samples;
    };
    for (Cycle c = 0; c < dense_.size(); ++c) {
        if (dense_[c] != 0) count(c, dense_[c]);
    }
    for (const auto& [cycles, samples] : sparse_) count(cycles, samples);
    return result;
}

}  // namespace flitscope
