// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network while links and nodes die: the remaining ones, and which nodes still reach each other.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

class LivingNetwork {
public:
    /// Begins with all of `graph`, which must outlive this object.
    explicit LivingNetwork(const Graph& graph);

    bool is_alive(NodeId node) const { return !dead_nodes_[node]; }
    bool is_alive(const Link& link) const {
        return !dead_links_[graph_->out_link(link.from, link.from_port)];
    }
    /// Whether wherever a link leads one leads back.
    bool leads_both_ways() const;
    const std::vector<bool>& dead_links() const { return dead_links_; }
    const std::vector<bool>& dead_nodes() const { return dead_nodes_; }

    /// Kills all links between two nodes, both ways; returns whether there are any, dead or not.
    bool kill_links_between(NodeId a, NodeId b);
    void kill_node(NodeId node);

    /// Whether the links between two nodes, or a node, can die without disconnecting any others.
    bool can_lose_links_between(NodeId a, NodeId b);
    bool can_lose_node(NodeId node);

    /// Endpoints that are alive and no more than half of these, which do not all reach the others
    /// or are not all reached by them; empty: all reach all.
    std::vector<NodeId> cut_off() const;

private:
    enum class Way { kForward, kBackward };

    /// Whether a link that is alive leads there.
    bool has_way(NodeId from, NodeId to) const;
    /// Whether all of `wanted` are reached from `from`; no further than it takes.
    bool reaches(NodeId from, const std::vector<NodeId>& wanted);
    std::vector<bool> reached(NodeId from, Way way) const;
    void set_links_between(NodeId a, NodeId b, bool dead);

    const Graph* graph_;
    std::vector<bool> dead_links_;
    std::vector<bool> dead_nodes_;
    std::vector<std::uint32_t> seen_;  // number of the search that last visited
    std::uint32_t search_ = 0;
};

}  // namespace flitscope
