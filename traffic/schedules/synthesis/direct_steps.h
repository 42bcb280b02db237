// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges of the catalogue in which messages go to their destinations at once, step by step, and
// may wait for each other on their way.
#pragma once

#include <functional>
#include <optional>

#include "models/base/types.h"
#include "traffic/schedules/synthesis/chunk_schedule.h"
#include "traffic/schedules/synthesis/rehearsal/rehearsal.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// The fastest as rehearsed, as long as `rehearsal` has work left and `goes_on`, unless it is
/// empty, returns true. Nothing if none ends by `latest`. A task of kAllToAll in one chunk.
std::optional<ChunkSchedule> best_direct_steps(const Task& task, const HardwareConfig& config,
                                               const Graph& graph, const Routing& routing,
                                               Rehearsal& rehearsal,
                                               const std::function<bool()>& goes_on,
                                               Cycle latest = kNever);

}  // namespace flitscope::synthesis
