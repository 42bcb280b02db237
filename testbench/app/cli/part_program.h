// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands that programs beside this one carry out: who does not use them need not build them.
#pragma once

#include <string>

#include "testbench/app/cli/shared_options.h"

namespace flitscope::cli {

/// Where a program of that name is in the folder of this one, whether or not it is there.
std::string beside_this_program(const std::string& name);

/// Becomes the program of that name in the folder of this one, with the same arguments. Returns
/// only by ConfigError, where it is not there.
[[noreturn]] void become_program(const std::string& name, const Options& options);

}  // namespace flitscope::cli
