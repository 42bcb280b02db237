// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// When the flits of a channel move where virtual channels take turns: as a progression with a
// stride, planned ahead, and corrected when it turns out otherwise (README.md, "Turns").
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/base/powers_of_two.h"
#include "tlm/engine/burst_sequence.h"

namespace flitscope::burst {

/// Flits from a certain one up to `end` - 1 that move `stride` cycles apart, the first of them at
/// `at`. Of those long ago, and of those unknown, all move at kLongAgo, or kUnknown.
struct Progression {
    FlitIndex end;
    Tick at;
    Tick stride;
};

/// The moves of the flits of one channel in one place: their sending, or their leaving the FIFO.
/// Those to come are one progression; those of the last `horizon` cycles are kept one by one, and
/// older ones are forgotten, as in BurstSequence.
class StrideSequence {
public:
    explicit StrideSequence(std::uint32_t horizon)
        : recent_(next_power_of_two(horizon + 1), kLongAgo) {}

    /// The flit after the last one of the plan, or if there is none, after the last one that moved.
    FlitIndex limit() const { return limit_; }
    /// Stride of the plan.
    Tick stride() const { return stride_; }
    /// Flits that move before cycle `t`.
    FlitIndex count_at(Tick t) const {
        if (t <= start_ || first_ == limit_) return first_;
        const Tick passed = t - 1 - start_;
        return std::min(limit_, first_ + (stride_ == 1 ? passed : passed / stride_) + 1);
    }
    /// The cycle in which flit `n` moves; kLongAgo when that is forgotten, kUnknown when none is
    /// planned for it.
    Tick when(FlitIndex n) const {
        if (n >= first_) return n < limit_ ? start_ + stride_ * (n - first_) : kUnknown;
        return n < first_ - kept() ? kLongAgo : recent_[place(n)];
    }
    /// The progression of flit `n` and the flits after it; each of the kept ones has one.
    Progression progression(FlitIndex n) const {
        if (n >= limit_) return {kEndless, kUnknown, 0};
        if (n >= first_) return {limit_, start_ + stride_ * (n - first_), stride_};
        if (n < first_ - kept()) return {first_ - kept(), kLongAgo, 0};
        return {n + 1, recent_[place(n)], 0};
    }
    /// Whether the plan has the next flit from cycle `t` on move at `start`, and others after it by
    /// `stride` up to `limit`.
    bool plans(Tick t, Tick start, Tick stride, FlitIndex limit) const {
        const FlitIndex next = count_at(t);
        return limit == limit_ && next < limit && when(next) == start &&
               (stride == stride_ || next + 1 == limit);
    }
    /// Replaces the plan from cycle `t` on: flits move from `start` on by `stride`, up to `limit`.
    /// Earlier moves stay.
    void plan(Tick t, Tick start, Tick stride, FlitIndex limit) {
        stop(t);
        start_ = start;
        stride_ = stride;
        limit_ = limit;
    }
    /// Ends the plan in cycle `t`: no flit moves from there on. Earlier moves stay.
    void stop(Tick t) {
        const FlitIndex count = count_at(t);
        for (FlitIndex n = std::max(first_, count - kept()); n < count; ++n) {
            recent_[place(n)] = when(n);
        }
        first_ = limit_ = count;
    }

private:
    static constexpr FlitIndex kEndless = FlitIndex{1} << 60;

    FlitIndex kept() const { return static_cast<FlitIndex>(recent_.size()); }
    std::size_t place(FlitIndex n) const {
        return static_cast<std::size_t>(n) & (recent_.size() - 1);
    }

    FlitIndex first_ = 0;  // of the plan
    FlitIndex limit_ = 0;  // the flit after the plan
    Tick start_ = 0;
    Tick stride_ = 1;
    std::vector<Tick> recent_;  // a ring: when the flits before first_ moved
};

/// The flits of a channel, as a packet that goes on to another one numbers them, `delay` cycles
/// later; null: whatever the number, it was there long ago.
struct Condition {
    const StrideSequence* moves;
    FlitIndex shift;
    Tick delay;

    /// The cycle from which on the packet may send its flit `n`, as far as this goes.
    Tick since(FlitIndex n) const {
        return moves == nullptr ? kLongAgo : moves->when(n + shift) + delay;
    }
    Progression progression(FlitIndex n) const {
        if (moves == nullptr) return {kUnknown, kLongAgo, 0};
        Progression p = moves->progression(n + shift);
        p.end -= shift;
        p.at += delay;
        return p;
    }
};

/// The first n >= 0 with value + slope n < bound; kUnknown where there is none.
inline Tick first_below(Tick value, Tick slope, Tick bound) {
    if (value < bound) return 0;
    return slope >= 0 ? kUnknown : (value - bound) / -slope + 1;
}

/// For a stream that sends flit `n` in cycle `at`, and then one every `stride` cycles up to `end` -
/// 1, each being ready `slack` cycles earlier (at least that much, if `slack` is stride - 1): the
/// first cycle in which a flit is ready too early or not in time; kUnknown if that never happens.
inline Tick first_surprise(const Condition& supply, const Condition& credit, FlitIndex n, Tick at,
                           Tick stride, FlitIndex end, Tick slack) {
    while (n < end) {
        const Progression s = supply.progression(n);
        const Progression c = credit.progression(n);
        const FlitIndex piece = std::min({s.end, c.end, end}) - n;
        // How much earlier than it goes flit n has come, and its credit.
        const Tick by_supply = at - s.at;
        const Tick by_credit = at - c.at;
        const Tick supply_slope = stride - s.stride;
        const Tick credit_slope = stride - c.stride;
        const Tick late = std::min(first_below(by_supply, supply_slope, slack),
                                   first_below(by_credit, credit_slope, slack));
        Tick early = kUnknown;
        if (slack < stride - 1) {
            // Both are too early from one flit on, up to another one.
            const auto from = [slack](Tick value, Tick slope) {
                return first_below(-value, -slope, -slack);
            };
            const auto until = [slack](Tick value, Tick slope) {
                return slope < 0 ? first_below(value, slope, slack + 1) : kUnknown;
            };
            const Tick first =
                std::max(from(by_supply, supply_slope), from(by_credit, credit_slope));
            if (first < std::min(until(by_supply, supply_slope), until(by_credit, credit_slope))) {
                early = first;
            }
        }
        if (early < late && early < piece) {
            const Tick earliest = at + stride * (early - 1) + 1;  // after the flit before
            return std::max({earliest, s.at + s.stride * early, c.at + c.stride * early});
        }
        if (late < piece) return at + stride * late - slack;
        n += piece;
        at += stride * piece;
    }
    return kUnknown;
}

}  // namespace flitscope::burst
