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
/// cycle. The lowest digit of a node is its port, modulo the arity; the others are the place of
/// its switch.
///
/// Any way up leads to a root above the destination, so packets that adapt prefer the way that the
/// digit says, then the others in their order. The cycles that cannot be are the same.
class FatTreeUpDown final : public Routing {
public:
    FatTreeUpDown(const Graph& graph, bool adapts)
        : Routing(graph.shared_places()),
          shape_(*graph.shape<FatTreeShape>()),
          first_port_(graph.local_ports()),
          adapts_(adapts) {
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            down_digit_.push_back(graph.local_port(node) % shape_.arity);
        }
    }

    std::string name() const override { return adapts_ ? "up_down_adaptive" : "up_down"; }
    PathChoice path_choice() const override {
        return adapts_ ? PathChoice::kAdaptive : PathChoice::kFixed;
    }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        const RouterId last = router_of(destination);
        if (at == last) return {kLocalPort};
        const std::uint32_t stage = shape_.stage(at);
        const std::uint32_t weight = FatTreeShape::power(shape_.arity, stage);
        const std::uint32_t place = shape_.place(last);
        const bool is_above = shape_.place(at) / weight == place / weight;
        const std::uint32_t digit =
            stage == 0 ? down_digit_[destination] : shape_.digit(place, stage - 1);
        return {first_port_ + (is_above ? FatTreeShape::down_port(digit) : shape_.up_port(digit))};
    }

    void hops(const RouteQuery& query, RouteChoices& choices) const override {
        choices.clear();
        choices.add(hop(query.at, query.destination));
        const PortId first_up = first_port_ + shape_.up_port(0);
        const PortId preferred = choices[0].port;
        if (preferred < first_up) return;
        for (std::uint32_t digit = 1; digit < shape_.arity; ++digit) {
            choices.add({first_up + (preferred - first_up + digit) % shape_.arity});
        }
    }

    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const bool goes_up = shape_.stage(link.from) < shape_.stage(link.to);
            const PortId end = goes_up ? graph.port_count() : first_port_ + shape_.up_port(0);
            for (PortId port = first_port_; port < end; ++port) {
                const LinkId wanted = graph.out_link(link.to, port);
                if (wanted != kNoLink && port != link.to_port) visit({id, 0}, {wanted, 0});
            }
        }
    }

private:
    FatTreeShape shape_;
    PortId first_port_;
    bool adapts_;
    std::vector<std::uint32_t> down_digit_;  // per node
};

}  // namespace

std::unique_ptr<Routing> make_fat_tree_up_down(const Graph& fat_tree, bool adapts) {
    return std::make_unique<FatTreeUpDown>(fat_tree, adapts);
}

}  // namespace flitscope
