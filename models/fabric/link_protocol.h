// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What channels with valid and ready do not go with, because their sender sees one place and not
// how many (hw/TIMING.md, "Valid and ready").
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

class Graph;
class Routing;
struct WorkloadConfig;

/// Reports what needs credits and follows from the configuration alone.
void check_link_protocol(RuleContext& context);

/// Throws ConfigError for what needs credits and follows from the links or the routing.
void require_link_protocol(const WorkloadConfig& config, const Graph& graph,
                           const Routing& routing);

}  // namespace flitscope
