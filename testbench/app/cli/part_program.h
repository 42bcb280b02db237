// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands implemented by programs next to this one, which need not be built if unused.
#pragma once

#include <string>

#include "testbench/app/cli/shared_options.h"

namespace flitscope::cli {

/// The path of a program of that name in the folder of this one, whether or not it exists.
std::string beside_this_program(const std::string& name);

/// Becomes the program of that name in the folder of this one, with the same arguments. Returns
/// only by ConfigError, if it does not exist.
[[noreturn]] void become_program(const std::string& name, const Options& options);

}  // namespace flitscope::cli
