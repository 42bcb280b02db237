// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A calendar of events: one bucket per cycle modulo the size of the wheel. Most events of a fabric
// are a few cycles ahead and many are moved before they are due, which is expensive in a heap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "tlm/engine/burst_sequence.h"

namespace flitscope::burst {

class Scheduler;

/// An event of a cycle, in one of the two phases of Scheduler. A wheel that it has been in may
/// access it later, so it must outlive the use of that.
class Event {
public:
    virtual ~Event() = default;
    /// The work of cycle `now`, for which it was scheduled.
    virtual void run(Tick now) = 0;
    /// Called when the event is among the next to run: prefetches its data.
    virtual void fetch() const {}

    /// kUnknown when it is not scheduled.
    Tick time() const { return time_; }

protected:
    explicit Event(bool ends) : ends_(ends) {}
    /// Sets whether the event runs in the first phase of its cycle, that of ends. Not while
    /// scheduled.
    void set_ends(bool ends) { ends_ = ends; }

private:
    friend class TimingWheel;
    friend class Scheduler;

    Tick time_ = kUnknown;
    bool ends_;
    bool in_wheel_ = false;
};

class TimingWheel {
public:
    TimingWheel() : buckets_(kBuckets) {}

    bool empty() const { return size_ == 0; }
    /// `event` is not in the wheel, `time` not before the last one taken.
    void insert(Event& event, Tick time) {
        const std::size_t bucket = bucket_of(time);
        event.time_ = time;
        event.in_wheel_ = true;
        ++size_;
        if (buckets_[bucket] == nullptr) {
            words_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
            summary_[bucket / 4096] |= std::uint64_t{1} << bucket / 64 % 64;
        }
        push(bucket, event);
    }
    void remove(Event& event) {
        event.in_wheel_ = false;
        --size_;
    }
    /// Time of the earliest event, which is not before `from`; kUnknown without events.
    Tick earliest(Tick from) {
        if (size_ == 0) return kUnknown;
        Tick first = kUnknown;  // earliest beyond one turn of the wheel
        const Tick turn = from + static_cast<Tick>(kBuckets);
        for (Tick t = next_used(from); t < turn; t = next_used(t + 1)) {
            const std::size_t bucket = bucket_of(t);
            bool some = false;
            for (const Chunk* chunk = buckets_[bucket]; chunk != nullptr; chunk = chunk->next) {
                for (std::size_t i = 0; i < chunk->count; ++i) {
                    const Event& event = *chunk->events[i];
                    if (!belongs(event, bucket)) continue;
                    if (event.time_ == t) return t;
                    some = true;
                    if (event.time_ < first) first = event.time_;
                }
            }
            if (!some) clear(bucket);
        }
        return first;
    }
    /// Takes all events of cycle `t` out and calls visit(event) for each, which may insert others
    /// of later cycles.
    template <class Visit>
    void take(Tick t, Visit&& visit) {
        const std::size_t bucket = bucket_of(t);
        Chunk* chunk = std::exchange(buckets_[bucket], nullptr);
        while (chunk != nullptr) {
            for (std::size_t i = 0; i < chunk->count; ++i) {
                Event& event = *chunk->events[i];
                if (!belongs(event, bucket)) continue;
                if (event.time_ == t) {
                    remove(event);  // a second entry of it finds it gone
                    visit(event);
                } else {
                    event.in_wheel_ = false;  // event of another turn, and kept once
                    kept_.push_back(&event);
                }
            }
            chunk = release(chunk);
        }
        for (Event* const event : kept_) {
            event->in_wheel_ = true;
            push(bucket, *event);
        }
        kept_.clear();
    }

private:
    /// Part of a list of events. An event that is removed or moved leaves its entry, which is
    /// skipped when its cycle comes: so no other event's memory is touched.
    struct Chunk {
        Chunk* next;
        std::size_t count;
        std::array<Event*, 14> events;
    };

    /// Whether an entry for `event` in `bucket` may be meant.
    static bool belongs(const Event& event, std::size_t bucket) {
        return event.in_wheel_ && bucket_of(event.time_) == bucket;
    }
    void push(std::size_t bucket, Event& event) {
        Chunk* chunk = buckets_[bucket];
        if (chunk == nullptr || chunk->count == chunk->events.size()) chunk = add_chunk(bucket);
        chunk->events[chunk->count++] = &event;
    }
    Chunk* add_chunk(std::size_t bucket) {
        if (free_ == nullptr) {
            chunks_.emplace_back();
            chunks_.back().next = nullptr;
            free_ = &chunks_.back();
        }
        Chunk* const chunk = std::exchange(free_, free_->next);
        chunk->next = std::exchange(buckets_[bucket], chunk);
        chunk->count = 0;
        return chunk;
    }
    /// Releases a chunk. Returns the next one.
    Chunk* release(Chunk* chunk) {
        Chunk* const next = std::exchange(chunk->next, free_);
        free_ = chunk;
        return next;
    }
    /// Nothing in it is meant.
    void clear(std::size_t bucket) {
        Chunk* chunk = std::exchange(buckets_[bucket], nullptr);
        while (chunk != nullptr) chunk = release(chunk);
        clear_mark(bucket);
    }

    static constexpr std::size_t kBuckets = std::size_t{1} << 14;

    static std::size_t bucket_of(Tick t) { return static_cast<std::size_t>(t) % kBuckets; }
    void clear_mark(std::size_t bucket) {
        words_[bucket / 64] &= ~(std::uint64_t{1} << bucket % 64);
        if (words_[bucket / 64] == 0) {
            summary_[bucket / 4096] &= ~(std::uint64_t{1} << bucket / 64 % 64);
        }
    }
    /// The first time >= `t` whose bucket is marked; at least one turn ahead if there is no earlier
    /// one.
    Tick next_used(Tick t) const {
        const std::size_t start = bucket_of(t);
        std::size_t word = start / 64;
        std::uint64_t bits = words_[word] & ~std::uint64_t{0} << start % 64;
        if (bits == 0) {
            // Later words: first in our summary word, then in the others, then from the start.
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

    std::vector<Chunk*> buckets_;
    std::deque<Chunk> chunks_;
    Chunk* free_ = nullptr;
    std::vector<Event*> kept_;  // within take()
    // Marks of buckets that may hold something: an emptied bucket keeps its mark until it is
    // visited.
    std::array<std::uint64_t, kWords> words_{};           // bit b: bucket b
    std::array<std::uint64_t, kSummaryWords> summary_{};  // bit w: words_[w] is not 0
    std::size_t size_ = 0;
};

}  // namespace flitscope::burst
