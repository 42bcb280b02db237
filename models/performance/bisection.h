// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts of a network in two: across its middle, for lower bounds on time, and into equal halves, for
// the bisection width, the fewest channels between such halves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flitscope {

class Graph;

/// A cut of a network in two.
struct NodeCut {
    std::vector<bool> upper;  ///< per router: on the second side
    std::uint64_t up = 0;     ///< links from the first to the second side
    std::uint64_t down = 0;   ///< links back; differs with one-way links

    /// Links that leave the second side, or the first.
    std::uint64_t links_from(bool upper_side) const { return upper_side ? down : up; }
    /// Flits per cycle that they carry at most.
    double capacity_from(const Graph& graph, bool upper_side) const;
    /// Links in the direction that has more of them.
    std::uint64_t most_links() const;
};

/// The cut with these routers on the second side, its links counted.
NodeCut cut_around(const Graph& graph, std::vector<bool> upper);

/// The cut across the middle of the longest dimension, the first of equals; networks without a grid
/// are cut in the order of routers. For an odd side the second half is a layer larger: it cuts
/// fewer links, and gives the tighter bound on time. A network with switches is cut as by
/// cut_into_halves().
NodeCut middle_cut(const Graph& graph);

/// A cut between routers into halves of the nodes, which differ by as few as the order of routers
/// allows: by at most one if each has one node. Switches do not count.
struct HalvesCut : NodeCut {
    std::uint64_t channels = 0;  ///< between the halves; never fewer than the bisection width
    std::string proof;           ///< why `channels` is the bisection width; empty: it may be less
};

/// The cut of the canonical halves: routers in row-major order of some dimension, then of the
/// others by falling side; the first of them, with half of the nodes, against the rest. The
/// dimension is the one whose cut has the fewest channels. Networks without a grid are cut by rows
/// or columns of their layout, which for custom graphs is the order of routers.
HalvesCut cut_into_halves(const Graph& graph);

}  // namespace flitscope
