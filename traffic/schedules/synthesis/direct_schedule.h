// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules of messages that go to their destinations at once, by a timetable: for nodes with one
// channel each way, for which forwarding would cost more than it gains.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "traffic/schedules/synthesis/chunk_schedule.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// For a collective whose chunks go from one node to one other (kAllToAll, kScatter), on a network
/// whose routing is fixed. `goes_on` is called while a better schedule could exist; if it is empty
/// the search takes some seconds on networks of up to 256 nodes. Without a method if none was found
/// that ends by `latest`; the search for one ends when it has cost much.
ChunkSchedule direct_schedule(const Task& task, const HardwareConfig& config, const Graph& graph,
                              const Routing& routing, std::uint64_t seed,
                              const std::function<bool()>& goes_on, Cycle latest = kNever);

}  // namespace flitscope::synthesis
