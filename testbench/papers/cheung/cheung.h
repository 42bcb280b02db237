// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cheung and Lau (1995), run again: computations on meshes with express links.
#pragma once

#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

Paper cheung();

}  // namespace flitscope::reproduce
