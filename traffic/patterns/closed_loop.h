// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The requests of a node that has a limit of outstanding ones (traffic.outstanding): its source
// stops while all places are taken.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "models/base/types.h"

namespace flitscope {

/// The k-th request takes the k-th place to become free, and begins when its source is due, or when
/// that place is free if that is later. All requests after it are then as much later.
class ClosedLoop {
public:
    /// `places`: the most requests without a reply, at least 1.
    explicit ClosedLoop(std::uint32_t places) : unused_(places) {}

    /// The next request, which a source that never stops would begin in cycle `drawn`: the cycle in
    /// which it begins, or nothing if it has to wait for a reply. Not while one waits.
    std::optional<Cycle> next(Cycle drawn) {
        due_ = drawn + late_;
        if (unused_ != 0) {
            --unused_;
            return due_;
        }
        if (freed_.empty()) {
            waits_ = true;
            return std::nullopt;
        }
        const Cycle free = freed_.front();
        freed_.pop_front();
        return begin(free);
    }

    /// A place is free from cycle `free` on, no earlier than those before: the cycle in which the
    /// request begins that waited for it, if one did.
    std::optional<Cycle> release(Cycle free) {
        if (!waits_) {
            freed_.push_back(free);
            return std::nullopt;
        }
        waits_ = false;
        return begin(free);
    }

    bool waits() const { return waits_; }

private:
    Cycle begin(Cycle free) {
        if (free > due_) late_ += free - due_;
        return free > due_ ? free : due_;
    }

    std::uint32_t unused_;     // places that no request has taken yet
    std::deque<Cycle> freed_;  // those that replies have freed
    Cycle due_ = 0;            // of the last request
    Cycle late_ = 0;           // cycles that the source has stopped
    bool waits_ = false;
};

}  // namespace flitscope
