// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bound on a collective on a machine, in cycles, whatever the schedule, with the certificate
// that proves it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/base/types.h"
#include "traffic/schedules/synthesis/bounds/capacities.h"
#include "traffic/schedules/synthesis/bounds/cut_bounds.h"
#include "traffic/schedules/synthesis/bounds/length_bounds.h"
#include "traffic/schedules/synthesis/bounds/partition_bound.h"
#include "traffic/schedules/synthesis/bounds/startup_bound.h"
#include "traffic/schedules/synthesis/task/collective.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// The argument that proves a bound.
enum class BoundKind : std::uint8_t {
    kNone,       ///< there is nothing to send
    kCut,        ///< data that must leave a set of nodes, over its channels
    kLengths,    ///< lengths of channels: the dual of the maximum concurrent flow
    kTransfers,  ///< kAllReduce: 2 (p - 1) transfers of every value between p parts
    kLatency,    ///< the way between the two nodes that are farthest apart
    kStartups,   ///< messages that nodes have to send, one startup after the other
};
const char* name_of(BoundKind kind);

struct CollectiveBound {
    BoundKind kind = BoundKind::kNone;
    Cycle cycles = 0;  ///< bound on the makespan
    /// Except for kLatency and kStartups: periods of CapacityGraph that the fullest channel needs
    /// for each flit of a block (with kAllReduce, of the vector).
    Fraction share;
    Cycle period = 1;  ///< period of CapacityGraph, in cycles
    /// Rounds in which a link carries one chunk, at least; by the share, whatever the kind.
    std::uint64_t rounds = 0;
    std::optional<Cut> cut;
    std::optional<ArcLengths> lengths;
    /// kTransfers, if nodes have a channel per link; else every node is a part.
    std::optional<Partition> partition;
    /// kLatency: the two nodes.
    NodeId from = 0;
    NodeId to = 0;
    std::optional<StartupBound> startups;  ///< kStartups
};

/// The search for lengths ends at `enough` chunks over a link, which a schedule of the task has; 0:
/// it continues.
CollectiveBound bound_of(const Task& task, const HardwareConfig& config, const Graph& graph,
                         std::uint64_t enough = 0);

/// The minimum cycles for a share of the block, by the packets of the machine.
Cycle cycles_of(const Fraction& share, const Task& task, const HardwareConfig& config,
                const CapacityGraph& capacities);

}  // namespace flitscope::synthesis
