// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The networks of random machines: topologies, wires, depths and delays, and the routings that do
// for them without deadlock.
#pragma once

#include "models/base/types.h"
#include "testbench/verification/reference/draw.h"

namespace flitscope {

struct Config;
struct FabricConfig;
struct TopologyConfig;

/// Whether a family hangs node n on router n, before places are drawn.
bool has_node_per_router(const TopologyConfig& topology);
/// Whether the network is drawn channel by channel, not built by a family.
bool is_random_graph(const TopologyConfig& topology);
/// Whether the routing looks at the queues of links, which only the cycle engine counts.
bool goes_by_queues(const FabricConfig& fabric);

/// A mesh or a hypercube, with few buffers.
FabricConfig draw_fabric(Draw& draw);
/// Draws depths and delays beyond what is ever built, so that many bursts are on a wire at once.
FabricConfig draw_wide_fabric(Draw& draw);
/// Puts another wiring in the place of every third mesh or hypercube, and another routing on many.
void vary_network(Draw& draw, FabricConfig& fabric);
/// Puts switches without nodes, or groups, in the place of one network in eight.
void vary_family(Draw& draw, FabricConfig& fabric);
/// Puts a dragonfly with a routing by queues in the place of one network in seventeen.
void vary_queues(Draw& draw, FabricConfig& fabric);
/// Wires in millimetres, up to two cycles long per node pitch.
void vary_wires(Draw& draw, Config& config);

}  // namespace flitscope
