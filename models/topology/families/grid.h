// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the links of networks that join positions along the lines of a grid; for the builders of
// such networks (topologies.h) alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/topology/graph.h"

namespace flitscope {

/// Whether a hop of spans[span_index] begins at `node` in the + direction of dimension `dim`.
using HasHop = std::function<bool(NodeId node, std::size_t dim, std::size_t span_index)>;

/// Adds to a graph with wiring the links of all hops that stay within their line, or go round a
/// ring, and for which `has_hop` holds: both directions of each, in order of node and port, as long
/// as their ends stand apart.
void add_grid_links(Graph& graph, const HasHop& has_hop);

/// "4x5".
std::string grid_shape(const std::vector<std::uint32_t>& sides);

}  // namespace flitscope
