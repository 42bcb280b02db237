// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages, and how they are cut into packets and flits. What the flits of the clocked fabric carry
// is in hw/common/flit.h.
#pragma once

#include <cstdint>

#include "models/base/types.h"

namespace flitscope {

/// What a node's program asks the fabric to carry.
struct Message {
    MessageId id = 0;
    NodeId source = 0;
    NodeId destination = 0;
    StepId step = 0;          ///< schedule step, for reports and waveforms
    std::uint64_t bytes = 0;  ///< payload
};

/// How messages are cut into packets and packets into flits (hw/TIMING.md, "Packets and messages").
struct PacketFormat {
    std::uint32_t flit_bits = 64;
    std::uint32_t header_flits = 1;
    std::uint64_t packet_bytes = 0;  ///< largest payload of a packet; 0 = one packet per message

    std::uint32_t packets(std::uint64_t message_bytes) const {
        if (packet_bytes == 0 || message_bytes <= packet_bytes) return 1;
        return static_cast<std::uint32_t>((message_bytes + packet_bytes - 1) / packet_bytes);
    }
    /// Flits of packet `index` of a message, header included; at least one.
    std::uint64_t flits(std::uint64_t message_bytes, std::uint32_t index) const {
        std::uint64_t bytes = message_bytes;
        if (packet_bytes != 0 && message_bytes > packet_bytes) {
            const std::uint64_t before = packet_bytes * index;
            bytes = message_bytes - before < packet_bytes ? message_bytes - before : packet_bytes;
        }
        const std::uint64_t flits = header_flits + (8 * bytes + flit_bits - 1) / flit_bits;
        return flits == 0 ? 1 : flits;
    }
    std::uint64_t message_flits(std::uint64_t message_bytes) const {
        const std::uint32_t n = packets(message_bytes);
        if (n == 1) return flits(message_bytes, 0);
        return (n - 1) * flits(message_bytes, 0) + flits(message_bytes, n - 1);
    }
};

/// The life of one packet, reported when its tail has left the network.
struct PacketRecord {
    Message message;             ///< id kNoMessage: no packet under way has this header
    std::uint32_t index = 0;     ///< packet number within its message
    std::uint64_t sequence = 0;  ///< packets that its source sent before it
    std::uint64_t flits = 0;     ///< flits received
    Cycle begin = 0;             ///< cycle in which the send of the message began
    Cycle head_injected = 0;
    Cycle tail_injected = 0;
    Cycle head_delivered = 0;
    Cycle tail_delivered = 0;
    std::uint64_t corrupt_flits = 0;  ///< flits whose word or position was not the expected one
};

}  // namespace flitscope
