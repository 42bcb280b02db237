// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links and nodes that are dead from the start on, as a transformation of the graph.
#pragma once

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/config_table.h"
#include "models/topology/link.h"

namespace flitscope {

class Graph;
struct Config;
struct WorkloadConfig;

/// `graph` without what `config.faults` names whenever that dies, then without what dies at random;
/// the graph as it was where nothing does (Graph::has_faults). What is drawn depends on
/// `faults.seed` and the graph alone, and more of it with the same seed includes all of less.
/// Throws ConfigError where links or nodes do not exist, where less is left than is to die, and
/// where endpoints that are alive cannot reach each other: then the message names the cut.
Graph with_faults(const WorkloadConfig& config, Graph graph);

/// A channel as users name it, "3-4", its lower end first.
std::string channel_name(const Link& link);
/// The links that are missing between nodes that are alive, as the whole network numbers them.
std::vector<LinkId> dead_links(const Graph& graph);
/// The channels of these, in the order of the whole network.
std::vector<std::string> dead_channels(const Graph& graph);
/// The nodes that are missing, switches included.
std::vector<NodeId> dead_nodes(const Graph& graph);

/// The error that `what` sends or receives and is dead, which `faults.traffic` does not allow.
ConfigError dead_node_error(const Location& where, const std::string& what);

/// Throws ConfigError where an initiator or a target of `config.interconnect`, which must be set,
/// is at a dead node.
void require_living_interconnect(const Config& config, const Graph& graph);

/// The keys of the section `faults`.
ConfigKeys fault_keys();
ConfigSection fault_section();

}  // namespace flitscope
