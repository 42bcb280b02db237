// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A calendar of events: one bucket per cycle modulo the size of the wheel. Most events of a fabric
// lie a few cycles ahead and many are moved before they are due, which a heap makes dear.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/tlm/engine/burst_sequence.h"

namespace flitscope::burst {

class Scheduler;

/// Something that is to happen in a cycle, in one of the two phases that Scheduler describes.
class Event {
public:
    virtual ~Event() = default;
    /// The work of cycle `now`, for which it was scheduled.
    virtual void run(Tick now) = 0;

    bool is_scheduled() const { return is_known(time_); }
    /// kUnknown when it is not scheduled.
    Tick time() const { return time_; }

protected:
    explicit Event(bool ends) : ends_(ends) {}
    /// Whether it is for the first phase of its cycle, that of what ends. Not while scheduled.
    void set_ends(bool ends) { ends_ = ends; }

private:
    friend class TimingWheel;
    friend class Scheduler;

    bool ends_;
    Tick time_ = kUnknown;
    Event* next_ = nullptr;
    Event** link_ = nullptr;  // what points to us: the bucket, or the event before
};

class TimingWheel {
public:
    TimingWheel() : buckets_(kBuckets) {}

    bool empty() const { return size_ == 0; }
    /// `event` is in no bucket, `time` not before the last one taken.
    void insert(Event& event, Tick time) {
        const std::size_t bucket = bucket_of(time);
        Event*& head = buckets_[bucket];
        event.time_ = time;
        event.link_ = &head;
        event.next_ = head;
        if (head != nullptr) {
            head->link_ = &event.next_;
        } else {
            words_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
            summary_[bucket / 4096] |= std::uint64_t{1} << bucket / 64 % 64;
        }
        head = &event;
        ++size_;
    }
    void remove(Event& event) {
        *event.link_ = event.next_;
        if (event.next_ != nullptr) event.next_->link_ = event.link_;
        event.link_ = nullptr;
        --size_;
    }
    /// Time of the earliest event, which is not before `from`; kUnknown when there is none.
    Tick earliest(Tick from) {
        if (size_ == 0) return kUnknown;
        Tick first = kUnknown;  // of those that are not within a turn of the wheel
        const Tick turn = from + static_cast<Tick>(kBuckets);
        for (Tick t = next_used(from); t < turn; t = next_used(t + 1)) {
            const std::size_t bucket = bucket_of(t);
            if (buckets_[bucket] == nullptr) clear_mark(bucket);
            for (const Event* e = buckets_[bucket]; e != nullptr; e = e->next_) {
                if (e->time_ == t) return t;
                if (e->time_ < first) first = e->time_;
            }
        }
        return first;
    }
    /// Takes all events of cycle `t` out and calls visit(event) for each, which may insert others
    /// of later cycles.
    template <class Visit>
    void take(Tick t, Visit&& visit) {
        Event* rest = nullptr;  // of other turns
        for (Event* e = std::exchange(buckets_[bucket_of(t)], nullptr); e != nullptr;) {
            Event* const next = e->next_;
            if (e->time_ == t) {
                e->link_ = nullptr;
                --size_;
                visit(*e);
            } else {
                e->next_ = rest;
                rest = e;
            }
            e = next;
        }
        while (rest != nullptr) {
            Event* const next = rest->next_;
            --size_;
            insert(*rest, rest->time_);
            rest = next;
        }
    }

private:
    static constexpr std::size_t kBuckets = std::size_t{1} << 14;

    static std::size_t bucket_of(Tick t) { return static_cast<std::size_t>(t) % kBuckets; }
    void clear_mark(std::size_t bucket) {
        words_[bucket / 64] &= ~(std::uint64_t{1} << bucket % 64);
        if (words_[bucket / 64] == 0) {
            summary_[bucket / 4096] &= ~(std::uint64_t{1} << bucket / 64 % 64);
        }
    }
    /// The first time >= `t` whose bucket is marked; at least one turn on when there is none before
    /// that.
    Tick next_used(Tick t) const {
        const std::size_t start = bucket_of(t);
        std::size_t word = start / 64;
        std::uint64_t bits = words_[word] & ~std::uint64_t{0} << start % 64;
        if (bits == 0) {
            // Words behind ours, in the summary word of ours, then in the others, then around.
            std::size_t s = word / 64;
            const unsigned shift = word % 64;
            std::uint64_t used = shift == 63 ? 0 : summary_[s] & ~std::uint64_t{0} << (shift + 1);
            for (std::size_t turns = 0; used == 0 && turns < kSummaryWords; ++turns) {
                s = (s + 1) % kSummaryWords;
                used = summary_[s];
            }
            if (used == 0) return t + static_cast<Tick>(kBuckets);
            word = s * 64 + lowest(used);
            bits = words_[word];
        }
        const std::size_t bucket = word * 64 + lowest(bits);
        return t + static_cast<Tick>((bucket - start) % kBuckets);
    }
    static std::size_t lowest(std::uint64_t bits) {
        return static_cast<std::size_t>(__builtin_ctzll(bits));
    }

    static constexpr std::size_t kWords = kBuckets / 64;
    static constexpr std::size_t kSummaryWords = kWords / 64;

    std::vector<Event*> buckets_;
    // Marks of buckets that may hold something: a bucket that has become empty keeps its mark until
    // somebody looks.
    std::array<std::uint64_t, kWords> words_{};           // bit b: bucket b
    std::array<std::uint64_t, kSummaryWords> summary_{};  // bit w: words_[w] is not 0
    std::size_t size_ = 0;
};

}  // namespace flitscope::burst
