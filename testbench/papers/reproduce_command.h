// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `flitscope reproduce`.
#pragma once

#include "testbench/app/cli/reproduce_options.h"

namespace flitscope::cli {

/// Runs the selected papers and prints their tables; returns the exit code. Throws ConfigError if
/// files cannot be created.
int reproduce_command(const ReproduceOptions& options);

}  // namespace flitscope::cli
