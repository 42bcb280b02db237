// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes to one destination form a tree, down which rates add up: a router is looked at once
// per destination, not once per route.
#include "models/routing/route_flow.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/topology/graph.h"

namespace flitscope {

RouteFlow::RouteFlow(const Graph& graph, const Routing& routing)
    : graph_(graph),
      routing_(routing),
      has_silent_(graph.has_faults() || graph.has_switches()),
      links_(graph.link_count()) {}

LinkId RouteFlow::next_link(RouterId at, NodeId destination) const {
    const LinkId link = graph_.out_link(at, routing_.route(at, destination).port);
    if (link == kNoLink) {
        throw std::logic_error("RouteFlow: no route from router " + std::to_string(at) +
                               " to node " + std::to_string(destination));
    }
    return link;
}

bool RouteFlow::is_silent(RouterId router, NodeId destination) const {
    if (passing_[router] != 0 || !has_silent_) return false;
    return graph_.out_link(router, routing_.route(router, destination).port) == kNoLink;
}

void RouteFlow::add(NodeId destination, const std::vector<double>& rates) {
    const std::uint32_t routers = graph_.router_count();
    const RouterId last = graph_.router_of(destination);
    next_.assign(routers, kNoLink);
    before_.assign(routers, 0);
    passing_.assign(routers, 0);
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        passing_[graph_.router_of(node)] += rates[node];
    }
    std::uint32_t senders = 0;
    for (RouterId router; router < routers; ++router) {
        if (router == last || is_silent(router, destination)) continue;
        next_[router] = next_link(router, destination);
        ++before_[graph_.link(next_[router]).to];
        ++senders;
    }
    order_.clear();
    for (RouterId router; router < routers; ++router) {
        if (before_[router] == 0 && next_[router] != kNoLink) order_.push_back(router);
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const RouterId router = order_[i];
        const RouterId to = graph_.link(next_[router]).to;
        links_[next_[router]] += passing_[router];
        passing_[to] += passing_[router];
        if (--before_[to] == 0 && to != last) order_.push_back(to);
    }
    if (order_.size() < senders) {
        throw std::logic_error("RouteFlow: routes to node " + std::to_string(destination) +
                               " have a loop");
    }
}

void RouteFlow::add(NodeId source, NodeId destination, double rate) {
    std::uint32_t hops = 0;
    const RouterId last = graph_.router_of(destination);
    for (RouterId at = graph_.router_of(source); at != last;) {
        const LinkId next = next_link(at, destination);
        links_[next] += rate;
        at = graph_.link(next).to;
        if (hops++ > graph_.router_count()) {
            throw std::logic_error("RouteFlow: a route has a loop");
        }
    }
}

UniformFlow uniform_flow(const Graph& graph, const Routing& routing) {
    std::vector<double> senders(graph.node_count());
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        senders[node] = graph.is_alive(node) ? 1 : 0;
    }
    RouteFlow flow(graph, routing);
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (graph.is_alive(node)) flow.add(node, senders);
    }
    UniformFlow uniform;
    double hops = 0;
    double most = 0;
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const double pairs = flow.links()[id];
        hops += pairs;
        most = std::max(most, pairs * graph.link(id).rate_cycles);
        if (pairs != 0) continue;
        if (uniform.unused++ == 0) uniform.first_unused = id;
    }
    const double others = graph.working_node_count() - 1.0;
    if (most == 0) return uniform;
    uniform.bound = others / most;
    uniform.mean_hops = hops / (others * (others + 1));
    return uniform;
}

}  // namespace flitscope
