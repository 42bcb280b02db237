// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The common part of the readers of custom graph files (CUSTOM_GRAPHS.md): each parses one format
// into nodes and links, and the assembler checks these and makes the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/finding_list.h"
#include "models/base/limits.h"
#include "models/base/node_finder.h"
#include "models/base/types.h"
#include "models/config/link_delay_config.h"
#include "models/config/value_readers.h"
#include "models/topology/link.h"
#include "models/topology/position.h"

namespace flitscope {
class Graph;
struct FabricConfig;
}  // namespace flitscope

namespace flitscope::graph_file {

inline constexpr std::size_t kMaxBytes = 64U << 20;
/// The most links in a file, each direction being one. Reading them takes about 1 GB.
inline constexpr std::uint64_t kMostLinks = 1U << 22;

/// Line and column in the file, counted from 1; 0 if the format does not give them.
struct Place {
    std::size_t line = 0;
    std::size_t column = 0;
};

/// Attributes of a link in a file, except its ends.
struct LinkAttributes {
    std::optional<std::uint32_t> length;
    std::optional<std::uint32_t> delay;
    std::optional<std::uint32_t> width;
    std::optional<PortId> from_port;
    std::optional<PortId> to_port;
    bool both = false;

    static const std::vector<std::string>& names();
};

/// Gathers every finding before it gives up, as far as findings are independent.
class Assembler {
public:
    Assembler(std::string path, const FabricConfig& fabric, double clock_ns);

    const std::string& path() const { return path_; }
    Location at(Place place) const { return {path_, place.line, place.column}; }
    void fail(Place place, std::string what, std::string hint = {});
    std::size_t finding_count() const { return findings_.count(); }
    void throw_if_findings() { findings_.throw_if_any(); }

    /// Reports an unknown `name`, with the nearest of `known`. `what`: "key", "column".
    void fail_unknown(Place place, const char* what, const std::string& name,
                      const std::vector<std::string>& known);
    /// The integer in `text`; a finding, and nothing, if it is not an integer in `range`.
    std::optional<std::uint32_t> number(const std::string& name, std::string_view text, Place place,
                                        const kinds::IntegerRange& range);
    /// Whether `text` is true; a finding, and nothing, if it is neither true nor false.
    std::optional<bool> truth(const std::string& name, std::string_view text, Place place);
    /// Reads one of LinkAttributes::names().
    void read_attribute(LinkAttributes& attributes, const std::string& name, std::string_view text,
                        Place place);

    /// Node numbers are 0 to count - 1. A file that does not say how many there are has the largest
    /// number among its links, and one more for node 0.
    void set_node_count(NodeId count) { stated_nodes_ = count; }
    /// The nodes before this one send and receive, those from it on are only switches.
    void set_endpoint_count(NodeId count) { endpoints_ = count; }
    /// The file's names of the nodes, in the order of their numbers.
    void set_node_names(std::vector<std::string> names) { names_ = std::move(names); }
    kinds::IntegerRange node_range() const;
    /// Row and column are in this range. Nodes have positions all or none.
    static kinds::IntegerRange place_range() { return {0, kMaxNodes - 1}; }
    void set_position(NodeId node, Position position);
    void add_link(Place place, NodeId from, NodeId to, const LinkAttributes& attributes);

    /// The graph. Throws ConfigError with all findings, those of the whole graph at `links`.
    Graph finish(Place links);

private:
    struct PortUse {
        NodeId neighbour = 0;
        bool out = false;
        bool in = false;
    };

    std::string name_of(NodeId node) const { return NodeFinder(names_).name_of(node); }
    void add_directed(Place place, Link link);
    void use_port(Place place, NodeId node, PortId port, NodeId neighbour, bool out);
    void number_ports();
    void place_nodes();
    void check_connected(Place links);
    std::vector<bool> reached(bool backwards) const;

    std::string path_;
    LinkDelayConfig delay_model_;
    double clock_ns_;
    std::uint32_t flit_bits_;  // 0: a wire budget decides
    FindingList findings_;
    std::optional<NodeId> stated_nodes_;
    std::optional<NodeId> endpoints_;  // all if it is not stated
    NodeId nodes_ = 0;
    std::vector<std::string> names_;
    std::unordered_map<NodeId, Position> positions_;
    std::vector<Link> links_;  // length and delay 0: not given
    std::unordered_set<std::uint64_t> pairs_;
    std::unordered_map<std::uint64_t, PortUse> ports_;
    std::optional<bool> states_ports_;
};

/// The attribute of nodes that says whether they send and receive.
inline constexpr const char* kEndpoint = "endpoint";

/// The nodes of a format that names them. Names that are numbers are the node numbers and must be 0
/// to n - 1, switches after the others; other names are numbered in the order in which they first
/// appear, switches after the others.
class NodeNames {
public:
    /// Index in order of appearance.
    std::size_t add(const std::string& name);
    std::optional<std::size_t> find(const std::string& name) const;
    std::size_t size() const { return names_.size(); }
    /// The node number of each index, also passed to the assembler; `switches` marks by index the
    /// nodes that do not send or receive. Throws ConfigError if the names do not yield numbers.
    std::vector<NodeId> number(Assembler& assembler, const std::vector<bool>& switches) const;

private:
    void check_numbers(Assembler& assembler, const std::vector<bool>& switches) const;

    std::vector<std::string> names_;
    std::unordered_map<std::string, std::size_t> index_;
};

/// Attributes of nodes and links that only control how Graphviz draws.
bool is_drawing_attribute(const std::string& name);

// The readers: each hands all of `text` to the assembler and returns the finished graph. They throw
// ConfigError.
Graph read_yaml(const std::string& text, Assembler& assembler);
Graph read_csv(std::string_view text, Assembler& assembler);
Graph read_graphml(const std::string& text, Assembler& assembler);
Graph read_dot(const std::string& text, Assembler& assembler);

}  // namespace flitscope::graph_file
