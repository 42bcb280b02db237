// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Power of a netlist by OpenSTA, with activities that were recorded for every pin.
#pragma once

#include <string>
#include <vector>

#include "models/config/technology_config.h"
#include "testbench/app/energy/gate_simulation.h"
#include "testbench/app/gate_synthesis/cell_library.h"

namespace flitscope {

/// Transitions per cycle and part of the time high, per net of a netlist.
struct NetActivity {
    std::vector<float> activity;
    std::vector<float> duty;

    static NetActivity of(const GateSimulation& simulation, const GateNetlist& netlist);
};

/// Power in watts.
struct PowerFigures {
    double dynamic = 0;   ///< internal and switching power of the cells
    double crossing = 0;  ///< part of that: cells of crossing_cells()
    double leakage = 0;
};

/// Cells through which flits of several input ports pass on their way to the output pins
/// (flit_data_i to flit_data_o, bit by bit): the crossbar. A flag per cell of the netlist.
std::vector<char> crossing_cells(const GateNetlist& netlist, std::uint32_t ports);

// Files in the folder of an OpenSTA session, in addition to the library and the netlist.
inline constexpr const char* kPowerTop = "power_top.v";
inline constexpr const char* kPinNames = "names.tcl";
inline constexpr const char* kRecorded = "recorded.txt";
inline constexpr const char* kPowerScript = "power.tcl";

/// Files for one OpenSTA session that measures all `activities` in turn, in a folder with the
/// library and the netlist. The netlist is wrapped in a module whose only input is the clock: each
/// input pin is driven by a flip-flop. OpenSTA 2.0 itself derives the activity of everything
/// downstream of an input, and ignores annotations there.
struct PowerSession {
    std::string top;       ///< kPowerTop: that module
    std::string script;    ///< kPowerScript
    std::string names;     ///< kPinNames: Tcl, read by the script
    std::string recorded;  ///< kRecorded: a long line per activity
};

/// The cells, and the wires between them.
struct PoweredCells {
    const CellLibrary& library;
    WireLoad wires = WireLoad::kNone;
};

/// With wires of needs_wire_library() the folder has kWireLibrary as well.
PowerSession power_session(const GateNetlist& netlist,
                           const std::map<std::string, CellModel>& models,
                           const PoweredCells& cells_and_wires, const std::vector<char>& crossing,
                           const std::vector<NetActivity>& activities, double period_ns,
                           double output_load_pf);

/// Reads the figures from the log of a session, one per activity. Throws std::runtime_error when
/// OpenSTA reports an error or a figure is missing.
std::vector<PowerFigures> parse_power_log(const std::string& text, std::size_t count);

}  // namespace flitscope
