// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Common parts of network families that join positions along the lines of a grid; only for the
// files of this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/grid_wiring.h"

namespace flitscope {

class Graph;
struct TopologyConfig;

/// Whether a hop of spans[span_index] begins at `router` in the + direction of dimension `dim`.
using HasHop = std::function<bool(RouterId router, std::size_t dim, std::size_t span_index)>;

/// Adds to a graph with wiring the links of all hops that stay within their line, or go round a
/// ring, and for which `has_hop` holds: both directions of each, in order of router and port,
/// if their ends differ.
void add_grid_links(Graph& graph, const HasHop& has_hop);

/// A grid whose places are all wired alike.
Graph build_regular_grid(const std::string& kind, std::vector<GridDimension> dimensions,
                         SharedPorts shared = SharedPorts::kNone);

/// A value for each of so many dimensions; a single one applies to all.
template <class T>
std::vector<T> for_each_dimension(std::vector<T> values, std::size_t dimensions) {
    if (values.size() == 1) values.resize(dimensions, values.front());
    return values;
}

/// 1 to `longest`.
std::vector<std::uint32_t> spans_up_to(std::uint32_t longest);

/// "4x5".
std::string grid_shape(const std::vector<std::uint32_t>& sides);

/// Checks that a family whose routers are the product of `dims` does not have too many.
void check_grid(TopologyFindings& findings);
std::optional<TopologySize> grid_size(const TopologyConfig& topology);

}  // namespace flitscope
