// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Places of routers and nodes and courses of wires in a drawing of a network, as in
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
#include "models/topology/position.h"

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

    /// In the middle of its block of nodes if a grid has blocks. Routers that share a position are
    /// placed side by side along the diagonal.
    Point place(RouterId router) const;
    /// Distance in points of the middle of the wire to the left of the straight line: not 0 if that
    /// would lead over a router, or over a parallel link.
    double bend(const Link& link) const;

private:
    void set_block();
    Point middle_of_block() const;
    std::uint32_t span_of(const Link& link) const;
    bool passes_routers(const Link& link) const;
    double bend_around_routers(const Link& link) const;
    double bend_beside_parallels(const Link& link) const;
    double height(std::uint32_t span) const;

    const Graph& graph_;
    const Position spacing_;  // of routers
    Position block_{1, 1};    // rows and columns of nodes of a router
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<RouterId>> sharing_;  // per place
    bool flat_ = true;  // all routers in one row
    std::set<std::uint32_t> bent_spans_;
    std::map<std::pair<RouterId, RouterId>, std::uint32_t> parallels_;  // links, where not one
};

}  // namespace flitscope
