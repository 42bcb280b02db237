// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The moves of a channel's flits as bursts: runs of flits one cycle apart. The arithmetic that
// makes a whole packet cost as little as one flit (README.md, "Bursts").
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/powers_of_two.h"

namespace flitscope::burst {

/// A cycle, signed: differences and limits may be before the start of the run.
using Tick = std::int64_t;
/// Number of a flit on its channel, counted over all packets from 0 on.
using FlitIndex = std::int64_t;

/// Not known yet: it depends on news that are still to come. Sums with delays stay above it.
inline constexpr Tick kUnknown = Tick{1} << 61;
inline constexpr Tick kLongAgo = -kUnknown;

inline bool is_known(Tick t) { return t < kUnknown; }

/// The moves of a channel's flits in one place: their sending, or their leaving the FIFO. Within a
/// burst flit i moves in cycle i + offset, and every bubble makes the offset larger, so a few
/// bursts (first flit, offset) suffice. Only bursts that began in the last `horizon` cycles matter
/// to a module that learns of each move `horizon` cycles later; older ones are forgotten.
class BurstSequence {
public:
    explicit BurstSequence(std::uint32_t horizon) : before_(kNone) {
        // Bursts begin at least two cycles apart; one more began before.
        const std::uint32_t kept = next_power_of_two((horizon + 1) / 2 + 1);
        if (kept <= 2) return;
        state_ |= kLong;
        ring_ = new Ring(kept);
    }
    ~BurstSequence() {
        if (is_long()) delete ring_;
    }
    BurstSequence(const BurstSequence&) = delete;
    BurstSequence& operator=(const BurstSequence&) = delete;

    /// Flits that have moved; for an open sequence those before its burst.
    FlitIndex count() const { return state_ >> 2; }
    /// Flits that have moved before cycle `t`, which is now.
    FlitIndex count_at(Tick t) const { return is_open() ? t - newest_.offset : count(); }
    bool is_open() const { return (state_ & kOpen) != 0; }
    /// Offset of the newest burst.
    Tick offset() const { return newest_.offset; }

    /// Starts a burst: from cycle `t` on a flit moves in every cycle.
    void start(Tick t) {
        const Tick offset = t - count();
        state_ |= kOpen;
        if (newest_.offset == offset) return;  // it never stopped
        if (!is_long()) {
            before_ = newest_;
        } else {
            ring_->at = (ring_->at + 1) & ring_->mask;
            ring_->bursts[ring_->at] = newest_;
        }
        newest_ = {count(), offset};
    }
    /// `t` is the first cycle in which none moves.
    void stop(Tick t) { stop_at(t - newest_.offset); }

    /// The moves ended with `count` flits, in the past or just now.
    void stop_at(FlitIndex count) { state_ = count * 4 | (state_ & kLong); }

    /// The first flit that is too late for a follower that accepts offsets up to `limit`: one of a
    /// later offset, or the first that has not begun to move. kUnknown when every flit from here on
    /// will be in time as far as is known.
    FlitIndex breaks(Tick limit) const {
        if (newest_.offset <= limit) return is_open() ? kUnknown : count();  // mostly
        FlitIndex found = newest_.first;
        for (std::uint32_t age = 0; age < older_count(); ++age) {
            const Burst& burst = older(age);
            if (burst.offset <= limit) break;
            found = burst.first;
        }
        return found;
    }
    /// The cycle in which flit `n` moves; kLongAgo when that is forgotten, kUnknown when it does
    /// not move yet.
    Tick when(FlitIndex n) const {
        if (n < 0) return kLongAgo;
        if (!is_open() && n >= count()) return kUnknown;
        if (newest_.first <= n) return n + newest_.offset;
        for (std::uint32_t age = 0; age < older_count(); ++age) {
            if (older(age).first <= n) return n + older(age).offset;
        }
        return kLongAgo;
    }

private:
    struct Burst {
        FlitIndex first;
        Tick offset;
    };
    static constexpr Burst kNone{0, kLongAgo};
    /// The bursts before the newest one, if delays are long.
    struct Ring {
        explicit Ring(std::uint32_t kept) : mask(kept - 1), bursts(kept, kNone) {}
        std::uint32_t mask;
        std::uint32_t at = 0;  // the youngest
        std::vector<Burst> bursts;
    };

    /// The delay is more than 2, and ring_ is used.
    bool is_long() const { return (state_ & kLong) != 0; }
    std::uint32_t older_count() const { return is_long() ? ring_->mask : 1; }
    const Burst& older(std::uint32_t age) const {
        return is_long() ? ring_->bursts[(ring_->at - age) & ring_->mask] : before_;
    }

    static constexpr std::int64_t kOpen = 1;
    static constexpr std::int64_t kLong = 2;

    // Small: every burst of every channel passes through here. Flags and count are one word, which
    // is written as a whole: a load right after a store of a part of it would have to wait.
    std::int64_t state_ = 0;  // 4 * count + flags
    Burst newest_ = kNone;
    union {
        Burst before_;
        Ring* ring_;
    };
};

}  // namespace flitscope::burst
