// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of all channels of a network.
#pragma once

#include <string>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class Graph;

/// Numbers every channel of a network: link l is channel l, then come the injection channels, then
/// the ejection channels, one of each per node in the order of nodes. With per-link endpoints it is
/// one of each per link in the order of links. Those of plane 1, if there is one, follow in the
/// same order, and so on.
class ChannelMap {
public:
    /// The channels of all planes. `graph` must outlive the map.
    explicit ChannelMap(const Graph& graph);
    /// Those of one plane, as a fabric has them.
    static ChannelMap of_one_plane(const Graph& graph);

    // In plane 0 unless another one is named. For a node with one channel each way:
    ChannelId link(LinkId id, std::uint32_t plane = 0) const { return first(plane) + id; }
    ChannelId injection(NodeId node, std::uint32_t plane = 0) const {
        return first(plane) + links_ + node;
    }
    ChannelId ejection(NodeId node, std::uint32_t plane = 0) const {
        return first(plane) + links_ + ends_ + node;
    }
    ChannelId injection(RouterId) const = delete;
    ChannelId ejection(RouterId) const = delete;
    /// The channel that ends (begins) at a port of a router, or kNoChannel. Ports are those of
    /// Graph::router_port_count().
    ChannelId into(RouterId router, PortId port) const;
    ChannelId from(RouterId router, PortId port) const;
    // For a link with its own endpoint ports.
    ChannelId injection_of(LinkId link) const { return links_ + link; }
    ChannelId ejection_of(LinkId link) const { return links_ + ends_ + link; }
    /// Of one plane: this and all after it are ejection channels.
    ChannelId first_ejection() const { return links_ + ends_; }
    ChannelId count() const { return planes_ * in_each_; }

    std::uint32_t planes() const { return planes_; }
    std::uint32_t plane(ChannelId id) const { return planes_ == 1 ? 0 : id / in_each_; }
    /// The channel of plane 0 at the same place.
    ChannelId in_first_plane(ChannelId id) const { return planes_ == 1 ? id : id % in_each_; }
    /// The first channel of a plane.
    ChannelId first(std::uint32_t plane) const { return plane * in_each_; }

    bool is_link(ChannelId id) const { return in_first_plane(id) < links_; }
    bool is_injection(ChannelId id) const {
        const ChannelId first = in_first_plane(id);
        return first >= links_ && first < first_ejection();
    }
    bool is_ejection(ChannelId id) const { return in_first_plane(id) >= first_ejection(); }
    /// The link of a channel that is one; planes have the same links.
    LinkId link_of(ChannelId id) const { return in_first_plane(id); }
    /// The channels that are links, plane by plane.
    std::vector<ChannelId> links() const;
    /// Cycles in which a channel takes one flit: k for a link of a rate of 1/k, else 1.
    std::uint32_t rate_cycles(ChannelId id) const;
    /// The node of an injection or ejection channel, its router, and its port there.
    NodeId node(ChannelId id) const {
        return has_ends_per_link_ ? node_of_end(id) : (in_first_plane(id) - links_) % ends_;
    }
    RouterId router(ChannelId id) const;
    PortId port(ChannelId id) const;
    /// The link that an injection or ejection channel belongs to; kNoLink if it is the node's only
    /// one.
    LinkId link_of_endpoint(ChannelId id) const {
        return has_ends_per_link_ ? (id - links_) % ends_ : kNoLink;
    }
    /// "link_005_007"; "inject_005", "eject_005"; the endpoints of a link are
    /// called "inject_005_007", at node 5, and "eject_005_007", at node 7. In plane 1
    /// "link_005_007_plane1".
    std::string name(ChannelId id) const;
    /// Those of all channels, in order of their numbers.
    std::vector<std::string> names() const;

private:
    ChannelMap(const Graph& graph, std::uint32_t planes);

    bool is_of_link(PortId port) const;
    /// The injection or ejection channel at a port that no link has, or kNoChannel.
    ChannelId endpoint(RouterId router, PortId port, bool injects) const;
    /// The node of an endpoint channel of a link.
    NodeId node_of_end(ChannelId id) const;
    std::string name_in_plane(ChannelId id) const;

    const Graph* graph_;
    bool has_ends_per_link_;
    ChannelId links_;
    ChannelId ends_;
    ChannelId in_each_;  // channels of a plane
    std::uint32_t planes_;
};

}  // namespace flitscope
