// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Latency statistics: exact counts, so that percentiles are exact and do not depend on the order
// in which samples came.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class LatencyStatistics {
public:
    void add(Cycle cycles);

    std::uint64_t count() const { return count_; }
    double mean() const {
        return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
    }
    Cycle max() const { return max_; }
    /// The smallest latency that at least `percent` of the samples do not exceed (nearest rank); 0
    /// when there are none.
    Cycle percentile(double percent) const;

private:
    static constexpr Cycle kDense = 1 << 16;  // below this a count each, above it a tree

    std::vector<std::uint64_t> dense_;
    std::map<Cycle, std::uint64_t> sparse_;
    std::uint64_t count_ = 0;
    Cycle sum_ = 0;
    Cycle max_ = 0;
};

}  // namespace flitscope
