// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How messages are cut into packets, and packets into flits (hw/TIMING.md, "Network interface").
#pragma once

#include <cstdint>

namespace flitscope {

// The range of fabric.flit_bits.
inline constexpr std::uint32_t kNarrowestFlit = 16;
inline constexpr std::uint32_t kWidestFlit = 1024;
inline constexpr std::uint32_t kFlitStep = 8;

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
    /// Flits of the longest packet of a message: the first one.
    std::uint64_t longest_packet(std::uint64_t message_bytes) const {
        return flits(message_bytes, 0);
    }
    std::uint64_t message_flits(std::uint64_t message_bytes) const {
        const std::uint32_t n = packets(message_bytes);
        if (n == 1) return flits(message_bytes, 0);
        return (n - 1) * flits(message_bytes, 0) + flits(message_bytes, n - 1);
    }
};

}  // namespace flitscope
