// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The mapping of an application's ranks to the nodes of a network.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "traffic/traces/trace.h"
#include "traffic/traces/volume_placement.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// The node of each of `ranks` ranks on a network of `nodes` nodes, all alive, which may have
/// `names`, as config.traffic.trace.placement says, which is not `volume`. Throws ConfigError if
/// there are more ranks than nodes, and for errors in a file.
std::vector<NodeId> place_ranks(const WorkloadConfig& config, RankId ranks, NodeId nodes,
                                const std::vector<std::string>& names = {});
/// Places ranks by any placement, on live nodes unless a file names others; `volumes` is called if
/// the traffic between ranks matters. Also throws ConfigError if there are more ranks than living
/// nodes.
std::vector<NodeId> place_ranks(const WorkloadConfig& config, RankId ranks, const Graph& graph,
                                const std::function<RankVolumes()>& volumes);

/// A file of placement: the node of rank 0, 1, ..., a number on each line, or one of `names`
/// (Graph::node_and_switch_names()); blank lines and comments (#) are skipped. `source` names it in
/// findings.
std::vector<NodeId> parse_placement(const std::string& text, const std::string& source,
                                    RankId ranks, NodeId nodes,
                                    const std::vector<std::string>& names = {});

}  // namespace flitscope
