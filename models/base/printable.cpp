// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace flitscope {

std::size_t utf8_length(const std::string& text, std::size_t i) {
    const auto byte = [&](std::size_t k) {
        return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
    };
    const unsigned lead = byte(i);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xc2 && lead <= 0xdf   ? 2
                               : lead >= 0xe0 && lead <= 0xef ? 3
                               : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                              : 0;
    for (std::size_t k = 1; k < length; ++k) {
        if (byte(i + k) < 0x80 || byte(i + k) > 0xbf) return 0;
    }
    const bool overlong =
        (lead == 0xe0 && byte(i + 1) < 0xa0) || (lead == 0xf0 && byte(i + 1) < 0x90);
    const bool surrogate = lead == 0xed && byte(i + 1) > 0x9f;
    const bool too_large = lead == 0xf4 && byte(i + 1) > 0x8f;
    return overlong || surrogate || too_large ? 0 : length;
}

bool is_utf8(const std::string& text) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        if (length == 0) return false;
        i += length;
    }
    return true;
}

std::string printable(const std::string& text, bool keeps_lines) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const auto code = static_cast<unsigned char>(text[i]);
        const std::size_t length = utf8_length(text, i);
        // U+0080 to U+009F are control characters as well.
        const bool is_high =
            code == 0xc2 && length == 2 && static_cast<unsigned char>(text[i + 1]) < 0xa0;
        const bool is_line = keeps_lines && code == '\n';
        if (!is_line && (length == 0 || code < 0x20 || code == 0x7f || is_high)) {
            result += fmt::format("\\x{:02x}", code);
            if (is_high) {
                result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + 1]));
                ++i;
            }
            ++i;
            continue;
        }
        result.append(text, i, length);
        i += length;
    }
    return result;
}

std::string excerpt(const std::string& text) {
    constexpr std::size_t kLongest = 60;
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = std::max<std::size_t>(utf8_length(text, i), 1);
        if (i + length > kLongest) return result + "...";
        const bool control = static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7f;
        if (control) {
            result += ' ';
        } else {
            result.append(text, i, length);
        }
        i += length;
    }
    return result;
}

}  // namespace flitscope
