// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/export/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "models/base/json_string.h"
#include "models/base/types.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

/// [[row, column], ...], several to a line.
void write_positions(std::ostream& out, const Graph& graph) {
    constexpr std::uint32_t kPerLine = 10;
    out << '[';
    for (RouterId router; router < graph.router_count(); ++router) {
        if (router > 0U) out << (router % kPerLine == 0 ? ",\n  " : ", ");
        out << fmt::format("[{}, {}]", graph.position(router).row, graph.position(router).column);
    }
    out << ']';
}

/// The router of each node, in the same way.
std::string routers_of_nodes(const Graph& graph) {
    constexpr NodeId kPerLine = 20;
    std::string text = "[";
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (node > 0) text += node % kPerLine == 0 ? ",\n  " : ", ";
        text += fmt::format("{}", graph.router_of(node));
    }
    return text + ']';
}

/// "key": [...], for a JSON object; nothing for an empty list.
std::string json_list(const char* key, const std::vector<std::string>& items) {
    return items.empty() ? "" : fmt::format("\"{}\": [{}], ", key, fmt::join(items, ", "));
}

std::vector<std::string> json_strings(const std::vector<std::string>& texts) {
    std::vector<std::string> strings;
    for (const std::string& text : texts) strings.push_back(json_string(text));
    return strings;
}

/// How many nodes and routers there are, which of them are dead, and their names.
std::string nodes_json(const Graph& graph) {
    std::vector<std::string> dead_nodes;
    std::vector<std::string> dead_routers;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (!graph.is_alive(node)) dead_nodes.push_back(std::to_string(node));
    }
    for (RouterId router; router < graph.router_count(); ++router) {
        if (!graph.is_alive(router)) dead_routers.push_back(std::to_string(router));
    }
    if (graph.places().is_one_each()) {
        return fmt::format("\"nodes\": {}, ", graph.router_count()) +
               (graph.has_switches() ? fmt::format("\"endpoints\": {}, ", graph.node_count())
                                     : "") +
               json_list("failed_nodes", dead_routers) +
               json_list("names", json_strings(graph.given_names()));
    }
    return fmt::format("\"node_dims\": [{}], \"nodes\": {}, \"routers\": {}, \"at\": {},\n ",
                       fmt::join(graph.node_dims(), ", "), graph.node_count(), graph.router_count(),
                       routers_of_nodes(graph)) +
           json_list("failed_nodes", dead_nodes) + json_list("failed_routers", dead_routers) +
           json_list("names", json_strings(graph.given_names())) +
           json_list("node_names", json_strings(graph.given_node_names()));
}

}  // namespace

void write_graph_yaml(std::ostream& out, const Graph& graph) {
    if (graph.places().is_one_each()) {
        out << fmt::format("nodes: {}\n", graph.router_count());
        if (graph.has_switches()) out << fmt::format("endpoints: {}\n", graph.node_count());
    } else {
        out << fmt::format("routers: {}\nat: {}\n", graph.router_count(), routers_of_nodes(graph));
    }
    out << "positions: ";
    write_positions(out, graph);
    out << (graph.link_count() == 0 ? "\nlinks: []\n" : "\nlinks:\n");
    for (const Link& l : graph.links()) {
        out << fmt::format(
            "  - {{from: {}, to: {}, from_port: {}, to_port: {}, length: {}, delay: {}{}}}\n",
            l.from, l.to, l.from_port, l.to_port, l.length, l.delay,
            l.rate_cycles == 1 ? "" : fmt::format(", rate: 1/{}", l.rate_cycles));
    }
}

void write_graph_json(std::ostream& out, const Graph& graph) {
    out << fmt::format(
        "{{\"topology\": {}, \"kind\": {}, \"dims\": [{}], {}\"ports\": {},\n \"positions\": ",
        json_string(graph.description()), json_string(graph.kind()), fmt::join(graph.dims(), ", "),
        nodes_json(graph), graph.port_count());
    write_positions(out, graph);
    out << ",\n \"links\": [";
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& l = graph.link(id);
        const std::string dimension = l.dimension == kNoDimension
                                          ? "null"
                                          : std::to_string(graph.dimension_number(l.dimension));
        out << fmt::format(
            "{}\n  {{\"from\": {}, \"from_port\": {}, \"to\": {}, \"to_port\": {}, \"dimension\": "
            "{}, \"length\": {}, \"delay\": {}{}}}",
            id == 0 ? "" : ",", l.from, l.from_port, l.to, l.to_port, dimension, l.length, l.delay,
            l.rate_cycles == 1 ? "" : fmt::format(", \"rate_cycles\": {}", l.rate_cycles));
    }
    out << "]}\n";
}

}  // namespace flitscope
