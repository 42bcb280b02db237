// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/channel_map.h"

#include "models/topology/graph.h"

namespace flitscope {

ChannelMap::ChannelMap(const Graph& graph) : ChannelMap(graph, graph.planes()) {}

ChannelMap ChannelMap::of_one_plane(const Graph& graph) { return {graph, 1}; }

ChannelMap::ChannelMap(const Graph& graph, std::uint32_t planes)
    : graph_(&graph),
      has_ends_per_link_(graph.has_per_link_endpoints()),
      links_(graph.link_count()),
      ends_(has_ends_per_link_ ? graph.link_count() : graph.node_count()),
      in_each_(links_ + 2 * ends_),
      planes_(planes) {}

std::vector<ChannelId> ChannelMap::links() const {
    std::vector<ChannelId> all;
    all.reserve(std::size_t{planes_} * links_);
    for (std::uint32_t plane = 0; plane < planes_; ++plane) {
        for (LinkId id = 0; id < links_; ++id) all.push_back(link(id, plane));
    }
    return all;
}

std::uint32_t ChannelMap::rate_cycles(ChannelId id) const {
    return is_link(id) ? graph_->link(link_of(id)).rate_cycles : 1;
}

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
    return is_of_link(port) ? graph_->in_link(router, port) : endpoint(router, port, true);
}

ChannelId ChannelMap::from(RouterId router, PortId port) const {
    return is_of_link(port) ? graph_->out_link(router, port) : endpoint(router, port, false);
}

bool ChannelMap::is_of_link(PortId port) const {
    return !graph_->is_local(port) && port < graph_->port_count();
}

ChannelId ChannelMap::endpoint(RouterId router, PortId port, bool injects) const {
    static_assert(kNoNode == kNoChannel);
    std::uint32_t end = kNoChannel;  // a node or a link
    if (!has_ends_per_link_) {
        end = graph_->node_at(router, port);
    } else if (!graph_->is_local(port) && !graph_->nodes_at(router).empty()) {
        const PortId of_link = port - graph_->endpoint_port(0);
        end = injects ? graph_->out_link(router, of_link) : graph_->in_link(router, of_link);
    }
    if (end == kNoChannel) return kNoChannel;
    return (injects ? links_ : first_ejection()) + end;
}

std::string ChannelMap::name(ChannelId id) const {
    std::string name = name_in_plane(in_first_plane(id));
    if (plane(id) != 0) name += "_plane" + std::to_string(plane(id));
    return name;
}

std::vector<std::string> ChannelMap::names() const {
    std::vector<std::string> names;
    names.reserve(count());
    for (ChannelId id = 0; id < count(); ++id) names.push_back(name(id));
    return names;
}

std::string ChannelMap::name_in_plane(ChannelId id) const {
    if (is_link(id)) return graph_->link_name(id);
    const char* const prefix = is_injection(id) ? "inject" : "eject";
    const LinkId link = link_of_endpoint(id);
    if (link == kNoLink) return graph_->node_name(prefix, node(id));
    return prefix + graph_->link_name(link).substr(std::string("link").size());
}

}  // namespace flitscope
