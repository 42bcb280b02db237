// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Our router keeps track of the inputs that could send (README.md, "Who is awake"): events tell it
// of visible flits and usable credits, each in its own cycle, so it polls no FIFO.
#pragma once

#include <algorithm>

#include "hw/packet/packet_router_core.h"
#include "models/base/powers_of_two.h"

namespace flitscope::hw {

/// Cycles ahead for which flits can be announced to a router: the reach of the wheel's bits.
inline constexpr std::uint32_t kEventCycles = 64;

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::make_events(const RouterCoreSetup& setup) {
    std::uint32_t most = 1;
    for (const FlitBuffer* const fifo : setup.inputs) {
        if (fifo != nullptr) most = std::max(most, fifo->delay());
    }
    for (const FlitBuffer* const fifo : setup.outputs) {
        if (fifo != nullptr) most = std::max(most, fifo->credit_delay());
    }
    most += setup.config.longest_queueing;
    is_far_ = looks_ = most >= kEventCycles;
    event_cycles_ = is_far_ ? 1 : next_power_of_two(most + 1);
    events_ = allocate<Events>(setup.memory, event_cycles_ * kWords);
}

/// One virtual channel: input `i` sleeps until its first flit is visible. Several: every flit is
/// announced.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::listen(unsigned i) {
    if (kSingleVc || is_far_) {
        inputs_[i].from.await(sleeper(i));
    } else {
        inputs_[i].from.announce(sleeper(i));
    }
}

/// The event of cycle c sets the bit of input virtual channel `i` in this word of events of c.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
Sleeper PacketRouterCore<kWords, kSingleVc, kObserved>::sleeper(unsigned i,
                                                                std::uint64_t Events::*word) {
    static_assert(sizeof(Events) == 2 * sizeof(std::uint64_t), "as a Sleeper's ring has it");
    Events* const ring = events_ + i / 64 * event_cycles_;
    return {&(ring->*word), module_, 0, 2 * event_cycles_ - 2, static_cast<std::uint8_t>(i % 64)};
}

/// Takes the events of this cycle: flits that have become visible and credits that have become
/// usable. With one virtual channel, whose FIFOs can know of flits further ahead than the ring
/// reaches, an input may be woken too early: then it sleeps again.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::take_events(Cycle now) {
    if constexpr (kSingleVc) {
        for (unsigned w = 0; w < kWords; ++w) {
            Events& events = events_[w * event_cycles_ + (now & (event_cycles_ - 1))];
            awake_.word(64 * w) |= events.flits;
            events.flits = 0;
        }
        return;
    }
    if (looks_) {
        look_at_all(now);
        looks_ = is_far_;
        return;
    }
    for (unsigned w = 0; w < kWords; ++w) {
        Events& events = events_[w * event_cycles_ + (now & (event_cycles_ - 1))];
        here_.word(64 * w) |= events.flits;
        // Credits come in order, and an input that holds an output waits for the first credit that
        // is not back. So no input is notified of another's credit; FlitReader::lose() ensures that
        // no input whose packet is lost is, either.
        credit_.word(64 * w) |= events.credits;
        events = {};
    }
}

/// Gets from the FIFOs what events would have announced.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::look_at_all(Cycle now) {
    std::fill_n(events_, event_cycles_ * kWords, Events{});
    credit_ = Mask{};
    for (unsigned i = 0; i < ports_ << stride_log2_; ++i) {
        if (!inputs_[i].from.attached()) continue;
        look_for_flits(i, now);
        if (holding_.test(i)) look_for_credit(i, now);
    }
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::look_for_flits(unsigned i, Cycle now) {
    FlitReader& from = inputs_[i].from;
    const bool is_here = from.visible(now);
    here_.assign(i, is_here);
    if (is_far_) {
        if (!is_here) sleep_for_flit(i);
        return;
    }
    for (std::uint64_t n = 0; n < from.held(); ++n) {
        const Cycle visible = from.visible_from(n);
        if (visible > now) sleeper(i, &Events::flits).wake(clock_, visible);
    }
}

/// Whether input virtual channel `i`, which holds an output virtual channel, has a usable credit in
/// cycle `now`. If not, an event announces it.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::look_for_credit(unsigned i, Cycle now) {
    const FlitWriter& to = outputs_[claims_[i].output].to;
    credit_.set(i);
    if (to.attached() && !to.has_credit(now)) lack_credit(i);
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::lack_credit(unsigned i) {
    credit_.clear(i);
    FlitWriter& to = outputs_[claims_[i].output].to;
    const Sleeper event = sleeper(i, &Events::credits);
    if (const Cycle from = to.credit_from(); from == kNever) {
        to.await(event);
    } else if (is_far_) {
        next_ = std::min(next_, from);
    } else {
        event.wake(clock_, from);
    }
}

/// Input virtual channels hold outputs from now on.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::hold(const Mask& granted, Cycle now) {
    holding_ |= granted;
    if constexpr (kSingleVc) {
        awake_ |= granted;
    } else {
        asking_ = asking_ - granted;
        granted.for_each([this, now](unsigned i) {
            share(i);
            look_for_credit(i, now);
        });
    }
}

/// Input virtual channel `i` holds no longer what it held.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::let_go(unsigned i) {
    holding_.clear(i);
    if constexpr (!kSingleVc) {
        credit_.clear(i);
        unshare(i);
    }
}

/// Input virtual channel `i` now holds an output: it may be in the way of those with which it
/// shares an input or an output of the switch.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::share(unsigned i) {
    const Mask from = at_same_input(holding_, i);
    if (!from.at_most_one()) shared_ |= from;
    Mask& to = switch_outputs_[claims_[i].switch_output].holders;
    to.set(i);
    if (!to.at_most_one()) shared_ |= to;
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::unshare(unsigned i) {
    switch_outputs_[claims_[i].switch_output].holders.clear(i);
    if (shared_.test(i)) leave_to_others(i);
}

/// Input virtual channel `i`, which shared an end of the switch, is gone: those left there may be
/// the last.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::leave_to_others(unsigned i) {
    shared_.clear(i);
    Mask others = at_same_input(holding_, i);
    others |= switch_outputs_[claims_[i].switch_output].holders;
    others.for_each([this](unsigned other) {
        const Mask from = at_same_input(holding_, other);
        const Mask& holders = switch_outputs_[claims_[other].switch_output].holders;
        shared_.assign(other, !from.at_most_one() || !holders.at_most_one());
    });
}

}  // namespace flitscope::hw
