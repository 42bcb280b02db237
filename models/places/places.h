// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Locations of the files that a flitscope program or library reads in addition to those that its
// user names. The source linked decides: build tree, installed program, or library in a user's
// program.
#pragma once

#include <filesystem>

namespace flitscope {

/// The folder with the verilated routers, a library NAME.so each. Empty if unknown: a library takes
/// nothing from places that it was not given.
std::filesystem::path verilated_routers_place();

/// The folder with the SystemVerilog sources: hw/rtl of the source tree or its installed copy.
/// Empty if unknown.
std::filesystem::path rtl_sources_place();

/// The include folder for the headers of verilated routers. Empty if unknown.
std::filesystem::path headers_place();

}  // namespace flitscope
