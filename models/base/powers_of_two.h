// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Powers of two, for schedules, rings and bit fields.
#pragma once

#include <cstdint>

namespace flitscope {

constexpr bool is_power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

/// The smallest power of two that is not below `n`; 1 for 0. `n` is at most 2^63.
constexpr std::uint64_t next_power_of_two(std::uint64_t n) {
    std::uint64_t q = 1;
    while (q < n) q *= 2;
    return q;
}

/// Bits that number `count` things, at least 1. `count` is at most 2^63.
constexpr std::uint32_t index_bits(std::uint64_t count) {
    std::uint32_t bits = 1;
    while ((std::uint64_t{1} << bits) < count) ++bits;
    return bits;
}

/// The exponent of the largest power of two that is not above `n`, which is not 0.
constexpr std::uint32_t floor_log2(std::uint32_t n) {
    return 31 - static_cast<std::uint32_t>(__builtin_clz(n));
}

}  // namespace flitscope
