// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The load of steady traffic on every link and node, in flits per cycle. A channel carries one:
// above that no run can keep up, however long it is.
#pragma once

#include <vector>

#include "models/base/types.h"
#include "models/performance/bisection.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;

class SteadyLoad {
public:
    /// Both arguments must outlive this object. If the paths of the routing are not fixed, loads of
    /// links are not known.
    SteadyLoad(const Graph& graph, const Routing& routing);

    /// Every node n sends rates[n] flits per cycle to `destination`, which sends none to itself.
    void add(NodeId destination, const std::vector<double>& rates);
    /// `source` sends `rate` flits per cycle to `destination`.
    void add(NodeId source, NodeId destination, double rate);

    bool knows_links() const { return knows_links_; }
    const std::vector<double>& links() const { return links_; }        ///< per LinkId
    const std::vector<double>& sent() const { return sent_; }          ///< per node
    const std::vector<double>& received() const { return received_; }  ///< per node
    /// Over the middle_cut(), per link of the cut, in the direction in which more is asked.
    double cut() const;

private:
    LinkId next_link(NodeId at, NodeId destination) const;
    /// Whether the node sends nothing there and could not: it is dead, or a switch that is cut off
    /// or that no way passes.
    bool is_silent(NodeId node, NodeId destination, double rate) const;
    void count(NodeId source, NodeId destination, double rate);

    const Graph& graph_;
    const Routing& routing_;
    bool knows_links_;
    std::vector<double> links_;
    std::vector<double> sent_;
    std::vector<double> received_;
    NodeCut cut_;
    double over_cut_[2] = {0, 0};  // flits per cycle: to the upper side, to the lower
    std::vector<LinkId> next_;     // of add(): the first link of each node's route,
    std::vector<NodeId> before_;   // how many nodes' routes pass over their first link,
    std::vector<double> passing_;  // and the load that passes the node
    std::vector<NodeId> order_;    // nodes by which nothing more will come
};

}  // namespace flitscope
