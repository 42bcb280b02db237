// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The standard cells that a router is made of.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testbench/app/gate_synthesis/cell_library_file.h"
#include "testbench/app/gate_synthesis/clock_gate_cell.h"
#include "testbench/app/gate_synthesis/register_cell.h"

namespace flitscope {

/// Facts about a library, from its file.
struct CellLibrary {
    std::string name;                  ///< "osu018", or what the file calls itself
    std::string text;                  ///< all of the file, without compression
    std::string file;                  ///< its place
    bool is_compressed = false;        ///< the file, by gzip
    std::string conditions;            ///< "0.18 um, typical corner, 1.8 V, 25 C"
    double voltage = 0;                ///< V, of these conditions
    std::string corner;                ///< operating conditions that were asked for, or empty
    bool is_in_ns_and_pf = true;       ///< units of the file
    std::set<std::string> wire_loads;  ///< names of its wire load models
    std::string wire_load;             ///< that it uses by default; may be empty
    std::string wire_load_selection;   ///< likewise, by the area of a circuit
    std::string driving_cell;          ///< its smallest buffer: assumed to drive every input
    std::set<std::string> flip_flops;
    std::map<std::string, RegisterCell> registers;  ///< of these, those that can be one
    std::string register_cell;  ///< that registers are mapped to: the smallest, better one that
                                ///< yosys knows how to use
    std::optional<ClockGateCell> clock_gate;  ///< the smallest, if it has one
    std::set<std::string> without_area;       ///< area reports omit these cells
};

/// Reads a library from the text of `file`. `corner`: the name in the file of the operating
/// conditions to use; empty for its default. Throws ConfigError when the text has no such operating
/// conditions, or lacks units or a cell without which no router can be made (named, all of them).
CellLibrary parse_cell_library(std::string text, const CellLibraryFile& file,
                               const std::string& corner);

/// Reads a library; one read before is not read again. Throws ConfigError when the file cannot
/// be read, and as parse_cell_library() does.
const CellLibrary& read_cell_library(const CellLibraryFile& file, const std::string& corner);

/// The clock gate that registers are to be mapped to: none if `clock_gates` is false. Throws
/// ConfigError if the library has none.
std::optional<ClockGateCell> clock_gate_of(const CellLibrary& library, bool clock_gates);

}  // namespace flitscope
