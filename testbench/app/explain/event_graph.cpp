// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/event_graph.h"

#include <algorithm>
#include <utility>

namespace flitscope {
namespace {

/// The segments of a path, written from its end to its start.
class BackwardPath {
public:
    explicit BackwardPath(Cycle end) : covered_from_(end) {}

    /// Adds the cycles from `from` up to those that are covered already: of several waits only the
    /// last one counts.
    void extend(PathSegment segment, Cycle from) {
        const bool is_mark = segment.cause == Cause::kDependency && from == covered_from_;
        if (from >= covered_from_ && !is_mark) return;
        segment.to = covered_from_;
        segment.from = covered_from_ = from;
        if (!segments_.empty() && is_continued_by(segments_.back(), segment)) {
            segments_.back().from = segment.from;
        } else {
            segments_.push_back(segment);
        }
    }
    std::vector<PathSegment> take() {
        std::reverse(segments_.begin(), segments_.end());
        return std::move(segments_);
    }

private:
    static bool is_continued_by(const PathSegment& a, const PathSegment& b) {
        return a.cause == b.cause && a.channel == b.channel && a.message == b.message &&
               a.holder == b.holder && a.operation == b.operation;
    }

    Cycle covered_from_;
    std::vector<PathSegment> segments_;
};

}  // namespace

void EventGraph::forget_unmarked() {
    ++round_;
    marked_ = kept_ = 0;
    for (const Holder* holder : holders_) holder->mark_events(*this);
    for (std::size_t id = events_.size(); id-- > 0;) {
        if (events_[id].mark == round_) continue;
        events_[id].because = free_;
        free_ = static_cast<std::uint32_t>(id);
    }
    // The next round must find more that is new than it has to look at.
    limit_ = std::max({limit_, 2 * kept_, 4 * marked_});
}

std::vector<Event> EventGraph::events_to(Handle last) const {
    std::vector<Event> events;
    if (!last) return events;
    for (std::uint32_t id = last.id_; id != kNone; id = events_[id].because) {
        events.push_back(events_[id].event);
    }
    std::reverse(events.begin(), events.end());
    return events;
}

std::vector<PathSegment> EventGraph::path_to(Handle last) const {
    if (!last) return {};
    BackwardPath path((*this)[last].cycle);
    follow_back(last, [&](const PathSegment& segment, Cycle from) {
        path.extend(segment, from);
        return true;
    });
    return path.take();
}

}  // namespace flitscope
