// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of all channels of a network.
#pragma once

#include <string>

#include "models/base/types.h"

namespace flitscope {

class Graph;

/// Numbers every channel of a network: link l is channel l, then come the injection channels, then
/// the ejection channels, one of each per node in the order of nodes. With per-link endpoints it is
/// one of each per link in the order of links.
class ChannelMap {
public:
    /// `graph` must outlive the map.
    explicit ChannelMap(const Graph& graph);

    ChannelId link(LinkId id) const { return id; }
    // For a node with one channel each way.
    ChannelId injection(NodeId node) const { return links_ + node; }
    ChannelId ejection(NodeId node) const { return links_ + ends_ + node; }
    ChannelId injection(RouterId) const = delete;
    ChannelId ejection(RouterId) const = delete;
    /// The channel that ends (begins) at a port of a router, or kNoChannel. Ports are those of
    /// Graph::router_port_count().
    ChannelId into(RouterId router, PortId port) const;
    ChannelId from(RouterId router, PortId port) const;
    // For a link with its own endpoint ports.
    ChannelId injection_of(LinkId link) const { return links_ + link; }
    ChannelId ejection_of(LinkId link) const { return links_ + ends_ + link; }
    /// This and all after it are ejection channels.
    ChannelId first_ejection() const { return links_ + ends_; }
    ChannelId count() const { return links_ + 2 * ends_; }

    bool is_link(ChannelId id) const { return id < links_; }
    bool is_injection(ChannelId id) const { return id >= links_ && id < first_ejection(); }
    bool is_ejection(ChannelId id) const { return id >= first_ejection(); }
    /// The node of an injection or ejection channel, its router, and its port there.
    NodeId node(ChannelId id) const {
        return has_ends_per_link_ ? node_of_end(id) : (id - links_) % ends_;
    }
    RouterId router(ChannelId id) const;
    PortId port(ChannelId id) const;
    /// The link that an injection or ejection channel belongs to; kNoLink if it is the node's only
    /// one.
    LinkId link_of_endpoint(ChannelId id) const {
        return has_ends_per_link_ ? (id - links_) % ends_ : kNoLink;
    }
    /// "link_005_007"; "inject_005", "eject_005"; the endpoints of a link are
    /// called "inject_005_007", at node 5, and "eject_005_007", at node 7.
    std::string name(ChannelId id) const;

private:
    bool is_of_link(PortId port) const;
    /// The injection or ejection channel at a port that no link has, or kNoChannel.
    ChannelId endpoint(RouterId router, PortId port, bool injects) const;
    /// The node of an endpoint channel of a link.
    NodeId node_of_end(ChannelId id) const;

    const Graph* graph_;
    bool has_ends_per_link_;
    ChannelId links_;
    ChannelId ends_;
};

}  // namespace flitscope
