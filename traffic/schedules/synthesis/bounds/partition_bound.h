// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Bounds by partitions on reductions whose result goes to all members: p parts of a network have to
// send each other 2 (p - 1) copies of every value.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/schedules/synthesis/bounds/capacities.h"
#include "traffic/schedules/synthesis/bounds/fraction.h"

namespace flitscope::synthesis {

/// The vertices, in parts.
struct Partition {
    std::vector<std::uint32_t> part_of;  ///< per vertex, 0 .. parts - 1
    std::uint32_t parts = 0;
    std::uint64_t capacity = 1;  ///< capacity of the arcs between parts
    /// Periods per flit of a vector: until one part has the values of all others it takes parts - 1
    /// transfers, and then all others are still incomplete.
    Fraction bound() const { return {2 * std::uint64_t{parts - 1}, capacity}; }
};

/// The partition with the largest bound, or every vertex for itself if none exceeds `enough`. All
/// vertices are members. If arcs have their reverse it is exact: spanning trees of that many chunks
/// can be packed (Nash-Williams 1961, Tutte 1961). Found by Newton's method, discrete, with a least
/// cut for every vertex in each step (Cunningham 1985).
Partition largest_partition(const CapacityGraph& graph, const Fraction& enough);

}  // namespace flitscope::synthesis
