// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Proves a schedule without a simulator and without code of the searches: which node holds which
// chunk in which round, and how many messages of a round share a link of the fabric's own routes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/routing/routing.h"
#include "traffic/schedules/synthesis/chunk_schedule.h"
#include "traffic/schedules/synthesis/time_contention.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// Lists the errors of a schedule: chunks that a node sends without having them (or, for combined
/// ones, without having received all that it will), parts that would count twice, chunks that do
/// not arrive at a node that needs them, moves that lead nowhere. Empty when it is complete; at
/// most ten findings.
std::vector<std::string> check_completeness(const ChunkSchedule& schedule, const Graph& graph,
                                            const Routing& routing);

/// The same for the begins of moves, if these follow the clock and not a period of rounds: every
/// message takes the time that it has on an idle network, and what it brings is there after that.
/// Empty for other schedules.
std::vector<std::string> check_begins(const ChunkSchedule& schedule, const HardwareConfig& config,
                                      const Graph& graph, const Routing& routing);

/// The maximum messages of a round that share a channel. If messages begin by the clock and rounds
/// have no period, the maximum that share one in the same cycle (time_contention.h). Messages take
/// the link of their port first, then the route of `routing`, which is fixed.
RoundContention contention(const ChunkSchedule& schedule, const HardwareConfig& config,
                           const Graph& graph, const Routing& routing);

}  // namespace flitscope::synthesis
