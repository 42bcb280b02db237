// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network while links, routers and nodes die: the remaining ones, and which nodes still reach
// each other.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

/// The other link of a channel: the one back through the same ports; where neither has one, the one
/// back of the same rank. kNoLink: the channel leads one way.
LinkId other_link(const Graph& graph, LinkId link);

class WorkingNetwork {
public:
    /// Begins with all of `graph`, which must outlive this object.
    explicit WorkingNetwork(const Graph& graph);

    bool is_alive(NodeId node) const { return !dead_nodes_[node]; }
    bool is_alive(RouterId router) const { return !dead_routers_[router]; }
    bool is_alive(const Link& link) const {
        return !dead_links_[graph_->out_link(link.from, link.from_port)];
    }
    NodeId working_node_count() const;
    /// Whether every link has another one of its channel.
    bool leads_both_ways() const;
    const std::vector<bool>& dead_links() const { return dead_links_; }
    const std::vector<bool>& dead_routers() const { return dead_routers_; }
    const std::vector<bool>& dead_nodes() const { return dead_nodes_; }

    /// Kills all links between two routers, both ways; returns whether there are any, dead or not.
    bool kill_links_between(RouterId a, RouterId b);
    /// Kills a link and the other one of its channel.
    void kill_channel(LinkId link);
    /// Kills a router with its links and nodes.
    void kill_router(RouterId router);
    /// Kills a node, and with the last one of a router the router.
    void kill_node(NodeId node);

    /// Whether the channel of a link, a router, or a node can die without disconnecting any others.
    bool can_lose_channel(LinkId link);
    bool can_lose_router(RouterId router);
    bool can_lose_node(NodeId node);

    /// Nodes that are alive and no more than half of these, which do not all reach the others or
    /// are not all reached by them; empty: all reach all.
    std::vector<NodeId> cut_off() const;

private:
    enum class Way { kForward, kBackward };

    std::uint32_t working_nodes_at(RouterId router) const;
    /// Whether a link that is alive leads there.
    bool has_way(RouterId from, RouterId to) const;
    /// Whether all of `wanted` are reached from `from`; no further than it takes.
    bool reaches(RouterId from, const std::vector<RouterId>& wanted);
    /// The routers that are reached from `from`, or that reach it.
    std::vector<bool> reached(RouterId from, Way way) const;
    void kill_links_of(RouterId router);

    const Graph* graph_;
    std::vector<bool> dead_links_;
    std::vector<bool> dead_routers_;
    std::vector<bool> dead_nodes_;
    std::vector<std::uint32_t> seen_;  // per router: number of the search that last visited
    std::uint32_t search_ = 0;
};

}  // namespace flitscope
