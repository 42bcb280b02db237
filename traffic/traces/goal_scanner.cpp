// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/goal_scanner.h"

#include <algorithm>

#include "models/base/byte_order_mark.h"

namespace flitscope::goal {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Scanner::Scanner(std::string_view text, FindingList& findings) : text_(text), findings_(findings) {
    line_begin_ = at_ = byte_order_mark(text_);
}

Token Scanner::next() {
    skip_blanks();
    Token token;
    token.line = line_;
    token.column = at_ - line_begin_ + 1;
    if (at_ == text_.size()) return token;
    const std::size_t begin = at_;
    const char c = text_[at_++];
    if (c == '\n') {
        token.kind = Token::Kind::kNewline;
        ++line_;
        line_begin_ = at_;
    } else if (is_letter(c)) {
        while (at_ < text_.size() &&
               (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '_')) {
            ++at_;
        }
        token.kind = Token::Kind::kWord;
    } else if (is_digit(c)) {
        token.kind = Token::Kind::kNumber;
        --at_;
        read_number(token);
    } else if (c == '-' && at_ < text_.size() && text_[at_] == '1' &&
               (at_ + 1 == text_.size() || !is_digit(text_[at_ + 1]))) {
        ++at_;
        token.kind = Token::Kind::kAny;
    } else {
        token.kind = Token::Kind::kSign;
    }
    token.text = text_.substr(begin, at_ - begin);
    return token;
}

void Scanner::read_number(Token& token) {
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
        const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
        token.is_large = token.is_large || token.number > (UINT64_MAX - digit) / 10;
        token.number = token.number * 10 + digit;
    }
}

void Scanner::skip_blanks() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == ' ' || c == '\t' || (c == '\r' && text_.substr(at_ + 1, 1) == "\n")) {
            ++at_;
        } else if (has("//")) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (has("/*")) {
            skip_comment();
        } else {
            return;
        }
    }
}

void Scanner::skip_comment() {
    const std::size_t line = line_;
    const std::size_t column = at_ - line_begin_ + 1;
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) {
        findings_.add(line, column, "this comment does not end", "close it with */");
    }
    for (; at_ < std::min(end, text_.size()); ++at_) {
        if (text_[at_] != '\n') continue;
        ++line_;
        line_begin_ = at_ + 1;
    }
    at_ = std::min(end, text_.size() - 2) + 2;
}

}  // namespace flitscope::goal
