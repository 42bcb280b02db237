// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads what yosys and OpenSTA report.
#pragma once

#include <cstdint>
#include <string>

#include "testbench/app/gate_synthesis/cell_library.h"

namespace flitscope {

inline constexpr double kMilliwattsPerWatt = 1000;  ///< OpenSTA reports watts

struct CellReport {
    std::uint64_t cells = 0;
    std::uint64_t flip_flops = 0;
    double area_um2 = 0;
    std::string tied;  ///< as SynthesisResult has it
};

/// Reads the output of the command `stat -liberty` of yosys. Throws std::runtime_error when a
/// figure is missing, or when there are cells that the library does not have or whose area it does
/// not give (latches, for example).
CellReport parse_cell_report(const std::string& text, const CellLibrary& library);

struct TimingReport {
    double worst_slack_ns = 0;
    double power_mw = 0;
};

/// Reads the output of OpenSTA for the script of tool_scripts.h. Throws std::runtime_error when it
/// reports an error (it continues after one, and its exit code is 0) or a figure is missing.
TimingReport parse_timing_report(const std::string& text);

}  // namespace flitscope
