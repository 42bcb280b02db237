// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The common part of the readers of custom graph files (CUSTOM_GRAPHS.md): each parses one format
// into routers, nodes and links, and the assembler checks these and makes the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
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
#include "models/topology/node_places.h"
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
    std::optional<std::uint32_t> rate_cycles;
    std::optional<std::uint32_t> width;
    std::optional<PortId> from_port;
    std::optional<PortId> to_port;
    std::uint32_t count = 1;  ///< number of parallel links with these attributes
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
    /// The row or column in `text`, in tiles; a finding, and nothing, if it is not a number in
    /// range.
    std::optional<double> coordinate(const std::string& name, std::string_view text, Place place);
    /// Whether `text` is true; a finding, and nothing, if it is neither true nor false.
    std::optional<bool> truth(const std::string& name, std::string_view text, Place place);
    /// The k of a rate "1/k", or "1"; a finding, and nothing, if it is not a rate.
    std::optional<std::uint32_t> rate(std::string_view text, Place place);
    /// Reads one of LinkAttributes::names().
    void read_attribute(LinkAttributes& attributes, const std::string& name, std::string_view text,
                        Place place);

    /// Router numbers are 0 to count - 1. A file that does not say how many there are has the
    /// largest number among its links, and one more for router 0.
    void set_router_count(std::uint32_t count) { stated_routers_ = count; }
    /// The router of each node. Without this or set_nodes_per_router() every router has one node.
    void set_places(std::vector<RouterId> router_of) { router_of_ = std::move(router_of); }
    /// Node n is attached to router n / count.
    void set_nodes_per_router(std::uint32_t count);
    /// The file distinguishes a router from its node: findings are on routers.
    void separate_nodes() { vertex_ = "router"; }
    /// The file's names in the order of numbers, each list empty if there are none. Nodes without
    /// their own names have those of their routers, if each has one.
    void set_names(std::vector<std::string> routers, std::vector<std::string> nodes);
    /// "router", or "node" if a file does not distinguish the two.
    const char* vertex() const { return vertex_; }
    kinds::IntegerRange router_range() const;
    /// Routers have positions all or none.
    void set_position(RouterId router, Site site) { sites_[router] = site; }
    void add_link(Place place, RouterId from, RouterId to, const LinkAttributes& attributes);
    /// From now on a second link between the same ends, in the same direction, is a finding.
    void forbid_parallel_links() { allows_parallel_links_ = false; }

    /// The graph. Throws ConfigError with all findings, those of the whole graph at `links`.
    Graph finish(Place links);

private:
    struct PortUse {
        RouterId neighbour;
        bool out = false;
        bool in = false;
    };

    std::string name_of(RouterId router) const { return NodeFinder(names_).name_of(router); }
    void add_directed(Place place, Link link);
    void use_port(Place place, RouterId router, PortId port, RouterId neighbour, bool out);
    void number_ports();
    void place_routers();
    NodePlaces place_nodes(Place links);
    void use_stated_ports(Place links, PortId local_ports);
    void check_ports(Place links, PortId last_port, PortId local_ports);
    void check_connected(Place links);
    std::vector<bool> reached(bool backwards) const;

    std::string path_;
    LinkDelayConfig delay_model_;
    double clock_ns_;
    std::uint32_t flit_bits_;  // 0: a wire budget decides
    FindingList findings_;
    const char* vertex_ = "node";
    std::optional<std::uint32_t> stated_routers_;
    std::optional<std::vector<RouterId>> router_of_;
    std::uint32_t nodes_per_router_ = 1;
    std::uint32_t routers_ = 0;
    std::vector<std::string> names_;
    std::vector<std::string> node_names_;
    std::unordered_map<std::uint32_t, Site> sites_;
    std::vector<Link> links_;  // length and delay 0: not given
    std::unordered_map<std::uint64_t, std::uint32_t> count_between_;  // by both ends
    bool allows_parallel_links_ = true;
    std::unordered_map<std::uint64_t, PortUse> ports_;
    std::optional<bool> states_ports_;
};

/// Attributes of nodes and links that only control how Graphviz draws.
bool is_drawing_attribute(const std::string& name);

// The readers: each hands all of `text` to the assembler and returns the finished graph. They throw
// ConfigError.
Graph read_yaml(const std::string& text, Assembler& assembler);
Graph read_anynet(const std::string& text, Assembler& assembler);
Graph read_csv(const std::string& text, Assembler& assembler);
Graph read_graphml(const std::string& text, Assembler& assembler);
Graph read_dot(const std::string& text, Assembler& assembler);

}  // namespace flitscope::graph_file
