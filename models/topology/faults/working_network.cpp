// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/faults/working_network.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace flitscope {

LinkId other_link(const Graph& graph, LinkId link) {
    const Link& there = graph.link(link);
    const LinkId opposite = graph.opposite(there);
    if (opposite != kNoLink) return opposite;
    const LinkId back = graph.link_between(there.to, there.from, there.rank);
    const bool is_taken = back == kNoLink || graph.opposite(graph.link(back)) != kNoLink;
    return is_taken ? kNoLink : back;
}

WorkingNetwork::WorkingNetwork(const Graph& graph)
    : graph_(&graph),
      dead_links_(graph.link_count()),
      dead_routers_(graph.router_count()),
      dead_nodes_(graph.node_count()),
      seen_(graph.router_count()) {}

bool WorkingNetwork::has_way(RouterId from, RouterId to) const {
    for (PortId port = graph_->local_ports(); port < graph_->port_count(); ++port) {
        const LinkId id = graph_->out_link(from, port);
        if (id != kNoLink && !dead_links_[id] && graph_->link(id).to == to) return true;
    }
    return false;
}

NodeId WorkingNetwork::working_node_count() const {
    return static_cast<NodeId>(std::count(dead_nodes_.begin(), dead_nodes_.end(), false));
}

std::uint32_t WorkingNetwork::working_nodes_at(RouterId router) const {
    const NodesOfRouter nodes = graph_->nodes_at(router);
    return static_cast<std::uint32_t>(
        std::count_if(nodes.begin(), nodes.end(), [this](NodeId node) { return is_alive(node); }));
}

bool WorkingNetwork::leads_both_ways() const {
    for (LinkId id = 0; id < graph_->link_count(); ++id) {
        if (dead_links_[id]) continue;
        const LinkId other = other_link(*graph_, id);
        if (other == kNoLink || dead_links_[other]) return false;
    }
    return true;
}

bool WorkingNetwork::kill_links_between(RouterId a, RouterId b) {
    bool are_any = false;
    for (PortId port = graph_->local_ports(); port < graph_->port_count(); ++port) {
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
            const LinkId id = graph_->out_link(from, port);
            if (id == kNoLink || graph_->link(id).to != to) continue;
            dead_links_[id] = true;
            are_any = true;
        }
    }
    return are_any;
}

void WorkingNetwork::kill_channel(LinkId link) {
    dead_links_[link] = true;
    if (const LinkId other = other_link(*graph_, link); other != kNoLink) dead_links_[other] = true;
}

void WorkingNetwork::kill_links_of(RouterId router) {
    for (PortId port = graph_->local_ports(); port < graph_->port_count(); ++port) {
        for (const LinkId id : {graph_->out_link(router, port), graph_->in_link(router, port)}) {
            if (id != kNoLink) dead_links_[id] = true;
        }
    }
}

void WorkingNetwork::kill_router(RouterId router) {
    dead_routers_[router] = true;
    for (const NodeId node : graph_->nodes_at(router)) dead_nodes_[node] = true;
    kill_links_of(router);
}

void WorkingNetwork::kill_node(NodeId node) {
    dead_nodes_[node] = true;
    const RouterId router = graph_->router_of(node);
    if (working_nodes_at(router) == 0) kill_router(router);
}

bool WorkingNetwork::reaches(RouterId from, const std::vector<RouterId>& wanted) {
    ++search_;
    std::vector<RouterId> open{from};
    seen_[from] = search_;
    const auto is_seen = [this](RouterId router) { return seen_[router] == search_; };
    auto missing = static_cast<std::size_t>(std::count_if(
        wanted.begin(), wanted.end(), [&](RouterId router) { return !is_seen(router); }));
    for (std::size_t i = 0; i < open.size() && missing != 0; ++i) {
        for (PortId port = graph_->local_ports(); port < graph_->port_count(); ++port) {
            const LinkId id = graph_->out_link(open[i], port);
            if (id == kNoLink || dead_links_[id]) continue;
            const RouterId to = graph_->link(id).to;
            if (is_seen(to)) continue;
            seen_[to] = search_;
            open.push_back(to);
            if (std::find(wanted.begin(), wanted.end(), to) != wanted.end()) --missing;
        }
    }
    return missing == 0;
}

bool WorkingNetwork::can_lose_channel(LinkId link) {
    const std::vector<bool> before = dead_links_;
    const RouterId a = graph_->link(link).from;
    const RouterId b = graph_->link(link).to;
    const bool there = has_way(a, b);
    const bool back = has_way(b, a);
    kill_channel(link);
    // Paths over such a link have another way between its ends.
    const bool can = (!there || reaches(a, {b})) && (!back || reaches(b, {a}));
    dead_links_ = before;
    return can;
}

bool WorkingNetwork::can_lose_router(RouterId router) {
    const std::vector<bool> before = dead_links_;
    std::vector<RouterId> into;
    std::vector<RouterId> out_of;
    for (PortId port = graph_->local_ports(); port < graph_->port_count(); ++port) {
        const LinkId in = graph_->in_link(router, port);
        const LinkId out = graph_->out_link(router, port);
        if (in != kNoLink && !before[in]) into.push_back(graph_->link(in).from);
        if (out != kNoLink && !before[out]) out_of.push_back(graph_->link(out).to);
    }
    kill_links_of(router);
    // Paths through the router have another way between its neighbours.
    const bool can =
        std::all_of(into.begin(), into.end(), [&](RouterId from) { return reaches(from, out_of); });
    dead_links_ = before;
    return can;
}

bool WorkingNetwork::can_lose_node(NodeId node) {
    const RouterId router = graph_->router_of(node);
    return working_nodes_at(router) > 1 || can_lose_router(router);
}

std::vector<bool> WorkingNetwork::reached(RouterId from, Way way) const {
    std::vector<bool> seen(graph_->router_count());
    seen[from] = true;
    std::vector<RouterId> open{from};
    for (std::size_t i = 0; i < open.size(); ++i) {
        for (PortId port = graph_->local_ports(); port < graph_->port_count(); ++port) {
            const LinkId id = way == Way::kForward ? graph_->out_link(open[i], port)
                                                   : graph_->in_link(open[i], port);
            if (id == kNoLink || dead_links_[id]) continue;
            const RouterId next =
                way == Way::kForward ? graph_->link(id).to : graph_->link(id).from;
            if (seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return seen;
}

std::vector<NodeId> WorkingNetwork::cut_off() const {
    std::vector<NodeId> left;
    for (NodeId node = 0; node < graph_->node_count(); ++node) {
        if (is_alive(node)) left.push_back(node);
    }
    if (left.empty()) return {};
    const auto together = [&](NodeId node) {
        const std::vector<bool> to = reached(graph_->router_of(node), Way::kForward);
        const std::vector<bool> from = reached(graph_->router_of(node), Way::kBackward);
        std::vector<NodeId> side;
        for (const NodeId other : left) {
            const RouterId router = graph_->router_of(other);
            if (to[router] && from[router]) side.push_back(other);
        }
        return side;
    };
    const std::vector<NodeId> first = together(left.front());
    if (first.size() == left.size()) return {};
    if (2 * first.size() <= left.size()) return first;
    std::size_t i = 0;
    while (i < first.size() && left[i] == first[i]) ++i;
    return together(left[i]);
}

}  // namespace flitscope
