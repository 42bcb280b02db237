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
/// One integer instead of the map is the delay of every wire.
ConfigSection link_delay_section();

/// The node names of a graph's file, which it reads for that; empty if nodes have only numbers. If
/// node n is attached to router n, the names of switches follow, as their numbers do. Throws
/// ConfigError.
std::vector<std::string> given_node_names(const Config& config);

/// Reports topology_findings(), and passes the numbers of nodes and dimensions to later rules.
void check_topology(RuleContext& context);

}  // namespace flitscope
