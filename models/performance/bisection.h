// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Bisection width: the fewest channels between two halves of a network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/topology/graph.h"

namespace flitscope {

/// A cut into halves that differ by at most one node; switches that are no endpoints do not count.
struct HalvesCut {
    std::vector<bool> upper;     ///< per node: in the second half
    std::uint64_t channels = 0;  ///< between the halves; never fewer than the bisection width
    std::string proof;           ///< why `channels` is the bisection width; empty: it may be less
};

/// The cut of the canonical halves: nodes in row-major order of some dimension, then of the others
/// by falling side; the first half of them against the rest. Of all dimensions the one whose cut
/// has the fewest channels. Networks without a grid are cut by rows or columns of their layout,
/// which for custom graphs is the order of nodes.
HalvesCut cut_into_halves(const Graph& graph);

/// Links between the halves, in the direction that has more of them.
std::uint64_t links_across(const Graph& graph, const HalvesCut& cut);

}  // namespace flitscope
