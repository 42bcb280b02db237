// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Interfaces by which a simulated fabric is observed. Every engine reports the same events, in
// order of their cycle; observing changes no cycle.
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "models/fabric/message.h"

namespace flitscope {

/// Sees the life of every channel: links, injection and ejection channels (ChannelMap).
///
/// Calls come with non-decreasing `cycle`; within a cycle, calls for one (channel, vc) come in the
/// order on_send_end, on_release, on_grant, on_send_begin. Calls for different channels of one
/// cycle come in any order, so the output of an observer must not depend on that order.
class ChannelObserver {
public:
    virtual ~ChannelObserver() = default;

    /// `channel` belongs to a packet of `message` from `cycle` on.
    virtual void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                          Cycle cycle) = 0;
    /// The channel sends one flit per cycle from `cycle` on. Each flit is taken out of the FIFO
    /// (`popped`, `popped_vc`); an injection channel, and every channel of a fabric of circuits,
    /// pops nothing and passes its own id.
    virtual void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                               std::uint32_t popped_vc, Cycle cycle) = 0;
    /// `cycle` is the first one in which the channel sends no flit.
    virtual void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) = 0;
    /// `cycle` is the first one in which the packet no longer holds the channel.
    virtual void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) = 0;

    // For packets that are lost in `cycle` (`faults.at`), before anything else happens in it.
    // Replaces on_release(): the packet that held the channel has not passed it completely.
    virtual void on_cut(ChannelId channel, std::uint32_t vc, Cycle cycle) {
        on_release(channel, vc, cycle);
    }
    /// A flit that the channel has sent leaves the network without being popped. `visible`: the
    /// cycle from which it is in the FIFO at the end of the channel, or would have been.
    virtual void on_loss(ChannelId /*channel*/, std::uint32_t /*vc*/, Cycle /*visible*/,
                         Cycle /*cycle*/) {}
};

/// Sees every packet that leaves the network.
class PacketObserver {
public:
    virtual ~PacketObserver() = default;
    /// Called for each once, when its tail has arrived, before the node is notified of a message
    /// that it completes. Calls come with non-decreasing `tail_delivered`, those of one cycle in
    /// any order.
    virtual void on_packet(const PacketRecord& packet) = 0;
};

}  // namespace flitscope
