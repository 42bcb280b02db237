// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The router that each node is attached to (hw/TIMING.md, "Nodes and routers").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// The nodes of one router, in the order of their numbers and of its local ports.
class NodesOfRouter {
public:
    NodesOfRouter(const NodeId* begin, const NodeId* end) : begin_(begin), end_(end) {}
    const NodeId* begin() const { return begin_; }
    const NodeId* end() const { return end_; }
    bool empty() const { return begin_ == end_; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(end_ - begin_); }
    NodeId operator[](std::size_t i) const { return begin_[i]; }

private:
    const NodeId* begin_;
    const NodeId* end_;
};

/// Every node is attached to one router; a router has any number of nodes. The k-th node of a
/// router, by number, has its port k.
class NodePlaces {
public:
    /// The router of each node; each is below `routers`.
    NodePlaces(std::vector<RouterId> router_of, std::uint32_t routers);
    /// Node n on router n; routers from `nodes` on have none.
    static NodePlaces one_each(NodeId nodes, std::uint32_t routers);

    NodeId node_count() const { return static_cast<NodeId>(router_of_.size()); }
    std::uint32_t router_count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
    /// The most nodes on one router, at least 1: every router numbers its links from this on.
    PortId local_ports() const { return local_ports_; }

    RouterId router_of(NodeId node) const { return router_of_[node]; }
    PortId local_port(NodeId node) const { return local_port_[node]; }
    NodesOfRouter nodes_at(RouterId router) const {
        return {nodes_.data() + first_[router], nodes_.data() + first_[router + 1]};
    }
    /// The node at a local port, or kNoNode.
    NodeId node_at(RouterId router, PortId port) const {
        const NodesOfRouter nodes = nodes_at(router);
        return port < nodes.size() ? nodes[port] : kNoNode;
    }
    /// Node n is attached to router n.
    bool is_one_each() const { return is_one_each_; }

    // ---- Routers as users name them by nodes: if is_one_each(), nodes and routers are one to
    // them, and the numbers after the nodes are those of switches.

    /// Numbers of nodes there are, with those of switches.
    std::uint32_t numbers() const { return is_one_each_ ? router_count() : node_count(); }
    /// The router of a number, if there is one.
    std::optional<RouterId> router_numbered(std::uint32_t number) const {
        if (number >= numbers()) return std::nullopt;
        return is_one_each_ ? RouterId(number) : router_of(number);
    }
    /// "node" or "router": the word for a router in messages.
    const char* router_word() const { return is_one_each_ ? "node" : "router"; }

private:
    std::vector<RouterId> router_of_;
    std::vector<PortId> local_port_;
    std::vector<NodeId> nodes_;         // by router
    std::vector<std::uint32_t> first_;  // per router: its first one in nodes_; one more
    PortId local_ports_ = 1;
    bool is_one_each_ = true;
};

}  // namespace flitscope
