// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/page/packed_numbers.h"

#include "models/base/zlib_stream.h"

namespace flitscope {
namespace {

constexpr int kLevel = 9;  // pages are sent around

std::string base64(const std::string& bytes) {
    static constexpr char kDigits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            word = word << 8 | (i + j < bytes.size() ? static_cast<std::uint8_t>(bytes[i + j]) : 0);
        }
        for (std::size_t j = 0; j < 4; ++j) {
            text += i + j <= bytes.size() ? kDigits[word >> (18 - 6 * j) & 63] : '=';
        }
    }
    return text;
}

/// Seven bits per byte, the lowest first; the eighth says that more follow. Signs go into the
/// lowest bit.
void append(std::string& bytes, std::int64_t number) {
    std::uint64_t rest =
        static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number < 0 ? -1 : 0);
    while (rest >= 0x80) {
        bytes += static_cast<char>(rest | 0x80);
        rest >>= 7;
    }
    bytes += static_cast<char>(rest);
}

}  // namespace

Json packed(const std::vector<std::int64_t>& numbers, PackedOrder order) {
    std::string bytes;
    std::int64_t before = 0;
    for (const std::int64_t number : numbers) {
        append(bytes, number - before);
        if (order == PackedOrder::kRising) before = number;
    }
    return {{"count", numbers.size()},
            {"delta", order == PackedOrder::kRising},
            {"data", base64(zlib_stream(bytes, kLevel))}};
}

Json packed_text(const std::string& text) {
    return {{"bytes", text.size()}, {"data", base64(zlib_stream(text, kLevel))}};
}

}  // namespace flitscope
