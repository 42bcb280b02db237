// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// All papers that are reproduced.
#pragma once

#include <vector>

#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

/// The papers, in the order in which `all` goes through them.
const std::vector<Paper>& papers();

}  // namespace flitscope::reproduce
