// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/kernels/process_grid.h"

#include <cmath>

#include "models/topology/graph.h"

namespace flitscope {
namespace {

/// The smallest divisor of `count` not below its `root`-th root.
NodeId side_for(NodeId count, std::size_t root) {
    const double least = std::pow(static_cast<double>(count), 1.0 / static_cast<double>(root));
    for (NodeId side = 1; side < count; ++side) {
        if (count % side == 0 && static_cast<double>(side) >= least - 1e-9) return side;
    }
    return count;
}

}  // namespace

ProcessGrid::ProcessGrid(const Graph& graph, std::size_t dimensions) {
    NodeId rest = graph.node_count();
    std::uint64_t product = 1;
    for (const std::uint32_t side : graph.node_dims()) product *= side;
    if (graph.node_dims().size() == dimensions && product == rest) {
        sides_.assign(graph.node_dims().begin(), graph.node_dims().end());
    } else {
        for (std::size_t left = dimensions; left > 0; --left) {
            sides_.push_back(left == 1 ? rest : side_for(rest, left));
            rest /= sides_.back();
        }
    }
    strides_.resize(dimensions);
    NodeId stride = 1;
    for (std::size_t d = dimensions; d-- > 0;) {
        strides_[d] = stride;
        stride *= sides_[d];
    }
}

NodeId ProcessGrid::position(NodeId node, std::size_t dimension) const {
    return node / strides_[dimension] % sides_[dimension];
}

std::optional<NodeId> ProcessGrid::neighbour(NodeId node, std::size_t dimension, int step) const {
    const std::int64_t at = std::int64_t{position(node, dimension)} + step;
    if (at < 0 || at >= std::int64_t{sides_[dimension]}) return std::nullopt;
    return static_cast<NodeId>(node + step * std::int64_t{strides_[dimension]});
}

std::optional<NodeId> ProcessGrid::periodic_neighbour(NodeId node, std::size_t dimension,
                                                      int step) const {
    const NodeId side = sides_[dimension];
    if (side == 1) return std::nullopt;
    const NodeId at = position(node, dimension);
    const NodeId to = (at + (step > 0 ? 1 : side - 1)) % side;
    return node - at * strides_[dimension] + to * strides_[dimension];
}

std::vector<NodeId> ProcessGrid::line(NodeId node, std::size_t dimension) const {
    const NodeId first = node - position(node, dimension) * strides_[dimension];
    std::vector<NodeId> nodes;
    for (NodeId i = 0; i < sides_[dimension]; ++i) nodes.push_back(first + i * strides_[dimension]);
    return nodes;
}

}  // namespace flitscope
