// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Thakur, Choudhary and Fox (1993), run again: complete exchange on a wormhole-routed mesh.
#pragma once

#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

Paper thakur();

}  // namespace flitscope::reproduce
