// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The fabric of a machine as a folder of synthesizable SystemVerilog, with a test bench that
// replays a run of the simulator (README.md).
#pragma once

#include <string>
#include <vector>

#include "testbench/app/export/exported_file.h"
#include "testbench/app/export/replay.h"

namespace flitscope {

struct Machine;

/// Throws ConfigError, at the key, where there is no RTL for what the machine asks for.
void require_rtl(const Machine& machine);

/// Everything that belongs into the folder. The machine is one that require_rtl() lets pass. Throws
/// ConfigError where the SystemVerilog sources cannot be read, and where the run has more cycles
/// than the test bench can count.
std::vector<ExportedFile> rtl_files(const Machine& machine, const Replay& replay);

}  // namespace flitscope
