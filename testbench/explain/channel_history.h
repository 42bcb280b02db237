// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What every channel sent lately, and who emptied its buffer: as much of it as later flits may have
// had to wait for. Put together from the events of any engine; as every cause of an event lies in
// an earlier cycle, the order of calls within a cycle cannot show.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "models/base/types.h"

namespace flitscope {

/// Flits of one message that leave in consecutive cycles. `Tag`: what else is known of them; to be
/// copied like a number.
template <class Tag>
struct BasicFlitRun {
    std::uint64_t first = 0;  ///< number of its first flit among all that left, from 0
    // On the channel that sends:
    std::uint64_t packet = 0;        ///< and of the first flit of its packet,
    std::uint64_t packet_flits = 0;  ///< which has so many
    Cycle begin = 0;
    Cycle end = kNever;  ///< kNever: it goes on
    Tag tag;
    MessageId message = kNoMessage;

    Cycle when(std::uint64_t flit) const { return begin + (flit - first); }
    bool covers(Cycle cycle) const { return begin <= cycle && cycle < end; }
    /// Flits that left before `now`.
    std::uint64_t count(Cycle now) const { return first + (now < end ? now : end) - begin; }
};

/// Runs one after the other, of which the old ones are forgotten.
template <class Tag>
class BasicFlitRuns {
public:
    using Run = BasicFlitRun<Tag>;

    bool empty() const { return size_ == 0; }
    /// The first that is not forgotten.
    const Run& front() const { return run(0); }
    const Run& back() const { return run(size_ - 1); }
    /// Flits that left before `now`, which is no earlier than the begin of the last run.
    std::uint64_t count(Cycle now) const { return empty() ? 0 : back().count(now); }

    /// A run that goes on ends in `begin` at the latest.
    Run& start(Cycle begin, const Tag& tag, MessageId message) {
        std::uint64_t first = 0;
        if (size_ != 0) {
            Run& last = run(size_ - 1);
            if (begin < last.end) last.end = begin;
            first = last.first + last.end - last.begin;
        }
        if (size_ == places_) grow();
        Run& added = run(size_++);
        added.first = first;
        added.packet = added.packet_flits = 0;
        added.begin = begin;
        added.end = kNever;
        added.tag = tag;
        added.message = message;
        return added;
    }
    /// The run that began in `begin` ends; of one that is forgotten nothing needs to be known.
    void stop(Cycle begin, Cycle end) {
        for (std::uint32_t i = size_; i-- > 0;) {
            Run& candidate = run(i);
            if (candidate.begin > begin) continue;
            if (candidate.begin == begin) candidate.end = std::min(candidate.end, end);
            return;
        }
    }
    /// Forgets runs all of whose flits come before `flit`, but for the last two: others may have
    /// lost against them in the cycle before.
    void forget_before(std::uint64_t flit) {
        while (size_ > 2 && run(1).first <= flit) {
            ++first_;
            --size_;
        }
    }
    /// Calls `visit` with the tag of every run that is not forgotten.
    template <class Visit>
    void visit_tags(Visit visit) const {
        for (std::uint32_t i = 0; i < size_; ++i) visit(run(i).tag);
    }

    /// The run of the flit with this number; null when it is forgotten, or has not left before
    /// `now`.
    const Run* of_flit(std::uint64_t flit, Cycle now) const {
        for (std::uint32_t i = size_; i-- > 0;) {
            const Run& candidate = run(i);
            if (candidate.first > flit) continue;
            return flit < candidate.count(now) ? &candidate : nullptr;
        }
        return nullptr;
    }
    /// The run that sent a flit in `cycle`, which has passed; null when none did or it is
    /// forgotten.
    const Run* at(Cycle cycle) const {
        for (std::uint32_t i = size_; i-- > 0;) {
            if (run(i).covers(cycle)) return &run(i);
            if (run(i).begin <= cycle) return nullptr;
        }
        return nullptr;
    }

private:
    const Run& run(std::uint32_t i) const { return ring_[(first_ + i) & (places_ - 1)]; }
    Run& run(std::uint32_t i) { return ring_[(first_ + i) & (places_ - 1)]; }
    void grow() {
        constexpr std::uint32_t kFirst = 4;
        const std::uint32_t places = places_ == 0 ? kFirst : 2 * places_;
        auto larger = std::make_unique<Run[]>(places);
        for (std::uint32_t i = 0; i < size_; ++i) larger[i] = run(i);
        ring_ = std::move(larger);
        places_ = places;
        first_ = 0;
    }

    std::unique_ptr<Run[]> ring_;  // of 2^k places
    std::uint32_t places_ = 0;
    std::uint32_t first_ = 0;
    std::uint32_t size_ = 0;
};

}  // namespace flitscope
