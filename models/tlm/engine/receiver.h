// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiving end of a channel (of one of its virtual channels) at a router: the packets in its
// FIFO and on the wire before it, as bursts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "models/tlm/engine/burst_sequence.h"
#include "models/tlm/engine/channel_protocol.h"
#include "models/tlm/engine/sender.h"

namespace flitscope::burst {

class Receiver;

/// The module that a Receiver is a port of.
class ReceiverOwner {
public:
    virtual ~ReceiverOwner() = default;
    /// A head is the next flit of `receiver`, visible from cycle `from` on.
    virtual void on_head(Receiver& receiver, Tick from) = 0;
};

class alignas(64) Receiver final : public ForwardTransport {
public:
    /// `index` is the number of the input virtual channel in its router.
    Receiver(const char* name, std::uint32_t index, const ChannelParameters& channel,
             ReceiverOwner& owner, const FabricContext& context);

    void attach() { backward_ = (*socket_).operator->(); }
    ReceiveSocket& socket() const { return *socket_; }

    std::uint32_t index() const { return index_; }
    ChannelId channel() const { return channel_; }
    std::uint32_t vc() const { return vc_; }
    bool has_packet() const { return count_ != 0; }
    /// The packet whose flits come next, and its length.
    Payload& front() const { return *packets_[first_].payload; }
    FlitIndex front_flits() const { return packets_[first_].flits; }
    /// The output that takes them; null while the packet asks for one.
    Sender* popper() const { return popper_; }
    /// Flits that have come in, and that have left, before cycle `now`.
    FlitIndex flits_in(Tick now) const { return std::min(arrivals_.count_at(now), announced_); }
    FlitIndex flits_out(Tick now) const { return popping_ ? now - pop_offset_ : popped_; }

    /// The front packet has been given an output.
    void granted(Sender& popper) { popper_ = &popper; }
    /// Its flits leave from cycle `now` on. Returns the offset of this burst of pops.
    Tick start_pops(Tick now);
    /// The first flit that a follower of such an offset finds too late.
    FlitIndex breaks(Tick offset) const { return arrivals_.breaks(offset - delay_); }
    /// None leaves from cycle `now` on.
    void stop_pops(Tick now);
    /// None leaves from `now` on, since the tail has. The next packet asks for an output.
    void drop_front(Tick now);
    /// From which cycle on the next flit is visible.
    Tick supply_from() const { return arrivals_.when(popped_) + delay_; }

    tlm::tlm_sync_enum nb_transport_fw(Payload& packet, ChannelPhase& phase,
                                       sc_core::sc_time&) override;

private:
    struct Entry {
        Payload* payload = nullptr;
        FlitIndex flits = 0;
        Tick head_sent = 0;
    };

    void push(Payload& packet, Tick now);
    void tell(ChannelPhase phase) {
        sc_core::sc_time delay = backward_delay_;
        backward_->nb_transport_bw(front(), phase, delay);
    }

    /// Of the last packet that has come in it may say that flits go on behind its tail, which
    /// nobody asks for.
    BurstSequence arrivals_;

    FlitIndex announced_ = 0;  // flits of all packets whose heads have come
    FlitIndex popped_ = 0;     // before this burst of pops
    Tick pop_offset_ = 0;      // of it
    Sender* popper_ = nullptr;
    std::uint32_t capacity_ = kFew;
    std::uint32_t delay_;
    Entry* packets_ = few_.data();  // a ring of capacity_
    BackwardTransport* backward_ = nullptr;
    const FabricContext& context_;
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;

public:
    // The head's request for an output, kept in lists by the router.
    Tick requested_from = 0;
    Receiver* next_request = nullptr;
    std::uint8_t allowed_vcs = 0;
    /// Combined allocation: the output that the head could leave on now; null where it asks for
    /// none.
    Sender* offer = nullptr;

private:
    static constexpr std::uint32_t kFew = 2;  // of long packets no more fit into a FIFO

    bool popping_ = false;
    std::uint32_t index_;
    ReceiverOwner& owner_;
    sc_core::sc_time backward_delay_;
    ChannelId channel_;
    std::uint32_t vc_;
    std::unique_ptr<ReceiveSocket> socket_;
    std::array<Entry, kFew> few_;
    std::vector<Entry> many_;  // what packets_ is when they are not enough
};

}  // namespace flitscope::burst
