// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links of a rate below 1: which ones a configuration makes slow (`fabric.link_rate`), and which
// machines cannot have them.
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

ConfigKeys link_rate_keys();
ConfigSection link_rate_section();

/// Sets rates, and delays of links between dies, in a graph of the configured family. Throws
/// ConfigError if the dies do not match its dimensions.
void apply_link_rates(Graph& graph, const WorkloadConfig& config);

/// Throws ConfigError if the graph has slow links and the configuration something that does not
/// support them.
void require_rates_supported(const Graph& graph, const WorkloadConfig& config);

}  // namespace flitscope
