// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a network becomes while a run goes on, and what is lost by that (hw/TIMING.md, "Faults while
// running").
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"

namespace flitscope {

struct LaterNetwork {
    Cycle at = 0;  ///< from the start of this cycle on, at least 1
    Graph graph;   ///< what is left; nodes and ports are those of the whole network
    std::unique_ptr<const Routing> routing;  ///< a fixed one
    /// Links that wait for each other in a circle under it; empty where it cannot deadlock.
    std::vector<VirtualLink> dependency_cycle;

    bool are_alive(NodeId source, NodeId destination) const {
        return graph.is_alive(source) && graph.is_alive(destination);
    }
    /// Whether a packet to `destination` that has `link`, of the whole network, on virtual channel
    /// `vc` is on a way that this routing takes.
    bool takes(const Link& link, std::uint32_t vc, NodeId destination) const {
        if (graph.out_link(link.from, link.from_port) == kNoLink) return false;
        const RouteChoice choice = routing->route(link.from, destination);
        return choice.port == link.from_port && (choice.virtual_channels >> vc & 1) != 0;
    }
};

/// Counts of faults while running and retransmission.
struct LossCounts {
    bool has_failed = false;         ///< the cycle of the faults has come
    std::uint64_t packets_lost = 0;  ///< under way when the network changed
    std::uint64_t flits_lost = 0;    ///< theirs that were in the network
    /// All flits of packets between living nodes that were lost and are not sent again.
    std::uint64_t flits_forgone = 0;
    std::uint64_t packets_discarded = 0;  ///< at their source, for their destination was dead
    std::uint64_t packets_repeated = 0;   ///< sent once more, counted each time
    std::uint64_t duplicates = 0;         ///< packets that arrived after a copy of theirs
};

}  // namespace flitscope
