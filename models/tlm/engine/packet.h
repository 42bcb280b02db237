// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets under way: generic payloads with an extension, from a pool that takes them back when the
// last of those who hold one has let go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "models/fabric/arrival_counters.h"
#include "models/fabric/message.h"
#include "models/tlm/engine/channel_protocol.h"

namespace flitscope::burst {

/// What a packet is. `record.flits` is its length.
struct Packet final : tlm::tlm_extension<Packet> {
    PacketRecord record;
    std::uint32_t message_state = 0;  ///< number in PacketPool::arrivals()

    static Packet& of(Payload& payload) { return *payload.get_extension<Packet>(); }

    tlm::tlm_extension_base* clone() const override { return new Packet(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const Packet&>(other);
    }
};

/// Memory manager of the payloads. Whoever keeps a payload beyond a call acquires it.
class PacketPool final : public tlm::tlm_mm_interface {
public:
    PacketPool() = default;
    PacketPool(const PacketPool&) = delete;
    PacketPool& operator=(const PacketPool&) = delete;

    /// A payload with its Packet, held by the caller.
    Payload& create() {
        if (free_.empty()) {
            payloads_.push_back(std::make_unique<Payload>(this));
            payloads_.back()->set_command(tlm::TLM_WRITE_COMMAND);
            payloads_.back()->set_extension(new Packet);  // stays, and goes with the payload
            free_.push_back(payloads_.back().get());
        }
        Payload& payload = *free_.back();
        free_.pop_back();
        payload.acquire();
        return payload;
    }
    void free(Payload* payload) override { free_.push_back(payload); }

    /// Packets that somebody holds.
    std::size_t in_flight() const { return payloads_.size() - free_.size(); }
    /// Of the messages under way.
    ArrivalCounters& arrivals() { return arrivals_; }

private:
    std::vector<std::unique_ptr<Payload>> payloads_;
    std::vector<Payload*> free_;
    ArrivalCounters arrivals_;
};

}  // namespace flitscope::burst
