// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Up and down a k-ary n-tree, over the root that the digits of the destination name (d-mod-k:
// Zahavi et al. 2010).
#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

/// Up until a switch is above the destination, then down the only way: a shortest path. In stage s
/// both ways are chosen by digit s of the destination, so the destinations below a switch share the
/// switches above it evenly, all roots in the end. No packet goes up again, so none waits in a
/// circle.
class FatTreeUpDown final : public Routing {
public:
    explicit FatTreeUpDown(const FatTreeShape& shape) : shape_(shape) {}

    std::string name() const override { return "up_down"; }

    RouteChoice route(NodeId at, NodeId destination) const override {
        if (at == destination || !shape_.is_leaf(destination)) return {kLocalPort};
        if (shape_.is_leaf(at)) return {FatTreeShape::kLeafPort};
        const std::uint32_t stage = shape_.stage(at);
        const std::uint32_t weight = FatTreeShape::power(shape_.arity, stage);
        const bool is_above = shape_.place(at) / weight == destination / weight / shape_.arity;
        const std::uint32_t digit = destination / weight % shape_.arity;
        return {is_above ? FatTreeShape::down_port(digit) : shape_.up_port(digit)};
    }

    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            if (shape_.is_leaf(link.to)) continue;
            const bool goes_up =
                shape_.is_leaf(link.from) || shape_.stage(link.from) < shape_.stage(link.to);
            const PortId ports = goes_up ? graph.port_count() : shape_.up_port(0);
            for (PortId port = FatTreeShape::down_port(0); port < ports; ++port) {
                const LinkId wanted = graph.out_link(link.to, port);
                if (wanted != kNoLink && port != link.to_port) visit({id, 0}, {wanted, 0});
            }
        }
    }

private:
    FatTreeShape shape_;
};

}  // namespace

std::unique_ptr<Routing> make_fat_tree_up_down(const FatTreeShape& shape) {
    return std::make_unique<FatTreeUpDown>(shape);
}

}  // namespace flitscope
