// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/base/limits.h"
#include "models/topology/graph.h"

namespace flitscope {

void Routing::visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const {
    // Many destinations share a turn, which is reported once. Kept for one router at a time, per
    // existing output, class and next output: at most 32 bytes per link.
    std::vector<std::size_t> outputs(graph.router_count());  // per router
    std::vector<std::size_t> rank(graph.link_count());       // among those
    for (LinkId id = 0; id < graph.link_count(); ++id) rank[id] = outputs[graph.link(id).from]++;
    std::vector<std::size_t> turns(graph.router_count());
    std::vector<std::size_t> first_turn(graph.link_count());
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        std::size_t& next = turns[graph.link(id).from];
        first_turn[id] = next;
        next += outputs[graph.link(id).to];
    }
    const std::size_t most = turns.empty() ? 0 : *std::max_element(turns.begin(), turns.end());
    std::vector<VcMask> told(most * kMaxVirtualChannels);
    std::vector<std::size_t> used;  // places in it
    for (RouterId router; router < graph.router_count(); ++router) {
        for (const std::size_t place : used) told[place] = 0;
        used.clear();
        for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
            const RouterId last = graph.router_of(destination);
            if (router == last) continue;
            const RouteChoice first = route(router, destination);
            if (graph.is_local(first.port)) continue;  // one of them is dead
            const VirtualLink holds{graph.out_link(router, first.port),
                                    lowest_channel(first.virtual_channels)};
            const RouterId next = graph.link(holds.link).to;
            if (next == last) continue;
            const RouteChoice second = route(next, destination);
            const VirtualLink wants{graph.out_link(next, second.port),
                                    lowest_channel(second.virtual_channels)};
            const std::size_t place =
                (first_turn[holds.link] + rank[wants.link]) * kMaxVirtualChannels + holds.vc;
            if ((told[place] >> wants.vc & 1) != 0) continue;
            if (told[place] == 0) used.push_back(place);
            told[place] = static_cast<VcMask>(told[place] | 1U << wants.vc);
            visit(holds, wants);
        }
    }
}

std::vector<LinkId> route_links(const Graph& graph, const Routing& routing, NodeId source,
                                NodeId destination) {
    std::vector<LinkId> links;
    for (RouterId at = graph.router_of(source); at != graph.router_of(destination);) {
        const LinkId link = graph.out_link(at, routing.route(at, destination).port);
        if (link == kNoLink || links.size() > graph.router_count()) {
            throw std::logic_error(fmt::format("routing {} does not lead from node {} to node {}",
                                               routing.name(), source, destination));
        }
        links.push_back(link);
        at = graph.link(link).to;
    }
    return links;
}

}  // namespace flitscope
