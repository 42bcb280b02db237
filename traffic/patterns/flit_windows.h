// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Flits counted by windows of equally many cycles, in nearly the order of time.
#pragma once

#include <cstdint>
#include <map>

#include "models/base/types.h"

namespace flitscope {

/// Windows without flits take no memory, however far ahead the next flit is.
class FlitWindows {
public:
    /// `width` of a window in cycles, at least 1.
    explicit FlitWindows(Cycle width) : width_(width) {}
    FlitWindows(const FlitWindows&) = delete;
    FlitWindows& operator=(const FlitWindows&) = delete;

    void add(Cycle cycle, std::uint64_t flits) {
        if (last_ == nullptr || cycle - last_begin_ >= width_) {
            last_begin_ = cycle - cycle % width_;
            last_ = &flits_[last_begin_];
        }
        *last_ += flits;
    }
    /// The flits of the window that begins in cycle `begin`, which are counted no longer.
    std::uint64_t take(Cycle begin) {
        const auto found = flits_.find(begin);
        if (found == flits_.end()) return 0;
        const std::uint64_t flits = found->second;
        flits_.erase(found);
        last_ = nullptr;
        return flits;
    }

private:
    Cycle width_;
    std::map<Cycle, std::uint64_t> flits_;  // by the first cycle of the window
    std::uint64_t* last_ = nullptr;         // of the window added to last: mostly the next one, too
    Cycle last_begin_ = 0;
};

}  // namespace flitscope
