// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of the section `technology`.
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

ConfigKeys technology_keys();

}  // namespace flitscope
