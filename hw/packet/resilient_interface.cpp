// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/resilient_interface.h"

#include <algorithm>
#include <stdexcept>

namespace flitscope::hw {

ResilientInterface::ResilientInterface(sc_core::sc_module_name name,
                                       const NetworkInterfaceConfig& config, WakeupWheel& clock,
                                       PacketPool& packets, const InterfaceObservers& observers,
                                       Transmissions& transmissions)
    : PacketInterface(name, config, clock, packets, observers),
      transmissions_(transmissions),
      arrivals_(config.virtual_channels),
      queue_(config.format, config.send_overhead, config.injection_bandwidth,
             config.serialize_overhead) {}

void ResilientInterface::end_of_elaboration() {
    channel_.attach(*injection.operator->(), config_.virtual_channels, observers_.channels,
                    observers_.injection);
}

void ResilientInterface::send(const Message& message, Cycle begin, const SendOptions& options) {
    if (options.port != kLocalPort || !options.follows.empty()) {
        throw std::invalid_argument("ResilientInterface: one channel, and whole messages");
    }
    require_room(message, *injection.operator->());
    queue_.add(message, begin);
    wake_for(queue_);
}

Cycle ResilientInterface::tick(Cycle now) {
    Cycle next = kNever;
    if (is_cut_) {
        // The fabric has notified observers that the channel is free.
        is_cut_ = false;
        end_packet(now);
        next = now + 1;
    } else if (transmissions_.is_dead(config_.node)) {
        return kNever;
    } else if (position_ == 0 ? begins_packet(now, next)
                              : channel_.can_send(now, sleeper(), next)) {
        if (position_ != length_) send_flit(now);
        next = now + 1;
    }
    channel_.report_stop(now, next);
    return next;
}

/// Starts the next packet, or removes a discarded one from the queue; false if there is nothing to
/// start yet: then `next` is no later than the cycle in which there may be, or the interface is
/// woken.
bool ResilientInterface::begins_packet(Cycle now, Cycle& next) {
    if (const std::uint32_t again = overdue(now); again != Transmissions::kNone) {
        const std::uint64_t flits = config_.whole_packets ? transmissions_[again].flits : 1;
        if (!channel_.choose(flits, now, sleeper(), next)) return false;
        start_again(again, now);
        return true;
    }
    if (!awaited_.empty()) next = awaited_.front().due;
    if (queue_.empty()) return false;
    if (queue_.head_ready() > now) {
        next = std::min(next, queue_.head_ready());
        return false;
    }
    if (transmissions_.is_dead(queue_.message().destination)) {
        ++transmissions_.counts.packets_discarded;
        leave_queue(now);
        position_ = length_ = 0;  // nothing to send
        return true;
    }
    if (!channel_.choose(flits_to_begin(queue_), now, sleeper(), next)) return false;
    start_packet(now);
    return true;
}

/// The packet that has to be sent again first, if any; forgets those before it that need not be.
std::uint32_t ResilientInterface::overdue(Cycle now) {
    while (!awaited_.empty()) {
        const Awaited first = awaited_.front();
        Transmission& packet = transmissions_[first.transmission];
        const bool is_acknowledged = packet.delivered < now;
        if (!is_acknowledged && first.due > now) return Transmissions::kNone;
        const bool is_given_up =
            packet.tries_left == 0 || transmissions_.is_dead(packet.message.destination);
        if (!is_acknowledged && !is_given_up) return first.transmission;
        awaited_.pop_front();
        packet.is_awaited = false;
        transmissions_.tidy(first.transmission);
    }
    return Transmissions::kNone;
}

void ResilientInterface::start_packet(Cycle now) {
    const Message& message = queue_.message();
    if (queue_.packet_index() == 0) {
        message_state_ = packets_.add_message(queue_.packet_count());
    }
    length_ = queue_.flits();
    departure_ = depart(queue_, message, message_state_, now);
    is_again_ = false;
    if (const RetransmitConfig* const repeats = transmissions_.repeats()) {
        Transmission packet;
        packet.message = message;
        packet.index = queue_.packet_index();
        packet.flits = length_;
        packet.begin = queue_.begin();
        packet.message_state = message_state_;
        packet.tries_left = repeats->tries;
        packet.copies = 1;
        packet.is_awaited = true;
        packet.source = module_;
        transmission_ = transmissions_.add(packet);
        packets_[departure_.packet].transmission = transmission_;
    }
    channel_.begin_packet(message, now);
}

void ResilientInterface::start_again(std::uint32_t transmission, Cycle now) {
    awaited_.pop_front();
    Transmission& packet = transmissions_[transmission];
    --packet.tries_left;
    ++packet.copies;
    ++transmissions_.counts.packets_repeated;
    transmission_ = transmission;
    length_ = packet.flits;
    is_again_ = true;
    departure_ = depart(packet.message, packet.index, config_.format.packets(packet.message.bytes),
                        packet.begin, packet.flits, packet.message_state, now);
    packets_[departure_.packet].transmission = transmission;
    channel_.begin_packet(packet.message, now);
}

void ResilientInterface::send_flit(Cycle now) {
    const Flit flit = departure_.flit(position_, length_);
    ++position_;
    channel_.send(flit, now, clock_);
    if (!flit.tail) return;
    packets_[departure_.packet].record.tail_injected = now;
    end_packet(now);
}

/// The tail has gone, or counts as gone.
void ResilientInterface::end_packet(Cycle now) {
    position_ = length_ = 0;
    if (const RetransmitConfig* const repeats = transmissions_.repeats()) {
        awaited_.push_back({transmission_, now + repeats->timeout});
    }
    if (!is_again_) leave_queue(now);
}

/// The next packet of the message, or the next message.
void ResilientInterface::leave_queue(Cycle now) {
    const Message message = queue_.message();
    if (queue_.advance(now)) tell_injected(message, now);
}

void ResilientInterface::eject(const Flit& flit, std::uint32_t vc, Cycle now) {
    Arrival& arrival = arrivals_[vc];
    ++flits_ejected_;
    arrival.take(flit, config_.node, now);
    if (!flit.tail) return;
    const std::uint32_t packet = packets_.find(arrival.header());
    if (packet == PacketPool::kNone || transmissions_.repeats() == nullptr) {
        finish_arrival(arrival, now);
        return;
    }
    const std::uint32_t copy_of = packets_[packet].transmission;
    Transmission& transmission = transmissions_[copy_of];
    --transmission.copies;
    if (transmission.delivered != kNever) {
        ++transmissions_.counts.duplicates;
        packets_.remove(packet);
        arrival.abandon();
    } else {
        transmission.delivered = now;
        clock_.wake(transmission.source, now + 1);  // which may be about to send it again
        finish_arrival(arrival, now);
    }
    transmissions_.tidy(copy_of);
}

}  // namespace flitscope::hw
