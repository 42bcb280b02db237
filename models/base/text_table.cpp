// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <utility>

namespace flitscope {
namespace {

/// A heading that is wider than `width` in two parts, as narrow as they can be: broken between
/// words, before a unit or after the sections of a key. The first part is empty if there is no such
/// place.
std::pair<std::string, std::string> broken(const std::string& heading, std::size_t width) {
    std::pair<std::string, std::string> best{"", heading};
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

/// Breaks the headings that are wider than all below them, if there are any: two rows for one.
void break_heading(std::vector<Row>& rows) {
    Row upper;
    Row lower = std::move(rows.front());
    rows.erase(rows.begin());
    const std::vector<std::size_t> below = widths_of(rows, lower.size());
    for (std::size_t i = 0; i < lower.size(); ++i) {
        auto [first, second] = broken(lower[i], below[i]);
        upper.push_back(std::move(first));
        lower[i] = std::move(second);
    }
    const bool is_broken = std::any_of(upper.begin(), upper.end(),
                                       [](const std::string& part) { return !part.empty(); });
    rows.insert(rows.begin(), std::move(lower));
    if (is_broken) rows.insert(rows.begin(), std::move(upper));
}

constexpr std::size_t kGap = 2;
constexpr std::size_t kTerminal = 100;

std::size_t line_length(const std::vector<std::size_t>& widths) {
    return std::accumulate(widths.begin(), widths.end(), kGap * widths.size());
}

/// The rows as they are printed.
std::vector<Row> laid_out(std::vector<Row> rows) {
    if (line_length(widths_of(rows, rows.front().size())) > kTerminal) break_heading(rows);
    return rows;
}

}  // namespace

bool TextTable::fits() const {
    return line_length(widths_of(laid_out(rows_), columns())) <= kTerminal;
}

void TextTable::print(std::ostream& out) const {
    const std::vector<Row> rows = laid_out(rows_);
    const std::vector<std::size_t> widths = widths_of(rows, columns());
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
