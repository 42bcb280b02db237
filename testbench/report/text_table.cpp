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
    std::vector<std::size_t> widths(rows_.front().size(), 0);
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

std::string number_text(const nlohmann::ordered_json& value) {
    if (!value.is_number()) return "-";
    const double number = value.get<double>();
    constexpr double kLong = 1000;
    if (number < kLong) return fmt::format("{:.4g}", number);
    return grouped(static_cast<std::uint64_t>(std::llround(number)));
}

std::string objective_heading(const study::ObjectiveRow& objective) {
    const bool is_said = objective.name.find(objective.unit) != std::string::npos;
    return is_said ? objective.name : objective.name + " [" + objective.unit + ']';
}

}  // namespace flitscope
