// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/frame/routers.h"

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <stdexcept>

#include "testbench/app/gate_synthesis/router_of.h"

namespace flitscope::reproduce {

/// Made by CMake from the file that is kept.
extern const char* const kKeptRouters;

namespace {

/// Periods in ns by variant.
std::map<std::string, double> kept_periods() {
    std::map<std::string, double> periods;
    std::istringstream in(kKeptRouters);
    std::string line;
    std::getline(in, line);  // the names of the columns
    while (std::getline(in, line)) {
        const std::size_t comma = line.find(',');
        periods[line.substr(0, comma)] = std::stod(line.substr(comma + 1));
    }
    return periods;
}

}  // namespace

double router_clock_ns(const std::string& variant) {
    static const std::map<std::string, double> kPeriods = kept_periods();
    const auto it = kPeriods.find(variant);
    if (it == kPeriods.end()) {
        throw std::out_of_range("kept/routers.csv has no " + variant +
                                ": testbench/tools/keep_routers.py adds it");
    }
    return synthesized_clock_ns(it->second);
}

std::string pitch_key(int pitch_mm) { return fmt::format("/physical-{}mm", pitch_mm); }

std::string physical_wires(int pitch_mm) {
    return fmt::format("{{model: physical, pitch_mm: {}}}", pitch_mm);
}

}  // namespace flitscope::reproduce
