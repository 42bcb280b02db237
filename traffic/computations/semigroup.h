// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Semigroup computations (Cheung and Lau 1995, Sections 4 to 8): all values combined into one, in a
// given order, on meshes with express links of every layout and on grids without any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/topology/families/express_shape.h"
#include "traffic/computations/computation_grid.h"
#include "traffic/computations/line_computations.h"

namespace flitscope {

/// The moves of a semigroup computation, and the order in which it combines the nodes' values.
struct SemigroupPlan {
    ComputationPlan plan;
    RegisterId id = 0;             ///< register of a node's initial value
    NodeId result_node = 0;        ///< the node that gets the result
    RegisterId result = 0;         ///< and in which register
    std::vector<NodeId> sequence;  ///< nodes in the order of their values
};

/// Algorithms 1 and 2: dimension after dimension, values in the order of nodes. On express lines 2
/// sqrt(n) - 2 steps per dimension if L = sqrt(n), on ordinary ones n - 1.
SemigroupPlan semigroup_by_rows(const ComputationGrid& grid, const Operator& combine);

/// Algorithm 3: within each submesh over ordinary links, then over the express links of its
/// terminals, level by level if there are several; row by row, then column by column. Values are in
/// submesh-row-major order. 4 sqrt(n) - 4 steps on sparse and full layouts, 4 sqrt(n) - 2 on
/// compound and 6 sqrt(n) - 4 on shifted ones, 2 (r + 1) (b - 1) on r levels of b (errata 003 and
/// section D). Throws std::invalid_argument for shapes without such links.
SemigroupPlan semigroup_by_submeshes(const ExpressShape& shape, const Operator& combine);

/// Algorithm 4, for values in the order of nodes on n x n nodes in the sparse or the full layout:
/// the rows of a submesh stay separate until they reach column 0. There the terminals combine
/// theirs before phase 3, which takes sqrt(n) - 1 steps then: 5 sqrt(n) - 5 in all. `as_printed`
/// overlaps them in phase 3 as well, 6 sqrt(n) - 6 steps, which is out of order (erratum 003).
SemigroupPlan semigroup_by_submesh_rows(const ExpressShape& shape, const Operator& combine,
                                        bool as_printed);

}  // namespace flitscope
