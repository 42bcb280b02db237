// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/channel_history.h"

#include <algorithm>
#include <utility>

namespace flitscope {

FlitRun& FlitRuns::start(Cycle begin, EventGraph::Handle event, MessageId message) {
    const std::uint64_t first = count(begin);
    if (!empty()) run(size_ - 1).end = std::min(back().end, begin);
    if (size_ == ring_.size()) grow();
    FlitRun& added = run(size_++);
    added = {first, 0, 0, begin, kNever, std::move(event), message};
    return added;
}

void FlitRuns::stop(const EventGraph::Handle& event, Cycle end) {
    for (std::size_t i = size_; i-- > 0;) {
        if (!(run(i).event == event)) continue;
        run(i).end = std::min(run(i).end, end);
        return;
    }
}

void FlitRuns::forget_first() {
    run(0).event = {};
    ++first_;
    --size_;
}

void FlitRuns::grow() {
    constexpr std::size_t kFirst = 4;
    std::vector<FlitRun> larger(ring_.empty() ? kFirst : 2 * ring_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move(run(i));
    ring_ = std::move(larger);
    first_ = 0;
}

const FlitRun* FlitRuns::of_flit(std::uint64_t flit, Cycle now) const {
    for (std::size_t i = size_; i-- > 0;) {
        const FlitRun& candidate = run(i);
        if (candidate.first > flit) continue;
        return flit < candidate.count(now) ? &candidate : nullptr;
    }
    return nullptr;
}

const FlitRun* FlitRuns::at(Cycle cycle) const {
    for (std::size_t i = size_; i-- > 0;) {
        if (run(i).covers(cycle)) return &run(i);
        if (run(i).begin <= cycle) return nullptr;
    }
    return nullptr;
}

}  // namespace flitscope
