// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers as text in base 2, eight digits at a time: the innermost loop of both waveform writers.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace flitscope {

/// The eight digits of every byte, most significant first.
using ByteDigits = std::array<std::array<char, 8>, 256>;

constexpr ByteDigits make_byte_digits() {
    ByteDigits digits{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
        for (std::size_t bit = 0; bit < 8; ++bit) {
            digits[byte][bit] = (byte >> (7 - bit)) & 1 ? '1' : '0';
        }
    }
    return digits;
}

inline constexpr ByteDigits kByteDigits = make_byte_digits();

/// Bits needed to write `value`, at least 1.
inline std::uint32_t bit_length(std::uint64_t value) {
    return 64U - static_cast<std::uint32_t>(__builtin_clzll(value | 1));
}

/// Writes the low `width` (1 to 64) bits of `value` to `out` and returns one past the last digit.
/// Up to seven characters after that are overwritten too.
inline char* write_digits(char* out, std::uint64_t value, std::uint32_t width) {
    value <<= 64 - width;
    char* const end = out + width;
    do {
        std::memcpy(out, kByteDigits[value >> 56].data(), 8);
        value <<= 8;
        out += 8;
    } while (out < end);
    return end;
}

/// Writes `width` binary digits of a value; mostly `width` is at most 24, which takes no branch. Up
/// to 24 characters from `out` on are overwritten.
inline char* write_few_digits(char* out, std::uint64_t value, std::uint32_t width) {
    if (width > 24) return write_digits(out, value, width);
    value <<= 64 - width;
    std::memcpy(out, kByteDigits[value >> 56].data(), 8);
    std::memcpy(out + 8, kByteDigits[value >> 48 & 0xFF].data(), 8);
    std::memcpy(out + 16, kByteDigits[value >> 40 & 0xFF].data(), 8);
    return out + width;
}

/// The implied digit to the left of digits that begin with `first`.
inline char left_extension(char first) { return first == '1' ? '0' : first; }

/// Writes `digits`, at least one and at most `width`, and the implied ones to their left to `out`.
inline void write_extended(char* out, std::size_t width, std::string_view digits) {
    const std::size_t missing = width - digits.size();
    if (missing != 0) std::memset(out, left_extension(digits.front()), missing);
    std::memcpy(out + missing, digits.data(), digits.size());
}

}  // namespace flitscope
