// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The phases of a complete exchange on square meshes whose side is no multiple of 4
// (BOUNDED_CONTENTION.md, "Squares of 4q + 2").
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

/// Calls `visit` for side^3 / 4 sets of products, which together hold every ordered pair of
/// different nodes once. The messages of a set share no link, in whichever order the dimensions are
/// routed, and no end. `side` = 4q + 2 with q >= 1; throws std::invalid_argument if it is not.
void visit_square_phases(std::uint32_t side,
                         const std::function<void(const std::vector<PatternProduct>&)>& visit);

}  // namespace flitscope
