// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// In how many cycles packets hold each channel, whether it sends then or not. A channel sends only
// while it is held, and one flit per cycle; so what is left of these cycles when its flits are
// taken off are those in which it is blocked, as the signal of that name in waveforms has it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/observers.h"

namespace flitscope {

class ChannelHolding final : public ChannelObserver {
public:
    explicit ChannelHolding(ChannelId channels) : channels_(channels) {}

    void on_grant(ChannelId channel, std::uint32_t, const Message&, Cycle cycle) override {
        Held& held = channels_[channel];
        if (held.holders++ == 0) held.since = cycle;
    }
    void on_release(ChannelId channel, std::uint32_t, Cycle cycle) override {
        Held& held = channels_[channel];
        if (--held.holders == 0) held.cycles += cycle - held.since;
    }
    void on_send_begin(ChannelId, std::uint32_t, ChannelId, std::uint32_t, Cycle) override {}
    void on_send_end(ChannelId, std::uint32_t, Cycle) override {}

    /// Cycles in which packets held a channel and it sent nothing, in a run of `end` cycles that
    /// sent `flits` over it.
    std::uint64_t blocked_cycles(ChannelId channel, std::uint64_t flits, Cycle end) const {
        const Held& held = channels_[channel];
        return held.cycles + (held.holders != 0 ? end - held.since : 0) - flits;
    }

private:
    struct Held {
        Cycle since = 0;
        Cycle cycles = 0;
        std::uint32_t holders = 0;  // virtual channels
    };

    std::vector<Held> channels_;
};

}  // namespace flitscope
