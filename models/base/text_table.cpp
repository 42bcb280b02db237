// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

namespace flitscope {

void TextTable::print(std::ostream& out) const {
    std::vector<std::size_t> widths(columns(), 0);
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += fmt::format("  {:>{}}", row[i], widths[i]);
        }
        out << line << '\n';
    }
}

std::string TextTable::markdown() const {
    std::string text;
    const auto line = [&text](const std::vector<std::string>& row) {
        text += fmt::format("| {} |\n", fmt::join(row, " | "));
    };
    line(rows_.front());
    line(std::vector<std::string>(columns(), "---:"));
    std::for_each(rows_.begin() + 1, rows_.end(), line);
    return text;
}

}  // namespace flitscope
