// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/export/placement.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "models/topology/graph.h"

namespace flitscope {
namespace {

constexpr double kApart = 13;  // offset of nodes that share a place, along the diagonal

}  // namespace

Placement::Placement(const Graph& graph) : graph_(graph) {
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        const Position& at = graph.position(node);
        sharing_[{at.row, at.column}].push_back(node);
        flat_ = flat_ && at.row == graph.position(0).row;
    }
    for (const Link& link : graph.links()) {
        if (passes_nodes(link)) bent_spans_.insert(span_of(link));
    }
}

Point Placement::place(NodeId node) const {
    const Position& at = graph_.position(node);
    const Point centre{kNodePitch * at.column, -kNodePitch * at.row};
    const std::vector<NodeId>& here = sharing_.at({at.row, at.column});
    if (here.size() == 1) return centre;
    const auto rank = static_cast<double>(std::find(here.begin(), here.end(), node) - here.begin());
    const double shift = kApart * (2 * rank / static_cast<double>(here.size() - 1) - 1);
    return centre + Point{shift, -shift};
}

double Placement::bend(const Link& link) const {
    if (!passes_nodes(link)) return 0;
    // As in the collinear layouts of Ziavras: wires that begin at an even place are on one side,
    // those at an odd one on the other.
    const Position& p = graph_.position(link.from);
    const Position& q = graph_.position(link.to);
    const bool in_row = p.row == q.row;
    const bool forwards = in_row ? p.column < q.column : p.row < q.row;
    const std::uint32_t first = in_row ? std::min(p.column, q.column) : std::min(p.row, q.row);
    return height(span_of(link)) * (first % 2 == 0 ? 1 : -1) * (forwards ? 1 : -1);
}

std::uint32_t Placement::span_of(const Link& link) const {
    return distance(graph_.position(link.from), graph_.position(link.to));
}

/// Whether the straight way leads over a node.
bool Placement::passes_nodes(const Link& link) const {
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

/// Along one row of nodes there is room for arcs as high as they are wide; elsewhere they stay
/// between two lines of nodes, longer ones further out.
double Placement::height(std::uint32_t span) const {
    if (flat_) return kNodePitch * 0.3 * std::pow(span, 0.85);
    const auto shorter =
        static_cast<double>(std::distance(bent_spans_.begin(), bent_spans_.lower_bound(span)));
    const auto others = static_cast<double>(bent_spans_.size()) - 1;
    return kNodePitch * (others == 0 ? 0.35 : 0.29 + 0.17 * shorter / others);
}

}  // namespace flitscope
