// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// flitscope explain of two configurations.
#pragma once

#include <string>

#include "testbench/app/cli/shared_options.h"

namespace flitscope::cli {

/// Runs the configuration of `options` and the file `other`, and prints where their difference
/// lies. Returns the exit code; a run that does not complete is reported instead. Throws
/// ConfigError for runs that cannot be explained, or have nothing in common to compare.
int explain_difference(const Options& options, const std::string& other);

}  // namespace flitscope::cli
