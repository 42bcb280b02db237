// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A burst runs until the packet's tail has gone, a flit is missing, or a credit is. What is known
// of the neighbours' bursts tells when that will be; news from a neighbour moves it. News never
// comes too late: a neighbour's change in cycle t can stop us in t + 1 at the earliest.
#include "models/tlm/engine/sender.h"

#include <algorithm>
#include <cassert>

#include "models/tlm/engine/packet.h"
#include "models/tlm/engine/receiver.h"

namespace flitscope::burst {
namespace {

/// As good as no limit to what may be sent ahead.
constexpr FlitIndex kEndless = FlitIndex{1} << 60;

}  // namespace

Sender::Sender(const char* name, PortId port, const ChannelParameters& channel, SenderOwner& owner,
               const FabricContext& context, Event* starter)
    : Event(false),
      credit_delay_(channel.credit_delay),
      depth_(channel.depth == 0 ? kEndless : channel.depth),
      pops_(channel.credit_delay),
      context_(context),
      forward_delay_(channel.delay * context.scheduler.period()),
      starter_(starter == nullptr ? this : starter),
      owner_(owner),
      port_(port),
      channel_(channel.channel),
      vc_(channel.vc),
      socket_(std::make_unique<SendSocket>(name)) {
    socket_->bind(*this);
}

Tick Sender::credit_from() const { return pops_.when(sent_ - depth_) + credit_delay_; }

void Sender::grant(Payload& packet, FlitIndex flits, Receiver* source, Tick now) {
    packet_ = &packet;
    source_ = source;
    end_ = sent_ + flits;
    at_head_ = true;
    state_ = State::kWaiting;
    supply_ = kLongAgo;
    credit_ = credit_from();
    if (source != nullptr) source->granted(*this);
    if (ChannelObserver* const observer = context_.observer()) {
        observer->on_grant(channel_, vc_, Packet::of(packet).record.message,
                           static_cast<Cycle>(now));
    }
}

void Sender::send(Tick now) {
    offset_ = now - sent_;
    state_ = State::kSending;
    set_ends(true);
    if (ChannelObserver* const observer = context_.observer()) {
        const bool pops = source_ != nullptr;
        observer->on_send_begin(channel_, vc_, pops ? source_->channel() : channel_,
                                pops ? source_->vc() : vc_, static_cast<Cycle>(now));
    }
    if (source_ != nullptr) {
        pop_offset_ = source_->start_pops(now);
        supply_ = pop_offset_ + source_->breaks(pop_offset_);
    } else {
        supply_ = kUnknown;
    }
    const Tick limit = offset_ + depth_;
    credit_ = limit + pops_.breaks(limit - credit_delay_);
    schedule_stop();
    tell(at_head_ ? ChannelPhase::kHead : ChannelPhase::kResume);
    at_head_ = false;
}

void Sender::run(Tick now) {
    if (state_ == State::kSending) {
        stop(now);
    } else {
        owner_.begin(*this, now);
    }
}

void Sender::stop(Tick now) {
    sent_ = now - offset_;
    context_.scheduler.moved(now - 1);
    set_ends(false);
    if (ChannelObserver* const observer = context_.observer()) {
        observer->on_send_end(channel_, vc_, static_cast<Cycle>(now));
    }
    if (sent_ == end_) {
        release(now);
    } else {
        stall(now);
    }
}

void Sender::release(Tick now) {
    state_ = State::kFree;
    if (ChannelObserver* const observer = context_.observer()) {
        observer->on_release(channel_, vc_, static_cast<Cycle>(now));
    }
    if (depth_ == kEndless) tell(ChannelPhase::kTail);
    if (source_ != nullptr) source_->drop_front(now);
    owner_.on_released(*this, now);
}

void Sender::stall(Tick now) {
    state_ = State::kWaiting;
    tell(ChannelPhase::kStall);
    if (source_ != nullptr) {
        source_->stop_pops(now);
        supply_ = source_->supply_from();
    } else {
        supply_ = kLongAgo;
    }
    credit_ = credit_from();
    if (starter_ != this) context_.scheduler.schedule_by(*starter_, now);  // others may go on
    await();
}

void Sender::schedule_stop() {
    const Tick time = std::min(offset_ + end_, std::min(supply_, credit_));
    assert(time > context_.scheduler.now() || time == this->time());
    context_.scheduler.schedule(*this, time);
}

void Sender::await() {
    const Tick ready = ready_from();
    if (is_known(ready)) context_.scheduler.schedule_by(*starter_, ready);
}

void Sender::on_supply_stalled(FlitIndex next) {
    if (state_ != State::kSending || is_known(supply_)) return;
    supply_ = pop_offset_ + next;
    schedule_stop();
}

void Sender::on_supply_resumed(FlitIndex next, Tick now, Tick delay) {
    if (state_ == State::kSending) {
        if (now - next + delay > pop_offset_) return;  // there is a bubble all the same
        supply_ = kUnknown;
        schedule_stop();
    } else if (!is_known(supply_)) {
        supply_ = now + delay;
        await();
    }
}

tlm::tlm_sync_enum Sender::nb_transport_bw(Payload&, ChannelPhase& phase, sc_core::sc_time&) {
    const Tick now = context_.scheduler.now();
    if (phase == ChannelPhase::kPopStall) {
        pops_.stop(now);
        on_pops_stalled();
    } else {
        on_pops_resumed(now);
        pops_.start(now);
    }
    return tlm::TLM_ACCEPTED;
}

void Sender::on_pops_stalled() {
    if (state_ != State::kSending || is_known(credit_)) return;
    credit_ = offset_ + pops_.count() + depth_;
    schedule_stop();
}

void Sender::on_pops_resumed(Tick now) {
    const Tick from = now + credit_delay_;
    switch (state_) {
        case State::kSending:
            // Otherwise a credit is missing all the same.
            if (from - pops_.count() <= offset_ + depth_) {
                credit_ = kUnknown;
                schedule_stop();
            }
            break;
        case State::kWaiting:
            if (!is_known(credit_)) {
                credit_ = from;
                await();
            }
            break;
        case State::kFree:
            owner_.on_free_credit(*this, from);
            break;
    }
}

}  // namespace flitscope::burst
