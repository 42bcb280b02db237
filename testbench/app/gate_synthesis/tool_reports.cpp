// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/tool_reports.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "models/base/words.h"

namespace flitscope {
namespace {

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

/// A finite number, all of the word.
std::optional<double> number(const std::string& word) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
    return value;
}

double require(const std::optional<double>& value, const char* what) {
    if (!value) throw std::runtime_error(std::string("the report does not contain ") + what);
    return *value;
}

std::uint64_t require_count(const std::optional<double>& value, const char* what) {
    constexpr double kMost = 1ULL << 53;  // as far as a double counts
    const double count = require(value, what);
    if (count < 0 || count > kMost) {
        throw std::runtime_error(std::string("the report has no valid count for ") + what);
    }
    return static_cast<std::uint64_t>(count);
}

/// Adds the pins of a flip-flop that are tied, if it has such.
void add_tied(std::string& text, const CellLibrary& library, const std::string& cell) {
    const auto found = library.registers.find(cell);
    if (found == library.registers.end() || found->second.tied.empty()) return;
    if (!text.empty()) text += ", ";
    text += cell + " (tied: " + found->second.tied_text() + ')';
}

}  // namespace

CellReport parse_cell_report(const std::string& text, const CellLibrary& library) {
    std::optional<double> cells;
    std::optional<double> area;
    CellReport report;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        const std::vector<std::string> word = words_of(line);
        if (starts_with(line, "   Number of cells:")) {
            cells = number(word.back());
        } else if (starts_with(line, "   Chip area for")) {
            area = number(word.back());
        } else if (line.find("is unknown!") != std::string::npos) {
            throw std::runtime_error("cells that the library does not have: " + line);
        } else if (cells && !area && word.size() == 2) {  // name and count of a kind of cell
            if (word[0].find('$') != std::string::npos) {
                throw std::runtime_error("cells that the library does not have: " + word[0]);
            }
            if (library.without_area.count(word[0]) != 0) {
                throw std::runtime_error("the library lacks the area of a cell that is used: " +
                                         word[0]);
            }
            if (library.flip_flops.count(word[0]) != 0) {
                report.flip_flops += require_count(number(word[1]), "the number of flip-flops");
                add_tied(report.tied, library, word[0]);
            }
        }
    }
    report.cells = require_count(cells, "the number of cells");
    report.area_um2 = require(area, "the area");
    return report;
}

TimingReport parse_timing_report(const std::string& text) {
    std::optional<double> slack;
    std::optional<double> power;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (starts_with(line, "Error")) throw std::runtime_error(line);
        const std::vector<std::string> word = words_of(line);
        if (word.size() == 3 && word[0] == "worst" && word[1] == "slack") slack = number(word[2]);
        if (word.size() == 6 && word[0] == "Total") power = number(word[4]);
    }
    return {require(slack, "the worst slack"), require(power, "the power") * kMilliwattsPerWatt};
}

}  // namespace flitscope
