// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The load of steady traffic on every link and node, in flits per cycle. A channel carries one, a
// link its rate: above that no run can keep up, however long it is.
#pragma once

#include <vector>

#include "models/base/types.h"
#include "models/performance/bisection.h"
#include "models/routing/route_flow.h"
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
    const std::vector<double>& links() const { return flow_.links(); }  ///< per LinkId
    const std::vector<double>& sent() const { return sent_; }           ///< per node
    const std::vector<double>& received() const { return received_; }   ///< per node
    /// Load of the links of a cut, and what they can carry, in the mean over them.
    struct Cut {
        double load = 0;
        double capacity = 1;
    };
    /// The middle_cut(), in the direction in which more of the capacity is asked.
    Cut cut() const;

private:
    void count(NodeId source, NodeId destination, double rate);

    const Graph& graph_;
    bool knows_links_;
    RouteFlow flow_;
    std::vector<double> sent_;
    std::vector<double> received_;
    NodeCut cut_;
    double over_cut_[2] = {0, 0};  // flits per cycle: to the upper side, to the lower
};

}  // namespace flitscope
