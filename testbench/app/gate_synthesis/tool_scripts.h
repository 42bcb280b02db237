// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The scripts of yosys, abc and OpenSTA. All files are named relative to the folder they run in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "testbench/app/gate_synthesis/link_synthesis.h"
#include "testbench/app/gate_synthesis/synthesis.h"
#include "testbench/app/gate_synthesis/toolchain.h"

namespace flitscope {

// Names in the folder of a run.
inline constexpr const char* kRtlFolder = "rtl";
inline constexpr const char* kLibertyLink = "cells.lib";
inline constexpr const char* kAbcLink = "abc";
inline constexpr const char* kYosysScript = "synthesis.ys";
inline constexpr const char* kYosysLog = "synthesis.log";
inline constexpr const char* kAbcConstraints = "abc.constr";
inline constexpr const char* kRegisterMap = "registers.v";
inline constexpr const char* kClockGateMap = "clock_gates.v";
inline constexpr const char* kWireLibrary = "wires.lib";
inline constexpr const char* kCellReport = "cells.txt";
inline constexpr const char* kNetlist = "netlist.v";

/// The cells that RTL is mapped to: those of `library`, with its clock gate or without.
struct MappedCells {
    /// Throws as clock_gate_of() does.
    MappedCells(const CellLibrary& the_library, const TechnologyConfig& technology)
        : library(the_library), clock_gate(clock_gate_of(library, technology.clock_gates)) {}

    const CellLibrary& library;
    std::optional<ClockGateCell> clock_gate;
};

/// Logic synthesis: RTL to a flat netlist of cells, and a count of them.
std::string yosys_script(const hw::RtlVariant& variant, const std::vector<RtlSource>& sources,
                         const MappedCells& cells);
/// The script of yosys for a link.
std::string link_script(const LinkVariant& variant, const std::vector<RtlSource>& sources,
                        const MappedCells& cells);
/// The file kRegisterMap, which these scripts read where yosys does not know how to use the
/// flip-flops of `library`; else empty, and there is none.
std::string register_map_of(const CellLibrary& library);

/// The assumptions of abc on inputs and outputs.
std::string abc_constraints(const CellLibrary& library);

/// The commands of OpenSTA that set units and operating conditions as `library` requires.
std::string sta_setting(const CellLibrary& library);

/// The load that every output is assumed to drive, in pF.
double output_load_pf();

/// Worst slack and power of the netlist at a clock period in ns.
std::string sta_script(const hw::RtlVariant& variant, const CellLibrary& library,
                       const SynthesisConditions& conditions, double period_ns);

}  // namespace flitscope
