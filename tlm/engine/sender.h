// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sending end of a channel (of one of its virtual channels): when a burst of flits begins, and
// its expected end (README.md, "Bursts").
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "models/base/types.h"
#include "models/fabric/observers.h"
#include "tlm/engine/burst_sequence.h"
#include "tlm/engine/channel_protocol.h"
#include "tlm/engine/scheduler.h"

namespace flitscope::burst {

struct Packet;
class Receiver;
class Sender;

/// References that all modules of a fabric share.
struct FabricContext {
    Scheduler& scheduler;
    ChannelObserver* channels;  ///< may be null
    /// The ends of a channel are given each other, and have no sockets between them.
    bool joins_directly = false;

    /// The observer to notify of this cycle's events; null: none.
    ChannelObserver* observer() const {
        return channels != nullptr && !scheduler.closing() ? channels : nullptr;
    }
};

/// A channel, or a virtual channel of it, as its two ends need it (hw/TIMING.md).
struct ChannelParameters {
    ChannelId channel = 0;
    std::uint32_t vc = 0;
    std::uint32_t depth = 0;         ///< B in flits; 0: consumed at once, never short of credit
    std::uint32_t delay = 1;         ///< d in cycles
    std::uint32_t credit_delay = 1;  ///< c in cycles
    std::uint32_t rate_cycles = 1;   ///< k: at most one flit in so many cycles
};

/// The module that a Sender is a port of.
class SenderOwner {
public:
    /// `starter` is the event to schedule for a cycle in which a sender could begin to send: null
    /// for the sender itself, which then has begin() called.
    explicit SenderOwner(const FabricContext& context, Event* starter = nullptr)
        : context_(context), starter_(starter) {}
    virtual ~SenderOwner() = default;
    /// The event of `sender`, which sends nothing, is due: to be granted, or to continue.
    virtual void begin(Sender& sender, Tick now) = 0;
    /// `sender` has to wait for a flit or a credit from `now` on.
    virtual void on_stalled(Sender&, Tick now) = 0;
    /// The tail went in the cycle before `now`; from now on the channel may be granted again.
    virtual void on_released(Sender& sender, Tick now) = 0;
    /// `sender`, which is free, has a credit from cycle `from` on.
    virtual void on_free_credit(Sender&, Tick from) = 0;

    const FabricContext& context() const { return context_; }
    Event* starter() const { return starter_; }

protected:
    const FabricContext& context_;

private:
    Event* starter_;
};

/// The sending end of a channel. A Sender and a Receiver that are joined or bound to each other
/// call each other directly; anything else that is bound to the socket, such as a monitor or a
/// test, is called by nb_transport. The data of every burst is in the first two cache lines, since
/// thousands of senders take turns.
class alignas(64) Sender final : public Event {
public:
    enum class State : std::uint8_t {
        kFree,     ///< no packet holds the channel
        kWaiting,  ///< a packet holds it, and sends nothing
        /// A packet holds it, and sends a flit in every cycle; over a slow link in this one.
        kSending,
    };

    /// `name` is that of the socket; empty: no socket. `port` is that of the owner.
    Sender(const std::string& name, PortId port, const ChannelParameters& channel,
           SenderOwner& owner);
    ~Sender() override;

    /// Sets the other end of a sender without a socket.
    void join(Receiver& receiver);
    /// Called when elaboration is complete: finds the module behind the socket, and registers with
    /// it.
    void attach();
    SendSocket& socket() const;

    State state() const { return state_; }
    ChannelId channel() const { return channel_; }
    std::uint32_t vc() const { return vc_; }
    PortId port() const { return port_; }
    /// The packet that holds the channel.
    Packet& packet() const { return *packet_; }
    /// The FIFO from which the packet is taken; null at a network interface.
    Receiver* source() const { return source_; }
    /// The moves of flits into the channel.
    const BurstSequence& sends() const { return sends_; }
    /// Flits sent before cycle `now`.
    FlitIndex flits_sent(Tick now) const { return sends_.count_at(now); }
    /// The first cycle in which a free channel has `credits` credits, at most the depth of its
    /// FIFO, if flits keep leaving the FIFO as they do now; kUnknown if none leave. Certain if it
    /// is not later than the present cycle.
    Tick credit_from(FlitIndex credits = 1) const;
    /// The number of all credits: with these, the FIFO at the other end is empty.
    FlitIndex all_credits() const { return depth_; }
    /// The first cycle in which a waiting packet can send, or kUnknown.
    Tick ready_from() const { return supply_ > credit_ ? supply_ : credit_; }
    /// The first cycle in which the link is free for another flit.
    Tick link_free_from() const {
        return is_slow() ? sends_.when(sends_.count() - 1) + rate_cycles_ : kLongAgo;
    }

    /// Gives the channel to `packet` of `flits` flits from cycle `now` on. The packet waits at
    /// first.
    void grant(Packet& packet, FlitIndex flits, Receiver* source, Tick now);
    /// Schedules the starter for when the packet can send, as soon as that is known.
    void await();
    /// Starts sending: a flit in cycle `now` and in each of the next, over a slow link in none of
    /// the next.
    void send(Tick now);

    // Called by the FIFO that we take flits from: `next` is the next flit to come.
    void on_supply_stalled(FlitIndex next);
    void on_supply_resumed(FlitIndex next, Tick now, Tick delay);
    // Called by the FIFO at the other end: flits stop leaving it after `popped` of them, or leave
    // it from `now` on.
    void on_pops_stalled(FlitIndex popped);
    void on_pops_resumed(FlitIndex popped, Tick now);

    void run(Tick now) override;
    void fetch() const override;

private:
    class Transport;
    /// A depth that never limits.
    static constexpr FlitIndex kEndless = FlitIndex{1} << 60;

    const BurstSequence& pops() const;
    /// Number of flits that may be sent ahead of those that have left the FIFO at the other end.
    FlitIndex depth() const { return depth_ == 0 ? kEndless : depth_; }
    bool is_slow() const { return rate_cycles_ != 1; }
    /// Number of the flit after the burst, if no flit and no credit is missing.
    FlitIndex burst_end() const { return is_slow() ? sends_.count() + 1 : end_; }
    Scheduler& scheduler() const { return owner_.context().scheduler; }
    void stop(Tick now);
    void release(Tick now);
    void stall(Tick now);
    void schedule_stop();

    State state_ = State::kFree;
    std::uint8_t at_head_ : 1;
    std::uint8_t vc_ : 7;
    std::uint8_t rate_cycles_;
    std::uint32_t credit_delay_;
    // Sending: the first cycle in which no flit is there; waiting: in which one is, and the link is
    // free.
    Tick supply_ = 0;
    Tick credit_ = 0;    // the same for credits
    FlitIndex end_ = 0;  // number of the flit after the packet's tail
    Receiver* source_ = nullptr;
    Receiver* receiver_ = nullptr;  // at the other end; null: the other end uses nb_transport

    BurstSequence sends_;  // flit i of this channel goes in cycle i + its offset
    Packet* packet_ = nullptr;
    SenderOwner& owner_;
    PortId port_;
    std::uint32_t depth_;

    ChannelId channel_;
    std::unique_ptr<Transport> transport_;
};

}  // namespace flitscope::burst
