// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Latency statistics: exact counts, so that percentiles are exact and do not depend on the order of
// samples.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// Counts of samples in ranges of equal width: [first + i * width, first + (i + 1) * width).
struct LatencyHistogram {
    Cycle first = 0;
    Cycle width = 1;
    std::vector<std::uint64_t> counts;
};

class LatencyStatistics {
public:
    void add(Cycle cycles) {
        ++count_;
        sum_ += cycles;
        max_ = std::max(max_, cycles);
        if (cycles < dense_.size()) {
            ++dense_[cycles];
        } else {
            add_beyond(cycles);
        }
    }

    std::uint64_t count() const { return count_; }
    double mean() const {
        return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
    }
    Cycle max() const { return max_; }
    /// The smallest latency that at least `percent` of the samples do not exceed (nearest rank); 0
    /// without samples.
    Cycle percentile(double percent) const;
    /// Every sample in one of at most `most` ranges, 1, 2 or 5 times a power of ten cycles wide; no
    /// ranges without samples.
    LatencyHistogram histogram(std::size_t most) const;

private:
    static constexpr Cycle kDense = 1 << 16;  // below this a count each, above it a tree

    void add_beyond(Cycle cycles);

    std::vector<std::uint64_t> dense_;
    std::map<Cycle, std::uint64_t> sparse_;
    std::uint64_t count_ = 0;
    Cycle sum_ = 0;
    Cycle max_ = 0;
};

}  // namespace flitscope
