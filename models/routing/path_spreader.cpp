// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/path_spreader.h"

#include <algorithm>

#include "models/topology/working_nodes.h"

namespace flitscope {

std::string spread_name(const std::string& routing, Spread spread) {
    return spread == Spread::kNone ? routing : routing + '/' + name_of(spread);
}

PathSpreader::PathSpreader(const Graph& graph, Spread spread)
    : graph_(graph), spread_(spread), passing_(graph.router_count()) {
    if (spread == Spread::kNone) return;
    count_.resize(graph.link_count());
    taken_.resize(graph.router_count());
    best_.resize(graph.router_count());
    business_.resize(graph.router_count());
    found_in_.resize(graph.router_count());
    for (RouterId router; router < graph.router_count(); ++router) {
        first_.push_back(static_cast<std::uint32_t>(out_.size()));
        for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
            const LinkId id = graph.out_link(router, port);
            if (id != kNoLink) out_.push_back(id);
        }
    }
    first_.push_back(static_cast<std::uint32_t>(out_.size()));
}

void PathSpreader::begin(const std::vector<std::uint32_t>& distance) {
    farthest_first_.clear();
    for (RouterId router; router < graph_.router_count(); ++router) {
        passing_[router] = working_nodes_at(graph_, router);
        const bool reaches = distance[router] != 0 && distance[router] != kUnreached;
        if (reaches) farthest_first_.push_back(router);
    }
    std::sort(farthest_first_.begin(), farthest_first_.end(),
              [&distance](RouterId a, RouterId b) { return distance[a] > distance[b]; });
}

void PathSpreader::take(LinkId id) {
    const Link& link = graph_.link(id);
    count_[id] += next_on(id);
    passing_[link.to] += passing_[link.from];
}

}  // namespace flitscope
