// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/tool_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <system_error>
#include <utility>

#include "models/base/digest.h"
#include "models/base/output_file.h"
#include "testbench/app/gate_synthesis/synthesis_cache.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/tool_scripts.h"

namespace flitscope {

namespace fs = std::filesystem;

namespace {

/// The text of a library as a file: yosys and OpenSTA of Debian 12 do not read compressed ones.
std::string plain_file(const CellLibrary& library) {
    if (!library.is_compressed) return library.file;
    Digest digest;
    digest.add(library.text);
    const std::string folder = cache_folder("libraries");
    const std::string file = fmt::format("{}/{}.lib", folder, digest.text());
    std::error_code error;
    if (fs::exists(file, error)) return file;
    fs::create_directories(folder, error);
    write_whole_file(file, [&](std::ostream& out) { out << library.text; });
    return file;
}

}  // namespace

void link_tools(const WorkFolder& folder, const CellLibrary& library, const Toolchain& tools) {
    fs::create_symlink(plain_file(library), folder.file(kLibertyLink));
    fs::create_symlink(tools.abc, folder.file(kAbcLink));
}

void prepare_mapping(const WorkFolder& folder, const MappedCells& cells, const Toolchain& tools,
                     const std::vector<RtlSource>& sources, const std::string& script) {
    fs::create_directory(folder.file(kRtlFolder));
    for (const RtlSource& source : sources) {
        folder.write(std::string(kRtlFolder) + '/' + source.name, source.text);
    }
    link_tools(folder, cells.library, tools);
    folder.write(kYosysScript, script);
    folder.write(kAbcConstraints, abc_constraints(cells.library));
    const std::string registers = register_map_of(cells.library);
    if (!registers.empty()) folder.write(kRegisterMap, registers);
    if (cells.clock_gate) folder.write(kClockGateMap, clock_gate_map(*cells.clock_gate));
}

bool run_in(const WorkFolder& folder, std::vector<std::string> arguments, const std::string& log,
            const std::function<bool()>& proceed) {
    // yosys keeps its exchange with abc in TMPDIR and leaves it there when it is killed.
    return run_tool(
        {std::move(arguments), folder.path(), log, {{"TMPDIR", folder.path()}, {"LC_ALL", "C"}}},
        proceed);
}

}  // namespace flitscope
