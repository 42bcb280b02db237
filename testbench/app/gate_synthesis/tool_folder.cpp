// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/tool_folder.h"

#include <filesystem>
#include <utility>

#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/tool_scripts.h"

namespace flitscope {

namespace fs = std::filesystem;

void link_tools(const WorkFolder& folder, const CellLibraryFile& library, const Toolchain& tools) {
    fs::create_symlink(library.liberty, folder.file(kLibertyLink));
    fs::create_symlink(tools.abc, folder.file(kAbcLink));
}

void prepare_mapping(const WorkFolder& folder, const CellLibraryFile& library,
                     const Toolchain& tools, const MappingInputs& inputs) {
    fs::create_directory(folder.file(kRtlFolder));
    for (const RtlSource& source : inputs.sources) {
        folder.write(std::string(kRtlFolder) + '/' + source.name, source.text);
    }
    link_tools(folder, library, tools);
    folder.write(kYosysScript, inputs.script);
    folder.write(kAbcConstraints, inputs.constraints);
}

bool run_in(const WorkFolder& folder, std::vector<std::string> arguments, const std::string& log,
            const std::function<bool()>& proceed) {
    // yosys keeps its exchange with abc in TMPDIR and leaves it there when it is killed.
    return run_tool(
        {std::move(arguments), folder.path(), log, {{"TMPDIR", folder.path()}, {"LC_ALL", "C"}}},
        proceed);
}

}  // namespace flitscope
