// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Prefix computations, median row, median and closest neighbours on grids (Cheung and Lau 1995,
// Section 9, which states their times; the algorithms are those of the errata, sections B and C).
// s = sqrt(n) on an n x n express mesh with L = s.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/computations/computation_grid.h"
#include "traffic/computations/computation_plan.h"
#include "traffic/computations/value_operations.h"

namespace flitscope {

/// Every node's value, with those of all nodes before it. `values_per_node` values of each node are
/// combined before the first step. 8s - 8 steps.
Computation prefix(const ComputationGrid& grid, const ValueOperation& operation,
                   std::uint32_t values_per_node, std::uint64_t seed);

/// The first row up to which at least half of all ones are found, for bits that are set with
/// probability 1/2; the result is at the node at its start. Two dimensions; 8s - 8 steps.
Computation median_row(const ComputationGrid& grid, std::uint64_t seed);

/// Finds for each node with a one the nearest other one (by rows and columns; in a tie the one with
/// the smallest number); bits are set with probability 1/4. Two dimensions; 12s - 12 steps.
Computation closest_neighbour(const ComputationGrid& grid, std::uint64_t seed);

/// The lower median of a number at each node, by quickselect: in every round node 0 broadcasts a
/// pivot and learns how many numbers that may be the median are below it, and one of them at random
/// from either side. (4s - 4) (2R + 1) steps for R rounds; the plan has those that the numbers
/// need.
Computation median(const ComputationGrid& grid, std::uint64_t seed);

/// The rounds that median() needs for `count` numbers, without a plan.
std::uint32_t median_rounds(NodeId count, std::uint64_t seed);

}  // namespace flitscope
