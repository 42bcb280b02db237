// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A netlist of library cells, as yosys writes it: one flat module.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/gate_synthesis/cell_function.h"
#include "testbench/app/gate_synthesis/register_cell.h"

namespace flitscope {

/// The function of a cell of a library.
struct CellModel {
    std::string name;
    std::vector<std::string> inputs;  ///< pins; for a flip-flop and a clock gate the clock is first
    std::vector<std::string> outputs;  ///< pins
    /// Per output, a function of `inputs`; for a flip-flop a function of `inputs`, its state and
    /// the inverse of that.
    std::vector<CellFunction> functions;
    bool is_flip_flop = false;                ///< of the rising edge
    bool is_clock_gate = false;               ///< its output is here whether it is open: its enable
    CellFunction next;                        ///< its next state, a function as the outputs are
    std::optional<RegisterCell> as_register;  ///< of a flip-flop that can be one
    /// Inputs that must be tied so, or it would be cleared or set.
    std::vector<std::pair<std::string, bool>> tied;
};

/// The cells of a library that a netlist can be simulated with: gates, clock gates, and flip-flops
/// of the rising edge without set and reset, or with these tied. Throws ConfigError if the text is
/// not a liberty file.
std::map<std::string, CellModel> read_cell_models(const std::string& liberty,
                                                  const std::string& source);

using NetId = std::uint32_t;

struct GateNetlist {
    static constexpr NetId kZero = 0;  ///< the nets of the constants
    static constexpr NetId kOne = 1;

    struct Cell {
        std::string name;
        const CellModel* model = nullptr;
        std::vector<NetId> inputs;   ///< as the model has them
        std::vector<NetId> outputs;  ///< kOne + 1 and up; kZero where nothing is connected
    };
    struct Port {
        bool is_input = false;
        std::vector<NetId> bits;  ///< bit 0 first
    };

    std::string top;
    NetId nets = 2;
    std::vector<Cell> cells;
    std::map<std::string, Port> ports;

    /// The nets of a port; throws std::runtime_error if there is none of that name.
    const std::vector<NetId>& port(const std::string& name) const;
};

/// Throws std::runtime_error with a line of the text if it is not what yosys writes for one flat
/// module of cells in `models`, with the cell if inputs that must be tied are not, which must
/// outlive the netlist.
GateNetlist parse_netlist(const std::string& text, const std::map<std::string, CellModel>& models);

}  // namespace flitscope
