// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/routing.h"

#include <fmt/format.h>

#include <stdexcept>

namespace flitscope {

void Routing::visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const {
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            if (node == destination) continue;
            const LinkId first = graph.out_link(node, route(node, destination).port);
            const NodeId next = graph.link(first).to;
            if (next == destination) continue;
            visit(first, graph.out_link(next, route(next, destination).port));
        }
    }
}

std::vector<LinkId> route_links(const Graph& graph, const Routing& routing, NodeId source,
                                NodeId destination) {
    std::vector<LinkId> links;
    for (NodeId at = source; at != destination;) {
        const LinkId link = graph.out_link(at, routing.route(at, destination).port);
        if (link == kNoLink || links.size() > graph.node_count()) {
            throw std::logic_error(fmt::format("routing {} does not lead from node {} to node {}",
                                               routing.name(), source, destination));
        }
        links.push_back(link);
        at = graph.link(link).to;
    }
    return links;
}

}  // namespace flitscope
