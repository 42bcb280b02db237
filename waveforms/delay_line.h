// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes that take effect a fixed number of cycles after their event. Events come in order of
// their cycle, so a ring is enough where the general case would need a priority queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class DelayLine {
public:
    /// Behind cycle `due` the slope of `unit` is larger by `change`.
    struct Entry {
        Cycle due = 0;
        std::uint32_t unit = 0;
        std::int32_t change = 0;
    };

    explicit DelayLine(Cycle delay) : delay_(delay), ring_(64) {}

    Cycle delay() const { return delay_; }
    void push(Cycle now, std::uint32_t unit, std::int32_t change) {
        if (count_ == ring_.size()) grow();
        ring_[(first_ + count_++) & (ring_.size() - 1)] = {now + delay_, unit, change};
    }
    /// Cycle of the earliest entry, or kNever.
    Cycle due() const { return count_ == 0 ? kNever : ring_[first_].due; }
    Entry pop() {
        const Entry entry = ring_[first_];
        first_ = (first_ + 1) & (ring_.size() - 1);
        --count_;
        return entry;
    }

private:
    void grow() {
        std::vector<Entry> larger(2 * ring_.size());
        for (std::size_t i = 0; i < count_; ++i) {
            larger[i] = ring_[(first_ + i) & (ring_.size() - 1)];
        }
        ring_.swap(larger);
        first_ = 0;
    }

    Cycle delay_;
    std::vector<Entry> ring_;  // size is a power of two
    std::size_t first_ = 0;
    std::size_t count_ = 0;
};

}  // namespace flitscope
