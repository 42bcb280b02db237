// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links, routers and nodes that are dead from the start on, as a transformation of the graph.
#pragma once

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/config_table.h"

namespace flitscope {

class Graph;
struct Config;
struct WorkloadConfig;

/// `graph` without the links, routers and nodes named by `config.faults`, whenever they die, then
/// without the random ones; unchanged if nothing dies (Graph::has_faults). Random faults depend
/// only on `faults.seed` and the graph, and with the same seed more of them include all of fewer.
/// Throws ConfigError if one of them does not exist, if fewer are left than are to die, or if
/// living nodes cannot reach each other: then the message names the cut.
Graph with_faults(const WorkloadConfig& config, Graph graph);

/// The links that are missing between routers that are alive, as the whole network numbers them.
std::vector<LinkId> dead_links(const Graph& graph);
/// The channels of these as `faults.links` names them, in the order of the whole network: "3-4",
/// its lower end first, or "link_003_004_1" if there are several between the same ends.
std::vector<std::string> dead_channels(const Graph& graph);
/// The nodes that are missing, as `faults.nodes` numbers them: if node n is attached to router n,
/// with the switches, which come after the nodes.
std::vector<NodeId> dead_nodes(const Graph& graph);
/// The routers that are missing, with or without nodes.
std::vector<RouterId> dead_routers(const Graph& graph);

/// The error that `what` sends or receives and is dead, which `faults.traffic` does not allow.
ConfigError dead_node_error(const Location& where, const std::string& what);

/// Throws ConfigError if an initiator or a target of `config.interconnect`, which must be set, is
/// at a dead node.
void require_working_interconnect(const Config& config, const Graph& graph);

/// The keys of the section `faults`.
ConfigKeys fault_keys();
ConfigSection fault_section();

}  // namespace flitscope
