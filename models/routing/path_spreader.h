// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Spreads the paths of a table over next links that are equally good. Destinations are taken one
// after the other; for each of them the routers that are farthest from it choose first, so that a
// router knows what comes by when its turn comes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/fabric_config.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

/// "shortest_path", or "shortest_path/flow": what reports call a table with that spread.
std::string spread_name(const std::string& routing, Spread spread);

class PathSpreader {
public:
    PathSpreader(const Graph& graph, Spread spread);

    /// Chooses the port of every node with a distance above 0 that is not kUnreached: of its links
    /// that `admits` lets pass and that lead one hop nearer to the destination, the one with the
    /// least count so far, and among these the one at the lowest port. Without a spread `ports`
    /// stays as it is. To be called once per destination, in the order of their numbers.
    template <class Admits>
    void spread(const std::vector<std::uint32_t>& distance, const Admits& admits,
                std::uint16_t* ports) {
        if (spread_ == Spread::kNone) return;
        begin(distance);
        for (const NodeId node : farthest_first_) {
            LinkId best = kNoLink;
            for (std::uint32_t i = first_[node]; i < first_[node + 1]; ++i) {
                const Link& link = graph_.link(out_[i]);
                if (distance[link.to] + 1 != distance[node] || !admits(link)) continue;
                if (best == kNoLink || count_[out_[i]] < count_[best]) best = out_[i];
            }
            ports[node] = static_cast<std::uint16_t>(graph_.link(best).from_port);
            take(best);
        }
    }

private:
    /// Sorts the nodes, and has every living node that sends send one unit.
    void begin(const std::vector<std::uint32_t>& distance);
    /// Counts what goes over the link to the present destination.
    void take(LinkId id);

    const Graph& graph_;
    Spread spread_;
    std::vector<std::uint32_t> first_;  // of the links that leave a node,
    std::vector<LinkId> out_;           // in the order of ports
    std::vector<std::uint64_t> count_;  // per link: destinations (ports), or pairs of nodes (flow)
    std::vector<NodeId> farthest_first_;
    std::vector<std::uint64_t> passing_;  // per node: senders whose path to the destination is here
};

}  // namespace flitscope
