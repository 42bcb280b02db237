// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/framework/paper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "testbench/app/report/report_lines.h"

namespace flitscope::reproduce {
namespace {

/// "Figure 13: a slice" as "_figure_13_a_slice_".
std::string in_words(const std::string& text) {
    std::string words = "_";
    for (const char c : text + ' ') {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0) {
            words += static_cast<char>(std::tolower(byte));
        } else if (words.back() != '_') {
            words += '_';
        }
    }
    return words;
}

}  // namespace

Wanted::Wanted(const std::string& words) : words_(words.empty() ? "" : in_words(words)) {}

bool Wanted::has(const std::string& title) const {
    if (is_all() || in_words(title).find(words_) != std::string::npos) return true;
    if (std::find(others_.begin(), others_.end(), title) == others_.end()) {
        others_.push_back(title);
    }
    return false;
}

Cell::Cell(std::uint64_t number) : text(grouped(number)), value(number) {}

Cell::Cell(double number, int digits)
    : text(fmt::format("{:.{}f}", number, digits)), value(number) {}

Cell relative_error(double measured, double reference) {
    Cell cell;
    if (reference == 0) return cell;
    const double error = (measured - reference) / reference;
    cell.text = fmt::format("{:+.1f} %", 100 * error);
    cell.value = error;
    return cell;
}

}  // namespace flitscope::reproduce
