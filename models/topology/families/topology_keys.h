// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of `fabric.topology` and of `fabric.link_delay`.
#pragma once

#include <string>
#include <vector>

#include "models/config/config_table.h"

namespace flitscope {

struct Config;

ConfigKeys topology_keys();
ConfigKeys link_delay_keys();
/// One integer in place of the map is the delay of every wire.
ConfigSection link_delay_section();

/// What the file of a graph calls its nodes, which it reads for that; empty where they have
/// numbers alone. Throws ConfigError.
std::vector<std::string> given_node_names(const Config& config);

/// Reports topology_findings(), and tells later rules how many nodes and dimensions there are.
void check_topology(RuleContext& context);

}  // namespace flitscope
