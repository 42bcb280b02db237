// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network in parts of about the same size with few links between them, for parallel simulation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitscope {

class Graph;

/// Returns the part of each router, 0 to `parts` - 1; no part is empty, or has many more routers or
/// links than another. Parts are blocks of consecutive routers, or those of METIS (Karypis and
/// Kumar 1998) if that cuts fewer links. The same graph gives the same parts. `parts` is 1 to
/// router_count().
std::vector<std::uint32_t> partition(const Graph& graph, std::uint32_t parts);

/// Links from one part to another.
std::size_t cut_links(const Graph& graph, const std::vector<std::uint32_t>& part_of);

}  // namespace flitscope
