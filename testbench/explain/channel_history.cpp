// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/channel_history.h"

#include <algorithm>
#include <utility>

namespace flitscope {

FlitRun& FlitRuns::start(Cycle begin, EventGraph::Handle event, MessageId message) {
    const std::uint64_t first = count(begin);
    if (!empty()) back().end = std::min(back().end, begin);
    runs_.push_back({first, 0, begin, kNever, std::move(event), message});
    return runs_.back();
}

void FlitRuns::stop(const EventGraph::Handle& event, Cycle end) {
    for (std::size_t i = runs_.size(); i-- > head_;) {
        if (!(runs_[i].event == event)) continue;
        runs_[i].end = std::min(runs_[i].end, end);
        return;
    }
}

void FlitRuns::forget_before(std::uint64_t flit) {
    constexpr std::size_t kKept = 2;  // others may have lost against them in the cycle before
    while (runs_.size() - head_ > kKept && runs_[head_ + 1].first <= flit) {
        runs_[head_] = {};
        ++head_;
    }
    if (2 * head_ < runs_.size()) return;
    runs_.erase(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
}

const FlitRun* FlitRuns::of_flit(std::uint64_t flit, Cycle now) const {
    for (std::size_t i = runs_.size(); i-- > head_;) {
        const FlitRun& run = runs_[i];
        if (run.first > flit) continue;
        return flit < run.count(now) ? &run : nullptr;
    }
    return nullptr;
}

const FlitRun* FlitRuns::at(Cycle cycle) const {
    for (std::size_t i = runs_.size(); i-- > head_;) {
        if (runs_[i].covers(cycle)) return &runs_[i];
        if (runs_[i].begin <= cycle) return nullptr;
    }
    return nullptr;
}

const FlitRun* FlitRuns::ended_with(Cycle last) const {
    for (std::size_t i = runs_.size(); i-- > head_;) {
        if (runs_[i].end == last + 1 && runs_[i].begin <= last) return &runs_[i];
    }
    return nullptr;
}

}  // namespace flitscope
