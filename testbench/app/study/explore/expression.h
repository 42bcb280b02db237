// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Conditions on the axes of a study: "fabric.topology != torus or fabric.virtual_channels >= 2".
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"

namespace flitscope::study {

/// A name that a condition may use, and its possible values.
struct AxisLabels {
    std::string name;
    std::vector<std::string> labels;
};

/// Words and numbers with or, and, not, == != < <= > >=, + - * / and parentheses. A word that names
/// an axis denotes the label of its value; other words, and text in quotes, denote themselves. Two
/// values that both read as numbers are compared as numbers, with 12 digits, others as texts.
class Expression {
public:
    /// Throws ConfigError at `where` if `text` is malformed, orders or adds a text that is not a
    /// number, or compares an axis with an unquoted word that is not one of its labels, or such a
    /// word with another word.
    Expression(const std::string& text, const Location& where, const std::vector<AxisLabels>& axes);
    ~Expression();
    Expression(Expression&&) noexcept;
    Expression& operator=(Expression&&) noexcept;

    /// `labels` of the axes, in their order. Throws ConfigError as above.
    bool holds(const std::vector<std::string>& labels) const;
    const std::string& text() const { return text_; }
    const Location& where() const { return where_; }

    struct Node;

private:
    std::string text_;
    Location where_;
    std::unique_ptr<Node> root_;
};

}  // namespace flitscope::study
