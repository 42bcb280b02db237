// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The one representation of every interconnection network: routers with numbered ports, joined by
// directed links, and the nodes attached to them. Builders (topologies.h) make it; everything else
// reads it.
#pragma once

#include <any>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/topology/grid_wiring.h"
#include "models/topology/link.h"
#include "models/topology/node_places.h"
#include "models/topology/position.h"

namespace flitscope {

/// A network of routers and their nodes. Router numbers are row-major over dims() (the last entry
/// varies fastest). A port is both the output to and the input from one neighbour; the ports of a
/// router's nodes come first. Properties of a network come from its wiring() or shape(); kind() is
/// for printing.
class Graph {
public:
    /// `kind` names the family ("mesh"); `dims` is the shape that router numbers are row-major over
    /// (one entry {routers} if the network has no grid); `ports` counts one local port. Node n is
    /// attached to router n.
    Graph(std::string kind, std::vector<std::uint32_t> dims, PortId ports);
    /// A grid without links yet.
    Graph(std::string kind, GridWiring wiring);

    /// Adds a directed link and returns its id. Throws std::invalid_argument when a router or port
    /// does not exist, or when either port already has a link in that direction.
    LinkId add_link(const Link& link);

    void set_delay(LinkId id, std::uint32_t cycles) { links_[id].delay = cycles; }
    void set_rate(LinkId id, std::uint32_t cycles) { links_[id].rate_cycles = cycles; }
    void set_mm(LinkId id, double mm) { links_[id].mm = mm; }
    /// Some link takes more than a cycle for a flit.
    bool has_slow_links() const;

    /// Attaches nodes to the routers, instead of those it has. The ports of all links move up to
    /// follow places.local_ports(). `node_dims` is the shape that node numbers are row-major over;
    /// nodes beyond it are in addition to those of the grid.
    void attach(NodePlaces places, std::vector<std::uint32_t> node_dims);
    /// Puts routers that many tiles apart, which their nodes have; wires become longer accordingly.
    void spread(std::uint32_t rows, std::uint32_t columns);

    /// There are this many networks like this one side by side (fabric.planes). The graph is that
    /// of one of them, and so are routes and distances; ChannelMap numbers the channels of all.
    void put_side_by_side(std::uint32_t planes) { planes_ = planes; }
    std::uint32_t planes() const { return planes_; }

    /// Gives every link its own endpoint ports, an injection channel at its source and an ejection
    /// channel at its destination, instead of the one pair that a node has otherwise
    /// (node.port_model). Node n is attached to router n.
    void use_per_link_endpoints() { per_link_endpoints_ = true; }
    bool has_per_link_endpoints() const { return per_link_endpoints_; }
    /// Number of the port of the node's channels that belong to the links of `port`, with
    /// has_per_link_endpoints(). These numbers follow those of all ports.
    PortId endpoint_port(PortId port) const { return ports_ - 1 + port; }
    /// Ports of a router with those; port_count() if links have no such ports.
    PortId router_port_count() const { return per_link_endpoints_ ? 2 * ports_ - 1 : ports_; }

    const std::string& kind() const { return kind_; }
    /// The grid of routers; one entry without a grid.
    const std::vector<std::uint32_t>& dims() const { return dims_; }
    /// The grid of nodes: that of routers times the nodes that each has along a dimension.
    const std::vector<std::uint32_t>& node_dims() const { return node_dims_; }
    std::uint32_t router_count() const { return routers_; }
    LinkId link_count() const { return static_cast<LinkId>(links_.size()); }

    // ---- Nodes: they send and receive -----------------------------------------------------------

    const NodePlaces& places() const { return *places_; }
    /// The same, for those who outlive the graph.
    const std::shared_ptr<const NodePlaces>& shared_places() const { return places_; }
    NodeId node_count() const { return places_->node_count(); }
    RouterId router_of(NodeId node) const { return places_->router_of(node); }
    PortId local_port(NodeId node) const { return places_->local_port(node); }
    NodesOfRouter nodes_at(RouterId router) const { return places_->nodes_at(router); }
    /// The node at a local port, or kNoNode.
    NodeId node_at(RouterId router, PortId port) const { return places_->node_at(router, port); }
    /// Local ports are those below this, on every router; links have the others.
    PortId local_ports() const { return places_->local_ports(); }
    bool is_local(PortId port) const { return port < local_ports(); }
    /// Node n is attached to router n, and there are no other routers.
    bool has_node_per_router() const {
        return places_->is_one_each() && node_count() == router_count();
    }
    /// Some router has no node: it is only a switch.
    bool has_switches() const;

    // ---- Links ----------------------------------------------------------------------------------

    /// Ports of every router, the local ports included; some may be unconnected.
    PortId port_count() const { return ports_; }

    const Link& link(LinkId id) const { return links_[id]; }
    const std::vector<Link>& links() const { return links_; }
    /// The link that leaves (arrives at) `router` through `port`, or kNoLink.
    LinkId out_link(RouterId router, PortId port) const { return out_[index(router, port)]; }
    LinkId in_link(RouterId router, PortId port) const { return in_[index(router, port)]; }
    /// The link back through the same ports, with which `link` is one channel, or kNoLink.
    LinkId opposite(const Link& link) const {
        const LinkId back = out_link(link.to, link.to_port);
        const bool returns = back != kNoLink && links_[back].to == link.from &&
                             links_[back].to_port == link.from_port;
        return returns ? back : kNoLink;
    }
    /// The link from one router to another that has that rank among them, or kNoLink.
    LinkId link_between(RouterId from, RouterId to, std::uint32_t rank) const;

    /// Position of `router` along dimension `dim` of dims().
    std::uint32_t coordinate(RouterId router, std::size_t dim) const {
        return router / strides_[dim] % dims_[dim];
    }
    std::uint32_t stride(std::size_t dim) const { return strides_[dim]; }
    /// The hops of a grid, if routers have coordinates; empty for other networks.
    const std::optional<GridWiring>& wiring() const { return wiring_; }
    /// The link of the hop over spans[span_index] along `dim` of wiring(), which must exist, or
    /// kNoLink. If hops share a port it may be another one of these.
    LinkId out_hop(RouterId router, std::size_t dim, std::size_t span_index, bool minus) const {
        const std::uint32_t place = coordinate(router, dim);
        return wiring_->has_hop(dim, span_index, minus, place)
                   ? out_link(router, wiring_->port(dim, span_index, minus, place))
                   : kNoLink;
    }
    /// The number by which users call a dimension of dims(): its index, or if ports represent
    /// address bits, that bit. kNoDimension is unchanged.
    std::uint32_t dimension_number(std::uint32_t dimension) const {
        const bool is_bit = wiring_ && wiring_->has_port_per_address_bit();
        return is_bit && dimension < dims_.size()
                   ? static_cast<std::uint32_t>(dims_.size()) - 1 - dimension
                   : dimension;
    }

    /// The shape that the builder keeps (families/*_shape.h); nullptr if the network has another
    /// one.
    template <class Shape>
    const Shape* shape() const {
        return std::any_cast<Shape>(&shape_);
    }
    void set_shape(std::any shape) { shape_ = std::move(shape); }

    /// A copy without some links, routers and nodes, each by its number; a dead router loses all of
    /// its links and nodes. Routers, nodes, ports and places keep their numbers and links their
    /// names; links that are left are numbered without gaps, in the old order. wiring() and shape()
    /// are those of the whole network: check has_faults() before looking for links by them.
    Graph without(const std::vector<bool>& dead_links, const std::vector<bool>& dead_routers,
                  const std::vector<bool>& dead_nodes) const;
    bool has_faults() const { return whole_ != nullptr; }
    /// Whether the node, or router, is not one of those that have been taken away.
    bool is_alive(NodeId node) const { return dead_nodes_.empty() || !dead_nodes_[node]; }
    bool is_alive(RouterId router) const { return dead_routers_.empty() || !dead_routers_[router]; }
    NodeId working_node_count() const;
    std::uint32_t working_router_count() const;
    /// Routers without nodes that have not been removed; a node that died leaves its place.
    std::uint32_t working_switches() const;
    /// The network with all that has been taken away.
    const Graph& whole() const { return whole_ == nullptr ? *this : *whole_; }

    /// Rows and columns of the layout that is drawn.
    const Position& position(RouterId router) const { return positions_[router]; }
    void set_position(RouterId router, Position position) { positions_[router] = position; }

    /// The place on the chip, from which wires are measured: the position, unless the builder sets
    /// another one. That of a router with several tiles is the same in all of them.
    Site site(RouterId router) const {
        const Position& at = positions_[router];
        return sites_.empty() ? Site{static_cast<double>(at.row), static_cast<double>(at.column)}
                              : sites_[router];
    }
    void set_site(RouterId router, Site site);
    /// Rows and columns of tiles of a router's nodes.
    Position block() const { return block_; }
    void set_block(Position tiles) { block_ = tiles; }
    /// Sets the length of every wire from the sites of its ends; between routers of one site it is
    /// 1.
    void measure_wires();
    /// Some node of the router is not one in addition to the others: only those have tiles.
    bool has_tile(RouterId router) const;

    /// "mesh 8x8", "hypercube 6".
    const std::string& description() const { return description_; }
    void set_description(std::string text) { description_ = std::move(text); }

    /// The router names of a graph's file; empty if it numbers them.
    const std::vector<std::string>& given_names() const { return given_names_; }
    /// The names of its nodes: those of their routers, unless nodes have their own.
    const std::vector<std::string>& given_node_names() const { return given_node_names_; }
    void set_given_names(std::vector<std::string> routers, std::vector<std::string> nodes);
    /// The names of nodes, and after them the names of switches, which are not nodes. Empty if
    /// nodes have no names.
    std::vector<std::string> node_and_switch_names() const;
    /// "cpu0-hub", the ends of a link by the names in the file, "cpu0-hub_1" for the second link
    /// between the same ends; empty without names.
    std::string given_link_name(LinkId id) const;
    /// The same; "5-7" without names.
    std::string short_link_name(LinkId id) const;

    /// Names used alike for SystemC instances, waveform scopes and CSV rows: "link_005_007", and
    /// "link_005_007_1", "link_005_007_2" for further links between the same ends; "router_005",
    /// "interface_005". Numbers are padded to the width of the largest.
    std::string link_name(LinkId id) const;
    std::string router_name(RouterId router) const;
    std::string node_name(const char* prefix, NodeId node) const;

private:
    std::size_t index(RouterId router, PortId port) const {
        return static_cast<std::size_t>(router) * ports_ + port;
    }
    /// The suffix that distinguishes the names of parallel links: "", "_1", "_2".
    std::string rank_suffix(LinkId id) const;

    std::string kind_;
    std::string description_;
    std::vector<std::string> given_names_;
    std::vector<std::string> given_node_names_;
    std::vector<std::uint32_t> dims_;
    std::vector<std::uint32_t> strides_;
    std::vector<std::uint32_t> node_dims_;
    std::uint32_t routers_ = 1;
    std::shared_ptr<const NodePlaces> places_;
    PortId ports_;
    bool per_link_endpoints_ = false;
    std::uint32_t planes_ = 1;
    std::optional<GridWiring> wiring_;
    std::any shape_;
    std::vector<Position> positions_;
    std::vector<Site> sites_;  // empty: positions_
    Position block_{1, 1};
    std::vector<Link> links_;
    std::vector<LinkId> out_;
    std::vector<LinkId> in_;
    std::shared_ptr<const Graph> whole_;  // null: nothing is missing
    std::vector<bool> dead_routers_;      // empty: none
    std::vector<bool> dead_nodes_;        // empty: none
};

}  // namespace flitscope
