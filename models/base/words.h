// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of a text, as tables of programs and lists in files have them, and which are alike.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flitscope {

/// The words between `separators`, without empty ones.
inline std::vector<std::string> words_of(std::string_view text,
                                         std::string_view separators = " \t\r\n\v\f") {
    std::vector<std::string> words;
    for (std::size_t at = 0;;) {
        const std::size_t first = text.find_first_not_of(separators, at);
        if (first == std::string_view::npos) return words;
        at = std::min(text.find_first_of(separators, first), text.size());
        words.emplace_back(text.substr(first, at - first));
    }
}

/// `text` with small letters of ASCII.
inline std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

/// `word` without differences that do not distinguish names: case, and '-' or '_'.
inline std::string folded(std::string_view word) {
    std::string result = lower_case(word);
    std::replace(result.begin(), result.end(), '-', '_');
    return result;
}

}  // namespace flitscope
