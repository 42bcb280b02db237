// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Positions of nodes and courses of wires in a drawing of a network, as in
// models/topology/pictures: one rule for Graphviz files and for the page of a run.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/topology/link.h"

namespace flitscope {

class Graph;

inline constexpr double kNodePitch = 64;  ///< points from node to node

/// A place in points; y grows upwards.
struct Point {
    double x = 0;
    double y = 0;

    friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
    friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
    friend Point operator*(double factor, Point a) { return {factor * a.x, factor * a.y}; }
    double length() const { return std::hypot(x, y); }
};

class Placement {
public:
    /// `graph` must outlive the placement.
    explicit Placement(const Graph& graph);

    /// Nodes that share a position are placed side by side along the diagonal.
    Point place(NodeId node) const;
    /// Distance in points of the middle of the wire to the left of the straight line: not 0 if that
    /// would lead over a node.
    double bend(const Link& link) const;

private:
    std::uint32_t span_of(const Link& link) const;
    bool passes_nodes(const Link& link) const;
    double height(std::uint32_t span) const;

    const Graph& graph_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<NodeId>> sharing_;  // per place
    bool flat_ = true;  // all nodes in one row
    std::set<std::uint32_t> bent_spans_;
};

}  // namespace flitscope
