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

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    std::size_t columns() const { return rows_.front().size(); }
    void print(std::ostream& out) const;

private:
    std::vector<std::vector<std::string>> rows_;
};

/// A number in four digits, or whole where it is long.
std::string number_text(double number);

}  // namespace flitscope
