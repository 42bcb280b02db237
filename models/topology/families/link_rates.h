// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links of a rate below 1: which ones a configuration makes slow (`fabric.link_rate`), and which
// machines cannot have them.
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

class Graph;
struct FabricConfig;
struct Link;
struct WorkloadConfig;

ConfigKeys link_rate_keys();
ConfigSection link_rate_section();

/// Puts the dies of a graph of the configured family apart, before its wires are measured in mm.
/// Throws ConfigError if they do not match its dimensions.
void part_dies(Graph& graph, const WorkloadConfig& config);

/// Energy in pJ that a flit takes on that link besides its wires: of transceivers between dies.
double transceiver_pj(const FabricConfig& fabric, const Graph& graph, const Link& link);

/// Sets rates, and delays of links between dies, which part_dies() has checked.
void apply_link_rates(Graph& graph, const WorkloadConfig& config);

/// Throws ConfigError if the graph has slow links and the configuration something that does not
/// support them.
void require_rates_supported(const Graph& graph, const WorkloadConfig& config);

}  // namespace flitscope
