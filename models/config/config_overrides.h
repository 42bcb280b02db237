// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Command-line overrides of a configuration: what "--set key=value" adds to the tree of the file,
// and which entries it replaces.
#pragma once

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config_table.h"
#include "models/config/config_tree.h"

namespace flitscope {

/// The place that the findings on the override `argument` name.
Location override_place(const std::string& argument);

/// Applies the override `argument` ("fabric.buffer_depth=4") to the tree of a configuration, or
/// adds findings. Without a tree, which could not be read, it only checks the argument itself.
void apply_override(const ConfigTable& table, const std::string& argument, ConfigTree* root,
                    std::vector<Diagnostic>& findings);

}  // namespace flitscope
