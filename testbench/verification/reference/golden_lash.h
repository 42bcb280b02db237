// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of `lash`, found anew from models/routing/README.md.
#pragma once

#include <optional>

#include "models/routing/routing.h"
#include "testbench/verification/reference/golden_paths.h"
#include "testbench/verification/reference/golden_table.h"

namespace flitscope {

/// nullopt: the virtual channels do not suffice. `preferred` has a say at every router; it may be
/// null.
std::optional<GoldenTable> golden_lash(const GoldenPaths& paths, const Routing* preferred);

}  // namespace flitscope
