// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links of the shortest paths of a network, by breadth-first search.
#pragma once

#include <cstdint>
#include <vector>

#include "models/topology/graph.h"

namespace flitscope {

class DistanceSearch {
public:
    enum class Way : std::uint8_t { kFrom, kTo };

    /// For distances from nodes, or to them.
    DistanceSearch(const Graph& graph, Way way);

    /// Of all nodes from (to) `node`; valid until the next search. UINT32_MAX where there is no
    /// way.
    const std::vector<std::uint32_t>& distances(NodeId node);

private:
    std::vector<std::uint32_t> first_;  // per node: index of its first neighbour
    std::vector<NodeId> next_;
    std::vector<std::uint32_t> distance_;
    std::vector<NodeId> open_;
};

}  // namespace flitscope
