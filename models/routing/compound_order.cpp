// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Dimension order on the compound layout of express meshes, in which a packet that turns at a
// terminal passes from the node of the row to that of the column.
#include "models/routing/channel_halves.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/compound_shape.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

/// Along the row, then along the column, the longest hop that does not overshoot. A packet goes
/// from a column's node to a row's at its source and at its destination; on different virtual
/// channels, or else these could wait for those.
class CompoundDimensionOrder final : public Routing {
public:
    CompoundDimensionOrder(const Graph& graph, std::uint32_t virtual_channels)
        : Routing(graph.shared_places()),
          shape_(graph.shape<ExpressShape>()->compound()),
          first_port_(graph.local_ports()),
          leaving_(ChannelHalves(virtual_channels).lower.mask),
          arriving_(ChannelHalves(virtual_channels).upper.mask) {}

    std::string name() const override { return "dimension_order"; }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        const RouterId last = router_of(destination);
        const std::uint32_t here = shape_.place(at);
        const std::uint32_t there = shape_.place(last);
        if (here == there) {
            if (at == last) return {kLocalPort};
            return {first_port_ + CompoundShape::kInnerPort, arriving_};
        }
        const std::uint32_t column = here % shape_.columns;
        const bool turns = column == there % shape_.columns;
        if (at.number() != shape_.end(here, turns)) {
            return {first_port_ + CompoundShape::kInnerPort, turns ? arriving_ : leaving_};
        }
        const std::uint32_t from = turns ? here / shape_.columns : column;
        const std::uint32_t to = turns ? there / shape_.columns : there % shape_.columns;
        const std::uint32_t distance = from < to ? to - from : from - to;
        const bool express = shape_.is_terminal(here) && distance >= shape_.segment &&
                             (to < from || from + shape_.segment < side(turns));
        return {first_port_ + shape_.port(here, turns, express, to < from)};
    }

private:
    std::uint32_t side(bool column) const { return column ? shape_.rows : shape_.columns; }

    CompoundShape shape_;
    PortId first_port_;
    VcMask leaving_;
    VcMask arriving_;
};

}  // namespace

std::unique_ptr<Routing> make_compound_order(const Graph& compound_mesh,
                                             std::uint32_t virtual_channels) {
    return std::make_unique<CompoundDimensionOrder>(compound_mesh, virtual_channels);
}

}  // namespace flitscope
