// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/toolchain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "models/base/diagnostics.h"
#include "models/base/environment.h"
#include "models/base/file_text.h"
#include "models/places/places.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;

/// The list of the sources, a name per line.
constexpr const char* kSourceList = "sources.txt";

std::string rtl_folder() {
    const std::string folder = environment("FLITSCOPE_RTL_DIR");
    return folder.empty() ? rtl_sources_place().string() : folder;
}

/// Finds the programs that are installed.
Toolchain find_programs() {
    Toolchain tools{find_program("yosys"), find_program("yosys-abc"), find_program("sta")};
    if (tools.abc.empty()) tools.abc = find_program("berkeley-abc");
    return tools;
}

}  // namespace

std::string find_program(const std::string& name) {
    std::istringstream folders(environment("PATH"));
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (folder.empty()) continue;
        const fs::path file = fs::absolute(folder) / name;
        std::error_code error;
        if (fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0) return file;
    }
    return {};
}

Toolchain find_toolchain(const CellLibraryFile& library) {
    const Toolchain tools = find_programs();
    std::vector<std::string> missing;
    if (tools.yosys.empty()) missing.emplace_back("the program yosys (Debian package yosys)");
    if (tools.abc.empty()) {
        missing.emplace_back(
            "the program berkeley-abc or yosys-abc (Debian package berkeley-abc, or yosys of "
            "Debian 13)");
    }
    if (tools.sta.empty()) missing.emplace_back("the program sta (Debian package opensta)");
    if (access(library.liberty.c_str(), R_OK) != 0) {
        missing.push_back(fmt::format("the cell library {} ({})", library.liberty, library.origin));
    }
    if (!missing.empty()) {
        throw ConfigError({"synthesis", 0, 0},
                          fmt::format("not found: {}", fmt::join(missing, ", ")),
                          "./dev setup synth installs the programs and, on Debian 12, the osu "
                          "libraries; elsewhere name a library with --liberty FILE, or set "
                          "PDK_ROOT and use --liberty sky130A or ihp-sg13g2");
    }
    return tools;
}

std::string program_identity(const std::string& path) {
    if (path.empty()) return {};
    std::error_code error;
    const auto size = fs::file_size(path, error);
    const auto time = fs::last_write_time(path, error);
    return fmt::format("{} {} {}", path, size, time.time_since_epoch().count());
}

std::vector<std::string> tool_identities() {
    const Toolchain tools = find_programs();
    return {program_identity(tools.yosys), program_identity(tools.abc),
            program_identity(tools.sta)};
}

std::vector<RtlSource> read_rtl_sources(const std::string& subfolder) {
    const std::string folder = subfolder.empty() ? rtl_folder() : rtl_folder() + '/' + subfolder;
    const auto refuse = [&folder](const std::string& what) {
        throw ConfigError({folder, 0, 0}, what,
                          fmt::format("the environment variable FLITSCOPE_RTL_DIR names the folder "
                                      "of the RTL; {} in it names the files",
                                      kSourceList));
    };
    std::vector<RtlSource> sources;
    try {
        std::istringstream list(read_file(folder + '/' + kSourceList));
        for (std::string name; std::getline(list, name);) {
            if (name.empty() || name.front() == '#') continue;
            sources.push_back({name, read_file(folder + '/' + name)});
        }
    } catch (const std::runtime_error& e) {
        refuse(e.what());
    }
    if (sources.empty()) refuse(fmt::format("{} names no file", kSourceList));
    return sources;
}

}  // namespace flitscope
