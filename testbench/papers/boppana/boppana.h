// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Boppana and Raghavendra (1990), run again: complete exchange on hypercubes.
#pragma once

#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

Paper boppana();

}  // namespace flitscope::reproduce
