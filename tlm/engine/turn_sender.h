// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sending end of a channel (of one of its virtual channels) where virtual channels take turns:
// what is planned, and when the plan has to be looked at again (README.md, "Turns").
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tlm/engine/channel_protocol.h"
#include "tlm/engine/sender.h"
#include "tlm/engine/stride_sequence.h"

namespace flitscope::burst {

class TurnReceiver;

/// The plan of a stream.
struct StreamPlan {
    Tick start = kUnknown;  ///< when the next flit goes; kUnknown: none does
    Tick stride = 1;        ///< in cycles from flit to flit
    FlitIndex limit = 0;    ///< the flit after the last one that is known to go by the plan
};

/// The sending end of a channel whose packets take turns. As an event it is the release of the
/// channel, after the packet's tail.
class TurnSender final : public Event {
public:
    using Owner = BasicSenderOwner<TurnSender>;
    using State = Sender::State;

    /// The arguments are those of Sender. With a name, it is the sender of an ejection channel.
    TurnSender(const std::string& name, PortId port, const ChannelParameters& channel,
               Owner& owner);
    ~TurnSender() override;

    void join(TurnReceiver& receiver);
    /// Elaboration is complete. Both ends know each other already.
    void attach() {}
    SendSocket& socket() const;

    State state() const;
    bool is_free() const { return is_free_; }
    ChannelId channel() const { return channel_; }
    std::uint32_t vc() const { return vc_; }
    PortId port() const { return port_; }
    Packet& packet() const { return *packet_; }
    TurnReceiver* source() const { return source_; }
    const StrideSequence& sends() const { return sends_; }
    FlitIndex flits_sent(Tick now) const { return sends_.count_at(now); }
    /// The last cycle for which a flit is planned, or in which one went; -1 where there is none.
    Tick last_move() const { return sends_.limit() == 0 ? -1 : sends_.when(sends_.limit() - 1); }
    /// The first cycle in which a free channel has `credits` credits, as far as is planned.
    Tick credit_from(FlitIndex credits = 1) const;

    /// The packet of so many flits holds the channel from this cycle on.
    void grant(Packet& packet, FlitIndex flits, TurnReceiver* source, Tick now);
    /// Plans it from cycle `now` on; only for a sender without competitors.
    void send(Tick now);

    // For planners.

    /// The flit that goes next, in cycle `now` or later, and the one after the packet's tail.
    FlitIndex next(Tick now) const { return sends_.count_at(now); }
    FlitIndex end() const { return end_; }
    /// The first cycle in which flit `n` and its credit are there.
    Tick ready_from(FlitIndex n) const { return std::max(supply_.since(n), credit_.since(n)); }
    /// Whether a flit of the packet has gone.
    bool has_begun() const { return !at_head_; }
    /// If flit `n` goes in cycle `at` and later ones by `stride`, all of them ready `slack` cycles
    /// earlier: the first cycle in which that fails; kUnknown: never.
    Tick surprise(FlitIndex n, Tick at, Tick stride, Tick slack) const {
        return first_surprise(supply_, credit_, n, at, stride, end_, slack);
    }
    /// Whether it sends nothing, and can send nothing before cycle `until`.
    bool is_idle(Tick now, Tick until) const {
        return is_settled_ && slack_ == 0 && look_at_ >= until &&
               sends_.limit() == sends_.count_at(now);
    }
    /// The last cycle before `now` in which a flit of the packet went; kLongAgo where none did.
    Tick last_sent(Tick now) const;
    /// The flits from cycle `now` on go by `plan`. Neighbours are told.
    void follow(const StreamPlan& plan, Tick now);
    /// Says that the plan, and the present plans of its neighbours, hold up to cycle `at`, when it
    /// is looked at again. It is also looked at when any of these plans changes.
    void look_at(Tick at);
    /// Like look_at(), and says that up to `at` flits are ready `slack` cycles before they go, from
    /// cycle `from` on. If the stream sends nothing, `slack` is 1 when it is ready, else 0.
    void settle(Tick from, Tick slack, Tick at);
    /// The cycle in which the plan has to be looked at.
    Tick look_at() const { return look_at_; }
    /// The cycle in which the plan has to be looked at, or planned events have to be reported to
    /// observers.
    Tick due() const { return std::min(look_at_, report_at_); }
    /// Reports to observers what goes in cycle `now`, which is certain.
    void report(Tick now);
    /// Has the plan looked at in cycle `now`, because a port that it shares is free again.
    void look_now(Tick now) { look_at_ = now; }

    // What neighbours have to tell: the flits that come in, or the credits, from cycle `now` on
    // move by another plan.
    void on_supply_planned(Tick now) { on_news(now, supply_.delay); }
    void on_credits_planned(Tick now);

    void run(Tick now) override;

    /// The router's: the last group of streams that it was planned with.
    std::uint64_t group = 0;

private:
    class Transport;
    /// Looks at the plan of a sender without competitors.
    class Look final : public Event {
    public:
        explicit Look(TurnSender& sender) : Event(false), sender_(sender) {}
        void run(Tick now) override;

    private:
        TurnSender& sender_;
    };

    Scheduler& scheduler() const { return owner_.context().scheduler; }
    void on_news(Tick now, Tick delay);
    Tick surprise(Tick now) const;
    void wake_at(Tick at);
    bool sends_in(Tick now) const;
    Tick next_report(Tick now) const;

    bool is_free_ = true;
    bool at_head_ = false;
    bool is_settled_ = false;
    bool is_busy_ = false;  // observers have been told that it sends
    std::uint32_t vc_;
    PortId port_;
    FlitIndex begin_ = 0;  // the packet's flits are begin_ to end_ - 1
    FlitIndex end_ = 0;
    Condition supply_{};
    Condition credit_{};
    Tick look_at_ = kUnknown;
    Tick report_at_ = kUnknown;
    Tick settled_from_ = 0;
    Tick slack_ = 0;
    StrideSequence sends_;
    Packet* packet_ = nullptr;
    TurnReceiver* source_ = nullptr;
    TurnReceiver* receiver_ = nullptr;
    Owner& owner_;
    Look look_;
    ChannelId channel_;
    std::unique_ptr<Transport> transport_;
};

}  // namespace flitscope::burst
