// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The one representation of every interconnection network: nodes with numbered ports, joined by
// directed links. Builders (topologies.h) make it; everything else reads it.
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
#include "models/topology/position.h"

namespace flitscope {

/// A network of routers. Node ids are row-major over dims() (the last entry varies fastest); a port
/// is both the output to and the input from one neighbour, port 0 is the node itself. Properties of
/// a network come from its wiring() or shape(); kind() is for printing.
class Graph {
public:
    /// `kind` names the family ("mesh"); `dims` is the shape that node ids are row-major over (one
    /// entry {nodes} if the network has no grid); `ports` counts the local port.
    Graph(std::string kind, std::vector<std::uint32_t> dims, PortId ports);
    /// A grid without links yet.
    Graph(std::string kind, GridWiring wiring);

    /// Adds a directed link and returns its id. Throws std::invalid_argument when a node or port
    /// does not exist, or when either port already has a link in that direction.
    LinkId add_link(const Link& link);

    void set_delay(LinkId id, std::uint32_t cycles) { links_[id].delay = cycles; }

    /// Gives every link its own endpoint ports, an injection channel at its source and an ejection
    /// channel at its destination, instead of the one pair that a node has otherwise
    /// (node.port_model).
    void use_per_link_endpoints() { per_link_endpoints_ = true; }
    bool has_per_link_endpoints() const { return per_link_endpoints_; }
    /// Number of the port of the node's channels that belong to the links of `port`, with
    /// has_per_link_endpoints(). These numbers follow those of all ports.
    PortId endpoint_port(PortId port) const { return ports_ - 1 + port; }
    /// Ports of a router with those; port_count() if links have no such ports.
    PortId router_port_count() const { return per_link_endpoints_ ? 2 * ports_ - 1 : ports_; }

    const std::string& kind() const { return kind_; }
    const std::vector<std::uint32_t>& dims() const { return dims_; }
    NodeId node_count() const { return nodes_; }
    /// Number of nodes that send and receive; they come first. The nodes after them are switches:
    /// nothing is ever sent from or to them, and their local port is not used.
    NodeId endpoint_count() const { return endpoints_; }
    bool has_switches() const { return endpoints_ != nodes_; }
    void set_endpoint_count(NodeId endpoints) { endpoints_ = endpoints; }
    LinkId link_count() const { return static_cast<LinkId>(links_.size()); }
    /// Ports of every router, the local port included; some may be unconnected.
    PortId port_count() const { return ports_; }

    const Link& link(LinkId id) const { return links_[id]; }
    const std::vector<Link>& links() const { return links_; }
    /// The link that leaves (arrives at) `node` through `port`, or kNoLink.
    LinkId out_link(NodeId node, PortId port) const { return out_[index(node, port)]; }
    LinkId in_link(NodeId node, PortId port) const { return in_[index(node, port)]; }
    /// The link back through the same ports, with which `link` is one channel, or kNoLink.
    LinkId opposite(const Link& link) const {
        const LinkId back = out_link(link.to, link.to_port);
        const bool returns = back != kNoLink && links_[back].to == link.from &&
                             links_[back].to_port == link.from_port;
        return returns ? back : kNoLink;
    }

    /// Position of `node` along dimension `dim` of dims().
    std::uint32_t coordinate(NodeId node, std::size_t dim) const {
        return node / strides_[dim] % dims_[dim];
    }
    std::uint32_t stride(std::size_t dim) const { return strides_[dim]; }
    /// The hops of a grid, if nodes have coordinates; empty for other networks.
    const std::optional<GridWiring>& wiring() const { return wiring_; }
    /// The link of the hop over spans[span_index] along `dim` of wiring(), which must exist, or
    /// kNoLink. If hops share a port it may be another one of these.
    LinkId out_hop(NodeId node, std::size_t dim, std::size_t span_index, bool minus) const {
        const std::uint32_t place = coordinate(node, dim);
        return wiring_->has_hop(dim, span_index, minus, place)
                   ? out_link(node, wiring_->port(dim, span_index, minus, place))
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

    /// A copy without some links and nodes, both by their number; a dead node loses all of its
    /// links. Nodes, ports and places keep their numbers and links their names; links that are left
    /// are numbered without gaps, in the old order. wiring() and shape() are those of the whole
    /// network: check has_faults() before looking for links by them.
    Graph without(const std::vector<bool>& dead_links, const std::vector<bool>& dead_nodes) const;
    bool has_faults() const { return whole_ != nullptr; }
    /// Whether the node is not one of those that have been taken away.
    bool is_alive(NodeId node) const { return dead_nodes_.empty() || !dead_nodes_[node]; }
    /// Nodes that send and receive and have not been taken away.
    NodeId living_endpoints() const;
    /// Nodes that are only switches and have not been removed.
    NodeId living_switches() const;
    /// The network with all that has been taken away.
    const Graph& whole() const { return whole_ == nullptr ? *this : *whole_; }

    const Position& position(NodeId node) const { return positions_[node]; }
    void set_position(NodeId node, Position position) { positions_[node] = position; }

    /// "mesh 8x8", "hypercube 6".
    const std::string& description() const { return description_; }
    void set_description(std::string text) { description_ = std::move(text); }

    /// The node names of a graph's file; empty if it numbers them.
    const std::vector<std::string>& given_names() const { return given_names_; }
    void set_given_names(std::vector<std::string> names) { given_names_ = std::move(names); }
    /// "cpu0-hub", the ends of a link by the names in the file; empty without names.
    std::string given_link_name(LinkId id) const;

    /// Names used alike for SystemC instances, waveform scopes and CSV rows: "link_005_007",
    /// "router_005". Node numbers are padded to the width of the largest.
    std::string link_name(LinkId id) const;
    std::string node_name(const char* prefix, NodeId node) const;

private:
    std::size_t index(NodeId node, PortId port) const {
        return static_cast<std::size_t>(node) * ports_ + port;
    }

    std::string kind_;
    std::string description_;
    std::vector<std::string> given_names_;
    std::vector<std::uint32_t> dims_;
    std::vector<std::uint32_t> strides_;
    NodeId nodes_;
    NodeId endpoints_;
    PortId ports_;
    bool per_link_endpoints_ = false;
    std::optional<GridWiring> wiring_;
    std::any shape_;
    std::vector<Position> positions_;
    std::vector<Link> links_;
    std::vector<LinkId> out_;
    std::vector<LinkId> in_;
    std::shared_ptr<const Graph> whole_;  // null: nothing is missing
    std::vector<bool> dead_nodes_;        // empty: none
};

}  // namespace flitscope
