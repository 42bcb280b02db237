// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Ziavras et al., run again: cost and performance of HOWs and their competitors.
#pragma once

#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

Paper ziavras();

}  // namespace flitscope::reproduce
