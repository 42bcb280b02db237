// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The static deadlock check: wormhole routing cannot deadlock when no packet can ever wait, over
// any number of others, for itself (Dally and Seitz 1987).
#pragma once

#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// A cycle in the channel-dependency graph of the routing, as channels each of which waits for the
/// next and the last for the first; empty if there is no cycle, which proves freedom from deadlock.
/// A cycle over no link is one of injection channels, by their numbers in ChannelMap.
std::vector<VirtualLink> find_dependency_cycle(const Graph& graph, const Routing& routing);

/// "link_000_001 -> link_001_002 -> link_002_000 -> link_000_001"; with the virtual channel if that
/// makes a difference.
std::string describe_cycle(const Graph& graph, const std::vector<VirtualLink>& cycle);

/// Throws ConfigError that names `cycle`, as find_dependency_cycle() gave it, unless it is empty or
/// the configuration allows deadlocks.
void require_deadlock_freedom(const WorkloadConfig& config, const Graph& graph,
                              const std::vector<VirtualLink>& cycle, Cycle from = 0);

}  // namespace flitscope
