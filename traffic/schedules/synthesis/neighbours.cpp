// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/neighbours.h"

#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope::synthesis {

Neighbours::Neighbours(const Graph& graph, const Routing& routing)
    : nodes(graph.node_count()),
      has_channels_per_link(graph.has_per_link_endpoints()),
      in(nodes),
      out(nodes) {
    for (const Link& link : graph.links()) {
        const NodesOfRouter senders = graph.nodes_at(link.from);
        const NodesOfRouter receivers = graph.nodes_at(link.to);
        if (senders.size() != 1 || receivers.size() != 1 || link.from == link.to) continue;
        const NodeId from = senders[0];
        const NodeId to = receivers[0];
        if (has_channels_per_link) {
            add({from, to, link.from_port, link.to_port});
        } else if (routing.route(link.from, to).port == link.from_port) {
            add({from, to, 0, 0});
        }
    }
}

void Neighbours::add(const NeighbourLink& link) {
    const auto index = static_cast<std::uint32_t>(links.size());
    links.push_back(link);
    out[link.from].push_back(index);
    in[link.to].push_back(index);
}

Neighbours Neighbours::backwards() const {
    Neighbours result;
    result.nodes = nodes;
    result.has_channels_per_link = has_channels_per_link;
    result.in.resize(nodes);
    result.out.resize(nodes);
    for (const NeighbourLink& link : links) {
        result.add({link.to, link.from, link.arrival, link.port});
    }
    return result;
}

}  // namespace flitscope::synthesis
