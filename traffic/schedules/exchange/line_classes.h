// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// All ordered pairs of the positions of a line or a ring as permutations that are cut into patterns
// without link contention: the factors of the complete exchanges of bounded contention (Scott 1991;
// Bokhari and Nicol 1996). The construction is explained in BOUNDED_CONTENTION.md.
#pragma once

#include <cstdint>
#include <vector>

namespace flitscope {

struct Move {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

/// Moves that share no link in either direction; to themselves are those that only fill a place.
using MovePattern = std::vector<Move>;

/// A permutation of the positions as patterns with disjoint sources and disjoint destinations.
using LineClass = std::vector<MovePattern>;

/// A cycle on a line of `side` positions: from x to y, to the mirror image of x, to that of y and
/// back, so that every link on the way is used once in each direction. x != y are both in the lower
/// half.
MovePattern line_cycle(std::uint32_t side, std::uint32_t x, std::uint32_t y);

/// `side` classes that together hold every ordered pair of positions 0 to side - 1 once, a pair of
/// equal ones included. On a line each has at most ceil(side / 4) patterns. If `side` is a multiple
/// of 4, classes 2g and 2g + 1 agree in the positions that each of their patterns takes.
std::vector<LineClass> line_classes(std::uint32_t side);

/// `side` + 1 classes of q patterns each for a line of `side` = 4q + 1 positions, q >= 1, that
/// together hold every ordered pair of positions once. They are not permutations: in each of them a
/// mirror pair or the centre is left over, or stays in place.
std::vector<LineClass> centred_classes(std::uint32_t side);

/// The classes of a ring of even `side` under minimal routing with the ties of dimension_order: +
/// from positions that are even modulo side / 2. At most ceil(side / 8) patterns each.
std::vector<LineClass> ring_classes(std::uint32_t side);

/// The classes of a ring with patterns that go round in one direction, at most ceil(side / 4) in
/// each class: the first half of the `side` classes goes +, the second half -, by patterns that
/// take the same positions as those of the class side / 2 before.
std::vector<LineClass> directed_ring_classes(std::uint32_t side);

}  // namespace flitscope
