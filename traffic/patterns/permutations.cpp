// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/permutations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "models/base/powers_of_two.h"
#include "models/base/shuffle.h"
#include "models/topology/graph.h"
#include "traffic/patterns/rng.h"

namespace flitscope {
namespace {

std::uint32_t address_bits(const Shape& shape, const char* pattern) {
    const NodeId nodes = grid_nodes(shape.graph);
    if (!is_power_of_two(nodes)) {
        shape.refuse(fmt::format("{} needs a power-of-two number of nodes, but {} has {}", pattern,
                                 shape.graph.description(), nodes),
                     "use uniform, tornado or neighbour");
    }
    return floor_log2(nodes);
}

NodeId reversed(NodeId node, std::uint32_t bits) {
    NodeId result = 0;
    for (std::uint32_t i = 0; i < bits; ++i) result |= (node >> i & 1U) << (bits - 1 - i);
    return result;
}

/// `ahead(k)` steps forward in every dimension of side k.
template <typename Ahead>
NodeId moved(const Graph& graph, NodeId node, Ahead ahead) {
    NodeId result = 0;
    NodeId stride = 1;
    for (std::size_t dim = graph.node_dims().size(); dim-- > 0;) {
        const NodeId side = graph.node_dims()[dim];
        result += (node / stride % side + ahead(side)) % side * stride;
        stride *= side;
    }
    return result;
}

/// The nodes of either half of the dimensions if these are alike, else of either half of the bits
/// of a node number; 0 if there are no such halves.
NodeId transposed_side(const Graph& graph) {
    const std::vector<std::uint32_t>& dims = graph.node_dims();
    const auto middle = dims.begin() + static_cast<std::ptrdiff_t>(dims.size() / 2);
    if (dims.size() % 2 == 0 && std::equal(dims.begin(), middle, middle)) {
        return std::accumulate(dims.begin(), middle, NodeId{1}, std::multiplies<>());
    }
    const NodeId nodes = grid_nodes(graph);
    if (!is_power_of_two(nodes) || floor_log2(nodes) % 2 != 0) return 0;
    return NodeId{1} << floor_log2(nodes) / 2;
}

}  // namespace

NodeId grid_nodes(const Graph& graph) {
    NodeId nodes = 1;
    for (const std::uint32_t side : graph.node_dims()) nodes *= side;
    return nodes;
}

Permutation transpose(const Shape& shape) {
    const NodeId side = transposed_side(shape.graph);
    if (side == 0) {
        shape.refuse(fmt::format("transpose does not fit {}", shape.graph.description()),
                     "it needs a grid of two equal halves, such as 6 x 6, or 4, 16, 64, ... nodes");
    }
    return [side](NodeId n) { return n % side * side + n / side; };
}

Permutation bit_reverse(const Shape& shape) {
    const std::uint32_t bits = address_bits(shape, "bit_reverse");
    return [bits](NodeId n) { return reversed(n, bits); };
}

Permutation bit_complement(const Shape& shape) {
    const std::uint32_t bits = address_bits(shape, "bit_complement");
    return [ones = (NodeId{1} << bits) - 1](NodeId n) { return n ^ ones; };
}

Permutation shuffle(const Shape& shape) {
    const std::uint32_t bits = address_bits(shape, "shuffle");
    const NodeId nodes = grid_nodes(shape.graph);
    return [bits, nodes](NodeId n) {
        return bits == 0 ? n : (n << 1 | n >> (bits - 1)) & (nodes - 1);
    };
}

Permutation tornado(const Shape& shape) {
    return [&graph = shape.graph](NodeId n) {
        return moved(graph, n, [](NodeId side) { return (side + 1) / 2 - 1; });
    };
}

Permutation neighbour(const Shape& shape) {
    return [&graph = shape.graph](NodeId n) {
        return moved(graph, n, [](NodeId) { return NodeId{1}; });
    };
}

std::vector<NodeId> drawn_permutation(NodeId nodes, std::uint64_t seed) {
    std::vector<NodeId> cycle(nodes);
    std::iota(cycle.begin(), cycle.end(), NodeId{0});
    // A stream that differs from every node's and from the order in which faults.seed draws nodes.
    shuffle(cycle, Rng(seed, nodes).bits());
    std::vector<NodeId> destinations(nodes);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        destinations[cycle[i]] = cycle[(i + 1) % cycle.size()];
    }
    return destinations;
}

}  // namespace flitscope
