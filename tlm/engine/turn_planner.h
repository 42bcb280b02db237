// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What streams that compete for ports of a switch will do: some cycles ahead flit by flit, and on
// and on where they come to take turns regularly (README.md, "Turns").
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "tlm/engine/turn_sender.h"

namespace flitscope::burst {

/// Cycles that are looked ahead: as many as show that two streams take turns, and where they do not
/// twice as many.
inline constexpr Tick kShortWindow = 4;
inline constexpr Tick kWindow = 2 * kShortWindow;

/// A port of a switch.
struct TurnPort {
    std::uint32_t pointer = 0;
    Tick moved = kLongAgo;
    // Within the window.
    std::uint32_t turn = 0;  // the pointer
    std::uint32_t nearest = 0;
    std::uint64_t asked = 0;  // the step of the last request
    const void* chosen = nullptr;
};

/// A stream within the window.
struct Runner {
    Runner(TurnSender& of, Tick now)
        : sender(&of), next(of.next(now)), end(of.end()), ready(of.ready_from(next)) {}

    /// Notes that a flit is sent in cycle `t`.
    void advance(Tick t) {
        sent[count++] = t;
        ++next;
        ready = next == end ? kUnknown : sender->ready_from(next);
    }

    TurnSender* sender;
    FlitIndex next;
    FlitIndex end;
    Tick ready;  // from which cycle on the next flit can go
    std::uint32_t count = 0;
    std::array<Tick, kWindow> sent;  // `count` of them
    StreamPlan plan;
    Tick slack = 0;            // how much earlier than it goes each flit is ready
    Tick surprise = kUnknown;  // up to when that is so
    // In a switch.
    TurnPort* input = nullptr;
    TurnPort* output = nullptr;
    std::uint32_t vc = 0;
    PortId port = 0;  // of the input
};

/// Plans a sender without competitors.
void plan_alone(TurnSender& sender, Tick now);

/// The arbiters of a switch: hw/TIMING.md, step 3 with round robin.
class Switch {
public:
    Switch(PortId ports, std::uint32_t vcs) : inputs_(ports), outputs_(ports), vcs_(vcs) {}

    /// Plans streams that share ports with each other and with no others.
    void plan(const std::vector<TurnSender*>& group, Tick now);
    /// The flits that the sender's packet sent before `now` have moved the pointers.
    void take_up(const TurnSender& sender, Tick now);

private:
    void step(Tick t);
    void ask(TurnPort& port, std::uint32_t distance, const Runner& runner) const;

    std::vector<TurnPort> inputs_;   // over virtual channels
    std::vector<TurnPort> outputs_;  // over input ports
    std::uint32_t vcs_;
    std::uint64_t steps_ = 0;
    std::vector<Runner> runners_;
};

}  // namespace flitscope::burst
