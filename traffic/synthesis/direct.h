// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds of messages that go all their way in one round, on the routes that the fabric has: for
// nodes with one channel each way, where passing on at nodes would cost more than it gains.
#pragma once

#include <cstdint>
#include <vector>

#include "models/config/config.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "traffic/synthesis/chunk_schedule.h"

namespace flitscope::synthesis {

/// Rounds of a collective whose chunks go from one node to one other (kAllToAll, kScatter). In a
/// round no two messages share a directed link of `routing`, which is fixed, and a node sends one
/// and receives one at most. Those go first whose links and nodes have most before them.
std::vector<std::vector<ChunkMove>> direct_rounds(const Task& task, const Graph& graph,
                                                  const Routing& routing, std::uint64_t seed);

/// The least time between the begins of rounds after which no message meets one of the round
/// before, nor waits for its node: what the longest message keeps a link for, and how much later it
/// comes to a link far from its source than the next one does to a link near its own.
Cycle clear_period(const ChunkSchedule& schedule, const Config& config, const Graph& graph,
                   const Routing& routing);

}  // namespace flitscope::synthesis
