// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of a file of routes, read anew from models/routing/README.md.
#pragma once

#include <string>

#include "testbench/verification/reference/golden_paths.h"
#include "testbench/verification/reference/golden_table.h"

namespace flitscope {

/// The lines of a file of routes that says all by numbers.
GoldenTable golden_route_file(const GoldenPaths& paths, const std::string& path);

}  // namespace flitscope
