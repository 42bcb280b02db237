// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Patterns in which every node has one destination. Definitions after Dally and Towles (2004),
// section 3.2; the drawn one is ours.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class Graph;

/// The nodes of the grid, numbers 0 .. grid_nodes() - 1; all others are in addition to it, and no
/// permutation moves them.
NodeId grid_nodes(const Graph& graph);

/// The network as the builder of a permutation sees it; `refuse` throws.
struct Shape {
    const Graph& graph;
    std::function<void(const std::string& what, const std::string& hint)> refuse;
};

/// The destination of each node of the grid.
using Permutation = std::function<NodeId(NodeId)>;

/// The coordinates of the first half of the dimensions are swapped with those of the second: (y, x)
/// to (x, y) in a square mesh, halves of the address in a hypercube. In other networks of 4, 16,
/// 64, ... nodes, such as fat trees, the halves of the node number, as in BookSim2.
Permutation transpose(const Shape& shape);
/// Address bits in reverse order (power-of-two node counts).
Permutation bit_reverse(const Shape& shape);
/// Every address bit inverted (power-of-two node counts): node n to nodes - 1 - n.
Permutation bit_complement(const Shape& shape);
/// Address bits rotated left by one (power-of-two node counts).
Permutation shuffle(const Shape& shape);
/// ceil(k/2) - 1 ahead in every dimension of side k, modulo k.
Permutation tornado(const Shape& shape);
/// 1 ahead in every dimension of side k, modulo k.
Permutation neighbour(const Shape& shape);

/// The destination of each of `nodes` nodes, drawn from `seed`: the next one in a cycle through
/// all of them, and every cycle is as likely. So each node sends to another one and receives from
/// one.
std::vector<NodeId> drawn_permutation(NodeId nodes, std::uint64_t seed);

}  // namespace flitscope
