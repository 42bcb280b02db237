// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The grid of the nodes of a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class Graph;

class ProcessGrid {
public:
    /// The grid of the network's nodes if it has `dimensions` dimensions and no nodes besides, else
    /// the most even grid that its nodes allow. Nodes are row-major: the last dimension varies
    /// fastest.
    ProcessGrid(const Graph& graph, std::size_t dimensions);

    const std::vector<NodeId>& sides() const { return sides_; }
    NodeId position(NodeId node, std::size_t dimension) const;
    /// The node one place on in a dimension (`step` 1), or back (-1); nothing beyond the edge.
    std::optional<NodeId> neighbour(NodeId node, std::size_t dimension, int step) const;
    /// The same on a grid that wraps around; nothing if that is the node itself.
    std::optional<NodeId> periodic_neighbour(NodeId node, std::size_t dimension, int step) const;
    /// The nodes of the line of `node` along a dimension, in order.
    std::vector<NodeId> line(NodeId node, std::size_t dimension) const;

private:
    std::vector<NodeId> sides_;
    std::vector<NodeId> strides_;
};

}  // namespace flitscope
