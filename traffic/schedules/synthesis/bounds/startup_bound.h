// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bound on collectives of nodes that work on one startup at a time (node.serialize_overhead):
// the fewest messages that they can send, and the cost of that in blocks that are sent again.
#pragma once

#include <cstdint>
#include <optional>

#include "models/base/types.h"
#include "traffic/schedules/synthesis/bounds/capacities.h"
#include "traffic/schedules/synthesis/task/collective.h"

namespace flitscope {
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// A slot lasts a startup and the assembly of the shortest message. A node begins at most one
/// message in a slot, and forwards a received one only in a later slot. So the route of a block is
/// identified by its source and the slots of its sends: the first send is one of all messages, at
/// most n of which are in a slot, and with M slots C(M - 1 - a, h - 1) routes of h sends begin in
/// slot a. A block on a route of h sends is carried h times, and there are n (n - 1) blocks: this
/// bounds from below the blocks that a number of messages carries. Each message costs its node a
/// startup, each block its assembly.
struct StartupBound {
    Cycle cycles = 0;  ///< bound on the makespan: one less is impossible
    Cycle slot = 0;    ///< cycles
    Cycle way = 0;     ///< least cycles from the assembly of a message to its arrival
    // In the time of one cycle less:
    std::uint64_t slots = 0;
    // For exchanges, the least total cost of all nodes, if slots suffice for it; else 0:
    std::uint64_t messages = 0;
    std::uint64_t blocks = 0;
    Cycle of_message = 0;  ///< cycles of a message at its node
    Cycle of_block = 0;    ///< cycles of a block in it, rounded down
};

/// For exchanges as above; for all others from the spread of a node's data to all nodes: the nodes
/// that have it double in every slot. Nothing if startups run in parallel, nodes have several
/// channels or planes, or circuits are switched.
std::optional<StartupBound> startup_bound(const Task& task, const HardwareConfig& config,
                                          const CapacityGraph& capacities);

}  // namespace flitscope::synthesis
