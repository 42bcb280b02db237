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

std::string ChannelMap::name(ChannelId id) const {
    if (is_link(id)) return graph_->link_name(id);
    const char* const prefix = is_injection(id) ? "inject" : "eject";
    const LinkId link = link_of_endpoint(id);
    if (link == kNoLink) return graph_->node_name(prefix, node(id));
    return prefix + graph_->link_name(link).substr(std::string("link").size());
}

}  // namespace flitscope
