// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a node with operations computes, sends, receives, and waits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "models/base/types.h"
#include "traffic/program/operations.h"

namespace flitscope {

/// Counts each cycle up to now once: a cycle in which several streams are busy counts as computing,
/// else as sending (the startup of a send), else as receiving; if none is, the node waits.
class RankTimes {
public:
    /// An operation keeps a stream from the cycle of the last advance() on, before `until`. kNever:
    /// a receive, of which end_receive() is going to say until when.
    void begin(Operation::Kind kind, Cycle until) {
        if (until == kNever) {
            ++open_receives_;
            return;
        }
        Cycle& last = until_[static_cast<std::size_t>(kind)];
        last = std::max(last, until);
    }
    /// A receive that began for an open time keeps its stream before `until`, which is no earlier
    /// than the cycle of the last advance().
    void end_receive(Cycle until) {
        --open_receives_;
        begin(Operation::Kind::kReceive, until);
    }
    /// Counts the cycles before `now`. Returns the first one from which on until then the node
    /// waited; `now`: it did not. Calls visit(kind, from, to) for the cycles in which it did
    /// something.
    template <class Visit>
    Cycle advance(Cycle now, const Visit& visit) {
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            const bool is_open = open_receives_ != 0 &&
                                 static_cast<Operation::Kind>(kind) == Operation::Kind::kReceive;
            const Cycle end = is_open ? now : std::min(now, until_[kind]);
            if (end <= at_) continue;
            visit(static_cast<Operation::Kind>(kind), at_, end);
            busy_[kind] += end - at_;
            at_ = end;
        }
        const Cycle idle_since = at_;
        waiting_ += now - at_;
        at_ = now;
        return idle_since;
    }
    Cycle advance(Cycle now) {
        return advance(now, [](Operation::Kind, Cycle, Cycle) {});
    }

    Cycle computing() const { return of(Operation::Kind::kCompute); }
    Cycle sending() const { return of(Operation::Kind::kSend); }
    Cycle receiving() const { return of(Operation::Kind::kReceive); }
    Cycle waiting() const { return waiting_; }

private:
    static constexpr std::size_t kKinds = 3;  // of operations, in their order of precedence

    Cycle of(Operation::Kind kind) const { return busy_[static_cast<std::size_t>(kind)]; }

    std::array<Cycle, kKinds> until_{};
    std::array<Cycle, kKinds> busy_{};
    std::uint32_t open_receives_ = 0;
    Cycle at_ = 0;  // counted up to here
    Cycle waiting_ = 0;
};

}  // namespace flitscope
