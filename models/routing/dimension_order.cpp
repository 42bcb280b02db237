// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/routing_factory.h"

namespace flitscope {
namespace {

class MeshDimensionOrder final : public Routing {
public:
    explicit MeshDimensionOrder(const Graph& graph) : dims_(graph.dims().size()) {
        coordinates_.reserve(graph.node_count() * dims_);
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            for (std::size_t k = dims_; k-- > 0;) {
                coordinates_.push_back(static_cast<std::uint16_t>(graph.coordinate(node, k)));
            }
        }
    }

    std::string name() const override { return "dimension_order"; }

    RouteChoice route(NodeId at, NodeId destination) const override {
        const std::uint16_t* const here = coordinates_.data() + at * dims_;
        const std::uint16_t* const there = coordinates_.data() + destination * dims_;
        for (std::size_t k = 0; k < dims_; ++k) {
            if (there[k] == here[k]) continue;
            const auto plus = static_cast<PortId>(1 + 2 * k);
            return {there[k] > here[k] ? plus : plus + 1};
        }
        return {kLocalPort};
    }

    /// A packet goes straight on or turns into a later dimension: 2n turns per link at most.
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const PortId straight = link.from_port;
            const PortId next_dimension = 1 + 2 * ((straight - 1) / 2 + 1);
            const auto may_take = [&](PortId port) {
                const LinkId wanted = graph.out_link(link.to, port);
                if (wanted != kNoLink) visit(id, wanted);
            };
            may_take(straight);
            for (PortId port = next_dimension; port < graph.port_count(); ++port) may_take(port);
        }
    }

private:
    std::size_t dims_;
    std::vector<std::uint16_t> coordinates_;  // per node, fastest-varying dimension first
};

class ECube final : public Routing {
public:
    std::string name() const override { return "dimension_order"; }

    RouteChoice route(NodeId at, NodeId destination) const override {
        const NodeId differing = at ^ destination;
        if (differing == 0) return {kLocalPort};
        return {static_cast<PortId>(1 + __builtin_ctz(differing))};
    }

    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            for (PortId port = link.from_port + 1; port < graph.port_count(); ++port) {
                visit(id, graph.out_link(link.to, port));
            }
        }
    }
};

}  // namespace

std::unique_ptr<Routing> make_dimension_order(const Graph& graph) {
    if (graph.kind() == "hypercube") return std::make_unique<ECube>();
    return std::make_unique<MeshDimensionOrder>(graph);
}

}  // namespace flitscope
