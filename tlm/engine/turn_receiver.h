// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiving end of a channel (of one of its virtual channels) at a router whose virtual
// channels take turns: the packets in its FIFO and on the wire before it.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/engine/stride_sequence.h"
#include "tlm/engine/turn_sender.h"

namespace flitscope::burst {

class TurnReceiver final {
public:
    /// The router that it is a port of.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// A head is the next flit of `receiver`, at its front from cycle `from` on.
        virtual void on_head(TurnReceiver& receiver, Tick from) = 0;
    };

    /// `index` is the number of the input virtual channel in its router, `port` that of its port.
    TurnReceiver(std::uint32_t index, PortId port, const ChannelParameters& channel, Owner& owner);

    void attach(TurnSender& sender) { sender_ = &sender; }

    std::uint32_t index() const { return index_; }
    PortId port() const { return port_; }
    ChannelId channel() const { return channel_; }
    std::uint32_t vc() const { return vc_; }
    bool has_packet() const { return count_ != 0; }
    /// The packet whose flits come next, and its length.
    Packet& front() const { return *packets_[first_].packet; }
    FlitIndex front_flits() const;
    /// The output that takes them; null while the packet asks for one.
    TurnSender* popper() const { return popper_; }
    /// The flits that come in, after `delay`, and those that leave.
    const StrideSequence& arrivals() const { return sender_->sends(); }
    Tick delay() const { return delay_; }
    const StrideSequence& pops() const { return pops_; }
    FlitIndex flits_in(Tick now) const { return arrivals().count_at(now); }
    FlitIndex flits_out(Tick now) const { return pops_.count_at(now); }

    /// The front packet has been given an output.
    void granted(TurnSender& popper) { popper_ = &popper; }
    /// Plans the moves of flits out of the FIFO from cycle `now` on.
    void plan_pops(const StreamPlan& plan, Tick now);
    /// The tail of the front packet went in the cycle before `now`.
    void drop_front(Tick now);
    /// The head of a packet is sent in cycle `now`.
    void on_packet(Packet& packet, Tick now);
    /// The flits of the packet that came last are sent by another plan from `now` on.
    void on_arrivals_planned(Tick now) {
        if (count_ == 1 && popper_ != nullptr) popper_->on_supply_planned(now);
    }

    // The head's request for an output, kept in lists by the router.
    Tick requested_from = 0;
    TurnReceiver* next_request = nullptr;
    std::uint32_t allowed_vcs = 0;

private:
    struct Entry {
        Packet* packet;
        Tick head_sent;
    };

    StrideSequence pops_;
    TurnSender* popper_ = nullptr;
    TurnSender* sender_ = nullptr;
    Tick delay_;
    std::uint32_t count_ = 0;
    std::uint32_t first_ = 0;
    std::vector<Entry> packets_;  // a ring
    Owner& owner_;
    std::uint32_t index_;
    PortId port_;
    ChannelId channel_;
    std::uint32_t vc_;
};

}  // namespace flitscope::burst
