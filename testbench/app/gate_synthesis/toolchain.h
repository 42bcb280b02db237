// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The external inputs of synthesis: programs and the SystemVerilog sources.
#pragma once

#include <string>
#include <vector>

#include "testbench/app/gate_synthesis/cell_library.h"

namespace flitscope {

/// Absolute path of the program in PATH, or an empty string.
std::string find_program(const std::string& name);

/// Absolute paths of the programs.
struct Toolchain {
    std::string yosys;
    std::string abc;
    std::string sta;
};

/// Throws ConfigError that names everything that is missing and how to get it.
Toolchain find_toolchain(const CellLibraryFile& library);

/// A program by place, size and time of change; empty where `path` is.
std::string program_identity(const std::string& path);

/// The installed programs, by place, size and time of change: results made with others do not count
/// as known. One text per program, empty if it is missing.
std::vector<std::string> tool_identities();

/// A file of RTL as it was when it was read.
struct RtlSource {
    std::string name;  ///< without folder
    std::string text;
};

/// The files that the list there names (hw/rtl/sources.txt), in its order, in the folder that the
/// environment variable FLITSCOPE_RTL_DIR names, else in hw/rtl; or in that folder of it. Throws
/// ConfigError when it names none or one cannot be read.
std::vector<RtlSource> read_rtl_sources(const std::string& subfolder = {});

}  // namespace flitscope
