// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Not a paper: how the usual collectives compare by message size.
#pragma once

#include "testbench/papers/frame/paper.h"

namespace flitscope::reproduce {

Paper collectives();

}  // namespace flitscope::reproduce
