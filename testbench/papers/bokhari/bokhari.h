// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Bokhari and Nicol (1996), run again: contention against synchronization on the Paragon.
#pragma once

#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

Paper bokhari();

}  // namespace flitscope::reproduce
