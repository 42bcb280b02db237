// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collective operations on HOW networks and generalized hypercubes of one and two dimensions
// (Ziavras et al., Sections 4 and 5), with the corrections of the errata (004.2, 004.3). With a
// window of 1 they run on meshes, those without a ring.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/config/node_config.h"
#include "traffic/schedules/windows/collective_plan.h"

namespace flitscope {

struct HowShape {
    std::vector<std::uint32_t> sides;    ///< one or two
    std::vector<std::uint32_t> windows;  ///< as many
};

/// The plan of `collective` from `root` (if it has one) for nodes that can send what `ports`
/// allows. Its steps, with B = ceil((p - 1) / w), s1 = ceil(lg(w + 1)), s2 = ceil((p - 2^s1) / w)
/// on a line of p nodes and a root at its end:
///
/// | collective                | one output               | same value          | independent |
/// |---------------------------|--------------------------|---------------------|-------------|
/// | one to all                | s1 + s2 (ceil(lg p) when w >= p - 1) | B       | B           |
/// | all to all                | p - 1 (ring)             | B + (p - 1) / (2 w) | B           |
/// | one to all, personalized  | p - 1 (ring)             | p - 1               | B           |
/// | all to all, personalized  | p^2 / 4 (ring)           | p^2 / 4             | B + L       |
///
/// (integer divisions; L: blocks over the busiest relay link). On s x s nodes one to all takes
/// twice as many; all to all 1 + s times; one to all personalized p - 1 steps, s B with independent
/// ports; all to all personalized 2 s times as many. Throws std::invalid_argument for other shapes,
/// and for rings in which a line of more than two nodes has a window of 1.
CollectivePlan how_collective(const HowShape& shape, Collective collective, PortModel ports,
                              NodeId root);

/// The moves of that plan, in time linear in the sides if it is personalized; an upper bound of a
/// scatter. Others have at most one for every ordered pair of nodes.
std::uint64_t personalized_moves(const HowShape& shape, Collective collective, PortModel ports);

}  // namespace flitscope
