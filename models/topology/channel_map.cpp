// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/channel_map.h"

#include "models/topology/graph.h"

namespace flitscope {

ChannelMap::ChannelMap(const Graph& graph)
    : graph_(&graph),
      has_ends_per_link_(graph.has_per_link_endpoints()),
      links_(graph.link_count()),
      ends_(has_ends_per_link_ ? graph.link_count() : graph.node_count()) {}

NodeId ChannelMap::node_of_end(ChannelId id) const {
    const Link& link = graph_->link(link_of_endpoint(id));
    return is_injection(id) ? link.from : link.to;
}

RouterId ChannelMap::router(ChannelId id) const {
    return has_ends_per_link_ ? RouterId(node_of_end(id)) : graph_->router_of(node(id));
}

PortId ChannelMap::port(ChannelId id) const {
    if (!has_ends_per_link_) return graph_->local_port(node(id));
    const Link& link = graph_->link(link_of_endpoint(id));
    return graph_->endpoint_port(is_injection(id) ? link.from_port : link.to_port);
}

ChannelId ChannelMap::into(RouterId router, PortId port) const {
    if (port >= graph_->port_count()) {
        const LinkId link = graph_->out_link(router, port - graph_->endpoint_port(0));
        return link == kNoLink ? kNoChannel : injection_of(link);
    }
    if (!graph_->is_local(port)) return graph_->in_link(router, port);
    const NodeId node = has_ends_per_link_ ? kNoNode : graph_->node_at(router, port);
    return node == kNoNode ? kNoChannel : injection(node);
}

ChannelId ChannelMap::from(RouterId router, PortId port) const {
    if (port >= graph_->port_count()) {
        const LinkId link = graph_->in_link(router, port - graph_->endpoint_port(0));
        return link == kNoLink ? kNoChannel : ejection_of(link);
    }
    if (!graph_->is_local(port)) return graph_->out_link(router, port);
    const NodeId node = has_ends_per_link_ ? kNoNode : graph_->node_at(router, port);
    return node == kNoNode ? kNoChannel : ejection(node);
}

std::string ChannelMap::name(ChannelId id) const {
    if (is_link(id)) return graph_->link_name(id);
    const char* const prefix = is_injection(id) ? "inject" : "eject";
    const LinkId link = link_of_endpoint(id);
    if (link == kNoLink) return graph_->node_name(prefix, node(id));
    return prefix + graph_->link_name(link).substr(std::string("link").size());
}

}  // namespace flitscope
