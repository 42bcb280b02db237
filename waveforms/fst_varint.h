// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers of any length in FST: seven bits a byte, the lowest first, the eighth set in all but the
// last.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace flitscope {

/// Bytes that a number takes at most.
inline constexpr std::size_t kMostVarint = 10;

inline std::uint8_t* write_varint(std::uint8_t* out, std::uint64_t number) {
    while (number >= 0x80) {
        *out++ = static_cast<std::uint8_t>(number | 0x80);
        number >>= 7;
    }
    *out++ = static_cast<std::uint8_t>(number);
    return out;
}

inline void append_varint(std::string& text, std::uint64_t number) {
    std::array<std::uint8_t, kMostVarint> bytes;
    const std::uint8_t* const end = write_varint(bytes.data(), number);
    text.append(reinterpret_cast<const char*>(bytes.data()),
                static_cast<std::size_t>(end - bytes.data()));
}

}  // namespace flitscope
