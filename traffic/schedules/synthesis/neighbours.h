// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What searches see of a network: which node can hand something to which over a link of its own,
// and how much it can send and receive at a time.
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
    PortId port = 0;     ///< to leave by; 0 where nodes have one channel
    PortId arrival = 0;  ///< likewise of the receiver
};

/// The links between nodes that are alive, of a network whose routing is fixed.
struct Neighbours {
    NodeId nodes = 0;
    /// A node sends over all of its links at a time, and receives likewise; otherwise one message
    /// each way.
    bool has_channels_per_link = false;
    std::vector<NeighbourLink> links;
    std::vector<std::vector<std::uint32_t>> in;   ///< of each node, indices into `links`
    std::vector<std::vector<std::uint32_t>> out;  ///< of each node, indices into `links`

    /// Where nodes have one channel, only the links that `routing` takes to a neighbour.
    Neighbours(const Graph& graph, const Routing& routing);

    /// The neighbours with every link reversed.
    Neighbours backwards() const;

private:
    Neighbours() = default;
    void add(const NeighbourLink& link);
};

}  // namespace flitscope::synthesis
