// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The phases of a complete exchange on square meshes whose side is not a multiple of 4
// (BOUNDED_CONTENTION.md, "Squares of 4q + 2" and "Squares of odd side").
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "traffic/schedules/exchange/line_classes.h"

namespace flitscope {

/// The messages that move by one of `first` in the first dimension and by one of `second` in the
/// second one.
struct PatternProduct {
    MovePattern first;
    MovePattern second;
};

/// Calls `visit` for sets of products which together hold every ordered pair of different nodes
/// once. The messages of a set share no link, in whichever order the dimensions are routed, and no
/// end. There are side^3 / 4 sets for a side of 4q + 2, side (side^2 - 1) / 4 for 4q + 3, and
/// (side + 1)^2 (side - 1) / 4 for 4q + 1. Throws std::invalid_argument for a multiple of 4, and
/// for a side below 5.
void visit_square_phases(std::uint32_t side,
                         const std::function<void(const std::vector<PatternProduct>&)>& visit);

}  // namespace flitscope
