// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Limits how many requests a node works on at a time: the router hands it no more (hw/TIMING.md,
// "Requests and replies").
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/common/wakeup_wheel.h"
#include "models/base/types.h"

namespace flitscope::hw {

class ReplySlots {
public:
    /// `most` requests at a time, 0: any number. Replies leave by `queues` queues.
    ReplySlots(std::uint32_t most, std::size_t queues) : most_(most), owed_(queues) {}

    bool is_limited() const { return most_ != 0; }
    /// Whether the node takes one more request after this cycle.
    bool has_room() const { return most_ == 0 || taken_ < most_; }
    /// Requests taken whose replies have not left queue `queue`.
    std::uint32_t owed(std::size_t queue) const { return owed_[queue]; }
    /// Whether the node takes one more request in cycle `now`. If not, `next` is no later than the
    /// cycle in which it may, or `sleeper` is woken then.
    bool has_room_or_wakes(Cycle now, const Sleeper& sleeper, Cycle& next) {
        if (!is_limited()) return true;
        const bool was_freed_now = last_freed_ == now;
        if (taken_ + (was_freed_now ? 1 : 0) < most_) return true;
        if (was_freed_now) {
            next = std::min(next, now + 1);
        } else {
            sleeper_ = sleeper;
            is_awaited_ = true;
        }
        return false;
    }
    /// Takes a request whose reply leaves by queue `queue`.
    void take(std::size_t queue) {
        ++taken_;
        ++owed_[queue];
    }
    /// The tail of a reply left queue `queue` in cycle `now`: its place is free from the next cycle
    /// on. At most one tail per cycle.
    void free(std::size_t queue, Cycle now, WakeupWheel& clock) {
        --owed_[queue];
        --taken_;
        last_freed_ = now;
        if (is_awaited_) sleeper_.wake(clock, now + 1);
        is_awaited_ = false;
    }

private:
    std::uint32_t most_;
    std::uint32_t taken_ = 0;
    std::vector<std::uint32_t> owed_;  // per queue
    Cycle last_freed_ = kNever;
    Sleeper sleeper_;
    bool is_awaited_ = false;
};

}  // namespace flitscope::hw
