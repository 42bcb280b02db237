// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The capacity of a machine's channels, as a directed graph: the input of all bounds on collectives
// (hw/TIMING.md, "Channels").
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/base/types.h"
#include "models/topology/node_places.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// Vertex n is node n as a keeper of received data. If nodes have one channel each way their
/// routers, switches included, are further vertices after those.
struct CapacityGraph {
    struct Arc {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        std::uint64_t capacity = 1;  ///< flits per `period` cycles, on all planes together
        ChannelId channel = 0;       ///< on the first plane
    };

    std::uint32_t vertices = 0;
    std::uint64_t period = 1;     ///< cycles
    std::vector<NodeId> members;  ///< the nodes that are alive
    std::vector<Arc> arcs;
    /// Minimum cycles of any message from the start of its send to its delivery, less one for each
    /// flit. 0 for circuits, and if no message can be sent.
    Cycle idle_cycles = 0;

    CapacityGraph(const HardwareConfig& config, const Graph& graph);
    /// The graph with every arc reversed.
    CapacityGraph backwards() const;

    bool is_router(std::uint32_t vertex) const { return vertex >= nodes_; }
    /// The router that the vertex is, or to which its node is attached.
    RouterId router_of(std::uint32_t vertex) const {
        return is_router(vertex) ? RouterId(vertex - nodes_) : places_->router_of(vertex);
    }

private:
    NodeId nodes_ = 0;
    std::shared_ptr<const NodePlaces> places_;
};

}  // namespace flitscope::synthesis
