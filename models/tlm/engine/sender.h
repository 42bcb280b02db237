// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sending end of a channel (of one of its virtual channels): when a burst of flits begins, and
// when it will end given what is known (README.md, "Bursts").
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "models/base/types.h"
#include "models/fabric/observers.h"
#include "models/tlm/engine/burst_sequence.h"
#include "models/tlm/engine/channel_protocol.h"
#include "models/tlm/engine/scheduler.h"

namespace flitscope::burst {

class Receiver;
class Sender;

/// What all modules of a fabric share.
struct FabricContext {
    Scheduler& scheduler;
    ChannelObserver* channels;  ///< may be null

    /// Whom to tell of this cycle's events; null: nobody.
    ChannelObserver* observer() const {
        return channels != nullptr && !scheduler.closing() ? channels : nullptr;
    }
};

/// A channel, or a virtual channel of it, as its two ends have to know it (hw/TIMING.md).
struct ChannelParameters {
    ChannelId channel = 0;
    std::uint32_t vc = 0;
    std::uint32_t depth = 0;         ///< B in flits; 0: consumed at once, never short of credit
    std::uint32_t delay = 1;         ///< d in cycles
    std::uint32_t credit_delay = 1;  ///< c in cycles
};

/// The module that a Sender is a port of.
class SenderOwner {
public:
    virtual ~SenderOwner() = default;
    /// The event of `sender`, which sends nothing, is due: to be granted, or to go on.
    virtual void begin(Sender& sender, Tick now) = 0;
    /// The tail went in the cycle before `now`; from now on the channel may be granted again.
    virtual void on_released(Sender& sender, Tick now) = 0;
    /// `sender`, which is free, has a credit from cycle `from` on.
    virtual void on_free_credit(Sender&, Tick from) = 0;
};

/// What a burst needs comes first, by cache lines: thousands of senders take turns.
class alignas(64) Sender final : public Event, public BackwardTransport {
public:
    enum class State : std::uint8_t {
        kFree,     ///< no packet holds the channel
        kWaiting,  ///< one does, and sends nothing
        kSending,  ///< one does, and sends a flit in every cycle
    };

    /// `port` is that of the owner. `starter` is the event to schedule for a cycle in which the
    /// sender could begin to send: null for the sender itself, whose owner then has begin() called.
    Sender(const char* name, PortId port, const ChannelParameters& channel, SenderOwner& owner,
           const FabricContext& context, Event* starter = nullptr);

    /// Elaboration is complete: the other end is known.
    void attach() { forward_ = (*socket_).operator->(); }
    SendSocket& socket() const { return *socket_; }

    State state() const { return state_; }
    ChannelId channel() const { return channel_; }
    std::uint32_t vc() const { return vc_; }
    PortId port() const { return port_; }
    /// The packet that holds the channel.
    Payload& packet() const { return *packet_; }
    /// The FIFO that it is taken from; null at a network interface.
    Receiver* source() const { return source_; }
    /// Flits sent before cycle `now`.
    FlitIndex flits_sent(Tick now) const {
        return state_ == State::kSending ? now - offset_ : sent_;
    }
    /// From which cycle on a free channel has a credit; kUnknown when none is on its way.
    Tick credit_from() const;
    /// From which cycle on a waiting packet can send, or kUnknown.
    Tick ready_from() const { return supply_ > credit_ ? supply_ : credit_; }

    /// The packet of so many flits holds the channel from this cycle on. It waits at first.
    void grant(Payload& packet, FlitIndex flits, Receiver* source, Tick now);
    /// Has the starter run when the packet can send, as soon as that is known.
    void await();
    /// The packet, whose time has come, sends a flit in cycle `now` and in those that follow.
    void send(Tick now);

    // What the FIFO that we take flits from has to tell: it has this flit as the next one to come.
    void on_supply_stalled(FlitIndex next);
    void on_supply_resumed(FlitIndex next, Tick now, Tick delay);

    tlm::tlm_sync_enum nb_transport_bw(Payload&, ChannelPhase& phase, sc_core::sc_time&) override;
    void run(Tick now) override;

private:
    void stop(Tick now);
    void release(Tick now);
    void stall(Tick now);
    void on_pops_stalled();
    void on_pops_resumed(Tick now);
    void schedule_stop();
    void tell(ChannelPhase phase) {
        sc_core::sc_time delay = forward_delay_;
        forward_->nb_transport_fw(*packet_, phase, delay);
    }

    // Of a burst, or of the wait for one.
    Tick offset_ = 0;  // flit i of this channel goes in cycle i + offset_
    State state_ = State::kFree;
    bool at_head_ = false;
    std::uint32_t credit_delay_;

    FlitIndex sent_ = 0;  // flits sent before this burst
    FlitIndex end_ = 0;   // the flit behind the packet's tail
    Tick supply_ = 0;  // sending: first cycle in which no flit is there; waiting: in which one is
    Tick credit_ = 0;  // the same of credits
    FlitIndex depth_;
    Tick pop_offset_ = 0;  // flit j of the source leaves it in cycle j + pop_offset_
    Receiver* source_ = nullptr;
    ForwardTransport* forward_ = nullptr;

    BurstSequence pops_;  // of the FIFO at the other end
    const FabricContext& context_;

    Payload* packet_ = nullptr;
    sc_core::sc_time forward_delay_;
    Event* starter_;
    SenderOwner& owner_;
    PortId port_;
    ChannelId channel_;
    std::uint32_t vc_;
    std::unique_ptr<SendSocket> socket_;
};

}  // namespace flitscope::burst
