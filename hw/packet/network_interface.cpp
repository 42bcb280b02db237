// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/network_interface.h"

#include <stdexcept>

namespace flitscope::hw {

NetworkInterface::NetworkInterface(sc_core::sc_module_name name,
                                   const NetworkInterfaceConfig& config, ClockDomain& clock,
                                   PacketPool& packets, const InterfaceObservers& observers)
    : PacketInterface(name, config, clock, packets, observers),
      arrivals_(config.virtual_channels),
      queue_(config.format, config.send_startup, config.injection_rate, config.serial_startup) {}

void NetworkInterface::end_of_elaboration() {
    channel_.attach(*injection.operator->(), config_.virtual_channels, observers_.channels,
                    observers_.injection);
}

void NetworkInterface::send(const Message& message, Cycle begin, const SendOptions& options) {
    if (options.port != kLocalPort || !options.follows.empty()) {
        throw std::invalid_argument("NetworkInterface: one channel, and whole messages");
    }
    require_room(message, *injection.operator->());
    queue_.add(message, begin);
    wake_for(queue_);
}

Cycle NetworkInterface::tick(Cycle now) {
    Cycle next = kNever;
    channel_.report_release(now);
    const bool at_head = position_ == 0;
    if (!at_head || !queue_.empty()) {
        if (at_head && queue_.head_ready() > now) {
            next = queue_.head_ready();
        } else if (at_head ? channel_.choose(flits_to_begin(queue_), now, sleeper(), next)
                           : channel_.can_send(now, sleeper(), next)) {
            if (at_head) start_packet(now);
            send_flit(now);
            next = now + 1;
        }
    }
    channel_.report_send(now);
    return next;
}

void NetworkInterface::start_packet(Cycle now) {
    const Message& message = queue_.message();
    if (queue_.packet_index() == 0) {
        message_state_ = packets_.arrivals().add(queue_.packet_count());
    }
    length_ = queue_.flits();
    departure_ = depart(queue_, message, message_state_, now);
    channel_.begin_packet(message, now);
}

void NetworkInterface::send_flit(Cycle now) {
    const Flit flit = departure_.flit(position_, length_);
    ++position_;
    channel_.send(flit, now, clock_);
    if (flit.tail) finish_packet(now);
}

/// The tail has gone: the next packet of the message, or the next message.
void NetworkInterface::finish_packet(Cycle now) {
    packets_[departure_.packet].record.tail_injected = now;
    position_ = 0;
    const Message message = queue_.message();
    if (queue_.advance(now)) tell_injected(message, now);
}

void NetworkInterface::eject(const Flit& flit, std::uint32_t vc, Cycle now) {
    Arrival& arrival = arrivals_[vc];
    ++flits_ejected_;
    arrival.take(flit, config_.node, now);
    if (flit.tail) finish_arrival(arrival, now);
}

}  // namespace flitscope::hw
