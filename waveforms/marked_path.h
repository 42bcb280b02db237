// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The path through a run that a waveform marks, cycle by cycle, and what the file shows of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "waveforms/run_trace.h"

namespace flitscope {

class MarkedPath {
public:
    /// Without causes there will be no path.
    explicit MarkedPath(std::vector<PathCause> causes) : causes_(std::move(causes)) {}

    /// The path, in order of time, without overlaps: what is within [from, until) of it.
    void mark(const std::vector<PathMark>& path, Cycle from, Cycle until) {
        for (const PathMark& mark : path) {
            PathMark within = mark;
            within.from = std::max(mark.from, from);
            within.to = std::min(mark.to, until);
            if (within.from < within.to) marks_.push_back(within);
        }
    }

    const std::vector<PathCause>& causes() const { return causes_; }
    const std::vector<PathMark>& marks() const { return marks_; }

    /// Where it is; null: nowhere.
    const PathMark* now() const { return now_; }
    /// Where it is in the file.
    const PathMark* shown() const { return shown_; }
    /// All that the file says of it has been written.
    void show() { shown_ = now_; }

    /// The next cycle in which it goes elsewhere.
    Cycle due() const {
        if (now_ != nullptr) return now_->to;
        return next_ < marks_.size() ? marks_[next_].from : kNever;
    }
    /// Goes on to where it is in `cycle`. Cycles come in ascending order.
    void follow(Cycle cycle) {
        now_ = nullptr;
        while (next_ < marks_.size() && marks_[next_].from <= cycle) now_ = &marks_[next_++];
        if (now_ != nullptr && now_->to <= cycle) now_ = nullptr;
    }

private:
    std::vector<PathCause> causes_;
    std::vector<PathMark> marks_;
    std::size_t next_ = 0;  // the first one that begins behind this cycle
    const PathMark* now_ = nullptr;
    const PathMark* shown_ = nullptr;
};

}  // namespace flitscope
