// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bound on collectives of nodes that work on one startup at a time (node.serialize_overhead):
// how few messages they can send, and what that costs in blocks that are sent again.
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

/// Slots are times as long as a startup and the assembly of the shortest message. A node begins one
/// message in a slot at most, and hands on what it received in a later slot only. So the way of a
/// block is told by its source and the slots of its sends: the first send is one of all messages,
/// of which n at most are in a slot, and with M slots C(M - 1 - a, h - 1) ways of h sends begin in
/// slot a. Of n (n - 1) blocks those on ways of one send are carried once, of two twice, ...: so
/// many messages carry so many blocks at least. Each costs its node a startup, each block its
/// assembly.
struct StartupBound {
    Cycle cycles = 0;  ///< of the makespan; in one less it cannot be done
    Cycle slot = 0;    ///< cycles
    Cycle way = 0;     ///< least cycles from the assembly of a message to its arrival
    // In the time of one cycle less:
    std::uint64_t slots = 0;
    // Of exchanges, what costs all nodes together least, if slots suffice for it; else 0:
    std::uint64_t messages = 0;
    std::uint64_t blocks = 0;
    Cycle of_message = 0;  ///< cycles of a message at its node
    Cycle of_block = 0;    ///< cycles of a block in it, rounded down
};

/// Of exchanges as above; of all others that what a node has comes to everybody: in every slot
/// twice as many nodes have it. Nothing where startups run side by side, nodes have several
/// channels, or circuits are switched.
std::optional<StartupBound> startup_bound(const Task& task, const HardwareConfig& config,
                                          const CapacityGraph& capacities);

}  // namespace flitscope::synthesis
