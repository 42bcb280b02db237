// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Not a paper: a comparison of the usual collectives by message size.
#pragma once

#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

Paper collectives();

}  // namespace flitscope::reproduce
