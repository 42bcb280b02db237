// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/shell_word.h"

namespace flitscope {

std::string shell_word(const std::string& text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + '\'';
}

std::string typed_word(const std::string& text) {
    constexpr const char* kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=@%";
    const bool is_plain = !text.empty() && text.find_first_not_of(kPlain) == std::string::npos;
    return is_plain ? text : shell_word(text);
}

}  // namespace flitscope
