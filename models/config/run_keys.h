// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of a run as a whole: its limits, its clock and its seed.
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

ConfigKeys run_keys();

}  // namespace flitscope
