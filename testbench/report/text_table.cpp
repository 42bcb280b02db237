// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "testbench/report/report_lines.h"

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

std::string number_text(double number) {
    constexpr double kLong = 1000;
    if (number < kLong) return fmt::format("{:.4g}", number);
    return grouped(static_cast<std::uint64_t>(std::llround(number)));
}

}  // namespace flitscope
