// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of `interconnect`: which initiators send to which addresses through the network.
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

ConfigKeys interconnect_keys();
ConfigSection interconnect_section();

/// Reports interconnect_findings(). Must come after the rule of topologies.
void check_interconnect(RuleContext& context);

}  // namespace flitscope
