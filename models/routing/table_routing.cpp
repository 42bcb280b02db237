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

/// The links that arrive at a node, in order of ports.
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
    struct Range {
        const Link* first;
        const Link* last;

        const Link* begin() const { return first; }
        const Link* end() const { return last; }
    };
    Range into(NodeId node) const {
        return {links_.data() + first_[node], links_.data() + first_[node + 1]};
    }

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

/// Everything that a breadth-first search against the links reaches from one destination after the
/// other.
class Search {
public:
    explicit Search(const Graph& graph) : neighbours_(graph), distance_(graph.node_count()) {}

    /// Fills `ports` with the way to `destination` for all that reach it over links that `admits`
    /// lets pass. Returns them, the destination first.
    template <class Admits>
    const std::vector<NodeId>& run(NodeId destination, std::uint16_t* ports, const Admits& admits) {
        std::fill(distance_.begin(), distance_.end(), kUnreached);
        distance_[destination] = 0;
        reached_.assign(1, destination);
        Relaxation relax(distance_, ports);
        for (std::size_t i = 0; i < reached_.size(); ++i) {
            for (const Link& link : neighbours_.into(reached_[i])) {
                if (admits(link) && relax(link)) reached_.push_back(link.from);
            }
        }
        return reached_;
    }

    const Neighbours& neighbours() const { return neighbours_; }
    /// Hops to the last destination, or kUnreached.
    std::vector<std::uint32_t>& distance() { return distance_; }

private:
    Neighbours neighbours_;
    std::vector<std::uint32_t> distance_;
    std::vector<NodeId> reached_;
};

}  // namespace

std::unique_ptr<Routing> make_shortest_path(const Graph& graph) {
    auto table = std::make_unique<TableRouting>("shortest_path", graph.node_count());
    Search search(graph);
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        search.run(destination, table->towards(destination), [](const Link&) { return true; });
    }
    return table;
}

std::unique_ptr<Routing> make_up_down(const Graph& graph) {
    // Levels of a breadth-first tree from node 0; a link leads up when it leads to a lower level,
    // or within one to a lower number (Schroeder et al. 1991). `order` has higher nodes first.
    Search search(graph);
    std::vector<std::uint16_t> unused(graph.node_count());
    std::vector<NodeId> order = search.run(0, unused.data(), [](const Link&) { return true; });
    const std::vector<std::uint32_t> level = search.distance();
    std::sort(order.begin(), order.end(), [&level](NodeId a, NodeId b) {
        return std::pair(level[a], a) < std::pair(level[b], b);
    });
    std::vector<std::uint32_t> rank(graph.node_count());
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;

    auto table = std::make_unique<TableRouting>("up_down", graph.node_count());
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        // Whoever can go down all the way does so: a packet that has gone down never asks for a
        // link that leads up.
        std::uint16_t* const ports = table->towards(destination);
        std::vector<bool> goes_down(graph.node_count());
        for (const NodeId node : search.run(destination, ports, [&rank](const Link& link) {
                 return rank[link.from] < rank[link.to];
             })) {
            goes_down[node] = true;
        }
        // All others go up, the shortest way to one of those; higher nodes are settled first.
        Relaxation relax(search.distance(), ports);
        for (const NodeId node : order) {
            if (search.distance()[node] == kUnreached) continue;
            for (const Link& link : search.neighbours().into(node)) {
                if (!goes_down[link.from] && rank[link.from] > rank[link.to]) relax(link);
            }
        }
    }
    return table;
}

}  // namespace flitscope
