// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/routing_factory.h"

#include <fmt/format.h>

#include "models/routing/channel_dependency.h"

namespace flitscope {
namespace {

/// A table of nodes^2 two-byte entries: 128 MB at this size, and no more.
constexpr NodeId kMaxTableNodes = 1U << 13;

struct Request {
    const Config& config;
    const Graph& graph;

    const TopologyConfig& topology() const { return config.fabric.topology; }
    std::uint32_t virtual_channels() const { return config.fabric.virtual_channels; }
    bool is_compound() const {
        return graph.kind() == "express_mesh" && topology().layout == "compound";
    }
    bool has_coordinates() const { return graph.wiring() || graph.kind() == "hypercube"; }
    [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
        throw ConfigError(config.where("fabric.routing"), what, remedy);
    }
};

std::unique_ptr<Routing> dimension_order(const Request& request) {
    if (request.is_compound()) {
        const TopologyConfig& topology = request.topology();
        return make_compound_order({topology.dims[0], topology.dims[1], topology.segment},
                                   request.virtual_channels());
    }
    if (!request.has_coordinates()) {
        request.refuse(fmt::format("dimension_order needs coordinates, which topology kind '{}' "
                                   "does not have",
                                   request.graph.kind()),
                       "use shortest_path or up_down");
    }
    return make_dimension_order(request.graph, request.virtual_channels());
}

void require_table(const Request& request, const char* name) {
    if (request.graph.node_count() <= kMaxTableNodes) return;
    request.refuse(
        fmt::format("{} is a table of {}^2 entries, too large", name, request.graph.node_count()),
        fmt::format("at most {} nodes", kMaxTableNodes));
}

std::unique_ptr<Routing> shortest_path(const Request& request) {
    require_table(request, "shortest_path");
    return make_shortest_path(request.graph);
}

/// A link without an opposite, or kNoLink.
LinkId one_way_link(const Graph& graph) {
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& link = graph.link(id);
        const LinkId back = graph.out_link(link.to, link.to_port);
        if (back == kNoLink || graph.link(back).to != link.from) return id;
    }
    return kNoLink;
}

std::unique_ptr<Routing> up_down(const Request& request) {
    require_table(request, "up_down");
    const LinkId one_way = one_way_link(request.graph);
    if (one_way != kNoLink) {
        request.refuse(fmt::format("up_down needs every link in both directions, and {} has no "
                                   "opposite",
                                   request.graph.link_name(one_way)),
                       "use shortest_path, or add the opposite links");
    }
    return make_up_down(request.graph);
}

std::unique_ptr<Routing> automatic(const Request& request) {
    if (request.has_coordinates()) return dimension_order(request);
    if (request.is_compound()) {
        return request.virtual_channels() > 1 ? dimension_order(request) : up_down(request);
    }
    std::unique_ptr<Routing> shortest = shortest_path(request);
    const bool can_be_better = one_way_link(request.graph) == kNoLink;
    if (!can_be_better || find_dependency_cycle(request.graph, *shortest).empty()) return shortest;
    return up_down(request);
}

struct Builder {
    RoutingKind kind;
    std::unique_ptr<Routing> (*build)(const Request&);
};

const std::vector<Builder>& builders() {
    static const std::vector<Builder> kBuilders = {
        {{"dimension_order",
          "one dimension after the other: XY, e-cube, longest hops on HOWs and express meshes, "
          "datelines on tori (2 virtual channels)"},
         dimension_order},
        {{"shortest_path", "table of shortest paths, for any graph; the deadlock check decides"},
         shortest_path},
        {{"up_down", "table of ways up a tree, then down: cannot deadlock on any graph"}, up_down},
    };
    return kBuilders;
}

}  // namespace

std::unique_ptr<Routing> make_routing(const Config& config, const Graph& graph) {
    const Request request{config, graph};
    for (const Builder& builder : builders()) {
        if (builder.kind.name == config.fabric.routing) return builder.build(request);
    }
    return automatic(request);
}

const std::vector<RoutingKind>& routing_kinds() {
    static const std::vector<RoutingKind> kinds = [] {
        std::vector<RoutingKind> list;
        for (const Builder& builder : builders()) list.push_back(builder.kind);
        return list;
    }();
    return kinds;
}

}  // namespace flitscope
