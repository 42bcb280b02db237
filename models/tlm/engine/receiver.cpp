// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/engine/receiver.h"

#include <algorithm>
#include <utility>

#include "models/tlm/engine/packet.h"

namespace flitscope::burst {

Receiver::Receiver(const char* name, std::uint32_t index, const ChannelParameters& channel,
                   ReceiverOwner& owner, const FabricContext& context)
    : arrivals_(channel.delay),
      delay_(channel.delay),
      context_(context),
      index_(index),
      owner_(owner),
      backward_delay_(channel.credit_delay * context.scheduler.period()),
      channel_(channel.channel),
      vc_(channel.vc),
      socket_(std::make_unique<ReceiveSocket>(name)) {
    socket_->bind(*this);
}

Tick Receiver::start_pops(Tick now) {
    popping_ = true;
    pop_offset_ = now - popped_;
    tell(ChannelPhase::kPopResume);
    return pop_offset_;
}

void Receiver::stop_pops(Tick now) {
    popping_ = false;
    popped_ = now - pop_offset_;
    tell(ChannelPhase::kPopStall);
}

void Receiver::drop_front(Tick now) {
    stop_pops(now);
    popper_ = nullptr;
    front().release();
    first_ = (first_ + 1) & (capacity_ - 1);
    --count_;
    if (count_ != 0) owner_.on_head(*this, std::max(now, packets_[first_].head_sent + delay_));
}

tlm::tlm_sync_enum Receiver::nb_transport_fw(Payload& packet, ChannelPhase& phase,
                                             sc_core::sc_time&) {
    const Tick now = context_.scheduler.now();
    // News of a packet that is not the next to leave concerns nobody yet.
    Sender* const follower = count_ == 1 ? popper_ : nullptr;
    switch (phase) {
        case ChannelPhase::kHead:
            arrivals_.stop_at(announced_);  // the packet before has all gone by
            arrivals_.start(now);
            push(packet, now);
            break;
        case ChannelPhase::kResume:
            if (follower != nullptr) {
                follower->on_supply_resumed(arrivals_.count(), now, delay_);
            }
            arrivals_.start(now);
            break;
        case ChannelPhase::kStall:
            arrivals_.stop(now);
            if (follower != nullptr) follower->on_supply_stalled(arrivals_.count());
            break;
        default:
            SC_REPORT_FATAL("/flitscope/tlm/receiver", "a phase that is not for a FIFO");
    }
    return tlm::TLM_ACCEPTED;
}

void Receiver::push(Payload& packet, Tick now) {
    if (count_ == capacity_) {
        std::vector<Entry> larger(2 * std::size_t{capacity_});
        for (std::uint32_t i = 0; i < count_; ++i) {
            larger[i] = packets_[(first_ + i) & (capacity_ - 1)];
        }
        many_ = std::move(larger);
        packets_ = many_.data();
        capacity_ *= 2;
        first_ = 0;
    }
    packet.acquire();
    const auto flits = static_cast<FlitIndex>(Packet::of(packet).record.flits);
    announced_ += flits;
    packets_[(first_ + count_) & (capacity_ - 1)] = {&packet, flits, now};
    if (++count_ == 1) owner_.on_head(*this, now + delay_);
}

}  // namespace flitscope::burst
