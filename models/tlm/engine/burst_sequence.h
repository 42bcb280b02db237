// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// When the flits of a channel move, told in bursts: runs of flits one cycle apart. The arithmetic
// that makes a whole packet cost as little as one flit (README.md, "Bursts").
#pragma once

#include <cstdint>
#include <vector>

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
    explicit BurstSequence(std::uint32_t horizon) : count_(0), open_(0), long_(0), before_(kNone) {
        // Bursts begin at least two cycles apart; one more began before.
        const std::uint32_t kept = next_power_of_two((horizon + 1) / 2 + 1);
        if (kept <= 2) return;
        long_ = 1;
        ring_ = new Ring(kept);
    }
    ~BurstSequence() {
        if (long_ != 0) delete ring_;
    }
    BurstSequence(const BurstSequence&) = delete;
    BurstSequence& operator=(const BurstSequence&) = delete;

    /// Flits that have moved; of an open sequence those before its burst.
    FlitIndex count() const { return count_; }
    /// Flits that have moved before cycle `t`, which is now.
    FlitIndex count_at(Tick t) const { return open_ != 0 ? t - newest_.offset : count_; }
    bool is_open() const { return open_ != 0; }
    /// Of the newest burst.
    Tick offset() const { return newest_.offset; }

    /// From cycle `t` on a flit moves in every cycle.
    void start(Tick t) {
        const Tick offset = t - count_;
        open_ = 1;
        if (newest_.offset == offset) return;  // it never stopped
        if (long_ == 0) {
            before_ = newest_;
        } else {
            ring_->at = (ring_->at + 1) & ring_->mask;
            ring_->bursts[ring_->at] = newest_;
        }
        newest_ = {count_, offset};
    }
    /// `t` is the first cycle in which none moves.
    void stop(Tick t) {
        count_ = t - newest_.offset;
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
        if (newest_.offset <= limit) return open_ != 0 ? kUnknown : count_;  // mostly
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
        if (open_ == 0 && n >= count_) return kUnknown;
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
    /// The bursts before the newest one, where delays are long.
    struct Ring {
        explicit Ring(std::uint32_t kept) : mask(kept - 1), bursts(kept, kNone) {}
        std::uint32_t mask;
        std::uint32_t at = 0;  // the youngest
        std::vector<Burst> bursts;
    };

    std::uint32_t older_count() const { return long_ == 0 ? 1 : ring_->mask; }
    const Burst& older(std::uint32_t age) const {
        return long_ == 0 ? before_ : ring_->bursts[(ring_->at - age) & ring_->mask];
    }

    // Small: every burst of every channel passes through here.
    FlitIndex count_ : 62;
    std::uint64_t open_ : 1;
    std::uint64_t long_ : 1;  // the delay is more than 2, and ring_ what is used
    Burst newest_ = kNone;
    union {
        Burst before_;
        Ring* ring_;
    };
};

}  // namespace flitscope::burst
