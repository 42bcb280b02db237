// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets under way: extensions of generic payloads, from a pool that takes one back when its last
// holder has released it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "models/fabric/arrival_counters.h"
#include "models/fabric/message.h"
#include "tlm/engine/channel_protocol.h"

namespace flitscope::burst {

/// A packet. `record.flits` is its length. The interface that sends it holds its payload until the
/// receiving one has received the tail.
struct Packet final : tlm::tlm_extension<Packet> {
    explicit Packet(Payload& of) : payload(&of) {}

    Payload* payload;                 ///< for monitors of the channels
    std::uint32_t message_state = 0;  ///< number in PacketPool::arrivals()
    PacketRecord record;

    /// The packet of a payload.
    static Packet& of(Payload& payload) { return *payload.get_extension<Packet>(); }

    tlm::tlm_extension_base* clone() const override { return new Packet(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        const auto& packet = static_cast<const Packet&>(other);
        message_state = packet.message_state;
        record = packet.record;
    }
};

/// Memory manager of the payloads. Monitors that keep one beyond a call acquire it.
class PacketPool final : public tlm::tlm_mm_interface {
public:
    PacketPool() = default;
    PacketPool(const PacketPool&) = delete;
    PacketPool& operator=(const PacketPool&) = delete;

    /// A packet, held by the caller.
    Packet& create() {
        if (free_.empty()) {
            payloads_.push_back(std::make_unique<Payload>(this));
            Payload& payload = *payloads_.back();
            payload.set_command(tlm::TLM_WRITE_COMMAND);
            auto* const packet = new Packet(payload);  // stays, and goes with the payload
            payload.set_extension(packet);
            free_.push_back(packet);
        }
        Packet& packet = *free_.back();
        free_.pop_back();
        packet.payload->acquire();
        return packet;
    }
    void free(Payload* payload) override { free_.push_back(&Packet::of(*payload)); }

    /// Number of packets that are held.
    std::size_t in_flight() const { return payloads_.size() - free_.size(); }
    /// Counts the arrivals of messages under way.
    ArrivalCounters& arrivals() { return arrivals_; }

private:
    std::vector<std::unique_ptr<Payload>> payloads_;
    std::vector<Packet*> free_;
    ArrivalCounters arrivals_;
};

}  // namespace flitscope::burst
