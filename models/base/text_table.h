// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables as people read them.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace flitscope {

/// Columns as wide as their widest cell, to the right.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> heading) { rows_.push_back(std::move(heading)); }

    /// Adds a row, which has as many cells as there are columns.
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    std::size_t columns() const { return rows_.front().size(); }
    /// Whether print() keeps within 100 columns.
    bool fits() const;
    /// Of a table that is wider than 100 columns the headings are broken into two lines.
    void print(std::ostream& out) const;
    /// The table in Markdown, without padding.
    std::string markdown() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace flitscope
