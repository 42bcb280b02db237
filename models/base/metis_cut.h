// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts graphs in parts by METIS (Karypis and Kumar 1998): its recursive bisection, with the
// necessary set-up.
#pragma once

#include <cstdint>
#include <vector>

namespace flitscope {

/// Vertices and the edges between them; both ends list each edge.
struct MetisGraph {
    std::vector<std::int32_t> first{0};        ///< per vertex and after the last: index in `to`
    std::vector<std::int32_t> to;              ///< neighbours, not the vertex itself
    std::vector<std::int32_t> edge_weights;    ///< per entry of `to`
    std::vector<std::int32_t> vertex_weights;  ///< empty: all alike
};

/// Returns the part of each vertex, 0 to `parts` - 1, such that edges between parts have little
/// weight. `shares` are the wanted shares of the vertices' weight, kept roughly; they add up to 1
/// (empty: all alike). The same graph gives the same parts. There must be edges. Throws
/// std::bad_alloc if memory is exhausted, std::runtime_error for other failures of METIS. No other
/// thread may run during the call (MetisGuard).
std::vector<std::int32_t> metis_cut(MetisGraph graph, std::int32_t parts,
                                    std::vector<float> shares = {});

}  // namespace flitscope
