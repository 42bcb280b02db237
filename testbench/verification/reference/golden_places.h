// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The golden model's places of nodes (hw/TIMING.md, "Nodes and routers"), from the configuration.
#pragma once

#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;
struct TopologyConfig;

class GoldenPlaces {
public:
    /// Of a graph that the configuration does not describe, such as one from a file, it takes the
    /// routers of the nodes. Throws std::logic_error when a node is on no router of the graph.
    GoldenPlaces(const TopologyConfig& topology, const Graph& graph);

    RouterId router_of(NodeId node) const { return router_of_[node]; }
    /// As many as there are nodes of lower numbers on its router.
    PortId port_of(NodeId node) const { return port_of_[node]; }
    /// The most nodes on a router, at least 1.
    PortId local_ports() const { return local_ports_; }
    NodeId node_count() const { return static_cast<NodeId>(router_of_.size()); }
    /// The node at a local port, or kNoNode.
    NodeId node_at(RouterId router, PortId port) const;

    /// `choice` of a routing for a packet at this router: on that of its destination it is the
    /// destination's port. Throws std::logic_error if a packet would arrive on another one.
    RouteChoice placed(RouteChoice choice, RouterId at, NodeId destination) const;

private:
    std::vector<RouterId> router_of_;
    std::vector<PortId> port_of_;
    PortId local_ports_ = 1;
};

}  // namespace flitscope
