// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace flitscope {

Graph::Graph(std::string kind, std::vector<std::uint32_t> dims, PortId ports)
    : kind_(std::move(kind)),
      description_(kind_),
      dims_(std::move(dims)),
      strides_(dims_.size()),
      node_dims_(dims_),
      ports_(ports) {
    for (std::size_t d = dims_.size(); d-- > 0;) {
        strides_[d] = routers_;
        routers_ *= dims_[d];
    }
    places_ = std::make_shared<const NodePlaces>(NodePlaces::one_each(routers_, routers_));
    out_.assign(static_cast<std::size_t>(routers_) * ports_, kNoLink);
    in_.assign(out_.size(), kNoLink);
    std::uint32_t columns = 1;
    for (std::size_t d = dims_.size() / 2; d < dims_.size(); ++d) columns *= dims_[d];
    positions_.reserve(routers_);
    for (std::uint32_t place = 0; place < routers_; ++place) {
        positions_.push_back({place / columns, place % columns});
    }
}

Graph::Graph(std::string kind, GridWiring wiring)
    : Graph(std::move(kind), wiring.sides(), wiring.port_count()) {
    wiring_ = std::move(wiring);
}

LinkId Graph::add_link(const Link& link) {
    const auto check = [this](RouterId router, PortId port, const std::vector<LinkId>& taken,
                              const char* side) {
        if (router >= routers_ || is_local(port) || port >= ports_) {
            throw std::invalid_argument(
                fmt::format("no network port {} at router {} ({} routers, {} ports)", port, router,
                            routers_, ports_));
        }
        if (taken[index(router, port)] != kNoLink) {
            throw std::invalid_argument(
                fmt::format("{} port {} of router {} is used twice", side, port, router));
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

void Graph::attach(NodePlaces places, std::vector<std::uint32_t> node_dims) {
    const PortId before = local_ports();
    places_ = std::make_shared<const NodePlaces>(std::move(places));
    node_dims_ = std::move(node_dims);
    if (local_ports() == before) return;
    ports_ = ports_ - before + local_ports();
    if (wiring_) wiring_->set_local_ports(local_ports());
    out_.assign(static_cast<std::size_t>(routers_) * ports_, kNoLink);
    in_.assign(out_.size(), kNoLink);
    std::vector<Link> links;
    links.swap(links_);
    for (Link& link : links) {
        link.from_port = link.from_port - before + local_ports();
        link.to_port = link.to_port - before + local_ports();
        add_link(link);
    }
}

void Graph::spread(std::uint32_t rows, std::uint32_t columns) {
    if (rows == 1 && columns == 1) return;
    for (Position& position : positions_) {
        position.row *= rows;
        position.column *= columns;
    }
    for (Site& site : sites_) {
        site.row *= rows;
        site.column *= columns;
    }
    block_ = {block_.row * rows, block_.column * columns};
    measure_wires();
}

void Graph::set_site(RouterId router, Site site) {
    if (sites_.empty()) {
        std::vector<Site> sites;
        for (RouterId each; each < routers_; ++each) sites.push_back(this->site(each));
        sites_ = std::move(sites);
    }
    sites_[router] = site;
}

void Graph::measure_wires() {
    for (Link& link : links_) {
        const Site run = run_between(site(link.from), site(link.to));
        link.length = std::max(1U, static_cast<std::uint32_t>(std::ceil(run.row + run.column)));
    }
}

bool Graph::has_tile(RouterId router) const {
    const NodesOfRouter nodes = nodes_at(router);
    const NodeId own =
        std::accumulate(node_dims_.begin(), node_dims_.end(), NodeId{1}, std::multiplies<NodeId>());
    return !nodes.empty() && nodes[0] < own;
}

LinkId Graph::link_between(RouterId from, RouterId to, std::uint32_t rank) const {
    for (PortId port = local_ports(); port < ports_; ++port) {
        const LinkId id = out_link(from, port);
        if (id != kNoLink && links_[id].to == to && links_[id].rank == rank) return id;
    }
    return kNoLink;
}

bool Graph::has_switches() const {
    for (RouterId router; router < routers_; ++router) {
        if (nodes_at(router).empty()) return true;
    }
    return false;
}

bool Graph::has_slow_links() const {
    return std::any_of(links_.begin(), links_.end(),
                       [](const Link& link) { return link.rate_cycles > 1; });
}

Graph Graph::without(const std::vector<bool>& dead_links, const std::vector<bool>& dead_routers,
                     const std::vector<bool>& dead_nodes) const {
    Graph left = *this;
    left.whole_ = std::make_shared<const Graph>(whole());
    left.links_.clear();
    left.out_.assign(out_.size(), kNoLink);
    left.in_.assign(in_.size(), kNoLink);
    for (LinkId id = 0; id < link_count(); ++id) {
        const Link& link = links_[id];
        const bool is_dead = dead_links[id] || dead_routers[link.from] || dead_routers[link.to];
        if (!is_dead) left.add_link(link);
    }
    left.dead_routers_ = dead_routers;
    left.dead_nodes_ = dead_nodes;
    for (NodeId node = 0; node < node_count(); ++node) {
        if (dead_routers[router_of(node)]) left.dead_nodes_[node] = true;
    }
    return left;
}

NodeId Graph::working_node_count() const {
    const auto dead = std::count(dead_nodes_.begin(), dead_nodes_.end(), true);
    return node_count() - static_cast<NodeId>(dead);
}

std::uint32_t Graph::working_router_count() const {
    const auto dead = std::count(dead_routers_.begin(), dead_routers_.end(), true);
    return router_count() - static_cast<std::uint32_t>(dead);
}

std::uint32_t Graph::working_switches() const {
    std::uint32_t count = 0;
    for (RouterId router; router < routers_; ++router) {
        count += nodes_at(router).empty() && is_alive(router) ? 1 : 0;
    }
    return count;
}

namespace {

/// At least three, so that small networks line up with the examples in the docs.
int digits(const Graph& graph) {
    const std::uint32_t largest = std::max(graph.router_count(), graph.node_count());
    int n = 3;
    for (std::uint32_t limit = 1000; largest > limit && n < 9; limit *= 10) ++n;
    return n;
}

}  // namespace

std::string Graph::rank_suffix(LinkId id) const {
    const std::uint32_t rank = links_[id].rank;
    return rank == 0 ? "" : fmt::format("_{}", rank);
}

std::string Graph::link_name(LinkId id) const {
    const Link& l = links_[id];
    return fmt::format("link_{:0{}}_{:0{}}{}", l.from, digits(*this), l.to, digits(*this),
                       rank_suffix(id));
}

std::string Graph::router_name(RouterId router) const {
    return fmt::format("router_{:0{}}", router, digits(*this));
}

std::string Graph::node_name(const char* prefix, NodeId node) const {
    return fmt::format("{}_{:0{}}", prefix, node, digits(*this));
}

void Graph::set_given_names(std::vector<std::string> routers, std::vector<std::string> nodes) {
    given_names_ = std::move(routers);
    given_node_names_ = std::move(nodes);
}

std::vector<std::string> Graph::node_and_switch_names() const {
    std::vector<std::string> names = given_node_names_;
    if (names.empty() || given_names_.empty()) return names;
    for (RouterId router; router < routers_; ++router) {
        if (nodes_at(router).empty()) names.push_back(given_names_[router]);
    }
    return names;
}

std::string Graph::given_link_name(LinkId id) const {
    if (given_names_.empty()) return {};
    const Link& l = links_[id];
    return given_names_[l.from] + '-' + given_names_[l.to] + rank_suffix(id);
}

std::string Graph::short_link_name(LinkId id) const {
    if (!given_names_.empty()) return given_link_name(id);
    return fmt::format("{}-{}{}", links_[id].from, links_[id].to, rank_suffix(id));
}

}  // namespace flitscope
