// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the files lie that a program or library of flitscope reads beside those that its user
// names. Which of the sources here is linked decides: that of the build tree, of an installed
// program, or of the library in somebody else's program.
#pragma once

#include <filesystem>

namespace flitscope {

/// The folder with the verilated routers, a library NAME.so each. Empty where nobody knows: a
/// library takes nothing from places that it was not given.
std::filesystem::path verilated_routers_place();

/// The folder with the SystemVerilog sources: hw/rtl of the source tree or its installed copy.
/// Empty where nobody knows.
std::filesystem::path rtl_sources_place();

/// The folder that names of headers begin at, of those that verilated routers include. Empty where
/// nobody knows.
std::filesystem::path headers_place();

}  // namespace flitscope
