// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/files/dot_scanner.h"
#include "models/base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace flitscope::graph_file {
namespace {

/// The most characters of a name or a value: no real one comes near.
constexpr std::size_t kMostCharacters = 16384;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string too_long(const char* what) {
    return fmt::format("{} of more than {} characters, or without end", what, kMostCharacters);
}

/// Letters, and all non-ASCII bytes.
bool begins_name(char c) {
    const auto code = static_cast<unsigned char>(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || code >= 0x80;
}

bool is_keyword(const std::string& small) {
    constexpr std::array<const char*, 6> kWords = {"strict",   "graph", "digraph",
                                                   "subgraph", "node",  "edge"};
    return std::find(kWords.begin(), kWords.end(), small) != kWords.end();
}

}  // namespace

void DotScanner::fail(Place place, const std::string& what) {
    assembler_.fail(place, "this is not DOT: " + what);
    assembler_.throw_if_findings();
    throw std::logic_error("a finding that is none");
}

void DotScanner::refuse(const DotToken& token) {
    if (token.kind == DotToken::Kind::kEnd) fail(token.place, "the file ends too early");
    fail(token.place, fmt::format("syntax error near '{}'", excerpt(token.text)));
}

void DotScanner::step() {
    if (look() == '\n') {
        ++line_;
        line_begin_ = at_ + 1;
    }
    ++at_;
}

bool DotScanner::skip_comment() {
    const bool is_line = look() == '/' && look(1) == '/';
    const bool is_directive = look() == '#' && at_ == line_begin_;
    if (is_line || is_directive) {
        while (!is_over() && look() != '\n') step();
        return true;
    }
    if (look() != '/' || look(1) != '*') return false;
    const Place begin = place();
    step();
    step();
    while (look() != '*' || look(1) != '/') {
        if (is_over()) fail(begin, "unterminated comment");
        step();
    }
    step();
    step();
    return true;
}

void DotScanner::skip_blanks() {
    for (;;) {
        const char c = look();
        const bool is_blank = !is_over() && (c == ' ' || c == '\t' || c == '\r' || c == '\n');
        if (is_blank) {
            step();
        } else if (!skip_comment()) {
            return;
        }
    }
}

DotToken DotScanner::next() {
    skip_blanks();
    const Place begin = place();
    const char c = look();
    if (is_over()) return {DotToken::Kind::kEnd, "", begin};
    if (c == '"') return {DotToken::Kind::kId, quoted(), begin};
    if (c == '<') return {DotToken::Kind::kId, html(), begin};
    if (begins_name(c)) return name();
    const bool is_negative = c == '-' && (is_digit(look(1)) || look(1) == '.');
    if (is_digit(c) || c == '.' || is_negative) return number();
    const bool is_edge = c == '-' && (look(1) == '-' || look(1) == '>');
    const std::string text(text_.substr(at_, is_edge ? 2 : 1));
    const bool is_sign = is_edge || std::string_view("{}[];,=:").find(c) != std::string_view::npos;
    if (!is_sign) refuse({DotToken::Kind::kSign, text, begin});
    at_ += text.size();
    return {DotToken::Kind::kSign, text, begin};
}

DotToken DotScanner::name() {
    DotToken token{DotToken::Kind::kId, "", place()};
    const std::size_t begin = at_;
    while (!is_over() && (begins_name(look()) || is_digit(look()))) step();
    if (at_ - begin > kMostCharacters) fail(token.place, "a name without end");
    token.text = std::string(text_.substr(begin, at_ - begin));
    std::string small = token.text;
    for (char& c : small) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    if (is_keyword(small)) {
        token.kind = DotToken::Kind::kKeyword;
        token.text = small;
    }
    return token;
}

DotToken DotScanner::number() {
    DotToken token{DotToken::Kind::kId, "", place()};
    const std::size_t begin = at_;
    if (look() == '-') step();
    std::size_t digits = 0;
    std::size_t points = 0;
    while (is_digit(look()) || (look() == '.' && points == 0)) {
        ++(look() == '.' ? points : digits);
        step();
    }
    token.text = std::string(text_.substr(begin, std::min(at_ - begin, kMostCharacters)));
    const bool runs_on = begins_name(look()) || look() == '.';
    if (digits == 0 || runs_on) {
        fail(token.place, fmt::format("'{}{}' is neither a name nor a number", excerpt(token.text),
                                      runs_on ? look() : ' '));
    }
    return token;
}

/// Pieces joined by + are one text.
std::string DotScanner::quoted() {
    const Place begin = place();
    std::string text;
    for (;;) {
        step();
        while (look() != '"') {
            if (is_over()) fail(begin, "a quoted text without end");
            const bool is_quote = look() == '\\' && look(1) == '"';
            const bool is_joint = look() == '\\' && look(1) == '\n';
            if (is_quote || is_joint) step();
            if (!is_joint) text += look();
            // A backslash belongs to the next character: the second of two ends no text.
            const bool is_pair = !is_quote && look() == '\\' && look(1) == '\\';
            step();
            if (is_pair) {
                text += look();
                step();
            }
            if (text.size() > kMostCharacters) fail(begin, too_long("a quoted text"));
        }
        step();
        skip_blanks();
        if (look() != '+') return text;
        step();
        skip_blanks();
        if (look() != '"') fail(place(), "'+' joins quoted texts");
    }
}

std::string DotScanner::html() {
    const Place begin = place();
    const std::size_t from = at_ + 1;
    std::size_t depth = 0;
    do {
        if (is_over()) fail(begin, "an HTML text without end");
        if (look() == '<') ++depth;
        if (look() == '>') --depth;
        step();
    } while (depth != 0);
    return std::string(text_.substr(from, std::min(at_ - 1 - from, kMostCharacters)));
}

}  // namespace flitscope::graph_file
