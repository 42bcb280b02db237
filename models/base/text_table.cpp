// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

namespace flitscope {

namespace {

/// A heading that is wider than `width` in two lines, as narrow as they can be: broken between
/// words, before a unit or after the sections of a key.
std::vector<std::string> broken(const std::string& heading, std::size_t width) {
    std::vector<std::string> best{heading};
    std::size_t widest = heading.size();
    for (std::size_t at = 1; at < heading.size() && widest > width; ++at) {
        const char before = heading[at - 1];
        if (before != ' ' && before != '.') continue;
        const std::string first = heading.substr(0, before == ' ' ? at - 1 : at);
        const std::size_t wider = std::max(first.size(), heading.size() - at);
        if (wider >= widest) continue;
        best = {first, heading.substr(at)};
        widest = wider;
    }
    return best;
}

using Row = std::vector<std::string>;

/// The widest cell of each column.
std::vector<std::size_t> widths_of(const std::vector<Row>& rows, std::size_t columns) {
    std::vector<std::size_t> widths(columns, 0);
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    return widths;
}

/// The rows of a heading whose cells are broken where they are wider than all below them;
/// the last lines are at the bottom.
std::vector<Row> heading_rows(const Row& heading, const std::vector<std::size_t>& below) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 0;
    for (std::size_t i = 0; i < heading.size(); ++i) {
        cells.push_back(broken(heading[i], below[i]));
        height = std::max(height, cells.back().size());
    }
    std::vector<Row> rows(height, Row(heading.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t first = height - cells[i].size();
        for (std::size_t k = 0; k < cells[i].size(); ++k) rows[first + k][i] = cells[i][k];
    }
    return rows;
}

}  // namespace

void TextTable::print(std::ostream& out) const {
    constexpr std::size_t kGap = 2;
    constexpr std::size_t kTerminal = 100;
    std::vector<Row> rows = rows_;
    std::vector<std::size_t> widths = widths_of(rows, columns());
    std::size_t total = 0;
    for (const std::size_t width : widths) total += kGap + width;
    if (total > kTerminal) {
        rows.erase(rows.begin());
        const std::vector<Row> heading = heading_rows(rows_.front(), widths_of(rows, columns()));
        rows.insert(rows.begin(), heading.begin(), heading.end());
        widths = widths_of(rows, columns());
    }
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += fmt::format("{:{}}{:>{}}", "", kGap, row[i], widths[i]);
        }
        while (!line.empty() && line.back() == ' ') line.pop_back();
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
