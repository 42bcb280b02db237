// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/verilated/router_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace flitscope::hw {

std::string packet_named(std::uint64_t header) {
    const Header packet = Header::unpack(header);
    return fmt::format("packet {} of node {} for node {}", packet.sequence, packet.source,
                       packet.destination);
}

RouterLedger::RouterLedger(const Routing& routing, RouterId router, PortId ports,
                           std::uint32_t virtual_channels, std::uint32_t depth,
                           HasCredit has_credit)
    : routing_(routing),
      router_(router),
      vcs_(virtual_channels),
      depth_(depth),
      has_credit_(std::move(has_credit)),
      inputs_(std::size_t{ports} * virtual_channels),
      outputs_(inputs_.size()) {}

void RouterLedger::take(std::uint32_t input, const Flit& flit, Cycle now) {
    Input& at = inputs_[input];
    if (flit.head) {
        Packet& packet = at.packets.emplace_back();
        packet.header = flit.word;
        packet.since = now;
        packet.first = at.taken;
    }
    Packet& packet = at.packets.back();
    packet.words.push_back(flit.word);
    packet.is_complete = flit.tail;
    ++at.taken;
}

std::string RouterLedger::send(std::uint32_t output, const Flit& flit) {
    std::string wrong = flit.head ? begin(output, flit.word) : next(output, flit);
    if (!wrong.empty()) return fmt::format("{} {}", place("output", output), wrong);
    const Packet& packet = *outputs_[output].open;
    const bool is_last = packet.is_complete && packet.words.size() == 1;
    if (flit.tail == is_last) {
        leave(output, flit);
        return {};
    }
    return fmt::format(
        "{} sent flit {} of {} {}", place("output", output), packet.sent,
        packet_named(packet.header),
        is_last ? "without the mark of a tail, which it is" : "as a tail, and the packet goes on");
}

/// A head opens its output for the packet.
std::string RouterLedger::begin(std::uint32_t output, std::uint64_t header) {
    Output& to = outputs_[output];
    if (to.open != nullptr) {
        if (to.open->header == header)
            return fmt::format("sent the head of {} twice", packet_named(header));
        return fmt::format("sent the head of {} before flit {} of {}", packet_named(header),
                           to.open->sent, packet_named(to.open->header));
    }
    for (std::uint32_t input = 0; input < inputs_.size(); ++input) {
        const Packet* earlier = nullptr;
        for (Packet& packet : inputs_[input].packets) {
            if (packet.output != kNone) continue;
            const PortId port = routing_.route(router_, Header::destination_of(packet.header)).port;
            if (packet.header != header) {
                if (earlier == nullptr && port == output / vcs_) earlier = &packet;
                continue;
            }
            if (earlier != nullptr) {
                return fmt::format("sent {} and not {}, which arrived before it at {}",
                                   packet_named(header), packet_named(earlier->header),
                                   place("input", input));
            }
            packet.output = output;
            to.open = &packet;
            to.source = input;
            to.last_header = header;
            return {};
        }
    }
    return unknown_head(header);
}

std::string RouterLedger::unknown_head(std::uint64_t header) const {
    for (const Output& to : outputs_) {
        if (to.last_header == header) return "sent " + packet_named(header) + " again";
    }
    std::string inside;
    for (const Input& at : inputs_) {
        for (const Packet& packet : at.packets) {
            if (packet.output != kNone) continue;
            inside += (inside.empty() ? "; those inside: " : ", ") + packet_named(packet.header);
        }
    }
    return fmt::format("sent {}, which did not arrive{}", packet_named(header), inside);
}

/// Any other flit follows the one before it.
std::string RouterLedger::next(std::uint32_t output, const Flit& flit) {
    const Output& to = outputs_[output];
    if (to.open != nullptr) {
        const Packet& packet = *to.open;
        if (!packet.words.empty() && flit.word == packet.words.front()) return {};
        return wrong_word(packet, to.last_word, flit.word);
    }
    if (!to.last_header) return "sent a flit without the head of a packet";
    return fmt::format("sent a flit {} {}, whose tail has left",
                       flit.word == to.last_word ? "twice, the last one of" : "after",
                       packet_named(*to.last_header));
}

std::string RouterLedger::wrong_word(const Packet& packet, std::uint64_t last,
                                     std::uint64_t word) const {
    const std::string name = packet_named(packet.header);
    if (word == last) return fmt::format("sent flit {} of {} twice", packet.sent - 1, name);
    if (packet.words.empty()) {
        return fmt::format("sent flit {} of {}, which did not arrive", packet.sent, name);
    }
    const auto later = std::find(packet.words.begin(), packet.words.end(), word);
    if (later != packet.words.end()) {
        return fmt::format("did not send flit {} of {}: flit {} follows flit {}", packet.sent, name,
                           packet.sent + static_cast<std::uint64_t>(later - packet.words.begin()),
                           packet.sent - 1);
    }
    return fmt::format("changed flit {} of {} from {:#x} to {:#x}", packet.sent, name,
                       packet.words.front(), word);
}

void RouterLedger::leave(std::uint32_t output, const Flit& flit) {
    Output& to = outputs_[output];
    Input& from = inputs_[to.source];
    to.last_word = flit.word;
    to.open->words.pop_front();
    ++to.open->sent;
    ++to.sent;
    ++from.sent;
    if (!flit.tail) return;
    from.packets.remove_if([&to](const Packet& packet) { return &packet == to.open; });
    to.open = nullptr;
}

std::string RouterLedger::at_rest() const {
    for (std::uint32_t input = 0; input < inputs_.size(); ++input) {
        const Input& at = inputs_[input];
        if (at.popped < at.sent) {
            return fmt::format("{} sent {} flits and returned {} credits", place("input", input),
                               at.sent, at.popped);
        }
        const std::uint32_t output = next_output(at);
        if (output != kNone) return stuck(input, output, "is at rest");
    }
    return {};
}

std::string RouterLedger::idle() {
    for (std::uint32_t input = 0; input < inputs_.size(); ++input) {
        Input& at = inputs_[input];
        const std::uint32_t output = next_output(at);
        const std::uint64_t sent = output == kNone ? 0 : at.sent + outputs_[output].sent;
        if (output != kNone && output == at.idle_output && sent == at.idle_sent) {
            return stuck(input, output,
                         fmt::format("did nothing about it for {} cycles", kPatience));
        }
        at.idle_output = output;
        at.idle_sent = sent;
    }
    return {};
}

/// The output on which the packet at the front of an input could go on, or kNone. A router may wait
/// for the whole packet as long as more of it can arrive.
std::uint32_t RouterLedger::next_output(const Input& at) const {
    if (at.packets.empty()) return kNone;
    const Packet& packet = at.packets.front();
    const bool may_wait = !packet.is_complete && packet.output == kNone;
    return may_wait && at.taken - at.popped < depth_ ? kNone : free_output(packet);
}

/// The output on which the next flit of a packet could leave, or kNone.
std::uint32_t RouterLedger::free_output(const Packet& packet) const {
    if (packet.output != kNone) {
        return !packet.words.empty() && has_credit_(packet.output) ? packet.output : kNone;
    }
    const RouteChoice wanted = routing_.route(router_, Header::destination_of(packet.header));
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
        const std::uint32_t output = wanted.port * vcs_ + vc;
        const bool is_allowed = (wanted.virtual_channels >> vc & 1) != 0;
        if (is_allowed && outputs_[output].open == nullptr && has_credit_(output)) return output;
    }
    return kNone;
}

/// Flits whose credits were returned are no longer in a FIFO.
std::string RouterLedger::stuck(std::uint32_t input, std::uint32_t output,
                                const std::string& how) const {
    const Input& at = inputs_[input];
    const Packet& packet = at.packets.front();
    const std::uint64_t taken = packet.sent + packet.words.size();
    const std::uint64_t popped =
        at.popped <= packet.first ? 0 : std::min(at.popped - packet.first, taken);
    return fmt::format(
        "{} took {} flits of {} from cycle {} on, returned {} credits and sent {} flits, and {} "
        "although {} is free and has credits",
        place("input", input), taken, packet_named(packet.header), packet.since, popped,
        packet.sent, how, place("output", output));
}

/// "output port 3", with several virtual channels " virtual channel 1".
std::string RouterLedger::place(const char* side, std::uint32_t number) const {
    const std::string port = fmt::format("{} port {}", side, number / vcs_);
    return vcs_ == 1 ? port : fmt::format("{} virtual channel {}", port, number % vcs_);
}

}  // namespace flitscope::hw
