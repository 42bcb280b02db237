// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Clock gates: cells that pass the clock in the cycles whose enable was set at their beginning, so
// that registers behind them keep their values otherwise.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/gate_synthesis/liberty.h"

namespace flitscope {

/// A clock gate with a latch for registers of the rising edge: its enable counts as it is when the
/// clock rises.
struct ClockGateCell {
    std::string name;
    std::string clock;
    std::string enable;
    std::string output;
    std::vector<std::pair<std::string, bool>> tied;  ///< pins that open it for tests: to 0
};

/// The clock gate that a cell of a library is, as its attribute clock_gating_integrated_cell says;
/// nothing for one without a latch, for the falling edge, or with pins that it does not explain.
std::optional<ClockGateCell> clock_gate_cell(const LibertyGroup& cell);

/// A declaration of the cell in Verilog, without which yosys does not know its pins.
std::string clock_gate_declaration(const ClockGateCell& cell);
/// A module of Verilog for yosys' techmap: a register of several bits with an enable as one behind
/// such a cell.
std::string clock_gate_map(const ClockGateCell& cell);

}  // namespace flitscope
