// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The fabric of a machine, with its traffic, as a short SystemC program against the installed
// library (testbench/examples/README.md).
#pragma once

#include <string>
#include <vector>

#include "testbench/app/export/exported_file.h"

namespace flitscope {

struct Config;
struct Machine;

/// The name of its program: that of the configuration file as far as CMake and C++ take it,
/// "mesh_8x8_pex".
std::string program_name(const Config& config);

/// The program, its CMake project, the resolved configuration that it loads (a clock or wires that
/// follow from a synthesis as figures), copies of the files that this names, and of the sources of
/// its own routers. The machine has traffic; `version` is that of the library. Throws ConfigError
/// if one of the files can no longer be read.
std::vector<ExportedFile> systemc_files(const Machine& machine, const std::string& version);

}  // namespace flitscope
