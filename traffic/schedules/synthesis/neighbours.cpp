// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/neighbours.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>

#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope::synthesis {
namespace {

/// Which nodes reach each other.
class Islands {
public:
    explicit Islands(NodeId nodes) : above_(nodes) {
        std::iota(above_.begin(), above_.end(), NodeId{0});
    }
    NodeId of(NodeId node) const {
        while (above_[node] != node) node = above_[node];
        return node;
    }
    void join(NodeId a, NodeId b) { above_[of(a)] = of(b); }

private:
    std::vector<NodeId> above_;
};

/// Ways over switches, no two of which share a link.
class SwitchWays {
public:
    SwitchWays(const Graph& graph, const Routing& routing, const std::vector<NodeId>& members)
        : graph_(graph),
          routing_(routing),
          members_(members),
          is_used_(graph.link_count()),
          ways_up_(graph.node_count()) {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            rates_.insert(link.rate_cycles);
            const NodesOfRouter senders = graph.nodes_at(link.from);
            if (senders.size() != 1 || !graph.nodes_at(link.to).empty()) continue;
            ways_up_[senders[0]].push_back(id);
            ++left_;
        }
    }

    /// Calls add() with a way for as many links into switches as can be. Where only slow links lead
    /// from some nodes to others, as between servers with fast switches of their own, they come
    /// first, since each of them counts. `direct`: the links between nodes.
    template <class Add>
    void visit(const std::vector<NeighbourLink>& direct, const Add& add) {
        if (left_ == 0) return;
        for (auto rate = rates_.rbegin(); rate != rates_.rend() && *rate != *rates_.begin();
             ++rate) {
            cross(*rate, islands_without(*rate, direct), add);
        }
        pair([](NodeId, NodeId) { return true; }, UINT32_MAX, add);
    }

private:
    /// Nodes that reach each other over links that are faster.
    Islands islands_without(std::uint32_t rate, const std::vector<NeighbourLink>& direct) const {
        Islands islands(graph_.node_count());
        for (const NeighbourLink& link : direct) {
            if (link.rounds < rate) islands.join(link.from, link.to);
        }
        for (const NodeId from : members_) {
            for (const LinkId up : ways_up_[from]) {
                for (const NodeId to : members_) {
                    if (islands.of(from) == islands.of(to)) continue;
                    const std::vector<LinkId> way = free_way(up, to);
                    if (!way.empty() && rounds_of(way) < rate) islands.join(from, to);
                }
            }
        }
        return islands;
    }

    /// Ways of that rate between islands, no node with two of them as long as another one has none.
    template <class Add>
    void cross(std::uint32_t rate, const Islands& islands, const Add& add) {
        std::vector<std::size_t> out(graph_.node_count());
        std::vector<std::size_t> in(graph_.node_count());
        std::size_t most = 0;
        for (const NodeId node : members_) most = std::max(most, ways_up_[node].size());
        for (std::size_t each = 1; each <= most; ++each) {
            const auto may_be = [&](NodeId from, NodeId to) {
                return out[from] < each && in[to] < each && islands.of(from) != islands.of(to);
            };
            pair(may_be, rate, [&](const NeighbourLink& way) {
                ++out[way.from];
                ++in[way.to];
                add(way);
            });
        }
    }

    /// In each pass the k-th such link of every node is tried with the node as many numbers on, so
    /// that the nodes at a switch are paired without conflict, and those at several switches with
    /// different ones. Only those that may_be(), and ways that take no more rounds.
    template <class MayBe, class Add>
    void pair(const MayBe& may_be, std::uint32_t rounds, const Add& add) {
        const std::size_t count = members_.size();
        for (std::size_t pass = 0; pass + 1 < count && left_ != 0; ++pass) {
            for (std::size_t i = 0; i < count; ++i) {
                const NodeId from = members_[i];
                const std::vector<LinkId>& up = ways_up_[from];
                for (std::size_t k = 0; k < up.size(); ++k) {
                    const NodeId to = members_[(i + 1 + (pass + k) % (count - 1)) % count];
                    if (is_used_[up[k]] || !may_be(from, to)) continue;
                    const std::vector<LinkId> way = free_way(up[k], to);
                    if (way.empty() || rounds_of(way) > rounds) continue;
                    --left_;
                    for (const LinkId id : way) is_used_[id] = true;
                    add({from, to, graph_.link(up[k]).from_port, graph_.link(way.back()).to_port,
                         rounds_of(way)});
                }
            }
        }
    }

    std::uint32_t rounds_of(const std::vector<LinkId>& way) const {
        std::uint32_t rounds = 1;
        for (const LinkId id : way) rounds = std::max(rounds, graph_.link(id).rate_cycles);
        return rounds;
    }

    /// The links from `first` on to a node, if they pass switches only and none is used yet.
    std::vector<LinkId> free_way(LinkId first, NodeId to) const {
        std::vector<LinkId> way;
        for (LinkId next = first; next != kNoLink && !is_used_[next];) {
            way.push_back(next);
            const RouterId at = graph_.link(next).to;
            if (at == graph_.router_of(to)) return way;
            if (!graph_.nodes_at(at).empty() || way.size() > graph_.router_count()) break;
            next = graph_.out_link(at, routing_.route(at, to).port);
        }
        return {};
    }

    const Graph& graph_;
    const Routing& routing_;
    const std::vector<NodeId>& members_;
    std::vector<bool> is_used_;                 // links
    std::vector<std::vector<LinkId>> ways_up_;  // per node: its links to switches
    std::set<std::uint32_t> rates_;             // of all links: cycles for a flit
    std::size_t left_ = 0;                      // those without a way
};

}  // namespace

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
            add({from, to, link.from_port, link.to_port, link.rate_cycles});
        } else if (routing.route(link.from, to).port == link.from_port) {
            add({from, to, 0, 0, link.rate_cycles});
        }
    }
    if (has_channels_per_link) add_ways_over_switches(graph, routing);
}

void Neighbours::add_ways_over_switches(const Graph& graph, const Routing& routing) {
    std::vector<NodeId> members;
    for (NodeId node = 0; node < nodes; ++node) {
        if (graph.is_alive(node) && graph.nodes_at(graph.router_of(node)).size() == 1) {
            members.push_back(node);
        }
    }
    const std::vector<NeighbourLink> direct = links;
    SwitchWays(graph, routing, members).visit(direct, [this](const NeighbourLink& way) {
        add(way);
    });
}

void Neighbours::add(const NeighbourLink& link) {
    const auto index = static_cast<std::uint32_t>(links.size());
    links.push_back(link);
    has_slow_links = has_slow_links || link.rounds > 1;
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
        result.add({link.to, link.from, link.arrival, link.port, link.rounds});
    }
    return result;
}

}  // namespace flitscope::synthesis
