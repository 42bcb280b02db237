// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/liberty.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/printable.h"

namespace flitscope {
namespace {

/// Deeper than any library; a file of brackets ends with a sentence.
constexpr int kMostNestedGroups = 100;

/// Words, strings without their quotes, and the signs ( ) { } : ; and the comma, one at a time.
class Tokens {
public:
    Tokens(const std::string& text, const std::string& source) : text_(text), source_(source) {
        next();
    }

    const std::string& word() const { return word_; }
    bool is_sign(char sign) const { return sign_ == sign; }
    bool is_end() const { return sign_ == kEnd; }
    bool is_word() const { return sign_ == kWord; }

    void next() {
        skip_blanks();
        word_.clear();
        if (at_ == text_.size()) {
            sign_ = kEnd;
        } else if (text_[at_] == '"') {
            read_string();
        } else if (is_special(text_[at_])) {
            sign_ = text_[at_++];
        } else {
            sign_ = kWord;
            while (at_ < text_.size() && !is_blank(text_[at_]) && !is_special(text_[at_]) &&
                   text_[at_] != '"') {
                word_ += text_[at_++];
            }
        }
    }
    std::string take_word(const char* what) {
        if (!is_word()) fail(fmt::format("here should be {}", what));
        std::string word = std::move(word_);
        next();
        return word;
    }
    void take(char sign) {
        if (!is_sign(sign)) fail(fmt::format("here should be a '{}'", sign));
        next();
    }
    /// Skips from the next '{' to after its '}': this is much of a library, so no words are made.
    void skip_group() {
        for (int open = 1; open > 0;) {
            skip_blanks();
            if (at_ == text_.size()) fail("a group has no end");
            const char c = text_[at_];
            if (c == '"') {
                skip_string();
                continue;
            }
            if (c == '{') ++open;
            if (c == '}') --open;
            ++at_;
        }
        next();
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw ConfigError({source_, line_, 0}, what, "a cell library in liberty format is needed");
    }

private:
    static constexpr char kEnd = '\0';
    static constexpr char kWord = 'w';

    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
    static bool is_special(char c) { return std::string("(){}:;,").find(c) != std::string::npos; }

    /// Blanks, comments, and the backslash before the end of a line.
    void skip_blanks() {
        while (at_ < text_.size()) {
            if (text_[at_] == '\n') ++line_;
            if (is_blank(text_[at_])) {
                ++at_;
            } else if (text_[at_] == '\\' && at_ + 1 < text_.size() && is_blank(text_[at_ + 1])) {
                ++at_;
            } else if (text_.compare(at_, 2, "/*") == 0) {
                const std::size_t end = text_.find("*/", at_ + 2);
                if (end == std::string::npos) fail("a comment without an end");
                for (; at_ < end + 2; ++at_)
                    if (text_[at_] == '\n') ++line_;
            } else if (text_.compare(at_, 2, "//") == 0) {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else {
                return;
            }
        }
    }
    void read_string() {
        sign_ = kWord;
        const std::size_t start = at_ + 1;
        skip_string();
        word_ = text_.substr(start, at_ - 1 - start);
    }
    void skip_string() {
        const std::size_t end = text_.find('"', at_ + 1);
        if (end == std::string::npos) fail("a string without an end");
        line_ += static_cast<std::size_t>(
            std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                       text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end + 1;
    }

    const std::string& text_;
    const std::string& source_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    char sign_ = kEnd;
    std::string word_;
};

bool is_left_out(const std::string& group) {
    return group == "timing" || group == "internal_power" || group == "leakage_power" ||
           group == "lu_table_template" || group == "power_lut_template";
}

/// Reads what follows a name and "(": a list, and maybe a group.
void read_arguments(Tokens& tokens, std::string& joined) {
    while (!tokens.is_sign(')')) {
        if (tokens.is_end()) tokens.fail("the file ends within a list");
        if (tokens.is_word()) joined += (joined.empty() ? "" : " ") + tokens.word();
        tokens.next();
    }
    tokens.next();
}

void read_statement(Tokens& tokens, LibertyGroup& into, int depth) {
    if (depth > kMostNestedGroups) tokens.fail("groups within more than a hundred others");
    std::string name = tokens.take_word("a name");
    if (tokens.is_sign(':')) {
        tokens.next();
        std::string value;  // an expression may be several words
        while (!tokens.is_sign(';') && !tokens.is_sign('}') && !tokens.is_end()) {
            if (tokens.is_word()) value += (value.empty() ? "" : " ") + tokens.word();
            tokens.next();
        }
        if (tokens.is_sign(';')) tokens.next();
        into.attributes[std::move(name)] = std::move(value);
        return;
    }
    tokens.take('(');
    std::string joined;
    read_arguments(tokens, joined);
    if (tokens.is_sign(';')) tokens.next();
    if (!tokens.is_sign('{')) {
        into.attributes[std::move(name)] = std::move(joined);
        return;
    }
    if (is_left_out(name)) {
        tokens.skip_group();
        return;
    }
    tokens.next();
    LibertyGroup group{std::move(name), std::move(joined), {}, {}};
    while (!tokens.is_sign('}')) {
        if (tokens.is_end()) {
            tokens.fail(fmt::format("the group '{}' has no end", excerpt(group.name)));
        }
        if (tokens.is_sign(';')) {
            tokens.next();
        } else {
            read_statement(tokens, group, depth + 1);
        }
    }
    tokens.next();
    into.groups.push_back(std::move(group));
}

}  // namespace

std::string LibertyGroup::attribute(const std::string& key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? "" : found->second;
}

LibertyGroup parse_liberty(const std::string& text, const std::string& source) {
    Tokens tokens(text, source);
    LibertyGroup file;
    read_statement(tokens, file, 0);
    if (file.groups.size() != 1 || file.groups.front().name != "library") {
        tokens.fail("the file does not begin with a group 'library'");
    }
    return std::move(file.groups.front());
}

}  // namespace flitscope
