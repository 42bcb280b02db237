// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of `fabric.topology` and of `fabric.link_delay`.
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

ConfigKeys topology_keys();
ConfigKeys link_delay_keys();
/// One integer in place of the map is the delay of every wire.
ConfigSection link_delay_section();

/// Reports topology_findings(), and tells later rules how many nodes and dimensions there are.
void check_topology(RuleContext& context);

}  // namespace flitscope
