// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Flip-flops as registers: which pins of a library's cell are clock, input and output, and the
// constants that make it a plain flip-flop.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/gate_synthesis/liberty.h"

namespace flitscope {

/// A flip-flop of the rising edge that constants make a plain one: its clear, preset, scan and
/// enable, if it has them, are tied.
struct RegisterCell {
    std::string name;
    std::string clock;
    std::string input;
    std::string output;
    bool inverts = false;                            ///< between input and output
    std::vector<std::pair<std::string, bool>> tied;  ///< every other input, and its constant
    /// yosys maps to it by itself (dfflibmap): it takes no cell with further inputs than those of
    /// clear and preset.
    bool is_known_to_yosys = false;

    /// "RESET_B 1, SE 0"; empty if nothing is tied.
    std::string tied_text() const;
};

/// The register that a cell of a library can be; nothing if it is none, such as a latch or a
/// flip-flop of the falling edge, or has more than twelve inputs.
std::optional<RegisterCell> register_cell(const LibertyGroup& cell);

/// What yosys needs to map registers to a cell that it does not know how to use: a module of
/// Verilog for its techmap.
std::string register_map(const RegisterCell& cell);

}  // namespace flitscope
