// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts graphs in parts by METIS (Karypis and Kumar 1998): its recursive bisection, with what it
// needs around it.
#pragma once

#include <cstdint>
#include <vector>

namespace flitscope {

/// Vertices and the edges between them, each of which both ends list.
struct MetisGraph {
    std::vector<std::int32_t> first{0};        ///< per vertex and behind the last: in `to`
    std::vector<std::int32_t> to;              ///< neighbours, not the vertex itself
    std::vector<std::int32_t> edge_weights;    ///< of each entry of `to`
    std::vector<std::int32_t> vertex_weights;  ///< empty: all alike
};

/// Per vertex its part, 0 to `parts` - 1, so that little weight is between parts; `shares` of the
/// vertices' weight, which add up to 1, are kept to roughly (empty: all alike). The same for the
/// same graph. There must be edges. Throws std::bad_alloc where memory ends, std::runtime_error for
/// all else that METIS does not do. As MetisGuard says, no other thread may run meanwhile.
std::vector<std::int32_t> metis_cut(MetisGraph graph, std::int32_t parts,
                                    std::vector<float> shares = {});

}  // namespace flitscope
