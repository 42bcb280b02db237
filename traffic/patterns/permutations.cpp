// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/permutations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "models/base/powers_of_two.h"
#include "models/base/shuffle.h"
#include "models/topology/graph.h"
#include "traffic/patterns/rng.h"

namespace flitscope {
namespace {

std::uint32_t address_bits(const Shape& shape, const char* pattern) {
    const NodeId nodes = shape.graph.endpoint_count();
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
    const NodeId endpoints = graph.endpoint_count();
    if (endpoints != graph.node_count()) return (node + ahead(endpoints)) % endpoints;  // one line
    NodeId result = 0;
    for (std::size_t dim = 0; dim < graph.dims().size(); ++dim) {
        const NodeId side = graph.dims()[dim];
        result += (graph.coordinate(node, dim) + ahead(side)) % side * graph.stride(dim);
    }
    return result;
}

}  // namespace

Permutation transpose(const Shape& shape) {
    const std::vector<std::uint32_t>& dims = shape.graph.dims();
    const std::size_t half = dims.size() / 2;
    const bool fits = dims.size() >= 2 && dims.size() % 2 == 0 &&
                      std::equal(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(half),
                                 dims.begin() + static_cast<std::ptrdiff_t>(half));
    if (!fits) {
        shape.refuse(fmt::format("transpose does not fit {}", shape.graph.description()),
                     "it needs a square two-dimensional grid, or a hypercube with an even number "
                     "of dimensions");
    }
    const NodeId side = shape.graph.stride(half - 1);  // nodes of the second half of the dimensions
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
    const NodeId nodes = shape.graph.endpoint_count();
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
    std::vector<NodeId> circle(nodes);
    std::iota(circle.begin(), circle.end(), NodeId{0});
    // A stream that differs from every node's and from the order in which faults.seed draws nodes.
    shuffle(circle, Rng(seed, nodes).bits());
    std::vector<NodeId> destinations(nodes);
    for (std::size_t i = 0; i < circle.size(); ++i) {
        destinations[circle[i]] = circle[(i + 1) % circle.size()];
    }
    return destinations;
}

}  // namespace flitscope
