// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Folders as the scripts of tool_scripts.h expect them, and yosys and OpenSTA in them. The tools
// see only the folder, so that they can be run again wherever it is copied to.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbench/app/gate_synthesis/cell_library.h"
#include "testbench/app/gate_synthesis/tool_scripts.h"
#include "testbench/app/gate_synthesis/toolchain.h"
#include "testbench/app/gate_synthesis/work_folder.h"

namespace flitscope {

/// Links the library and abc into a folder; what a compressed library is is kept in the cache.
/// Throws std::runtime_error if that is not possible.
void link_tools(const WorkFolder& folder, const CellLibrary& library, const Toolchain& tools);

/// Puts into a folder what yosys needs to map RTL to `cells`, and links the tools there.
/// `script`: yosys_script() or link_script(). Throws as WorkFolder::write() and link_tools() do.
void prepare_mapping(const WorkFolder& folder, const MappedCells& cells, const Toolchain& tools,
                     const std::vector<RtlSource>& sources, const std::string& script);

/// Runs a tool there, its output in the file `log`. Returns and throws as run_tool() does.
bool run_in(const WorkFolder& folder, std::vector<std::string> arguments, const std::string& log,
            const std::function<bool()>& proceed);

}  // namespace flitscope
