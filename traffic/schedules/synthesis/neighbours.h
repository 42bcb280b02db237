// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches' view of a network: which node can send to which over a direct link, and how much it
// can send and receive at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"

namespace flitscope {
class Graph;
}  // namespace flitscope

namespace flitscope::synthesis {

/// A link between two nodes.
struct NeighbourLink {
    NodeId from = 0;
    NodeId to = 0;
    PortId port = 0;     ///< to leave by; 0 if nodes have one channel
    PortId arrival = 0;  ///< the same at the receiver
};

/// The links between live nodes, for a network whose routing is fixed. A link is that of a node if
/// the node has its router for itself.
struct Neighbours {
    NodeId nodes = 0;
    /// A node sends and receives over all of its links at a time; otherwise one message each way.
    bool has_channels_per_link = false;
    std::vector<NeighbourLink> links;
    std::vector<std::vector<std::uint32_t>> in;   ///< per node, indices into `links`
    std::vector<std::vector<std::uint32_t>> out;  ///< per node, indices into `links`

    /// If nodes have one channel, only the links that `routing` takes to a neighbour.
    Neighbours(const Graph& graph, const Routing& routing);

    /// The neighbours with every link reversed.
    Neighbours backwards() const;

private:
    Neighbours() = default;
    void add(const NeighbourLink& link);
};

}  // namespace flitscope::synthesis
