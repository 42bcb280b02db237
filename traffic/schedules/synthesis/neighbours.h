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

/// A link between two nodes, or a way over switches from a link of the one to a link of the other.
struct NeighbourLink {
    NodeId from = 0;
    NodeId to = 0;
    PortId port = 0;     ///< to leave by; 0 if nodes have one channel
    PortId arrival = 0;  ///< the same at the receiver
    /// That a chunk takes: cycles per flit of the slowest link. A round is that of a link of
    /// rate 1.
    std::uint32_t rounds = 1;
};

/// The links between working nodes, for a network whose routing is fixed. A link belongs to a node
/// if the node does not share its router.
///
/// If nodes have a channel per link, ways over switches count as links: a message that leaves over
/// a link to a switch continues as the routing says, and no two ways share a link, so that they can
/// be used at the same time like links. Which nodes a switch joins in this way is chosen once, as
/// evenly as possible, not for each collective: a schedule over all of its links may need more
/// rounds than a bound that sends every flit where it is needed (Zhao et al. 2023 split switches by
/// maximum flows).
struct Neighbours {
    NodeId nodes = 0;
    /// A node sends and receives over all of its links at a time; otherwise one message each way.
    bool has_channels_per_link = false;
    bool has_slow_links = false;  ///< some take several rounds
    std::vector<NeighbourLink> links;
    std::vector<std::vector<std::uint32_t>> in;   ///< per node, indices into `links`
    std::vector<std::vector<std::uint32_t>> out;  ///< per node, indices into `links`

    /// If nodes have one channel, only the links that `routing` takes to a neighbour.
    Neighbours(const Graph& graph, const Routing& routing);

    /// The neighbours with every link reversed.
    Neighbours backwards() const;

private:
    Neighbours() = default;
    void add_ways_over_switches(const Graph& graph, const Routing& routing);
    void add(const NeighbourLink& link);
};

}  // namespace flitscope::synthesis
