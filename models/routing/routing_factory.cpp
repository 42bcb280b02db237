// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/routing_factory.h"

#include <fmt/format.h>

namespace flitscope {
namespace {

/// A table of nodes^2 two-byte entries: 512 MB at this size, and no more.
constexpr NodeId kMaxTableNodes = 1U << 14;

}  // namespace

std::unique_ptr<Routing> make_routing(const Config& config, const Graph& graph) {
    const bool grid = graph.kind() == "mesh" || graph.kind() == "hypercube";
    std::string name = config.fabric.routing;
    if (name == "auto") name = grid ? "dimension_order" : "shortest_path";
    if (name == "dimension_order") {
        if (!grid) {
            throw ConfigError(config.where("fabric.routing"),
                              fmt::format("dimension_order needs coordinates, which topology kind "
                                          "'{}' does not have",
                                          graph.kind()),
                              "use shortest_path");
        }
        return make_dimension_order(graph);
    }
    if (graph.node_count() > kMaxTableNodes) {
        throw ConfigError(
            config.where("fabric.routing"),
            fmt::format("shortest_path is a table of {}^2 entries, too large", graph.node_count()),
            fmt::format("at most {} nodes", kMaxTableNodes));
    }
    return make_shortest_path(graph);
}

const std::vector<RoutingKind>& routing_kinds() {
    static const std::vector<RoutingKind> kinds = {
        {"dimension_order", "one dimension after the other: XY on meshes, e-cube on hypercubes"},
        {"shortest_path", "table of shortest paths, for any graph; the deadlock check decides"},
    };
    return kinds;
}

}  // namespace flitscope
