// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// When the flits of a channel move, told in bursts: runs of flits one cycle apart. The arithmetic
// that makes a whole packet cost as little as one flit (README.md, "Bursts").
#pragma once

#include <array>
#include <cstdint>

#include "models/base/powers_of_two.h"

namespace flitscope::burst {

/// A cycle, signed: differences and limits may lie before the start of the run.
using Tick = std::int64_t;
/// Number of a flit on its channel, counted over all packets from 0 on.
using FlitIndex = std::int64_t;

/// Not known yet: it depends on news that are still to come. Sums with delays stay above it.
inline constexpr Tick kUnknown = Tick{1} << 61;
inline constexpr Tick kLongAgo = -kUnknown;

inline bool is_known(Tick t) { return t < kUnknown; }

/// The moves of the flits of one channel in one place: their sending, or their leaving the FIFO.
/// Within a burst flit i moves in cycle i + offset, and every bubble makes the offset larger, so a
/// few bursts (first flit, offset) tell all. Only those that began in the last `horizon` cycles can
/// matter to somebody who learns of each move `horizon` cycles later; older ones are forgotten.
class BurstSequence {
public:
    explicit BurstSequence(std::uint32_t horizon) : newest_(0), open_(0) {
        // Bursts begin at least two cycles apart; one more began before.
        const std::uint32_t kept = next_power_of_two((horizon + 1) / 2 + 1);
        if (kept <= few_.size()) return;
        bursts_ = new Burst[kept];
        mask_ = kept - 1;
    }
    ~BurstSequence() {
        if (bursts_ != few_.data()) delete[] bursts_;
    }
    BurstSequence(const BurstSequence&) = delete;
    BurstSequence& operator=(const BurstSequence&) = delete;

    /// Flits that have moved; of an open sequence those before its burst.
    FlitIndex count() const { return count_; }
    /// Flits that have moved before cycle `t`, which is now.
    FlitIndex count_at(Tick t) const { return open_ != 0 ? t - bursts_[newest_].offset : count_; }
    bool is_open() const { return open_ != 0; }

    /// From cycle `t` on a flit moves in every cycle.
    void start(Tick t) {
        const Tick offset = t - count_;
        open_ = 1;
        if (bursts_[newest_].offset == offset) return;  // it never stopped
        newest_ = (newest_ + 1) & mask_;
        bursts_[newest_] = {count_, offset};
    }
    /// `t` is the first cycle in which none moves.
    void stop(Tick t) {
        count_ = t - bursts_[newest_].offset;
        open_ = 0;
    }

    /// The moves ended with `count` flits, in the past or just now.
    void stop_at(FlitIndex count) {
        count_ = count;
        open_ = 0;
    }

    /// The first flit that a follower, for whom flits come in time up to offset `limit`, finds too
    /// late: one of a later offset, or the first that has not begun to move. kUnknown when
    /// every flit from here on will be in time as far as is known.
    FlitIndex breaks(Tick limit) const {
        FlitIndex found = open_ != 0 ? kUnknown : count_;
        std::uint32_t at = newest_;
        if (bursts_[at].offset <= limit) return found;  // mostly
        for (std::uint32_t i = 0; i <= mask_ && bursts_[at].offset > limit; ++i) {
            found = bursts_[at].first;
            at = (at - 1) & mask_;
        }
        return found;
    }
    /// The cycle in which flit `n` moves; kLongAgo when that is forgotten, kUnknown when it does
    /// not move yet.
    Tick when(FlitIndex n) const {
        if (n < 0) return kLongAgo;
        if (open_ == 0 && n >= count_) return kUnknown;
        std::uint32_t at = newest_;
        for (std::uint32_t i = 0; i <= mask_; ++i) {
            if (bursts_[at].first <= n) return n + bursts_[at].offset;
            at = (at - 1) & mask_;
        }
        return kLongAgo;
    }

private:
    struct Burst {
        FlitIndex first = 0;
        Tick offset = kLongAgo;
    };

    // Less than a cache line: every burst of every channel passes through here.
    FlitIndex count_ = 0;
    Burst* bursts_ = few_.data();  // a ring
    std::uint32_t mask_ = 1;
    std::uint32_t newest_ : 31;
    std::uint32_t open_ : 1;
    std::array<Burst, 2> few_;  // enough for delays up to 2
};

}  // namespace flitscope::burst
