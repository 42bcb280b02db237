// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/turn_sender.h"

#include <algorithm>

#include "tlm/engine/packet.h"
#include "tlm/engine/turn_planner.h"
#include "tlm/engine/turn_receiver.h"

namespace flitscope::burst {

/// The socket of an ejection channel: a network interface consumes at once and answers nothing.
class TurnSender::Transport final : public BackwardTransport {
public:
    Transport(const std::string& name, const sc_core::sc_time& delay)
        : socket(name.c_str()), delay_(delay) {
        socket.bind(*this);
    }

    void tell(Packet& packet, ChannelPhase phase) {
        sc_core::sc_time delay = delay_;
        socket->nb_transport_fw(*packet.payload, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload&, ChannelPhase&, sc_core::sc_time&) override {
        return tlm::TLM_ACCEPTED;
    }

    SendSocket socket;

private:
    sc_core::sc_time delay_;  // of the channel
};

TurnSender::TurnSender(const std::string& name, PortId port, const ChannelParameters& channel,
                       Owner& owner)
    : Event(true),
      vc_(channel.vc),
      port_(port),
      sends_(channel.delay),
      owner_(owner),
      look_(*this),
      channel_(channel.channel),
      transport_(name.empty() ? nullptr
                              : std::make_unique<Transport>(
                                    name, channel.delay * owner.context().scheduler.period())) {
    credit_.shift = -static_cast<FlitIndex>(channel.depth);
    credit_.delay = channel.credit_delay;
}

TurnSender::~TurnSender() = default;

void TurnSender::join(TurnReceiver& receiver) {
    receiver_ = &receiver;
    receiver.attach(*this);
    credit_.moves = &receiver.pops();
}

SendSocket& TurnSender::socket() const { return transport_->socket; }

TurnSender::State TurnSender::state() const {
    if (is_free_) return State::kFree;
    const bool goes_on = sends_.count_at(scheduler().now() + 1) != sends_.limit();
    return goes_on ? State::kSending : State::kWaiting;
}

Tick TurnSender::credit_from(FlitIndex credits) const {
    return credit_.since(sends_.limit() + credits - 1);
}

void TurnSender::grant(Packet& packet, FlitIndex flits, TurnReceiver* source, Tick now) {
    packet_ = &packet;
    source_ = source;
    begin_ = sends_.limit();
    end_ = begin_ + flits;
    at_head_ = true;
    is_free_ = false;
    is_settled_ = false;
    look_at_ = now;
    supply_ = {};
    if (source != nullptr) {
        source->granted(*this);
        supply_ = {&source->arrivals(), source->pops().limit() - begin_, source->delay()};
    }
    if (ChannelObserver* const observer = owner_.context().observer()) {
        observer->on_grant(channel_, vc_, packet.record.message, static_cast<Cycle>(now));
    }
}

void TurnSender::send(Tick now) {
    look_at_ = kUnknown;
    report_at_ = kUnknown;  // that of this cycle comes below
    plan_alone(*this, now);
    report(now);
    wake_at(look_at_);
}

Tick TurnSender::last_sent(Tick now) const {
    const FlitIndex next = sends_.count_at(now);
    return next == begin_ ? kLongAgo : sends_.when(next - 1);
}

void TurnSender::follow(const StreamPlan& plan, Tick now) {
    const bool goes_on = is_known(plan.start);
    if (goes_on ? sends_.plans(now, plan.start, plan.stride, plan.limit)
                : sends_.limit() == sends_.count_at(now)) {
        return;
    }
    if (goes_on) {
        if (at_head_ && plan.start > now) return;  // looked at again when it goes
        sends_.plan(now, plan.start, plan.stride, plan.limit);
    } else {
        sends_.stop(now);
    }
    scheduler().schedule(*this, sends_.limit() == end_ ? sends_.when(end_ - 1) + 1 : kUnknown);
    if (source_ != nullptr) {
        source_->plan_pops({plan.start, plan.stride, plan.limit + supply_.shift}, now);
    }
    if (at_head_) {
        at_head_ = false;
        if (receiver_ != nullptr) {
            receiver_->on_packet(*packet_, now);
        } else {
            transport_->tell(*packet_, ChannelPhase::kHead);
        }
    } else if (receiver_ != nullptr) {
        receiver_->on_arrivals_planned(now);
    }
}

void TurnSender::look_at(Tick at) {
    is_settled_ = false;
    wake_at(at);
}

void TurnSender::settle(Tick from, Tick slack, Tick at) {
    is_settled_ = true;
    settled_from_ = from;
    slack_ = slack;
    wake_at(at);
}

/// The first surprise, as planned in cycle `now`.
Tick TurnSender::surprise(Tick now) const {
    const FlitIndex next = sends_.count_at(std::max(now, settled_from_));
    const FlitIndex limit = sends_.limit();
    if (next != limit) {
        const Tick found = first_surprise(supply_, credit_, next, sends_.when(next),
                                          sends_.stride(), limit, slack_);
        if (is_known(found)) return std::max(now + 1, found);
    }
    if (limit == end_) return kUnknown;
    // From then on it waits.
    const Tick ready = ready_from(limit);
    if (slack_ == 0) return std::max(now + 1, ready);
    return ready <= settled_from_ ? kUnknown : std::max(now + 1, settled_from_);
}

void TurnSender::on_credits_planned(Tick now) {
    if (is_free_) {
        const Tick from = credit_from();
        if (is_known(from)) owner_.on_free_credit(*this, from);
    } else {
        on_news(now, credit_.delay);
    }
}

/// Called when flits are planned anew from `now` on, which takes effect `delay` cycles later.
void TurnSender::on_news(Tick now, Tick delay) {
    if (look_at_ <= now) return;  // later in this cycle
    if (is_settled_ && now + delay >= settled_from_) {
        wake_at(surprise(now));
    } else {
        look_at(std::min(look_at_, now + delay));
    }
}

void TurnSender::wake_at(Tick at) {
    look_at_ = at;
    if (Event* const starter = owner_.starter()) {
        scheduler().schedule_by(*starter, at);
    } else {
        scheduler().schedule(look_, due());
    }
}

void TurnSender::Look::run(Tick now) {
    if (sender_.look_at_ <= now) {
        sender_.send(now);
    } else {
        // Only a report is due, or not even that: a tail went in the cycle before.
        sender_.report(now);
        sender_.wake_at(sender_.look_at_);
    }
}

bool TurnSender::sends_in(Tick now) const { return sends_.when(sends_.count_at(now)) == now; }

/// The cycle after `now` in which it begins or ends sending a flit in every cycle.
Tick TurnSender::next_report(Tick now) const {
    if (!sends_in(now)) return sends_.when(sends_.count_at(now));
    return sends_.stride() == 1 ? sends_.when(sends_.limit() - 1) + 1 : now + 1;
}

void TurnSender::report(Tick now) {
    if (owner_.context().channels == nullptr) return;
    report_at_ = next_report(now);
    ChannelObserver* const observer = owner_.context().observer();
    if (sends_in(now) == is_busy_ || observer == nullptr) return;
    is_busy_ = !is_busy_;
    if (is_busy_) {
        const bool pops = source_ != nullptr;
        observer->on_send_begin(channel_, vc_, pops ? source_->channel() : channel_,
                                pops ? source_->vc() : vc_, static_cast<Cycle>(now));
    } else {
        observer->on_send_end(channel_, vc_, static_cast<Cycle>(now));
    }
}

/// The tail has gone.
void TurnSender::run(Tick now) {
    sends_.stop(now);
    scheduler().moved(now - 1);
    report(now);
    is_free_ = true;
    look_at_ = kUnknown;
    if (ChannelObserver* const observer = owner_.context().observer()) {
        observer->on_release(channel_, vc_, static_cast<Cycle>(now));
    }
    if (source_ != nullptr) source_->drop_front(now);
    if (transport_ != nullptr) transport_->tell(*packet_, ChannelPhase::kTail);
    owner_.on_released(*this, now);
}

}  // namespace flitscope::burst
