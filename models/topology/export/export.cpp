// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/export/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    constexpr NodeId kPerLine = 10;
    out << '[';
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (node > 0) out << (node % kPerLine == 0 ? ",\n  " : ", ");
        out << fmt::format("[{}, {}]", graph.position(node).row, graph.position(node).column);
    }
    out << ']';
}

}  // namespace

void write_graph_yaml(std::ostream& out, const Graph& graph) {
    out << fmt::format("nodes: {}\n", graph.node_count());
    if (graph.has_switches()) {
        out << fmt::format("endpoints: {}\n", graph.endpoint_count());
    }
    out << "positions: ";
    write_positions(out, graph);
    out << (graph.link_count() == 0 ? "\nlinks: []\n" : "\nlinks:\n");
    for (const Link& l : graph.links()) {
        out << fmt::format(
            "  - {{from: {}, to: {}, from_port: {}, to_port: {}, length: {}, delay: {}}}\n", l.from,
            l.to, l.from_port, l.to_port, l.length, l.delay);
    }
}

void write_graph_json(std::ostream& out, const Graph& graph) {
    const std::string endpoints =
        graph.has_switches() ? fmt::format("\"endpoints\": {}, ", graph.endpoint_count()) : "";
    std::vector<NodeId> dead;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (!graph.is_alive(node)) dead.push_back(node);
    }
    const std::string without =
        dead.empty() ? "" : fmt::format("\"failed_nodes\": [{}], ", fmt::join(dead, ", "));
    std::vector<std::string> names;
    for (const std::string& name : graph.given_names()) names.push_back(json_string(name));
    const std::string named =
        names.empty() ? "" : fmt::format("\"names\": [{}], ", fmt::join(names, ", "));
    out << fmt::format(
        "{{\"topology\": {}, \"kind\": {}, \"dims\": [{}], \"nodes\": {}, {}{}{}\"ports\": {},\n"
        " \"positions\": ",
        json_string(graph.description()), json_string(graph.kind()), fmt::join(graph.dims(), ", "),
        graph.node_count(), endpoints, without, named, graph.port_count());
    write_positions(out, graph);
    out << ",\n \"links\": [";
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& l = graph.link(id);
        const std::string dimension = l.dimension == kNoDimension
                                          ? "null"
                                          : std::to_string(graph.dimension_number(l.dimension));
        out << fmt::format(
            "{}\n  {{\"from\": {}, \"from_port\": {}, \"to\": {}, \"to_port\": {}, \"dimension\": "
            "{}, \"length\": {}, \"delay\": {}}}",
            id == 0 ? "" : ",", l.from, l.from_port, l.to, l.to_port, dimension, l.length, l.delay);
    }
    out << "]}\n";
}

}  // namespace flitscope
