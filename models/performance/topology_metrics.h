// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics for comparing topologies: channels, degree, diameter, distance, bisection, wire and
// layout; and the distances under a routing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;

struct TopologyMetrics {
    std::uint64_t nodes = 0;       ///< that send and receive
    std::uint64_t switches = 0;    ///< routers without nodes
    std::uint64_t channels = 0;    ///< pairs of routers with a link between, as the papers count
    std::uint64_t links = 0;       ///< directed
    std::uint32_t degree_min = 0;  ///< channels of a router between it and others
    std::uint32_t degree_max = 0;
    std::uint32_t diameter = 0;   ///< hops of the longest shortest path between nodes
    double average_distance = 0;  ///< hops, mean over ordered pairs of different nodes
    NodeId distance_sources = 0;  ///< nodes that distances were taken from; all: they are exact
    std::uint64_t bisection = 0;  ///< channels between the canonical halves (cut_into_halves)
    std::uint64_t bisection_links = 0;   ///< between them, in the direction that has more
    std::string bisection_proof;         ///< why no halves have fewer; empty: an upper bound
    std::uint64_t wire_length = 0;       ///< sum over channels of the longer link, node pitches
    std::uint32_t longest_wire = 0;      ///< node pitches
    std::uint64_t collective_width = 0;  ///< maximum over lines, in tracks (collinear.h)
    /// Layers of wires in the layout that positions describe (Ziavras, Section 3): one for a single
    /// line of routers; in two dimensions one for the wires along rows and one for those along
    /// columns, ...
    std::uint32_t layers = 1;
    std::uint64_t contacts = 0;  ///< ... with two contacts between them for every channel
};

/// Closed forms for distances if the lines of a grid are all wired alike; otherwise breadth-first
/// search, in large networks from a sample of routers that are evenly spread.
TopologyMetrics measure_topology(const Graph& graph);

/// Diameter and average distance by breadth-first search, for any graph, from the nodes of
/// `searches` routers, or of all if fewer have nodes. From a sample the diameter is a lower bound
/// and the average an estimate.
void measure_distances(const Graph& graph, TopologyMetrics& metrics,
                       std::uint32_t searches = UINT32_MAX);

/// The paths of a routing against the shortest ones, over ordered pairs of different nodes.
struct RoutingMetrics {
    double mean_hops = 0;
    std::uint32_t max_hops = 0;
    double mean_extra_hops = 0;        ///< beyond the shortest path
    std::uint32_t max_extra_hops = 0;  ///< of one path
    double detour_share = 0;           ///< share of pairs whose path is not a shortest one
    NodeId destinations = 0;           ///< nodes that paths were followed to; all: it is exact
};

/// Follows the routing to all nodes, in large networks to a sample that is evenly spread. For an
/// oblivious routing each pair contributes one packet, for an adaptive one the path on which every
/// first choice is free, for one by queues the path while they are empty. Throws std::logic_error
/// when a path does not arrive.
RoutingMetrics measure_routing(const Graph& graph, const Routing& routing);
/// Measures a routing only between `nodes`, which send and receive.
RoutingMetrics measure_routing(const Graph& graph, const Routing& routing,
                               const std::vector<NodeId>& nodes);

}  // namespace flitscope
