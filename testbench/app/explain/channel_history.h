// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Records what every channel sent lately, and which packets emptied its buffer: as much of it as
// later flits may have had to wait for. Built from the events of any engine; as every cause of an
// event is in an earlier cycle, the order of calls within a cycle does not affect results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "models/base/types.h"

namespace flitscope {

/// Flits of one message that leave in consecutive cycles. `Tag`: further data about them; cheap to
/// copy.
template <class Tag>
struct FlitRun {
    std::uint64_t first = 0;  ///< number of its first flit among all that left, from 0
    // On the channel that sends:
    std::uint64_t packet = 0;        ///< and of the first flit of its packet,
    std::uint64_t packet_flits = 0;  ///< which has so many
    Cycle begin = 0;
    Cycle end = kNever;  ///< kNever: it has not ended
    Tag tag;
    MessageId message = kNoMessage;

    Cycle when(std::uint64_t flit) const { return begin + (flit - first); }
    /// Flits that left before `now`.
    std::uint64_t count(Cycle now) const { return first + (now < end ? now : end) - begin; }
};

/// Consecutive runs; old ones are forgotten.
template <class Tag>
class FlitRuns {
public:
    using Run = FlitRun<Tag>;

    bool empty() const { return size_ == 0; }
    /// The first that is not forgotten.
    const Run& front() const { return back(size_ - 1); }
    const Run& back() const { return back(0); }
    /// Flits that left before `now`, which is not before the start of the last run.
    std::uint64_t count(Cycle now) const { return empty() ? 0 : back().count(now); }

    /// A run that has not ended ends in `begin` at the latest. The caller provides the data about
    /// the packet.
    Run& start(Cycle begin, const Tag& tag, MessageId message) {
        std::uint64_t first = 0;
        if (size_ != 0) {
            Run& last = back(0);
            if (begin < last.end) last.end = begin;
            first = last.first + last.end - last.begin;
            if (size_ > mask_) grow();
        } else if (ring_ == nullptr) {
            grow();
        }
        ++size_;
        Run& added = ring_[next_++ & mask_];
        added.first = first;
        added.begin = begin;
        added.end = kNever;
        added.tag = tag;
        added.message = message;
        return added;
    }
    /// The run that began in `begin` ends; of one that is forgotten nothing needs to be known.
    void stop(Cycle begin, Cycle end) {
        for (std::uint32_t age = 0; age < size_; ++age) {
            Run& candidate = back(age);
            if (candidate.begin > begin) continue;
            if (candidate.begin == begin) candidate.end = std::min(candidate.end, end);
            return;
        }
    }
    /// The last run ends.
    void stop_last(Cycle end) {
        Run& last = back(0);
        last.end = std::min(last.end, end);
    }
    /// Forgets runs all of whose flits come before `flit`, but for the last two: others may have
    /// lost against them in the cycle before.
    void forget_before(std::uint64_t flit) {
        while (size_ > 2 && back(size_ - 2).first <= flit) --size_;
    }
    /// Calls `visit` with the tag of every run that is not forgotten.
    template <class Visit>
    void visit_tags(Visit visit) const {
        for (std::uint32_t age = 0; age < size_; ++age) visit(back(age).tag);
    }

    /// The run of the flit with this number; null when it is forgotten, or has not left before
    /// `now`.
    const Run* of_flit(std::uint64_t flit, Cycle now) const {
        for (std::uint32_t age = 0; age < size_; ++age) {
            const Run& candidate = back(age);
            if (candidate.first > flit) continue;
            return flit < candidate.count(now) ? &candidate : nullptr;
        }
        return nullptr;
    }
    /// The run that sent a flit in `cycle`, which has passed; null when none did or it is
    /// forgotten.
    const Run* at(Cycle cycle) const {
        for (std::uint32_t age = 0; age < size_; ++age) {
            const Run& candidate = back(age);
            if (candidate.begin > cycle) continue;
            return cycle < candidate.end ? &candidate : nullptr;
        }
        return nullptr;
    }

private:
    /// The last run but so many.
    const Run& back(std::uint32_t age) const { return ring_[(next_ - 1 - age) & mask_]; }
    Run& back(std::uint32_t age) { return ring_[(next_ - 1 - age) & mask_]; }
    void grow() {
        constexpr std::uint32_t kFirst = 4;
        const std::uint32_t places = ring_ == nullptr ? kFirst : 2 * (mask_ + 1);
        auto larger = std::make_unique<Run[]>(places);
        for (std::uint32_t age = 0; age < size_; ++age) larger[size_ - 1 - age] = back(age);
        ring_ = std::move(larger);
        mask_ = places - 1;
        next_ = size_;
    }

    std::unique_ptr<Run[]> ring_;  // of 2^k places
    std::uint32_t mask_ = 0;       // 2^k - 1
    std::uint32_t next_ = 0;       // place of the next run, modulo the places
    std::uint32_t size_ = 0;
};

}  // namespace flitscope
