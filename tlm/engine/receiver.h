// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiving end of a channel (of one of its virtual channels) at a router: the packets in its
// FIFO and on the wire before it, as bursts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/limits.h"
#include "tlm/engine/burst_sequence.h"
#include "tlm/engine/channel_protocol.h"
#include "tlm/engine/sender.h"

namespace flitscope::burst {

class Receiver;

/// The module that a Receiver is a port of.
class ReceiverOwner {
public:
    virtual ~ReceiverOwner() = default;
    /// A head is the next flit of `receiver`, at its front from cycle `from` on.
    virtual void on_head(Receiver& receiver, Tick from) = 0;
};

/// The receiving end of a channel. Like Sender, it keeps the data of every burst in two cache
/// lines, and calls a Sender that is bound to it directly.
class alignas(64) Receiver final {
public:
    /// `name` is that of the socket; empty: no socket. `index` is the number of the input virtual
    /// channel in its router.
    Receiver(const std::string& name, std::uint32_t index, const ChannelParameters& channel,
             ReceiverOwner& owner, const FabricContext& context);
    ~Receiver();

    /// The Receiver that `transport` belongs to; null if it belongs to another module.
    static Receiver* behind(ForwardTransport& transport);

    /// Says that `sender` is at the other end.
    void attach(Sender& sender) { sender_ = &sender; }
    ReceiveSocket& socket() const;

    std::uint32_t index() const { return index_; }
    ChannelId channel() const { return channel_; }
    std::uint32_t vc() const { return vc_; }
    bool has_packet() const { return count_ != 0; }
    /// The packet whose flits come next, and its length.
    Packet& front() const { return *entries()[first_].packet; }
    FlitIndex front_flits() const;
    /// The first cycle in which the head of the front packet is visible.
    Tick front_visible_from() const { return entries()[first_].head_sent + delay_; }
    /// The same of its tail, if its flits came without a stop.
    Tick front_complete_from() const {
        return front_visible_from() + (front_flits() - 1) * rate_cycles_;
    }
    /// The output that takes the front packet; null while the packet requests one.
    Sender* popper() const { return popper_; }
    /// The moves of flits out of the FIFO.
    const BurstSequence& pops() const { return pops_; }
    /// Flits that have come in, and that have left, before cycle `now`.
    FlitIndex flits_in(Tick now) const;
    FlitIndex flits_out(Tick now) const { return pops_.count_at(now); }

    /// Prefetches the data of every burst.
    void fetch() const {
        __builtin_prefetch(this);
        __builtin_prefetch(&few_);
    }

    /// Says that the front packet has been given an output.
    void granted(Sender& popper) { popper_ = &popper; }
    /// Flits of the front packet leave from cycle `now` on. Returns the first cycle in which no
    /// flit is there, as far as is known.
    Tick start_pops(Tick now);
    /// No flit leaves from cycle `now` on.
    void stop_pops(Tick now);
    /// No flit leaves from `now` on, since the tail has left. The next packet requests an output.
    void drop_front(Tick now);
    /// The first cycle in which the next flit is visible.
    Tick supply_from() const { return arrivals().when(pops_.count()) + delay_; }

    // Called by the sender: the packet's first flit goes in cycle `now`; flits stop before number
    // `next`; they resume with number `next`.
    void on_packet(Packet& packet, Tick now);
    void on_flits_stalled(FlitIndex next) {
        if (Sender* const sender = follower()) sender->on_supply_stalled(next);
    }
    void on_flits_resumed(FlitIndex next, Tick now) {
        if (Sender* const sender = follower()) sender->on_supply_resumed(next, now, delay_);
    }

private:
    class Transport;
    struct Entry {
        Packet* packet = nullptr;
        Tick head_sent = 0;
    };

    const BurstSequence& arrivals() const {
        return sender_ != nullptr ? sender_->sends() : told_arrivals();
    }
    const BurstSequence& told_arrivals() const;
    void tell(ChannelPhase phase);
    const Entry* entries() const { return grown_ == 0 ? few_.data() : many_.data(); }
    std::uint32_t capacity() const {
        return grown_ == 0 ? kFew : static_cast<std::uint32_t>(many_.size());
    }
    void grow();
    /// The Sender to notify of new flits; null unless their packet is the next to leave.
    Sender* follower() const { return count_ == 1 ? popper_ : nullptr; }

    static constexpr std::uint32_t kFew = 2;  // no more long packets fit into a FIFO

    BurstSequence pops_;
    Sender* popper_ = nullptr;
    Sender* sender_ = nullptr;  // at the other end; null: the other end uses nb_transport
    std::uint32_t delay_;
    std::uint32_t count_ = 0;

    std::array<Entry, kFew> few_;  // a ring, as many_

public:
    // The head's request for an output, kept in lists by the router.
    Tick requested_from = 0;
    Receiver* next_request = nullptr;

private:
    ReceiverOwner& owner_;
    std::uint32_t first_ : 31;
    std::uint32_t grown_ : 1;  // many_ are the packets
    std::uint32_t index_;

public:
    VcMask allowed_vcs = 0;

private:
    std::uint8_t vc_;
    std::uint8_t rate_cycles_;
    ChannelId channel_;

public:
    /// Combined allocation: the output that the head could leave on now; null if it requests none.
    Sender* offer = nullptr;

private:
    std::vector<Entry> many_;
    std::unique_ptr<Transport> transport_;
};

// Parts of every burst.

inline Tick Receiver::start_pops(Tick now) {
    const FlitIndex popped = pops_.count();
    if (sender_ != nullptr) {
        sender_->on_pops_resumed(popped, now);
    } else {
        tell(ChannelPhase::kPopResume);
    }
    pops_.start(now);
    return pops_.offset() + arrivals().breaks(pops_.offset() - delay_);
}

inline void Receiver::stop_pops(Tick now) {
    pops_.stop(now);
    if (sender_ != nullptr) {
        sender_->on_pops_stalled(pops_.count());
    } else {
        tell(ChannelPhase::kPopStall);
    }
}

}  // namespace flitscope::burst
