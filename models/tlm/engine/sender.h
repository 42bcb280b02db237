// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sending end of a channel (of one of its virtual channels): when a burst of flits begins, and
// when it will end given what is known (README.md, "Bursts").
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "models/base/types.h"
#include "models/fabric/observers.h"
#include "models/tlm/engine/burst_sequence.h"
#include "models/tlm/engine/channel_protocol.h"
#include "models/tlm/engine/scheduler.h"

namespace flitscope::burst {

struct Packet;
class Receiver;
class Sender;

/// What all modules of a fabric share.
struct FabricContext {
    Scheduler& scheduler;
    ChannelObserver* channels;  ///< may be null
    /// The ends of a channel are given each other, and have no sockets between them.
    bool joins_directly = false;

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

/// The module that senders of a kind are ports of.
template <class End>
class BasicSenderOwner {
public:
    /// `starter` is the event to schedule for a cycle in which a sender could begin to send: null
    /// for the sender itself, which then has begin() called.
    explicit BasicSenderOwner(const FabricContext& context, Event* starter = nullptr)
        : context_(context), starter_(starter) {}
    virtual ~BasicSenderOwner() = default;
    /// The event of `sender`, which sends nothing, is due: to be granted, or to go on.
    virtual void begin(End& sender, Tick now) = 0;
    /// `sender` has to wait for a flit or a credit from `now` on.
    virtual void on_stalled(End&, Tick now) = 0;
    /// The tail went in the cycle before `now`; from now on the channel may be granted again.
    virtual void on_released(End& sender, Tick now) = 0;
    /// `sender`, which is free, has a credit from cycle `from` on.
    virtual void on_free_credit(End&, Tick from) = 0;

    const FabricContext& context() const { return context_; }
    Event* starter() const { return starter_; }

protected:
    const FabricContext& context_;

private:
    Event* starter_;
};
using SenderOwner = BasicSenderOwner<Sender>;

/// A Sender and the Receiver at the other end that are given or bound to each other know that, and
/// call each other; who else is bound to a socket, a monitor or a test, is told by nb_transport.
/// What a burst needs are the first two cache lines: thousands of senders take turns.
class alignas(64) Sender final : public Event {
public:
    using Owner = SenderOwner;
    enum class State : std::uint8_t {
        kFree,     ///< no packet holds the channel
        kWaiting,  ///< one does, and sends nothing
        kSending,  ///< one does, and sends a flit in every cycle
    };

    /// `name` is that of the socket; empty: there is none. `port` is that of the owner.
    Sender(const std::string& name, PortId port, const ChannelParameters& channel,
           SenderOwner& owner);
    ~Sender() override;

    /// The other end of one without a socket.
    void join(Receiver& receiver);
    /// Elaboration is complete: who is behind the socket is known, and gets to know us.
    void attach();
    SendSocket& socket() const;

    State state() const { return state_; }
    ChannelId channel() const { return channel_; }
    std::uint32_t vc() const { return vc_; }
    PortId port() const { return port_; }
    /// The packet that holds the channel.
    Packet& packet() const { return *packet_; }
    /// The FIFO that it is taken from; null at a network interface.
    Receiver* source() const { return source_; }
    /// The flits of the channel.
    const BurstSequence& sends() const { return sends_; }
    /// Flits sent before cycle `now`.
    FlitIndex flits_sent(Tick now) const { return sends_.count_at(now); }
    /// From which cycle on a free channel has so many credits, at most as many as its FIFO is deep,
    /// if flits go on to leave that as they do now; kUnknown when they do not. Up to the present
    /// cycle it is certain.
    Tick credit_from(FlitIndex credits = 1) const;
    /// As many as there are: when it has these, the FIFO at the other end is empty.
    FlitIndex all_credits() const { return depth_; }
    /// From which cycle on a waiting packet can send, or kUnknown.
    Tick ready_from() const { return supply_ > credit_ ? supply_ : credit_; }

    /// The packet of so many flits holds the channel from this cycle on. It waits at first.
    void grant(Packet& packet, FlitIndex flits, Receiver* source, Tick now);
    /// Has the starter run when the packet can send, as soon as that is known.
    void await();
    /// The packet, whose time has come, sends a flit in cycle `now` and in those that follow.
    void send(Tick now);

    // What the FIFO that we take flits from has to tell: it has this flit as the next one to come.
    void on_supply_stalled(FlitIndex next);
    void on_supply_resumed(FlitIndex next, Tick now, Tick delay);
    // What the FIFO at the other end has to tell: flits cease to leave it, when so many have, or
    // leave it from `now` on.
    void on_pops_stalled(FlitIndex popped);
    void on_pops_resumed(FlitIndex popped, Tick now);

    void run(Tick now) override;
    void fetch() const override;

private:
    class Transport;
    /// As good as no limit.
    static constexpr FlitIndex kEndless = FlitIndex{1} << 60;

    const BurstSequence& pops() const;
    /// Flits that may be sent ahead of those that have left the FIFO at the other end.
    FlitIndex depth() const { return depth_ == 0 ? kEndless : depth_; }
    Scheduler& scheduler() const { return owner_.context().scheduler; }
    void stop(Tick now);
    void release(Tick now);
    void stall(Tick now);
    void schedule_stop();

    State state_ = State::kFree;
    std::uint8_t at_head_ : 1;
    std::uint8_t vc_ : 7;
    std::uint32_t credit_delay_;
    Tick supply_ = 0;    // sending: first cycle in which no flit is there; waiting: in which one is
    Tick credit_ = 0;    // the same of credits
    FlitIndex end_ = 0;  // the flit behind the packet's tail
    Receiver* source_ = nullptr;
    Receiver* receiver_ = nullptr;  // at the other end; null: whoever is there uses nb_transport

    BurstSequence sends_;  // flit i of this channel goes in cycle i + its offset
    Packet* packet_ = nullptr;
    SenderOwner& owner_;
    PortId port_;
    std::uint32_t depth_;

    ChannelId channel_;
    std::unique_ptr<Transport> transport_;
};

}  // namespace flitscope::burst
