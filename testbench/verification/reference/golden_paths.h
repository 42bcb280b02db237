// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The links and nodes of a network as the golden tables see them: by router, by hops.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "models/config/config.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/verification/reference/golden_places.h"

namespace flitscope {

inline constexpr unsigned kFar = 1'000'000;  ///< hops to what cannot be reached

class GoldenPaths {
public:
    GoldenPaths(const Config& config, const Graph& graph)
        : graph_(graph),
          places_(config.fabric.topology, graph),
          virtual_channels_(config.fabric.virtual_channels / config.fabric.class_count()),
          links_from_(graph.router_count()) {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            links_from_[graph.link(id).from].push_back(id);
        }
        for (auto& links : links_from_) {  // in the order of ports
            std::sort(links.begin(), links.end(), [&graph](LinkId a, LinkId b) {
                return graph.link(a).from_port < graph.link(b).from_port;
            });
        }
    }

protected:
    RouterId router_of(NodeId node) const { return places_.router_of(node); }

    /// The nodes that send and receive.
    std::vector<NodeId> destinations() const {
        std::vector<NodeId> nodes;
        for (NodeId node = 0; node < graph_.node_count(); ++node) {
            if (graph_.is_alive(node)) nodes.push_back(node);
        }
        return nodes;
    }

    /// Hops of every router to that of a destination, over links that `admits` lets pass.
    std::vector<unsigned> hops_to(RouterId last,
                                  const std::function<bool(const Link&)>& admits) const {
        std::vector<unsigned> hops(graph_.router_count(), kFar);
        hops[last] = 0;
        for (bool changes = true; changes;) {
            changes = false;
            for (const Link& link : graph_.links()) {
                if (!admits(link) || hops[link.to] + 1 >= hops[link.from]) continue;
                hops[link.from] = hops[link.to] + 1;
                changes = true;
            }
        }
        return hops;
    }

    /// Routers by the number of hops.
    std::vector<RouterId> nearest_first(const std::vector<unsigned>& hops) const {
        std::vector<RouterId> routers;
        for (RouterId router; router < graph_.router_count(); ++router) {
            if (hops[router] != 0 && hops[router] != kFar) routers.push_back(router);
        }
        std::stable_sort(routers.begin(), routers.end(),
                         [&hops](RouterId a, RouterId b) { return hops[a] < hops[b]; });
        return routers;
    }

    const Graph& graph_;
    GoldenPlaces places_;
    unsigned virtual_channels_;  // of a class of messages
    std::vector<std::vector<LinkId>> links_from_;
};

}  // namespace flitscope
