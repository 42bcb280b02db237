// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes to one destination form a tree, down which rates add up: a node is looked at once per
// destination, not once per route.
#include "models/performance/steady_load.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/topology/graph.h"

namespace flitscope {

SteadyLoad::SteadyLoad(const Graph& graph, const Routing& routing)
    : graph_(graph),
      routing_(routing),
      knows_links_(routing.path_choice() == PathChoice::kFixed),
      links_(graph.link_count()),
      sent_(graph.node_count()),
      received_(graph.node_count()),
      cut_(middle_cut(graph)) {}

LinkId SteadyLoad::next_link(NodeId at, NodeId destination) const {
    const LinkId link = graph_.out_link(at, routing_.route(at, destination).port);
    if (link == kNoLink) {
        throw std::logic_error("SteadyLoad: no route from node " + std::to_string(at) +
                               " to node " + std::to_string(destination));
    }
    return link;
}

bool SteadyLoad::is_silent(NodeId node, NodeId destination, double rate) const {
    if (rate != 0 || (!graph_.has_faults() && !graph_.has_switches())) return false;
    return graph_.out_link(node, routing_.route(node, destination).port) == kNoLink;
}

void SteadyLoad::count(NodeId source, NodeId destination, double rate) {
    sent_[source] += rate;
    received_[destination] += rate;
    const bool from_upper = cut_.upper[source];
    if (from_upper != cut_.upper[destination]) over_cut_[from_upper ? 1 : 0] += rate;
}

void SteadyLoad::add(NodeId destination, const std::vector<double>& rates) {
    const NodeId nodes = graph_.node_count();
    for (NodeId node = 0; node < nodes; ++node) {
        if (node != destination) count(node, destination, rates[node]);
    }
    if (!knows_links_) return;
    next_.assign(nodes, kNoLink);
    before_.assign(nodes, 0);
    passing_ = rates;
    NodeId senders = 0;
    for (NodeId node = 0; node < nodes; ++node) {
        if (node == destination || is_silent(node, destination, rates[node])) continue;
        next_[node] = next_link(node, destination);
        ++before_[graph_.link(next_[node]).to];
        ++senders;
    }
    order_.clear();
    for (NodeId node = 0; node < nodes; ++node) {
        if (before_[node] == 0 && next_[node] != kNoLink) order_.push_back(node);
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const NodeId node = order_[i];
        const NodeId to = graph_.link(next_[node]).to;
        links_[next_[node]] += passing_[node];
        passing_[to] += passing_[node];
        if (--before_[to] == 0 && to != destination) order_.push_back(to);
    }
    if (order_.size() < senders) {
        throw std::logic_error("SteadyLoad: routes to node " + std::to_string(destination) +
                               " go round in a circle");
    }
}

void SteadyLoad::add(NodeId source, NodeId destination, double rate) {
    if (source == destination) return;
    count(source, destination, rate);
    if (!knows_links_) return;
    NodeId hops = 0;
    for (NodeId at = source; at != destination; at = graph_.link(next_link(at, destination)).to) {
        links_[next_link(at, destination)] += rate;
        if (hops++ > graph_.node_count()) {
            throw std::logic_error("SteadyLoad: a route goes round in a circle");
        }
    }
}

double SteadyLoad::cut() const {
    double most = 0;
    for (const bool from_upper : {false, true}) {
        const auto links = static_cast<double>(cut_.links_from(from_upper));
        if (links != 0) most = std::max(most, over_cut_[from_upper ? 1 : 0] / links);
    }
    return most;
}

}  // namespace flitscope
