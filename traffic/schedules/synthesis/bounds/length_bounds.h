// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Bounds on complete exchanges by lengths of channels, the dual of the maximum concurrent flow:
// whatever the paths, a block from s to t occupies channels of at least the length of the shortest
// way from s to t, and in a period channels have no more than the sum of capacity times length.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "traffic/schedules/synthesis/bounds/capacities.h"
#include "traffic/schedules/synthesis/bounds/fraction.h"

namespace flitscope::synthesis {

/// A length for every arc, and the resulting bound.
struct ArcLengths {
    std::vector<std::uint64_t> lengths;
    /// Sum of the distances of all ordered pairs of members / sum of capacity times length, in
    /// periods per flit of a block; 0 if members cannot reach each other.
    Fraction bound;
};

/// Lengths as given, with their bound.
ArcLengths with_bound(const CapacityGraph& graph, std::vector<std::uint64_t> lengths);

/// The best lengths found: from cuts given by `cuts` (per vertex, whether it is inside), from equal
/// lengths, and from multiplicative weights in `rounds` steps (Garg and Koenemann 1998; Fleischer
/// 2000). It stops when the bound reaches `enough`, which a schedule has.
ArcLengths best_lengths(const CapacityGraph& graph, const std::vector<std::vector<bool>>& cuts,
                        const Fraction& enough, std::uint32_t rounds);

}  // namespace flitscope::synthesis
