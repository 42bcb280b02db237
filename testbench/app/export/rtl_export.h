// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The fabric of a machine as a folder of synthesizable SystemVerilog, with a test bench that
// replays a run of the simulator (README.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/app/export/exported_file.h"
#include "testbench/app/export/replay.h"

namespace flitscope {

struct Machine;

/// What the nodes of an exported fabric see.
enum class NodePins : std::uint8_t {
    kFlits,    ///< flits and credits, the pins of a router
    kStreams,  ///< messages with valid and ready, through network interfaces
    kAxi       ///< AXI4, through bridges at these; where the section `interconnect` says
};

/// What a user chooses of an export.
struct RtlExportOptions {
    NodePins nodes = NodePins::kFlits;
    bool has_asynchronous_reset = false;
    bool has_structs = false;  ///< another top, with two structs per port
    std::string prefix;        ///< of the names of all modules, packages and their files
    double io_share = 0;       ///< of a period that signals at the pins take outside, 0 to 1
};

/// Throws ConfigError, at the key, if there is no RTL for a feature of the machine.
void require_rtl(const Machine& machine, NodePins pins);

/// Whether the test bench repeats a run of the simulator; that of AXI has traffic of its own.
bool needs_replay(NodePins pins);

/// All files of the folder. The machine must have passed require_rtl(). `replay` is empty if none
/// is needed. Throws ConfigError if the SystemVerilog sources cannot be read, or the run has more
/// cycles than the test bench can count.
std::vector<ExportedFile> rtl_files(const Machine& machine, const RtlExportOptions& options,
                                    const Replay& replay);

}  // namespace flitscope
