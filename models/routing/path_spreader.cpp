// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/path_spreader.h"

#include <algorithm>

namespace flitscope {

std::string spread_name(const std::string& routing, Spread spread) {
    return spread == Spread::kNone ? routing : routing + '/' + name_of(spread);
}

PathSpreader::PathSpreader(const Graph& graph, Spread spread)
    : graph_(graph), spread_(spread), passing_(graph.node_count()) {
    if (spread == Spread::kNone) return;
    count_.resize(graph.link_count());
    taken_.resize(graph.node_count());
    best_.resize(graph.node_count());
    business_.resize(graph.node_count());
    found_in_.resize(graph.node_count());
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        first_.push_back(static_cast<std::uint32_t>(out_.size()));
        for (PortId port = 1; port < graph.port_count(); ++port) {
            const LinkId id = graph.out_link(node, port);
            if (id != kNoLink) out_.push_back(id);
        }
    }
    first_.push_back(static_cast<std::uint32_t>(out_.size()));
}

void PathSpreader::begin(const std::vector<std::uint32_t>& distance) {
    farthest_first_.clear();
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        const bool sends = node < graph_.endpoint_count() && graph_.is_alive(node);
        passing_[node] = sends ? 1 : 0;
        if (distance[node] != 0 && distance[node] != kUnreached) farthest_first_.push_back(node);
    }
    std::sort(farthest_first_.begin(), farthest_first_.end(),
              [&distance](NodeId a, NodeId b) { return distance[a] > distance[b]; });
}

void PathSpreader::take(LinkId id) {
    const Link& link = graph_.link(id);
    count_[id] += spread_ == Spread::kPorts ? 1 : passing_[link.from];
    passing_[link.to] += passing_[link.from];
}

}  // namespace flitscope
