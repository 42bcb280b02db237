// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How often each channel is given to a packet, and how often it begins to send after a cycle in
// which it sent nothing: the inputs of the energy of a run, apart from its flits.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/observers.h"

namespace flitscope {

class ChannelSendings final : public ChannelObserver {
public:
    struct Counts {
        std::uint64_t packets = 0;  ///< that held it, on any virtual channel
        std::uint64_t starts = 0;   ///< sendings without a pause, virtual channels taken together
    };

    explicit ChannelSendings(ChannelId channels) : counts_(channels), senders_(channels) {}

    void on_grant(ChannelId channel, std::uint32_t, const Message&, Cycle) override {
        ++counts_[channel].packets;
    }
    void on_release(ChannelId, std::uint32_t, Cycle) override {}
    // Only one VC of a channel sends at a time, but in a cycle the end of one may be reported after
    // the begin of the next.
    void on_send_begin(ChannelId channel, std::uint32_t, ChannelId, std::uint32_t,
                       Cycle cycle) override {
        Senders& senders = senders_[channel];
        if (senders.active++ == 0 && senders.ended != cycle) ++counts_[channel].starts;
    }
    void on_send_end(ChannelId channel, std::uint32_t, Cycle cycle) override {
        Senders& senders = senders_[channel];
        --senders.active;
        senders.ended = cycle;
    }

    /// The counts per channel.
    const std::vector<Counts>& counts() const { return counts_; }

private:
    struct Senders {
        Cycle ended = kNever;  // cycle in which nothing was sent any more
        std::int32_t active = 0;
    };

    std::vector<Counts> counts_;
    std::vector<Senders> senders_;
};

}  // namespace flitscope
