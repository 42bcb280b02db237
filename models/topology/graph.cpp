// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/graph.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace flitscope {

Graph::Graph(std::string kind, std::vector<std::uint32_t> dims, PortId ports)
    : kind_(std::move(kind)), dims_(std::move(dims)), strides_(dims_.size()), ports_(ports) {
    NodeId nodes = 1;
    for (std::size_t d = dims_.size(); d-- > 0;) {
        strides_[d] = nodes;
        nodes *= dims_[d];
    }
    nodes_ = nodes;
    endpoints_ = nodes;
    description_ = kind_;
    out_.assign(static_cast<std::size_t>(nodes_) * ports_, kNoLink);
    in_.assign(out_.size(), kNoLink);
    NodeId columns = 1;
    for (std::size_t d = dims_.size() / 2; d < dims_.size(); ++d) columns *= dims_[d];
    positions_.reserve(nodes_);
    for (NodeId node = 0; node < nodes_; ++node) {
        positions_.push_back({node / columns, node % columns});
    }
}

Graph::Graph(std::string kind, GridWiring wiring)
    : Graph(std::move(kind), wiring.sides(), wiring.port_count()) {
    wiring_ = std::move(wiring);
}

LinkId Graph::add_link(const Link& link) {
    const auto check = [this](NodeId node, PortId port, const std::vector<LinkId>& taken,
                              const char* side) {
        if (node >= nodes_ || port == kLocalPort || port >= ports_) {
            throw std::invalid_argument(fmt::format(
                "no network port {} at node {} ({} nodes, {} ports)", port, node, nodes_, ports_));
        }
        if (taken[index(node, port)] != kNoLink) {
            throw std::invalid_argument(
                fmt::format("{} port {} of node {} is used twice", side, port, node));
        }
    };
    check(link.from, link.from_port, out_, "output");
    check(link.to, link.to_port, in_, "input");
    const auto id = static_cast<LinkId>(links_.size());
    links_.push_back(link);
    out_[index(link.from, link.from_port)] = id;
    in_[index(link.to, link.to_port)] = id;
    return id;
}

Graph Graph::without(const std::vector<bool>& dead_links,
                     const std::vector<bool>& dead_nodes) const {
    Graph left = *this;
    left.whole_ = std::make_shared<const Graph>(whole());
    left.links_.clear();
    left.out_.assign(out_.size(), kNoLink);
    left.in_.assign(in_.size(), kNoLink);
    for (LinkId id = 0; id < link_count(); ++id) {
        const Link& link = links_[id];
        const bool is_dead = dead_links[id] || dead_nodes[link.from] || dead_nodes[link.to];
        if (!is_dead) left.add_link(link);
    }
    left.dead_nodes_ = dead_nodes;
    return left;
}

NodeId Graph::living_endpoints() const {
    NodeId count = 0;
    for (NodeId node = 0; node < endpoints_; ++node) count += is_alive(node) ? 1 : 0;
    return count;
}

NodeId Graph::living_switches() const {
    NodeId count = 0;
    for (NodeId node = endpoints_; node < nodes_; ++node) count += is_alive(node) ? 1 : 0;
    return count;
}

namespace {

int digits(NodeId nodes) {
    int n = 3;  // at least three, so that small networks line up with the examples in the docs
    for (NodeId limit = 1000; nodes > limit && n < 9; limit *= 10) ++n;
    return n;
}

}  // namespace

std::string Graph::link_name(LinkId id) const {
    const Link& l = links_[id];
    return fmt::format("link_{:0{}}_{:0{}}", l.from, digits(nodes_), l.to, digits(nodes_));
}

std::string Graph::node_name(const char* prefix, NodeId node) const {
    return fmt::format("{}_{:0{}}", prefix, node, digits(nodes_));
}

std::string Graph::given_link_name(LinkId id) const {
    if (given_names_.empty()) return {};
    const Link& l = links_[id];
    return given_names_[l.from] + '-' + given_names_[l.to];
}

}  // namespace flitscope
