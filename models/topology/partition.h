// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network in parts of about the same size with few links between them, for those that simulate
// the parts side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "models/topology/graph.h"

namespace flitscope {

/// Per node its part, 0 to `parts` - 1; none is empty, and none has many more nodes, or nodes with
/// many more links, than another. Blocks of consecutive nodes, or what METIS finds (Karypis and
/// Kumar 1998) where that cuts fewer links: the same for the same graph. `parts` is 1 to
/// node_count().
std::vector<std::uint32_t> partition(const Graph& graph, std::uint32_t parts);

/// Links from one part to another.
std::size_t cut_links(const Graph& graph, const std::vector<std::uint32_t>& part_of);

}  // namespace flitscope
