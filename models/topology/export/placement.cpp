// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/export/placement.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "models/topology/graph.h"
#include "models/topology/router_spacing.h"

namespace flitscope {
namespace {

constexpr double kApart = 13;  // offset of routers that share a place, along the diagonal

}  // namespace

Placement::Placement(const Graph& graph) : graph_(graph), spacing_(router_spacing(graph)) {
    if (graph.wiring()) set_block();
    for (RouterId router; router < graph.router_count(); ++router) {
        const Position& at = graph.position(router);
        sharing_[{at.row, at.column}].push_back(router);
        flat_ = flat_ && at.row == graph.position(RouterId(0)).row;
    }
    for (const Link& link : graph.links()) {
        if (passes_routers(link)) bent_spans_.insert(span_of(link));
        if (link.rank == 0) continue;
        std::uint32_t& count = parallels_[std::minmax(link.from, link.to)];
        count = std::max(count, link.rank + 1);
    }
}

/// The faster half of the dimensions gives columns, as for routers.
void Placement::set_block() {
    for (std::size_t dim = 0; dim < graph_.dims().size(); ++dim) {
        const std::uint32_t nodes = graph_.node_dims()[dim];
        (dim < graph_.dims().size() / 2 ? block_.row : block_.column) *= nodes / graph_.dims()[dim];
    }
}

Point Placement::place(RouterId router) const {
    const Position& at = graph_.position(router);
    const Point centre = Point{kNodePitch * at.column, -kNodePitch * at.row} + middle_of_block();
    const std::vector<RouterId>& here = sharing_.at({at.row, at.column});
    if (here.size() == 1) return centre;
    const auto rank =
        static_cast<double>(std::find(here.begin(), here.end(), router) - here.begin());
    const double shift = kApart * (2 * rank / static_cast<double>(here.size() - 1) - 1);
    return centre + Point{shift, -shift};
}

/// From its first node.
Point Placement::middle_of_block() const {
    return {kNodePitch * (block_.column - 1) / 2, -kNodePitch * (block_.row - 1) / 2};
}

double Placement::bend(const Link& link) const {
    return bend_around_routers(link) + bend_beside_parallels(link);
}

/// Parallel links are drawn side by side, centred on their common path; both links of a channel on
/// the same curve.
double Placement::bend_beside_parallels(const Link& link) const {
    const auto found = parallels_.find(std::minmax(link.from, link.to));
    if (found == parallels_.end()) return 0;
    const double apart = kNodePitch * std::min(0.2, 0.8 / found->second);
    const LinkId back = link.from < link.to ? kNoLink : graph_.opposite(link);
    const std::uint32_t rank = back == kNoLink ? link.rank : graph_.link(back).rank;
    const double side = link.from < link.to ? 1 : -1;
    return side * apart * (rank - (found->second - 1) / 2.0);
}

double Placement::bend_around_routers(const Link& link) const {
    if (!passes_routers(link)) return 0;
    // As in the collinear layouts of Ziavras: wires that begin at an even place are on one side,
    // those at an odd one on the other.
    const Position& p = graph_.position(link.from);
    const Position& q = graph_.position(link.to);
    const bool in_row = p.row == q.row;
    const bool forwards = in_row ? p.column < q.column : p.row < q.row;
    const std::uint32_t first = in_row ? std::min(p.column, q.column) / spacing_.column
                                       : std::min(p.row, q.row) / spacing_.row;
    return height(span_of(link)) * (first % 2 == 0 ? 1 : -1) * (forwards ? 1 : -1);
}

std::uint32_t Placement::span_of(const Link& link) const {
    return distance(graph_.position(link.from), graph_.position(link.to));
}

/// Whether the straight way leads over a router.
bool Placement::passes_routers(const Link& link) const {
    const Position& a = graph_.position(link.from);
    const Position& b = graph_.position(link.to);
    const auto rows = static_cast<std::int64_t>(b.row) - a.row;
    const auto columns = static_cast<std::int64_t>(b.column) - a.column;
    const std::int64_t steps = std::gcd(rows, columns);
    for (std::int64_t i = 1; i < steps; ++i) {
        const auto row = static_cast<std::uint32_t>(a.row + rows / steps * i);
        const auto column = static_cast<std::uint32_t>(a.column + columns / steps * i);
        if (sharing_.count({row, column}) != 0) return true;
    }
    return false;
}

/// Along one row of routers there is room for arcs as high as they are wide; elsewhere they stay
/// between two lines of routers, longer ones further out.
double Placement::height(std::uint32_t span) const {
    if (flat_) return kNodePitch * 0.3 * std::pow(span, 0.85);
    const auto shorter =
        static_cast<double>(std::distance(bent_spans_.begin(), bent_spans_.lower_bound(span)));
    const auto others = static_cast<double>(bent_spans_.size()) - 1;
    return kNodePitch * (others == 0 ? 0.35 : 0.29 + 0.17 * shorter / others);
}

}  // namespace flitscope
