// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cost of faults in a network: the routing that avoids them, and the extra length of its paths.
#pragma once

#include <cstddef>
#include <string>

#include "models/performance/topology_metrics.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

struct FaultCost {
    std::size_t dead_channels = 0;   ///< between routers that are alive
    std::size_t dead_links = 0;      ///< links of these channels, each in one direction
    std::size_t dead_nodes = 0;      ///< switches included if they are numbered after the nodes
    std::size_t dead_routers = 0;    ///< if these and the nodes have different numbers
    RoutingMetrics left;             ///< for the remaining paths
    std::string fault_free_routing;  ///< choice of `auto` on the whole network
    RoutingMetrics whole;            ///< for its paths there, between the same nodes

    /// By how much paths are longer on average, as a share: 0.01 = 1 %.
    double longer() const {
        return whole.mean_hops == 0 ? 0 : left.mean_hops / whole.mean_hops - 1;
    }
};

/// `graph` must have faults (Graph::has_faults), and `routing` be the one that `config` has there.
FaultCost measure_faults(const WorkloadConfig& config, const Graph& graph, const Routing& routing);

/// "1 channel (2 links) dead; paths of lash are 5.37 hops on average and 14 at most, ...", for
/// reports.
std::string fault_cost_text(const FaultCost& cost, const Routing& routing);

}  // namespace flitscope
