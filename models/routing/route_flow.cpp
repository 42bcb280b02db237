// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes to one destination form a tree, down which rates add up: a node is looked at once per
// destination, not once per route.
#include "models/routing/route_flow.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/topology/graph.h"

namespace flitscope {

RouteFlow::RouteFlow(const Graph& graph, const Routing& routing)
    : graph_(graph), routing_(routing), links_(graph.link_count()) {}

LinkId RouteFlow::next_link(NodeId at, NodeId destination) const {
    const LinkId link = graph_.out_link(at, routing_.route(at, destination).port);
    if (link == kNoLink) {
        throw std::logic_error("RouteFlow: no route from node " + std::to_string(at) + " to node " +
                               std::to_string(destination));
    }
    return link;
}

bool RouteFlow::is_silent(NodeId node, NodeId destination, double rate) const {
    if (rate != 0 || (!graph_.has_faults() && !graph_.has_switches())) return false;
    return graph_.out_link(node, routing_.route(node, destination).port) == kNoLink;
}

void RouteFlow::add(NodeId destination, const std::vector<double>& rates) {
    const NodeId nodes = graph_.node_count();
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
        throw std::logic_error("RouteFlow: routes to node " + std::to_string(destination) +
                               " go round in a circle");
    }
}

void RouteFlow::add(NodeId source, NodeId destination, double rate) {
    if (source == destination) return;
    NodeId hops = 0;
    for (NodeId at = source; at != destination; at = graph_.link(next_link(at, destination)).to) {
        links_[next_link(at, destination)] += rate;
        if (hops++ > graph_.node_count()) {
            throw std::logic_error("RouteFlow: a route goes round in a circle");
        }
    }
}

UniformFlow uniform_flow(const Graph& graph, const Routing& routing) {
    std::vector<double> senders(graph.node_count());
    for (NodeId node = 0; node < graph.endpoint_count(); ++node) {
        senders[node] = graph.is_alive(node) ? 1 : 0;
    }
    RouteFlow flow(graph, routing);
    for (NodeId node = 0; node < graph.endpoint_count(); ++node) {
        if (graph.is_alive(node)) flow.add(node, senders);
    }
    UniformFlow uniform;
    double hops = 0;
    double most = 0;
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const double pairs = flow.links()[id];
        hops += pairs;
        most = std::max(most, pairs);
        if (pairs != 0) continue;
        if (uniform.unused++ == 0) uniform.first_unused = id;
    }
    const double others = graph.living_endpoints() - 1.0;
    if (most == 0) return uniform;
    uniform.bound = others / most;
    uniform.mean_hops = hops / (others * (others + 1));
    return uniform;
}

}  // namespace flitscope
