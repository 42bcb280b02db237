// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The complete exchanges of the catalogue as a search sees them: the order of their messages.
#pragma once

#include <vector>

#include "models/routing/routing.h"
#include "traffic/schedules/synthesis/direct/direct_rounds.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// The messages per step of every direct exchange that the network can have; first those with the
/// least contention, if every step waits for the one before it. If a block has several chunks they
/// follow each other. Those without steps are left out, and messages of nodes that do not take
/// part.
std::vector<MessageRounds> known_exchanges(const Task& task, const HardwareConfig& config,
                                           const Graph& graph, const Routing& routing);

}  // namespace flitscope::synthesis
