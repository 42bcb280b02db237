// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of `traffic`: what is sent, and when.
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

ConfigKeys traffic_keys();
/// A boolean instead of the map selects a barrier at the machine's cost, or no barrier.
ConfigSection barrier_section();

/// The keys of `steady`: how long a pattern is measured if that follows from the results.
ConfigKeys steady_keys();
ConfigSection steady_section();

/// Checks that the schedule has the algorithm, and the network the root. Must come after the rule
/// of topologies.
void check_traffic(RuleContext& context);
void check_steady(RuleContext& context);

}  // namespace flitscope
