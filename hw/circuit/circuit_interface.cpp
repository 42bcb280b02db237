// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/circuit/circuit_interface.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace flitscope::hw {

static_assert(kInjectionWires == 2);

CircuitInterface::CircuitInterface(sc_core::sc_module_name name,
                                   const NetworkInterfaceConfig& config, WakeupWheel& clock,
                                   PacketPool& packets, const InterfaceObservers& observers)
    : NodeInterface(name, config, clock, packets, observers),
      injection_wires("injection_wire", std::vector<bool>(kInjectionWires, true)),
      wire_sources_{InjectionWireSource(*this), InjectionWireSource(*this)} {}

void CircuitInterface::send(const Message& message, Cycle begin, const SendOptions& options) {
    if (options.port != kLocalPort || !options.follows.empty()) {
        throw std::invalid_argument("CircuitInterface: one circuit at a time, and whole messages");
    }
    queue_.push_back({message, begin});
    set_up_next();
}

void CircuitInterface::withdraw(MessageClass, std::uint8_t) {
    if (queue_.empty()) throw std::logic_error("none waits");
    queue_.pop_back();
}

/// Puts the next header into the router, unless one is there already. Not before its time: until
/// then the message can be withdrawn.
void CircuitInterface::set_up_next() {
    if (ahead_ || queue_.empty()) return;
    const auto [message, begin] = queue_.front();
    if (begin > soonest()) {
        clock_.wake(module_, begin - 1);
        return;
    }
    queue_.pop_front();
    Cycle ready = begin + config_.send_overhead;
    if (started_ != kNever) ready = std::max(ready, started_ + config_.send_overhead);
    ready = std::max(ready, soonest());

    Packet packet;
    packet.record.message = message;
    packet.record.begin = begin;
    packet.record.sequence = sequence_;
    packet.header = Header{message.destination, config_.node, sequence_}.pack();
    packet.flits_injected = config_.format.flits(message.bytes, 0);
    packet.message_state = packets_.add_message(1);
    ahead_.emplace();
    ahead_->wire = sequence_++ % kInjectionWires;
    ahead_->elements = packet.flits_injected;
    ahead_->words = PayloadWords(packet.header);
    ahead_->packet = packets_.add(packet);
    complete_ = false;
    injection_wires[ahead_->wire]->set_up(packet.header, ready);
}

void CircuitInterface::connected(Cycle now) {
    complete_ = true;
    // Else the sender is busy, and this message starts in the tick after its release.
    if (!current_ && free_from_ <= now) start(now);
}

void CircuitInterface::released(Cycle now) {
    current_.reset();
    free_from_ = now + 1;
    unreported_release_ = observers_.channels != nullptr;
    clock_.wake(module_, now + 1);
}

Cycle CircuitInterface::tick(Cycle now) {
    set_up_next();
    if (observers_.channels != nullptr) report_ends(now);
    if (!current_ && complete_ && free_from_ <= now) {
        start(now);
    } else if (current_ && position_ < current_->elements && started_ + position_ == now) {
        send_element(now);
    }
    const bool goes_on = current_ && position_ < current_->elements;
    return goes_on || sending_ ? now + 1 : kNever;
}

void CircuitInterface::start(Cycle now) {
    current_ = std::exchange(ahead_, std::nullopt);
    complete_ = false;
    position_ = 0;
    started_ = now;
    PacketRecord& record = packets_[current_->packet].record;
    record.head_injected = now;
    record.tail_injected = now + current_->elements - 1;
    if (observers_.channels != nullptr) {
        report_ends(now);
        observers_.channels->on_grant(observers_.injection, 0, record.message, now);
        observers_.channels->on_send_begin(observers_.injection, 0, observers_.injection, 0, now);
        sending_ = true;
        send_end_ = now + current_->elements;
    }
    // Nothing stops a circuit, so when its tail goes is known, and the next one can be set up.
    const Message message = record.message;
    tell_injected(message, now + current_->elements - 1);
    set_up_next();
    clock_.wake(module_, now + 1);
    send_element(now);
}

void CircuitInterface::send_element(Cycle now) {
    Flit element;
    element.head = position_ == 0;
    ++position_;
    element.word = current_->words.word(position_);
    element.tail = position_ == current_->elements;
    ++flits_injected_;
    injection_wires[current_->wire]->pass(element, now);  // may end in released()
}

void CircuitInterface::set_up(std::uint64_t header, Cycle at) {
    arrival_.begin(header, config_.node);
    arriving->connect(at);
}

void CircuitInterface::pass(const Flit& element, Cycle at) {
    ++flits_ejected_;
    arrival_.take_element(element, at);
    if (element.head && tells_heads()) begin_arrival(arrival_, at);
    if (!element.tail) return;
    arriving->release(at);
    end_arrival(arrival_, at);
}

/// Reports what ended in the cycle before.
void CircuitInterface::report_ends(Cycle now) {
    if (sending_ && send_end_ <= now) {
        sending_ = false;
        observers_.channels->on_send_end(observers_.injection, 0, now);
    }
    if (unreported_release_ && free_from_ <= now) {
        unreported_release_ = false;
        observers_.channels->on_release(observers_.injection, 0, now);
    }
}

}  // namespace flitscope::hw
