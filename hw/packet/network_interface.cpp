// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/network_interface.h"

#include <algorithm>
#include <stdexcept>

namespace flitscope::hw {

NetworkInterface::NetworkInterface(sc_core::sc_module_name name,
                                   const NetworkInterfaceConfig& config, ClockDomain& clock,
                                   PacketPool& packets, const InterfaceObservers& observers)
    : NodeInterface(name),
      vc_(config.virtual_channels - 1),  // so that the first packet tries virtual channel 0 first
      arrivals_(config.virtual_channels),
      clock_(clock),
      config_(config),
      packets_(packets),
      observers_(observers),
      module_(clock.add(*this)),
      queue_(config.format, config.send_startup, config.injection_rate, config.serial_startup) {}

void NetworkInterface::end_of_elaboration() {
    channels_.resize(config_.virtual_channels);
    for (std::uint32_t vc = 0; vc < config_.virtual_channels; ++vc) {
        channels_[vc].attach(injection->sink(vc));
    }
}

void NetworkInterface::send(const Message& message, Cycle begin, const SendOptions& options) {
    if (options.port != kLocalPort || !options.follows.empty()) {
        throw std::invalid_argument("NetworkInterface: one channel, and whole messages");
    }
    if (config_.whole_packets &&
        config_.format.flits(message.bytes, 0) > injection->sink(0).depth()) {
        throw std::invalid_argument("NetworkInterface: a packet is longer than a FIFO");
    }
    queue_.add(message, begin);
    if (queue_.messages() > 1) return;
    // A message handed over while this cycle's flit goes out can follow in the next one.
    const Cycle soonest = clock_.started() ? clock_.now() + 1 : 0;
    clock_.wake(module_, std::max(soonest, queue_.head_ready()));
}

Cycle NetworkInterface::tick(Cycle now) {
    awake_ = 0;
    Cycle next = kNever;
    bool sent = false;
    if (released_) report_release(now);
    const bool at_head = position_ == 0;
    if (!at_head || !queue_.empty()) {
        if (at_head && queue_.head_ready() > now) {
            next = queue_.head_ready();
        } else if (at_head ? choose_virtual_channel(now, next) : has_credit(vc_, 1, now, next)) {
            if (at_head) start_packet(now);
            send_flit(now);
            sent = true;
            next = now + 1;
        }
    }
    if (sent != sending_ && observers_.channels != nullptr) report_send(now, sent);
    return next;
}

/// The first virtual channel with a usable credit, or as many as the packet needs, searched from
/// one past the last packet's.
bool NetworkInterface::choose_virtual_channel(Cycle now, Cycle& next) {
    const std::uint64_t flits = config_.whole_packets ? queue_.flits() : 1;
    for (std::uint32_t k = 1; k <= config_.virtual_channels; ++k) {
        const std::uint32_t vc = (vc_ + k) % config_.virtual_channels;
        if (has_credit(vc, flits, now, next)) {
            vc_ = vc;
            return true;
        }
    }
    return false;
}

bool NetworkInterface::has_credit(std::uint32_t vc, std::uint64_t flits, Cycle now, Cycle& next) {
    return channels_[vc].has_credit_or_wakes(now, flits, {&awake_, 1, module_}, next);
}

void NetworkInterface::start_packet(Cycle now) {
    const Message& message = queue_.message();
    length_ = queue_.flits();
    if (queue_.packet_index() == 0) {
        message_state_ = packets_.arrivals().add(queue_.packet_count());
    }
    Packet packet;
    packet.record.message = message;
    packet.record.index = queue_.packet_index();
    packet.record.begin = queue_.begin();
    packet.record.head_injected = now;
    packet.record.sequence = sequence_;
    packet.header =
        Header{message.destination, config_.node, static_cast<std::uint32_t>(sequence_++)}.pack();
    packet.flits_injected = length_;
    packet.message_state = message_state_;
    words_ = PayloadWords(packet.header);
    packet_ = packets_.add(packet);
    if (observers_.channels != nullptr) {
        observers_.channels->on_grant(observers_.injection, vc_, message, now);
    }
}

void NetworkInterface::send_flit(Cycle now) {
    Flit flit;
    flit.head = position_ == 0;
    flit.word = flit.head ? packets_[packet_].header : words_.word(position_);
    ++position_;
    flit.tail = position_ == length_;
    channels_[vc_].push(flit, now, clock_);
    if (flit.tail) finish_packet(now);
}

/// The tail has gone: the next packet of the message, or the next message.
void NetworkInterface::finish_packet(Cycle now) {
    packets_[packet_].record.tail_injected = now;
    position_ = 0;
    released_ = observers_.channels != nullptr;
    const Message message = queue_.message();
    if (queue_.advance(now) && node.size() != 0) node->on_injected(message, now);
}

void NetworkInterface::eject(const Flit& flit, std::uint32_t vc, Cycle now) {
    Arrival& arrival = arrivals_[vc];
    ++flits_ejected_;
    arrival.take(flit, config_.node, now);
    if (flit.tail) finish_arrival(arrival, now);
}

void NetworkInterface::finish_arrival(Arrival& arrival, Cycle now) {
    const Arrival::End end = arrival.finish(packets_, now);
    if (observers_.packets != nullptr) observers_.packets->on_packet(end.record);
    if (end.complete && node.size() != 0) node->on_delivered(end.record.message, now);
}

/// The tail went in the last cycle: the injection channel is free from this one on.
void NetworkInterface::report_release(Cycle now) {
    observers_.channels->on_send_end(observers_.injection, vc_, now);
    observers_.channels->on_release(observers_.injection, vc_, now);
    sending_ = false;
    released_ = false;
}

void NetworkInterface::report_send(Cycle now, bool sent) {
    if (sent) {
        observers_.channels->on_send_begin(observers_.injection, vc_, observers_.injection, vc_,
                                           now);
    } else {
        observers_.channels->on_send_end(observers_.injection, vc_, now);
    }
    sending_ = sent;
}

}  // namespace flitscope::hw
