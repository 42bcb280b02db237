// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/network_interface.h"

#include <algorithm>
#include <string>

namespace flitscope::burst {
namespace {

/// The name of a channel between a node and its router, and of its socket.
std::string local_end_name(const char* name, std::uint32_t vc) {
    return vc == 0 ? std::string(name) : name + ("_vc" + std::to_string(vc));
}

}  // namespace

NetworkInterface::NetworkInterface(sc_core::sc_module_name name, const ChannelParameters& injection,
                                   std::uint32_t virtual_channels, bool whole_packets,
                                   const Packetizer& queue, PacketPool& pool,
                                   const FabricContext& context, Arena& memory,
                                   PacketObserver* packets)
    : sc_module(name),
      SenderOwner(context),
      queue_(queue),
      pool_(pool),
      packets_(packets),
      injection_(*this),
      whole_packets_(whole_packets),
      depth_(injection.depth),
      last_vc_(virtual_channels - 1) {  // so that the first packet tries virtual channel 0 first
    ChannelParameters channel = injection;
    for (channel.vc = 0; channel.vc < virtual_channels; ++channel.vc) {
        const std::string socket =
            context.joins_directly ? "" : local_end_name("injection", channel.vc);
        injections_.push_back(memory.make<Sender>(socket, kLocalPort, channel, *this));
        ejections_.push_back(
            std::make_unique<Ejection>(local_end_name("ejection", channel.vc).c_str(), *this));
    }
}

NetworkInterface::~NetworkInterface() = default;

void NetworkInterface::end_of_elaboration() {
    for (const auto& sender : injections_) sender->attach();
}

void NetworkInterface::send(const Message& message, Cycle begin, const SendOptions& options) {
    if (options.port != kLocalPort || !options.follows.empty()) {
        throw std::invalid_argument("NetworkInterface: one channel, and whole messages");
    }
    if (whole_packets_ && queue_.longest_packet(message) > depth_) {
        throw std::invalid_argument("NetworkInterface: a packet is longer than a FIFO");
    }
    queue_.add(message, begin);
    if (queue_.messages() > 1) return;
    const Tick ready =
        std::max(context_.scheduler.soonest(), static_cast<Tick>(queue_.head_ready()));
    context_.scheduler.schedule(injection_, ready);
}

void NetworkInterface::withdraw(MessageClass, std::uint8_t) {
    queue_.withdraw();
    if (queue_.empty()) context_.scheduler.schedule(injection_, kUnknown);
}

/// A packet is ready: it takes the first virtual channel with a credit, or with as many as it has
/// flits, searched from one past that of the packet before.
void NetworkInterface::inject(Tick now) {
    const auto vcs = static_cast<std::uint32_t>(injections_.size());
    const FlitIndex credits = whole_packets_ ? static_cast<FlitIndex>(queue_.flits()) : 1;
    Tick credit = kUnknown;
    for (std::uint32_t k = 1; k <= vcs; ++k) {
        const std::uint32_t vc = (last_vc_ + k) % vcs;
        const Tick from = injections_[vc]->credit_from(credits);
        if (from <= now) {
            last_vc_ = vc;
            start_packet(*injections_[vc], now);
            return;
        }
        credit = std::min(credit, from);
    }
    waits_for_credit_ = true;
    if (is_known(credit)) context_.scheduler.schedule(injection_, credit);
}

void NetworkInterface::on_free_credit(Sender&, Tick from) {
    if (waits_for_credit_) context_.scheduler.schedule_by(injection_, from);
}

void NetworkInterface::start_packet(Sender& sender, Tick now) {
    waits_for_credit_ = false;
    const Message& message = queue_.message();
    if (queue_.packet_index() == 0) message_state_ = pool_.arrivals().add(queue_.packet_count());
    Packet& packet = pool_.create();
    packet.payload->set_address(message.destination);
    packet.message_state = message_state_;
    packet.record = PacketRecord{};
    packet.record.message = message;
    packet.record.index = queue_.packet_index();
    packet.record.sequence = sequence_++;
    packet.record.flits = queue_.flits();
    packet.record.begin = queue_.begin();
    packet.record.head_injected = static_cast<Cycle>(now);
    sender.grant(packet, static_cast<FlitIndex>(packet.record.flits), nullptr, now);
    sender.send(now);
}

void NetworkInterface::on_released(Sender& sender, Tick now) {
    const auto tail = static_cast<Cycle>(now - 1);
    sender.packet().record.tail_injected = tail;
    const Message message = queue_.message();
    const bool last = queue_.advance(tail);
    if (!queue_.empty()) {
        context_.scheduler.schedule(injection_,
                                    std::max(now, static_cast<Tick>(queue_.head_ready())));
    }
    if (last && node.size() != 0) node->on_injected(message, tail);
}

/// A head is told in its own cycle, a tail in the one after it: so a head may come before a tail of
/// the cycle before, which MessageListener allows.
void NetworkInterface::begin_arrival(Packet& packet, Tick now) {
    packet.record.head_delivered = static_cast<Cycle>(now);
    if (!tells_heads_ || !pool_.arrivals().begins(packet.message_state)) return;
    node->on_arriving(packet.record.message, packet.record.head_delivered);
}

void NetworkInterface::deliver(Packet& packet, Tick now) {
    PacketRecord record = packet.record;
    record.tail_delivered = static_cast<Cycle>(now - 1);
    const bool complete = pool_.arrivals().arrived(packet.message_state);
    packet.payload->release();
    if (packets_ != nullptr) packets_->on_packet(record);
    if (complete && node.size() != 0) node->on_delivered(record.message, record.tail_delivered);
}

NetworkInterface::Ejection::Ejection(const char* name, NetworkInterface& owner)
    : socket(name), owner_(owner) {
    socket.bind(*this);
}

tlm::tlm_sync_enum NetworkInterface::Ejection::nb_transport_fw(Payload& payload,
                                                               ChannelPhase& phase,
                                                               sc_core::sc_time&) {
    const Tick now = owner_.context_.scheduler.now();
    Packet& packet = Packet::of(payload);
    if (phase == ChannelPhase::kHead) {
        owner_.begin_arrival(packet, now);
    } else if (phase == ChannelPhase::kTail) {
        owner_.deliver(packet, now);
    }
    return tlm::TLM_ACCEPTED;
}

}  // namespace flitscope::burst
