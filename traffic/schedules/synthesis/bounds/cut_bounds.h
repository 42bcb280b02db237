// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Bounds by cuts: the data that has to leave a set of vertices, over the capacity of its channels.
// The largest is found by maximum flows.
#pragma once

#include <optional>
#include <vector>

#include "traffic/schedules/synthesis/bounds/capacities.h"
#include "traffic/schedules/synthesis/bounds/fraction.h"
#include "traffic/schedules/synthesis/task/collective.h"

namespace flitscope::synthesis {

/// A set of vertices.
struct Cut {
    std::vector<bool> inside;    ///< per vertex
    std::uint64_t demand = 0;    ///< blocks (vectors, with kAllReduce) that must leave it
    std::uint64_t capacity = 0;  ///< capacity of the arcs that leave it
    /// Periods per flit of a block.
    Fraction bound() const { return {demand, capacity}; }
};

/// Blocks, with kAllReduce vectors, that must leave the set in any schedule.
std::uint64_t demand_of(const Task& task, const CapacityGraph& graph,
                        const std::vector<bool>& inside);
std::uint64_t capacity_of(const CapacityGraph& graph, const std::vector<bool>& inside);

/// The cut with the largest bound: kBroadcast (Edmonds 1973), kScatter, kAllGather and
/// kReduceScatter (Zhao et al. 2023, ForestColl), kAllReduce. Nothing for kAllToAll, and if members
/// cannot reach each other.
std::optional<Cut> largest_cut(const Task& task, const CapacityGraph& graph);

}  // namespace flitscope::synthesis
