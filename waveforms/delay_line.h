// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes that take effect a fixed number of cycles after their event. Events come in order of
// their cycle, so a ring suffices; the general case would need a priority queue.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class DelayLine {
public:
    /// After cycle `due` the slope of `unit` is larger by `change`.
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

/// A line for each delay in use.
class DelayLines {
public:
    static constexpr std::uint16_t kNone = UINT16_MAX;  ///< marks units without a line

    /// The line of `delay`, a new one if it does not exist yet.
    std::uint16_t of(Cycle delay) {
        const auto found =
            std::find_if(lines_.begin(), lines_.end(),
                         [delay](const DelayLine& line) { return line.delay() == delay; });
        const auto line = static_cast<std::size_t>(found - lines_.begin());
        if (line == kNone) throw std::length_error("too many different delays of links");
        if (found == lines_.end()) lines_.emplace_back(delay);
        return static_cast<std::uint16_t>(line);
    }
    DelayLine& operator[](std::uint16_t line) { return lines_[line]; }
    /// Cycle of the earliest entry of all, or kNever.
    Cycle due() const {
        Cycle due = kNever;
        for (const DelayLine& line : lines_) due = std::min(due, line.due());
        return due;
    }
    /// Hands those of cycle `now` to `take`, line by line.
    template <class Take>
    void take_due(Cycle now, Take take) {
        for (DelayLine& line : lines_) {
            while (line.due() == now) take(line.pop());
        }
    }

private:
    std::vector<DelayLine> lines_;
};

}  // namespace flitscope
