// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of `dimension_order_balanced`, found anew from models/routing/README.md.
#pragma once

#include "testbench/verification/reference/golden_paths.h"
#include "testbench/verification/reference/golden_table.h"

namespace flitscope {

/// Dimension order on tori with balanced datelines: the fastest-varying dimension first, the
/// shorter way round.
GoldenTable golden_balanced_rings(const GoldenPaths& paths);

}  // namespace flitscope
