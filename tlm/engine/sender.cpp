// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A burst runs until the packet's tail has gone, a flit is missing, or a credit is. That time
// follows from the known bursts of the neighbours; news from a neighbour moves it. News is never
// too late: a neighbour's change in cycle t can stop us in t + 1 at the earliest.
#include "tlm/engine/sender.h"

#include <algorithm>
#include <cassert>

#include "tlm/engine/packet.h"
#include "tlm/engine/receiver.h"

namespace flitscope::burst {

/// The module at the socket, and the sender's incoming calls through it.
class Sender::Transport final : public BackwardTransport {
public:
    Transport(const std::string& name, Sender& sender, const ChannelParameters& channel)
        : socket(name.c_str()),
          pops(channel.credit_delay),
          sender_(sender),
          delay_(channel.delay * sender.scheduler().period()) {
        socket.bind(*this);
    }

    void tell(ChannelPhase phase) {
        sc_core::sc_time delay = delay_;
        socket->nb_transport_fw(*sender_.packet().payload, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload&, ChannelPhase& phase, sc_core::sc_time&) override {
        const Tick now = sender_.scheduler().now();
        if (phase == ChannelPhase::kPopStall) {
            pops.stop(now);
            sender_.on_pops_stalled(pops.count());
        } else {
            sender_.on_pops_resumed(pops.count(), now);
            pops.start(now);
        }
        return tlm::TLM_ACCEPTED;
    }

    SendSocket socket;
    BurstSequence pops;  // pops of the FIFO at the other end

private:
    Sender& sender_;
    sc_core::sc_time delay_;
};

Sender::Sender(const std::string& name, PortId port, const ChannelParameters& channel,
               SenderOwner& owner)
    : Event(false),
      at_head_(0),
      vc_(static_cast<std::uint8_t>(channel.vc & 0x7F)),
      rate_cycles_(static_cast<std::uint8_t>(channel.rate_cycles)),
      credit_delay_(channel.credit_delay),
      sends_(channel.delay),
      owner_(owner),
      port_(port),
      depth_(channel.depth),
      channel_(channel.channel),
      transport_(name.empty() ? nullptr : std::make_unique<Transport>(name, *this, channel)) {}

Sender::~Sender() = default;

void Sender::join(Receiver& receiver) {
    receiver_ = &receiver;
    receiver.attach(*this);
}

void Sender::attach() {
    if (transport_ == nullptr) return;
    Receiver* const receiver = Receiver::behind(*socket().operator->());
    if (receiver != nullptr) join(*receiver);
}

SendSocket& Sender::socket() const { return transport_->socket; }

const BurstSequence& Sender::pops() const {
    return receiver_ != nullptr ? receiver_->pops() : transport_->pops;
}

Tick Sender::credit_from(FlitIndex credits) const {
    if (depth_ == 0) return kLongAgo;
    return pops().when(sends_.count() + credits - 1 - depth()) + credit_delay_;
}

void Sender::grant(Packet& packet, FlitIndex flits, Receiver* source, Tick now) {
    packet_ = &packet;
    source_ = source;
    end_ = sends_.count() + flits;
    at_head_ = 1;
    state_ = State::kWaiting;
    supply_ = link_free_from();
    credit_ = credit_from();
    if (source != nullptr) source->granted(*this);
    if (ChannelObserver* const observer = owner_.context().observer()) {
        observer->on_grant(channel_, vc_, packet.record.message, static_cast<Cycle>(now));
    }
}

void Sender::send(Tick now) {
    const FlitIndex first = sends_.count();
    sends_.start(now);
    state_ = State::kSending;
    set_ends(true);
    if (ChannelObserver* const observer = owner_.context().observer()) {
        const bool pops = source_ != nullptr;
        observer->on_send_begin(channel_, vc_, pops ? source_->channel() : channel_,
                                pops ? source_->vc() : vc_, static_cast<Cycle>(now));
    }
    supply_ = source_ != nullptr ? source_->start_pops(now) : kUnknown;
    credit_ = kUnknown;
    if (depth_ != 0) {
        const Tick limit = sends_.offset() + depth();
        credit_ = limit + pops().breaks(limit - credit_delay_);
    }
    schedule_stop();
    if (receiver_ == nullptr) {
        transport_->tell(at_head_ != 0 ? ChannelPhase::kHead : ChannelPhase::kResume);
    } else if (at_head_ != 0) {
        receiver_->on_packet(*packet_, now);
    } else {
        receiver_->on_flits_resumed(first, now);
    }
    at_head_ = 0;
}

void Sender::run(Tick now) {
    if (state_ == State::kSending) {
        stop(now);
    } else {
        owner_.begin(*this, now);
    }
}

void Sender::fetch() const {
    if (source_ != nullptr) source_->fetch();
    if (receiver_ != nullptr) receiver_->fetch();
}

void Sender::stop(Tick now) {
    sends_.stop(now);
    scheduler().moved(now - 1);
    set_ends(false);
    if (ChannelObserver* const observer = owner_.context().observer()) {
        observer->on_send_end(channel_, vc_, static_cast<Cycle>(now));
    }
    if (sends_.count() == end_) {
        release(now);
    } else {
        stall(now);
    }
}

void Sender::release(Tick now) {
    state_ = State::kFree;
    if (ChannelObserver* const observer = owner_.context().observer()) {
        observer->on_release(channel_, vc_, static_cast<Cycle>(now));
    }
    if (source_ != nullptr) source_->drop_front(now);
    if (depth_ == 0) transport_->tell(ChannelPhase::kTail);  // the last holder of the packet
    owner_.on_released(*this, now);
}

void Sender::stall(Tick now) {
    state_ = State::kWaiting;
    if (receiver_ == nullptr) {
        transport_->tell(ChannelPhase::kStall);
    } else {
        receiver_->on_flits_stalled(sends_.count());
    }
    supply_ = link_free_from();
    if (source_ != nullptr) {
        source_->stop_pops(now);
        supply_ = std::max(supply_, source_->supply_from());
    }
    credit_ = credit_from();
    owner_.on_stalled(*this, now);
    await();
}

void Sender::schedule_stop() {
    const Tick time = std::min(sends_.offset() + burst_end(), std::min(supply_, credit_));
    assert(time > scheduler().now() || time == this->time());
    scheduler().schedule(*this, time);
}

void Sender::await() {
    const Tick ready = ready_from();
    Event* const starter = owner_.starter();
    if (is_known(ready)) scheduler().schedule_by(starter == nullptr ? *this : *starter, ready);
}

void Sender::on_supply_stalled(FlitIndex next) {
    if (state_ != State::kSending || is_known(supply_)) return;
    supply_ = source_->pops().offset() + next;
    schedule_stop();
}

void Sender::on_supply_resumed(FlitIndex next, Tick now, Tick delay) {
    if (state_ == State::kSending) {
        // Otherwise there is a bubble all the same.
        if (now - next + delay > source_->pops().offset()) return;
        supply_ = kUnknown;
        schedule_stop();
    } else if (!is_known(supply_)) {
        supply_ = std::max(now + delay, link_free_from());
        await();
    }
}

void Sender::on_pops_stalled(FlitIndex popped) {
    if (state_ != State::kSending || is_known(credit_)) return;
    credit_ = sends_.offset() + popped + depth();
    schedule_stop();
}

void Sender::on_pops_resumed(FlitIndex popped, Tick now) {
    const Tick from = now + credit_delay_;
    switch (state_) {
        case State::kSending:
            // Otherwise a credit is missing all the same.
            if (from - popped <= sends_.offset() + depth()) {
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
