// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "models/routing/routing_factory.h"

namespace flitscope {
namespace {

class ShortestPath final : public Routing {
public:
    explicit ShortestPath(const Graph& graph)
        : nodes_(graph.node_count()), port_(static_cast<std::size_t>(nodes_) * nodes_, 0) {
        std::vector<std::uint32_t> distance(nodes_);
        std::vector<NodeId> open;
        for (NodeId destination = 0; destination < nodes_; ++destination) {
            distances_to(graph, destination, distance, open);
            for (NodeId node = 0; node < nodes_; ++node) {
                if (node != destination) table(node, destination) = best(graph, node, distance);
            }
        }
    }

    std::string name() const override { return "shortest_path"; }

    RouteChoice route(NodeId at, NodeId destination) const override {
        return {port_[static_cast<std::size_t>(at) * nodes_ + destination]};
    }

private:
    std::uint16_t& table(NodeId at, NodeId destination) {
        return port_[static_cast<std::size_t>(at) * nodes_ + destination];
    }
    static void distances_to(const Graph& graph, NodeId destination,
                             std::vector<std::uint32_t>& distance, std::vector<NodeId>& open) {
        distance.assign(distance.size(), UINT32_MAX);
        distance[destination] = 0;
        open.assign(1, destination);
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (PortId port = 1; port < graph.port_count(); ++port) {
                const LinkId id = graph.in_link(open[i], port);
                if (id == kNoLink || distance[graph.link(id).from] != UINT32_MAX) continue;
                distance[graph.link(id).from] = distance[open[i]] + 1;
                open.push_back(graph.link(id).from);
            }
        }
    }
    static std::uint16_t best(const Graph& graph, NodeId node,
                              const std::vector<std::uint32_t>& distance) {
        for (PortId port = 1; port < graph.port_count(); ++port) {
            const LinkId id = graph.out_link(node, port);
            if (id != kNoLink && distance[graph.link(id).to] + 1 == distance[node]) {
                return static_cast<std::uint16_t>(port);
            }
        }
        return 0;
    }

    NodeId nodes_;
    std::vector<std::uint16_t> port_;
};

}  // namespace

std::unique_ptr<Routing> make_shortest_path(const Graph& graph) {
    return std::make_unique<ShortestPath>(graph);
}

}  // namespace flitscope
