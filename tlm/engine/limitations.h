// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Features that the TLM engine cannot simulate exactly, and therefore rejects.
#pragma once

#include <vector>

#include "models/fabric/refusal.h"

namespace flitscope {

const std::vector<Limitation>& tlm_limitations();

}  // namespace flitscope
