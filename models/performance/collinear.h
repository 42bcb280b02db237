// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collinear layout (Ziavras, Section 3): the routers of a line are side by side, the wires run
// in tracks above and below them.
#pragma once

#include <cstdint>

namespace flitscope {

class Graph;

/// Maximum collective width: the most tracks that one side of a line needs, over all lines. The
/// wires whose left end is at an even place run above the line, the others below. Lines are those
/// of the dimensions of a grid or hypercube, and of other networks the rows and columns in which
/// their routers are placed. A ring needs two tracks, folded or not.
std::uint64_t maximum_collective_width(const Graph& graph);

}  // namespace flitscope
