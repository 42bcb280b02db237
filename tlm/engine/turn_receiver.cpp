// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/turn_receiver.h"

#include <algorithm>

#include "models/base/powers_of_two.h"
#include "tlm/engine/packet.h"

namespace flitscope::burst {

/// There are no more packets with a flit in the FIFO or on the wire than places.
TurnReceiver::TurnReceiver(std::uint32_t index, PortId port, const ChannelParameters& channel,
                           Owner& owner)
    : pops_(channel.credit_delay),
      delay_(channel.delay),
      packets_(next_power_of_two(channel.depth + 1)),
      owner_(owner),
      index_(index),
      port_(port),
      channel_(channel.channel),
      vc_(channel.vc) {}

FlitIndex TurnReceiver::front_flits() const { return static_cast<FlitIndex>(front().record.flits); }

void TurnReceiver::plan_pops(const StreamPlan& plan, Tick now) {
    if (is_known(plan.start)) {
        pops_.plan(now, plan.start, plan.stride, plan.limit);
    } else {
        pops_.stop(now);
    }
    sender_->on_credits_planned(now);
}

void TurnReceiver::drop_front(Tick now) {
    popper_ = nullptr;
    first_ = (first_ + 1) & static_cast<std::uint32_t>(packets_.size() - 1);
    --count_;
    if (count_ != 0) owner_.on_head(*this, std::max(now, packets_[first_].head_sent + delay_));
}

void TurnReceiver::on_packet(Packet& packet, Tick now) {
    packets_[(first_ + count_) & (packets_.size() - 1)] = {&packet, now};
    if (++count_ == 1) owner_.on_head(*this, now + delay_);
}

}  // namespace flitscope::burst
