// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The coin that a source tosses for each of its packets, where these take one of two paths at
// random: a function of few gates, since every router computes it from the header of a packet that
// its node injects (hw/rtl/fabric/packet_coin.sv).
#pragma once

#include <cstdint>

#include "models/base/split_mix.h"
#include "models/base/types.h"

namespace flitscope {

/// How packets are given one of two paths, each on its own virtual channels: those of the second
/// one are `second_from` and up.
struct PathCoin {
    std::uint64_t seed = 0;
    std::uint32_t second_from = 1;

    /// A constant of every source.
    std::uint32_t key(NodeId source) const {
        return static_cast<std::uint32_t>(split_mix(split_mix(seed) ^ source));
    }
    bool takes_second(NodeId source, std::uint32_t sequence) const {
        return toss(key(source), sequence);
    }

    /// Four rounds of a Feistel network like Simon's (Beaulieu et al. 2013) on 16 bits of the
    /// packet's number: over all of them both sides come up equally often.
    static bool toss(std::uint32_t key, std::uint32_t sequence) {
        std::uint32_t left = sequence & kHalf;
        std::uint32_t right = sequence >> kHalfBits & kHalf;
        for (std::uint32_t round = 0; round < kRounds; ++round) {
            const std::uint32_t next = right ^ (rotated(left, 1) & rotated(left, 3)) ^
                                       rotated(left, 2) ^ (key >> round * kHalfBits & kHalf);
            right = left;
            left = next;
        }
        return (left & 1) != 0;
    }

private:
    static constexpr std::uint32_t kHalfBits = 8;
    static constexpr std::uint32_t kHalf = 0xff;
    static constexpr std::uint32_t kRounds = 4;

    static std::uint32_t rotated(std::uint32_t half, std::uint32_t by) {
        return (half << by | half >> (kHalfBits - by)) & kHalf;
    }
};

}  // namespace flitscope
