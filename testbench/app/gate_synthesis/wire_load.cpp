// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/wire_load.h"

#include <fmt/format.h>

#include <cmath>

#include "models/base/diagnostics.h"

namespace flitscope {
namespace {

constexpr double kRentExponent = 0.6;
constexpr double kUtilisation = 0.7;
constexpr double kPfPerUm = 0.0002;
/// The name of the library of wires and that of its model.
constexpr const char* kWires = "flitscope_wires";

}  // namespace

double mean_connection_pitches(std::uint64_t cells) {
    if (cells < 2) return 0;
    const auto n = static_cast<double>(cells);
    const double p = kRentExponent;
    const double long_ones = (std::pow(n, p - 0.5) - 1) / (std::pow(4, p - 0.5) - 1);
    const double short_ones = (1 - std::pow(n, p - 1.5)) / (1 - std::pow(4, p - 1.5));
    const double levels = (1 - std::pow(4, p - 1)) / (1 - std::pow(n, p - 1));
    return 2.0 / 9 * (7 * long_ones - short_ones) * levels;
}

double mean_connection_um(double area_um2, std::uint64_t cells) {
    if (cells < 2) return 0;
    const double pitch = std::sqrt(area_um2 / static_cast<double>(cells) / kUtilisation);
    return mean_connection_pitches(cells) * pitch;
}

void require_wire_loads(const CellLibrary& library, WireLoad wires) {
    if (wires != WireLoad::kLibrary) return;
    if (!library.wire_load.empty() || !library.wire_load_selection.empty()) return;
    throw ConfigError({library.file, 0, 0},
                      "this library has no default_wire_load and no wire_load_selection, so wires "
                      "have no loads",
                      "--wires fanout estimates them");
}

bool needs_wire_library(const CellLibrary& library, WireLoad wires) {
    return wires == WireLoad::kFanout || (wires == WireLoad::kNone && !library.wire_loads.empty());
}

double um_per_sink(WireLoad wires, double area_um2, std::uint64_t cells) {
    return wires == WireLoad::kFanout ? mean_connection_um(area_um2, cells) : 0;
}

std::string wire_library(double um_per_sink) {
    return fmt::format(R"(library ({0}) {{
  delay_model : table_lookup;
  time_unit : "1ns";
  voltage_unit : "1V";
  current_unit : "1mA";
  pulling_resistance_unit : "1kohm";
  capacitive_load_unit (1, pf);
  slew_upper_threshold_pct_rise : 80;
  slew_lower_threshold_pct_rise : 20;
  slew_upper_threshold_pct_fall : 80;
  slew_lower_threshold_pct_fall : 20;
  input_threshold_pct_rise : 50;
  input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50;
  output_threshold_pct_fall : 50;
  nom_process : 1;
  nom_voltage : 1;
  nom_temperature : 25;
  wire_load ({0}) {{
    capacitance : {1:g};
    resistance : 0;
    slope : {2:.4f};
    fanout_length (1, {2:.4f});
  }}
}}
)",
                       kWires, kPfPerUm, um_per_sink);
}

std::string read_wires(const CellLibrary& library, WireLoad wires, const char* file) {
    return needs_wire_library(library, wires) ? fmt::format("read_liberty {}\n", file) : "";
}

std::string set_wires(const CellLibrary& library, WireLoad wires) {
    std::string model;
    if (needs_wire_library(library, wires)) {
        model = fmt::format("set_wire_load_model -name {0} -library {0}\n", kWires);
    } else if (wires == WireLoad::kNone) {
        return {};
    } else if (library.wire_load_selection.empty()) {
        model = fmt::format("set_wire_load_model -name {{{}}}\n", library.wire_load);
    } else {
        model = fmt::format("set_wire_load_selection_group {{{}}}\n", library.wire_load_selection);
    }
    return "set_wire_load_mode top\n" + model;
}

std::string wires_text(WireLoad wires) {
    switch (wires) {
        case WireLoad::kNone:
            return "no wire load";
        case WireLoad::kLibrary:
            return "wire load models of the library";
        case WireLoad::kFanout:
            return "wires by fan-out (0.2 fF/um, Donath's mean length per sink)";
    }
    return {};
}

}  // namespace flitscope
