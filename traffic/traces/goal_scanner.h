// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The words, numbers and signs of GOAL as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/base/finding_list.h"

namespace flitscope::goal {

struct Token {
    enum class Kind : std::uint8_t { kWord, kNumber, kAny, kSign, kNewline, kEnd };
    Kind kind = Kind::kEnd;
    std::string_view text;
    std::size_t line = 0;
    std::size_t column = 0;
    std::uint64_t number = 0;  ///< modulo 2^64
    bool is_large = false;     ///< more than 64 bits
};

/// Cuts the text into tokens; comments are skipped.
class Scanner {
public:
    /// Both must outlive this object.
    Scanner(std::string_view text, FindingList& findings);

    Token next();

private:
    bool has(std::string_view sign) const { return text_.substr(at_, sign.size()) == sign; }
    void skip_blanks();
    void skip_comment();
    void read_number(Token& token);

    std::string_view text_;
    FindingList& findings_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    std::size_t line_begin_ = 0;
};

}  // namespace flitscope::goal
