// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/cell_library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bitset>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/gzip.h"
#include "models/base/input_file.h"
#include "models/base/printable.h"
#include "models/base/words.h"
#include "testbench/app/gate_synthesis/cell_function.h"
#include "testbench/app/gate_synthesis/liberty.h"

namespace flitscope {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// Without blanks and in lower case: "1 NS" is 1ns.
std::string plain(const std::string& text) {
    std::string result;
    for (const char c : lower_case(text)) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0) result += c;
    }
    return result;
}

/// The values of a function for all values of one or two operands, bit by bit; nothing if it has
/// more operands, or is not a function.
std::optional<std::uint64_t> truth(const std::string& function,
                                   const std::vector<std::string>& operands) {
    constexpr std::uint64_t kValues[] = {0b1010, 0b1100};
    if (operands.empty() || operands.size() > std::size(kValues)) return std::nullopt;
    const std::uint64_t mask = operands.size() == 1 ? 0b11 : 0b1111;
    try {
        return CellFunction(function, operands).evaluate(kValues) & mask;
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

/// A gate that routers need in addition to flip-flops.
struct Gate {
    bool is_buffer = false;
    bool is_inverter = false;
    bool is_and_or_or = false;  ///< one row of four is another: with an inverter, any function
};

Gate gate_of(const LibertyGroup& cell) {
    std::vector<std::string> inputs;
    std::vector<std::string> functions;
    for (const LibertyGroup& pin : cell.groups) {
        if (pin.name != "pin") continue;
        if (pin.attribute("direction") == "input") inputs.push_back(pin.argument);
        if (pin.attribute("direction") != "output") continue;
        // A three-state cell does not count as a gate.
        functions.push_back(pin.attribute("three_state").empty() ? pin.attribute("function") : "");
    }
    if (functions.size() != 1) return {};
    const std::optional<std::uint64_t> table = truth(functions.front(), inputs);
    if (!table) return {};
    if (inputs.size() == 1) return {*table == 0b10, *table == 0b01, false};
    return {false, false, std::bitset<4>(*table).count() % 2 == 1};
}

bool has_group(const LibertyGroup& cell, const char* name) {
    return std::any_of(cell.groups.begin(), cell.groups.end(),
                       [name](const LibertyGroup& group) { return group.name == name; });
}

double to_number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

class Reader {
public:
    Reader(std::string text, const CellLibraryFile& file, const std::string& corner) : file_(file) {
        library_.text = std::move(text);
        const LibertyGroup all = parse_liberty(library_.text, file.liberty);
        library_.name = file.origin.empty() ? all.argument : file.name;
        read_units(all);
        read_conditions(all, corner);
        read_cells(all);
        read_wire_loads(all);
        if (!lacks_.empty()) {
            refuse(fmt::format("this library lacks {}", fmt::join(lacks_, ", ")),
                   "no router can be made of it");
        }
    }
    CellLibrary take() { return std::move(library_); }

private:
    [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
        throw ConfigError({file_.liberty, 0, 0}, what, hint);
    }

    void read_units(const LibertyGroup& all) {
        const std::string time = plain(all.attribute("time_unit"));
        const std::string load = all.attribute("capacitive_load_unit");  // a number, and a unit
        if (time.empty()) lacks_.emplace_back("time_unit");
        if (load.empty()) lacks_.emplace_back("capacitive_load_unit");
        const std::size_t blank = load.find(' ');
        const bool is_pf =
            blank != std::string::npos && to_number(load) == 1 && plain(load.substr(blank)) == "pf";
        library_.is_in_ns_and_pf = time == "1ns" && is_pf;
    }

    void read_conditions(const LibertyGroup& all, const std::string& corner) {
        std::string voltage = all.attribute("nom_voltage");
        std::string temperature = all.attribute("nom_temperature");
        const std::string standard = all.attribute("default_operating_conditions");
        const std::string wanted = corner.empty() ? standard : corner;
        std::vector<std::string> names;
        const LibertyGroup* found = nullptr;
        for (const LibertyGroup& group : all.groups) {
            if (group.name != "operating_conditions") continue;
            names.push_back(excerpt(group.argument));
            if (group.argument == wanted) found = &group;
        }
        if (!corner.empty() && found == nullptr) {
            refuse(fmt::format("there are no operating conditions '{}', and no file beside it has "
                               "them in its name",
                               corner),
                   names.empty() ? "the file has no corners; leave --corner out"
                                 : fmt::format("it has: {}", fmt::join(names, ", ")));
        }
        if (found != nullptr) {
            if (!found->attribute("voltage").empty()) voltage = found->attribute("voltage");
            if (!found->attribute("temperature").empty()) {
                temperature = found->attribute("temperature");
            }
        }
        if (voltage.empty()) lacks_.emplace_back("nom_voltage");
        library_.voltage = to_number(voltage);
        std::vector<std::string> parts;
        if (!file_.process.empty()) parts.push_back(file_.process);
        if (found != nullptr) parts.push_back(excerpt(found->argument) + " corner");
        parts.push_back(excerpt(voltage) + " V");
        if (!temperature.empty()) parts.push_back(excerpt(temperature) + " C");
        library_.conditions = fmt::format("{}", fmt::join(parts, ", "));
        if (!corner.empty() && corner != standard) library_.corner = corner;
    }

    void read_cells(const LibertyGroup& all) {
        bool has_inverter = false;
        bool has_gate = false;
        double smallest = 0;
        double clock_gate_area = 0;
        for (const LibertyGroup& cell : all.groups) {
            if (cell.name != "cell") continue;
            const std::string& name = cell.argument;
            const double area = to_number(cell.attribute("area"));
            if (!(area > 0)) library_.without_area.insert(name);
            if (has_group(cell, "ff")) library_.flip_flops.insert(name);
            if (const auto found = register_cell(cell)) {
                library_.registers.emplace(name, *found);
                if (area > 0) choose(*found, area);
            }
            const Gate gate = gate_of(cell);
            has_inverter |= gate.is_inverter && area > 0;
            has_gate |= gate.is_and_or_or && area > 0;
            const auto clock_gate = clock_gate_cell(cell);
            if (clock_gate && area > 0 && (!library_.clock_gate || area < clock_gate_area)) {
                library_.clock_gate = clock_gate;
                clock_gate_area = area;
            }
            const bool is_smallest = library_.driving_cell.empty() || area < smallest;
            if (gate.is_buffer && area > 0 && is_smallest) {
                library_.driving_cell = name;
                smallest = area;
            }
        }
        if (library_.register_cell.empty()) {
            lacks_.emplace_back(
                "a flip-flop of the rising edge whose clear, preset, scan and enable, if it has "
                "them, can be tied");
        }
        if (!has_inverter) lacks_.emplace_back("an inverter");
        if (!has_gate) lacks_.emplace_back("an and, or, nand or nor of two inputs");
        if (library_.driving_cell.empty()) lacks_.emplace_back("a buffer");
        if (!lacks_.empty()) lacks_.back() += " (each with an area)";
    }

    void read_wire_loads(const LibertyGroup& all) {
        std::vector<std::string> selections;
        for (const LibertyGroup& group : all.groups) {
            if (group.name == "wire_load") library_.wire_loads.insert(group.argument);
            if (group.name == "wire_load_selection") selections.push_back(group.argument);
        }
        library_.wire_load = all.attribute("default_wire_load");
        library_.wire_load_selection = all.attribute("default_wire_load_selection");
        if (library_.wire_load_selection.empty() && selections.size() == 1) {
            library_.wire_load_selection = selections.front();
        }
    }

    /// Makes a cell the one that registers are mapped to, if it is better than what is known.
    void choose(const RegisterCell& cell, double area) {
        const auto rank = std::make_pair(!cell.is_known_to_yosys, area);
        if (!library_.register_cell.empty() && rank >= register_rank_) return;
        library_.register_cell = cell.name;
        register_rank_ = rank;
    }

    const CellLibraryFile& file_;
    CellLibrary library_;
    std::vector<std::string> lacks_;
    std::pair<bool, double> register_rank_;
};

}  // namespace

CellLibrary parse_cell_library(std::string text, const CellLibraryFile& file,
                               const std::string& corner) {
    return Reader(std::move(text), file, corner).take();
}

const CellLibrary& read_cell_library(const CellLibraryFile& file, const std::string& corner) {
    static std::map<std::pair<std::string, std::string>, CellLibrary> read;
    const auto key = std::make_pair(file.liberty, corner);
    const auto found = read.find(key);
    if (found != read.end()) return found->second;
    std::string text;
    try {
        text = read_input_file(file.liberty, "cell library", kMostBytes);
    } catch (const ConfigError& error) {
        throw ConfigError({file.liberty, 0, 0}, error.findings().front().what,
                          cell_library_choices());
    }
    const bool is_compressed = is_gzip(text);
    if (is_compressed) text = std::string(gunzip(text, file.liberty, kMostBytes).text());
    CellLibrary library = parse_cell_library(std::move(text), file, corner);
    library.file = file.liberty;
    library.is_compressed = is_compressed;
    return read.emplace(key, std::move(library)).first->second;
}

std::optional<ClockGateCell> clock_gate_of(const CellLibrary& library, bool clock_gates) {
    if (!clock_gates) return std::nullopt;
    if (!library.clock_gate) {
        throw ConfigError({library.file, 0, 0},
                          "this library has no clock gate: no cell whose "
                          "clock_gating_integrated_cell is latch_posedge",
                          "leave out --clock-gates (technology.clock_gates), or take a library "
                          "that has one, such as ihp-sg13g2 or sky130hd");
    }
    return library.clock_gate;
}

}  // namespace flitscope
