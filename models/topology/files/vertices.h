// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The vertices of formats that name them, DOT and GraphML: routers, and nodes attached to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/base/types.h"
#include "models/topology/files/graph_file.h"

namespace flitscope::graph_file {

/// What a file says about a vertex and nodes.
struct VertexAttributes {
    Place place;                         ///< of the vertex, or of one of these
    std::optional<std::string> at;       ///< it is a node, on the router of this name
    std::optional<std::uint32_t> nodes;  ///< it is a router with this many nodes
    std::optional<bool> endpoint;        ///< it is a router with a node of its name, or a switch

    static const std::vector<std::string>& names();
    void read(Assembler& assembler, const std::string& name, const std::string& text, Place where);
};

/// Without `at` and `nodes` every vertex is a router, with one node unless it is a switch. Names
/// that are numbers are the router numbers and must be 0 to n - 1, switches after the others; other
/// names are numbered in the order in which they first appear, switches after the others.
///
/// With `at` or `nodes` no order is required of routers: switches keep their places. Those without
/// either have no node if some vertex has `at`, else one. The nodes without names are numbered
/// router by router, then those with names, in the order in which they first appear.
class Vertices {
public:
    /// Index in order of appearance.
    std::size_t add(const std::string& name);
    std::optional<std::size_t> find(const std::string& name) const;
    std::size_t size() const { return names_.size(); }

    /// Numbers routers and nodes, and hands them to the assembler; `attributes` by index. Throws
    /// ConfigError if these or the names contradict each other.
    void number(Assembler& assembler, std::vector<VertexAttributes> attributes);

    // When they are numbered:

    /// The router of that index; none, and a finding, if it is a node, which has no links.
    std::optional<RouterId> end_of_link(Assembler& assembler, Place link, std::size_t index) const;
    /// Likewise for a node that has a place in the machine.
    std::optional<RouterId> placed(Assembler& assembler, Place place, std::size_t index) const;

private:
    bool is_node(std::size_t index) const { return attributes_[index].at.has_value(); }
    std::string quoted(std::size_t index) const;
    void check_attributes(Assembler& assembler) const;
    void check_names(Assembler& assembler);
    void check_numbers(Assembler& assembler) const;
    void count_nodes(Assembler& assembler);
    void number_routers();
    RouterId router_at(Assembler& assembler, std::size_t node) const;
    void place_nodes(Assembler& assembler) const;

    std::vector<std::string> names_;
    std::unordered_map<std::string, std::size_t> index_;
    std::vector<VertexAttributes> attributes_;
    std::vector<std::size_t> routers_;         ///< in the order of their appearance
    bool has_separate_nodes_ = false;          ///< some vertex has `at` or `nodes`
    bool are_numbers_ = false;                 ///< the names of routers
    std::vector<std::uint32_t> unnamed_;       ///< nodes of a router, those with `at` aside
    std::vector<std::optional<RouterId>> to_;  ///< by index
};

}  // namespace flitscope::graph_file
