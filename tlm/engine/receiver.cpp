// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/receiver.h"

#include <algorithm>
#include <utility>

#include "tlm/engine/packet.h"

namespace flitscope::burst {

/// The module at the socket, and the receiver's incoming calls through it.
class Receiver::Transport final : public ForwardTransport {
public:
    Transport(const std::string& name, Receiver& receiver, const ChannelParameters& channel,
              const FabricContext& context)
        : socket(name.c_str()),
          arrivals(channel.delay),
          receiver_(receiver),
          scheduler_(context.scheduler),
          delay_(channel.credit_delay * context.scheduler.period()) {
        socket.bind(*this);
    }

    Receiver& receiver() const { return receiver_; }
    void tell(ChannelPhase phase) {
        sc_core::sc_time delay = delay_;
        socket->nb_transport_bw(*receiver_.front().payload, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, ChannelPhase& phase,
                                       sc_core::sc_time&) override {
        const Tick now = scheduler_.now();
        switch (phase) {
            case ChannelPhase::kHead: {
                Packet& packet = Packet::of(payload);
                arrivals.stop_at(announced);  // the packet before has all gone by
                arrivals.start(now);
                announced += static_cast<FlitIndex>(packet.record.flits);
                receiver_.on_packet(packet, now);
                break;
            }
            case ChannelPhase::kResume:
                receiver_.on_flits_resumed(arrivals.count(), now);
                arrivals.start(now);
                break;
            case ChannelPhase::kStall:
                arrivals.stop(now);
                receiver_.on_flits_stalled(arrivals.count());
                break;
            default:
                SC_REPORT_FATAL("/flitscope/tlm/receiver", "a phase that is not for a FIFO");
        }
        return tlm::TLM_ACCEPTED;
    }

    ReceiveSocket socket;
    /// For the last packet received it may contain flits after the tail; these are never queried.
    BurstSequence arrivals;
    FlitIndex announced = 0;  // flits of all packets whose heads have come

private:
    Receiver& receiver_;
    Scheduler& scheduler_;
    sc_core::sc_time delay_;
};

Receiver::Receiver(const std::string& name, std::uint32_t index, const ChannelParameters& channel,
                   ReceiverOwner& owner, const FabricContext& context)
    : pops_(channel.credit_delay),
      delay_(channel.delay),
      owner_(owner),
      first_(0),
      grown_(0),
      index_(index),
      vc_(static_cast<std::uint8_t>(channel.vc)),
      rate_cycles_(static_cast<std::uint8_t>(channel.rate_cycles)),
      channel_(channel.channel),
      transport_(name.empty() ? nullptr
                              : std::make_unique<Transport>(name, *this, channel, context)) {}

Receiver::~Receiver() = default;

Receiver* Receiver::behind(ForwardTransport& transport) {
    auto* const ours = dynamic_cast<Transport*>(&transport);
    return ours == nullptr ? nullptr : &ours->receiver();
}

ReceiveSocket& Receiver::socket() const { return transport_->socket; }

const BurstSequence& Receiver::told_arrivals() const { return transport_->arrivals; }

void Receiver::tell(ChannelPhase phase) { transport_->tell(phase); }

FlitIndex Receiver::front_flits() const { return static_cast<FlitIndex>(front().record.flits); }

FlitIndex Receiver::flits_in(Tick now) const {
    if (sender_ != nullptr) return sender_->flits_sent(now);
    return std::min(transport_->arrivals.count_at(now), transport_->announced);
}

void Receiver::drop_front(Tick now) {
    stop_pops(now);
    popper_ = nullptr;
    first_ = (first_ + 1) & (capacity() - 1);
    --count_;
    if (count_ != 0) owner_.on_head(*this, std::max(now, front_visible_from()));
}

void Receiver::on_packet(Packet& packet, Tick now) {
    if (count_ == capacity()) grow();
    Entry* const entries = grown_ == 0 ? few_.data() : many_.data();
    entries[(first_ + count_) & (capacity() - 1)] = {&packet, now};
    if (++count_ == 1) owner_.on_head(*this, now + delay_);
}

void Receiver::grow() {
    std::vector<Entry> larger(2 * std::size_t{capacity()});
    for (std::uint32_t i = 0; i < count_; ++i) {
        larger[i] = entries()[(first_ + i) & (capacity() - 1)];
    }
    many_ = std::move(larger);
    grown_ = 1;
    first_ = 0;
}

}  // namespace flitscope::burst
