// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The flow on every link if nodes send steadily on fixed paths.
#pragma once

#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;

class RouteFlow {
public:
    /// Both arguments must outlive this object; the paths of the routing must be fixed.
    RouteFlow(const Graph& graph, const Routing& routing);

    /// Every node n sends at rates[n] to `destination`; traffic within a router takes no link.
    void add(NodeId destination, const std::vector<double>& rates);
    /// `source` sends at `rate` to `destination`.
    void add(NodeId source, NodeId destination, double rate);

    const std::vector<double>& links() const { return links_; }  ///< per LinkId

private:
    LinkId next_link(RouterId at, NodeId destination) const;
    /// Whether nothing is sent there from the router, or could be: it is dead, or a switch that is
    /// cut off or that no way passes.
    bool is_silent(RouterId router, NodeId destination) const;

    const Graph& graph_;
    const Routing& routing_;
    bool has_silent_;
    std::vector<double> links_;
    std::vector<LinkId> next_;           // of add(): the first link of each router's route,
    std::vector<std::uint32_t> before_;  // how many routers' first links lead to the router,
    std::vector<double> passing_;        // and the flow through it
    std::vector<RouterId> order_;        // routers that no further flow will reach
};

/// Traffic in which every node sends the same to each of the others, under a routing.
struct UniformFlow {
    double bound = 0;      ///< the most that each node can send, in flits per cycle; 0: no traffic
    double mean_hops = 0;  ///< over all pairs
    LinkId unused = 0;     ///< links that no path takes
    LinkId first_unused = kNoLink;
};

/// As far as links are concerned; the paths of the routing must be fixed.
UniformFlow uniform_flow(const Graph& graph, const Routing& routing);

}  // namespace flitscope
