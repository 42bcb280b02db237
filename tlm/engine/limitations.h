// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the TLM engine cannot do exactly, and therefore not at all.
#pragma once

#include <vector>

#include "models/fabric/refusal.h"

namespace flitscope {

const std::vector<Limitation>& tlm_limitations();

}  // namespace flitscope
