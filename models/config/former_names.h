// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Configurations of earlier versions: keys and values that have other names today.
#pragma once

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config_table.h"
#include "models/config/config_tree.h"

namespace flitscope {

/// Gives keys and values in `tree`, which stands at `path`, the names that they have today, by
/// ConfigTable::current_name(). A key that stands there under both names is added to `findings`.
void use_current_names(const ConfigTable& table, const std::string& path, ConfigTree& tree,
                       std::vector<Diagnostic>& findings);

}  // namespace flitscope
