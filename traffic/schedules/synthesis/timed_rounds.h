// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The moves of rounds by the clock. In steps every round costs a link its flits and the way of the
// last one; by the clock a link sends the next chunk when its flits have left, and only a chunk
// that is passed on waits for its way.
#pragma once

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "traffic/schedules/synthesis/chunk_schedule.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// Sets the begin of every move of `schedule`, which was found round by round for nodes with a
/// channel per link, if all ends sooner than in `latest` cycles; otherwise it stays as it is. Its
/// rounds stay what they are: the order by which chunks depend on each other. A link takes them in
/// about the order of the rounds, another one first rather than none (list scheduling, from either
/// end). Its time is exact if no FIFO is too shallow for the full rate of a chunk's packets.
///
/// Not for circuits, nodes that assemble or start one message after the other, chunks without
/// bytes, and schedules so long that this would take longer than their search.
void begin_by_the_clock(ChunkSchedule& schedule, Cycle latest, const HardwareConfig& config,
                        const Graph& graph, const Routing& routing);

}  // namespace flitscope::synthesis
