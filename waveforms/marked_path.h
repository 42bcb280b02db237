// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The path through a run that a waveform marks, cycle by cycle, and its visible part.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "waveforms/run_trace.h"

namespace flitscope {

class MarkedPath {
public:
    /// `causes`: those that the path may have; empty: there will be no path.
    explicit MarkedPath(std::vector<PathCause> causes) : causes_(std::move(causes)) {}

    /// Sets the path, in order of time and without overlaps; parts outside [from, until) are cut
    /// off.
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
    /// The channels of the path.
    std::set<ChannelId> channels() const {
        std::set<ChannelId> met;
        for (const PathMark& mark : marks_) {
            if (mark.channel) met.insert(*mark.channel);
        }
        return met;
    }

    /// The mark of the present cycle; null: none.
    const PathMark* now() const { return now_; }
    /// The mark that the file shows.
    const PathMark* shown() const { return shown_; }
    /// Notes that the present mark has been written to the file.
    void show() { shown_ = now_; }

    /// The next cycle in which the mark changes.
    Cycle due() const {
        if (now_ != nullptr) return now_->to;
        return next_ < marks_.size() ? marks_[next_].from : kNever;
    }
    /// Goes on to the mark of `cycle`. Cycles come in ascending order.
    void follow(Cycle cycle) {
        now_ = nullptr;
        while (next_ < marks_.size() && marks_[next_].from <= cycle) now_ = &marks_[next_++];
        if (now_ != nullptr && now_->to <= cycle) now_ = nullptr;
    }

private:
    std::vector<PathCause> causes_;
    std::vector<PathMark> marks_;
    std::size_t next_ = 0;  // the first mark that begins after this cycle
    const PathMark* now_ = nullptr;
    const PathMark* shown_ = nullptr;
};

}  // namespace flitscope
