// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures by which wirings are compared: channels, degree, diameter, distance, bisection, wire.
#pragma once

#include <cstdint>

#include "models/topology/graph.h"

namespace flitscope {

struct TopologyMetrics {
    std::uint64_t nodes = 0;
    std::uint64_t channels = 0;    ///< pairs of nodes with a link between them, as the papers count
    std::uint64_t links = 0;       ///< directed
    std::uint32_t degree_min = 0;  ///< neighbours of a node
    std::uint32_t degree_max = 0;
    std::uint32_t diameter = 0;   ///< hops of the longest shortest path
    double average_distance = 0;  ///< hops, mean over ordered pairs of different nodes
    /// Channels over the canonical cut into halves (canonical_bisection); the minimum bisection for
    /// meshes whose longest side is even and for hypercubes, an upper bound on it otherwise.
    std::uint64_t bisection = 0;
    std::uint64_t wire_length = 0;   ///< of all channels, node pitches
    std::uint32_t longest_wire = 0;  ///< node pitches
};

/// Closed forms where the kind of network has them, breadth-first search otherwise.
TopologyMetrics measure_topology(const Graph& graph);

/// Diameter and average distance by breadth-first search from every node, for any graph.
void measure_distances(const Graph& graph, TopologyMetrics& metrics);

}  // namespace flitscope
