// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Text between blanks, as tables and lists in files have it.
#pragma once

#include <string_view>

namespace flitscope {

/// `text` without the blanks, tabs and ends of lines around it: a part of it, also if nothing
/// remains (then its end).
inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return text.substr(text.size());
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace flitscope
