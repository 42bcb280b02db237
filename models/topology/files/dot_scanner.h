// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts a text in Graphviz DOT into tokens. Linear in the text, whatever it holds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "models/base/byte_order_mark.h"
#include "models/topology/files/graph_file.h"

namespace flitscope::graph_file {

struct DotToken {
    enum class Kind {
        kId,       ///< a name, number, quoted or HTML text: `text` is its value
        kKeyword,  ///< `text` in small letters: strict, graph, digraph, subgraph, node, edge
        kSign,     ///< `text`: one of { } [ ] ; , = : -> --
        kEnd
    };
    Kind kind = Kind::kEnd;
    std::string text;
    Place place;

    bool is(const char* sign) const { return kind == Kind::kSign && text == sign; }
    bool is_keyword(const char* word) const { return kind == Kind::kKeyword && text == word; }
};

class DotScanner {
public:
    /// `text` must outlive it. An invalid token is a finding, which is thrown.
    DotScanner(std::string_view text, Assembler& assembler) : text_(text), assembler_(assembler) {
        at_ = line_begin_ = byte_order_mark(text_);
    }

    DotToken next();
    /// Throws: not valid DOT, near `token`.
    [[noreturn]] void refuse(const DotToken& token);

private:
    Place place() const { return {line_, at_ - line_begin_ + 1}; }
    char look(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool is_over() const { return at_ >= text_.size(); }
    void step();
    void skip_blanks();
    /// True if a comment was skipped.
    bool skip_comment();
    DotToken name();
    DotToken number();
    std::string quoted();
    std::string html();
    [[noreturn]] void fail(Place place, const std::string& what);

    std::string_view text_;
    Assembler& assembler_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    std::size_t line_begin_ = 0;
};

}  // namespace flitscope::graph_file
