// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The flit as the hardware moves it, and the words that flits carry: a header that routers read,
// and payload words that receivers can check because they follow from packet and position.
#pragma once

#include <cstdint>

#include "models/base/split_mix.h"
#include "models/base/types.h"

namespace flitscope::hw {

/// One flow-control digit: the wires of a link, and nothing that hardware would not have.
struct Flit {
    std::uint64_t word = 0;
    bool head = false;
    bool tail = false;

    friend bool operator==(const Flit& a, const Flit& b) {
        return a.word == b.word && a.head == b.head && a.tail == b.tail;
    }
};

inline constexpr std::uint32_t kHeaderBits = 64;

/// The word of a head flit: destination in bits 15:0, source in bits 31:16, the source's packet
/// number in bits 62:32, and in bit 63 whether another packet of the same message follows.
struct Header {
    NodeId destination = 0;
    NodeId source = 0;
    std::uint32_t sequence = 0;  ///< modulo 2^31
    bool more = false;

    std::uint64_t pack() const {
        return static_cast<std::uint64_t>(more) << 63 |
               static_cast<std::uint64_t>(sequence & kSequenceMask) << 32 |
               static_cast<std::uint64_t>(source) << 16 | destination;
    }
    static Header unpack(std::uint64_t word) {
        return {static_cast<NodeId>(word & 0xffff), static_cast<NodeId>(word >> 16 & 0xffff),
                static_cast<std::uint32_t>(word >> 32) & kSequenceMask, word >> 63 != 0};
    }
    /// The destination, all that a router looks at in a header.
    static NodeId destination_of(std::uint64_t word) { return static_cast<NodeId>(word & 0xffff); }

    static constexpr std::uint32_t kSequenceMask = 0x7fffffff;
};

/// The words after the head of one packet. They differ between positions, and between packets of a
/// run, so a lost, doubled, misplaced or foreign flit is detected.
class PayloadWords {
public:
    PayloadWords() = default;
    explicit PayloadWords(std::uint64_t header) : key_(split_mix(header)) {}

    std::uint64_t word(std::uint64_t position) const { return key_ ^ position * kSplitMixStep; }

private:
    std::uint64_t key_ = 0;
};

}  // namespace flitscope::hw
