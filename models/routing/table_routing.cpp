// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing by table, for any graph: shortest paths, and up*/down*.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "models/routing/routing_factory.h"

namespace flitscope {
namespace {

constexpr std::uint32_t kUnreached = UINT32_MAX;

/// The links that arrive at a node, and those that leave it, in order of ports.
class Neighbours {
public:
    explicit Neighbours(const Graph& graph)
        : first_(graph.node_count() + 1, 0), links_(graph.link_count()) {
        for (const Link& link : graph.links()) ++first_[link.to + 1];
        for (NodeId node = 0; node < graph.node_count(); ++node) first_[node + 1] += first_[node];
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            for (PortId port = 1; port < graph.port_count(); ++port) {
                const LinkId id = graph.in_link(node, port);
                if (id != kNoLink) links_[next[node]++] = graph.link(id);
            }
        }
    }
    const Link* begin(NodeId node) const { return links_.data() + first_[node]; }
    const Link* end(NodeId node) const { return links_.data() + first_[node + 1]; }

private:
    std::vector<std::uint32_t> first_;
    std::vector<Link> links_;
};

class TableRouting final : public Routing {
public:
    TableRouting(std::string name, NodeId nodes)
        : name_(std::move(name)), nodes_(nodes), port_(std::size_t{nodes} * nodes, kLocalPort) {}

    std::string name() const override { return name_; }
    RouteChoice route(NodeId at, NodeId destination) const override {
        return {port_[std::size_t{destination} * nodes_ + at]};
    }

    /// The ports towards `destination`, per node.
    std::uint16_t* towards(NodeId destination) { return &port_[std::size_t{destination} * nodes_]; }

private:
    std::string name_;
    NodeId nodes_;
    std::vector<std::uint16_t> port_;  // destination by destination
};

/// Fills in the port of `link` where it leads nearer to the destination than what the table has, or
/// as near through a lower port.
class Relaxation {
public:
    Relaxation(std::vector<std::uint32_t>& distance, std::uint16_t* ports)
        : distance_(distance), ports_(ports) {}
    /// Returns whether the link's source had not been reached.
    bool operator()(const Link& link) {
        const std::uint32_t through = distance_[link.to] + 1;
        const bool is_new = distance_[link.from] == kUnreached;
        if (is_new || through < distance_[link.from] ||
            (through == distance_[link.from] && link.from_port < ports_[link.from])) {
            distance_[link.from] = through;
            ports_[link.from] = static_cast<std::uint16_t>(link.from_port);
        }
        return is_new;
    }

private:
    std::vector<std::uint32_t>& distance_;
    std::uint16_t* ports_;
};

}  // namespace

std::unique_ptr<Routing> make_shortest_path(const Graph& graph) {
    auto table = std::make_unique<TableRouting>("shortest_path", graph.node_count());
    const Neighbours neighbours(graph);
    std::vector<std::uint32_t> distance(graph.node_count());
    std::vector<NodeId> open;
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        std::fill(distance.begin(), distance.end(), kUnreached);
        distance[destination] = 0;
        open.assign(1, destination);
        Relaxation relax(distance, table->towards(destination));
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (const Link* l = neighbours.begin(open[i]); l != neighbours.end(open[i]); ++l) {
                if (relax(*l)) open.push_back(l->from);
            }
        }
    }
    return table;
}

std::unique_ptr<Routing> make_up_down(const Graph& graph) {
    // Levels of a breadth-first tree from node 0; a link leads up when it leads to a lower level,
    // or within one to a lower number (Schroeder et al. 1991). `order` has higher nodes first.
    const Neighbours neighbours(graph);
    std::vector<std::uint32_t> level(graph.node_count(), kUnreached);
    std::vector<NodeId> order{0};
    level[0] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const Link* l = neighbours.begin(order[i]); l != neighbours.end(order[i]); ++l) {
            if (level[l->from] != kUnreached) continue;
            level[l->from] = level[order[i]] + 1;
            order.push_back(l->from);
        }
    }
    std::sort(order.begin(), order.end(),
              [&](NodeId a, NodeId b) { return std::pair(level[a], a) < std::pair(level[b], b); });
    std::vector<std::uint32_t> rank(graph.node_count());
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;

    auto table = std::make_unique<TableRouting>("up_down", graph.node_count());
    std::vector<std::uint32_t> distance(graph.node_count());
    std::vector<NodeId> open;
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        // Whoever can go down all the way does so: a packet that has gone down never asks for a
        // link that leads up. Breadth first, so that these ways are as short as can be.
        std::fill(distance.begin(), distance.end(), kUnreached);
        distance[destination] = 0;
        open.assign(1, destination);
        Relaxation relax(distance, table->towards(destination));
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (const Link* l = neighbours.begin(open[i]); l != neighbours.end(open[i]); ++l) {
                if (rank[l->from] < rank[l->to] && relax(*l)) open.push_back(l->from);
            }
        }
        // All others go up, the shortest way to one of those; higher nodes are settled first.
        std::vector<bool> goes_down(graph.node_count());
        for (const NodeId node : open) goes_down[node] = true;
        for (const NodeId node : order) {
            if (distance[node] == kUnreached) continue;
            for (const Link* l = neighbours.begin(node); l != neighbours.end(node); ++l) {
                if (!goes_down[l->from] && rank[l->from] > rank[l->to]) relax(*l);
            }
        }
    }
    return table;
}

}  // namespace flitscope
