// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/routing_factory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/limits.h"
#include "models/base/types.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/topology_config.h"
#include "models/routing/reverse_link.h"
#include "models/routing/route_file.h"
#include "models/routing/routing_request.h"
#include "models/routing/table_comparison.h"
#include "models/routing/virtual_networks.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

using Request = RoutingRequest;

std::unique_ptr<Routing> dimension_order(const Request& request) {
    if (request.is_compound()) {
        return make_compound_order(request.graph, request.virtual_channels());
    }
    if (!request.has_coordinates()) {
        request.refuse(fmt::format("dimension_order needs coordinates, which topology kind '{}' "
                                   "does not have",
                                   request.graph.kind()),
                       "use auto, or name shortest_path, lash or up_down");
    }
    return make_dimension_order(request.graph, request.virtual_channels());
}

void require_table(const Request& request, const char* name) {
    const std::uint32_t most = std::max(request.graph.router_count(), request.graph.node_count());
    if (most <= kMostTableNodes) return;
    request.refuse(fmt::format("{} is a table of {}^2 entries, too large", name, most),
                   fmt::format("at most {} nodes", kMostTableNodes));
}

std::unique_ptr<Routing> shortest_path(const Request& request) {
    require_table(request, "shortest_path");
    return make_shortest_path(request.graph, request.spread);
}

std::unique_ptr<Routing> automatic(const Request& request);

/// The routing that `auto` takes on the network without its faults.
std::unique_ptr<Routing> of_whole_network(const Request& request) {
    return automatic({request.config, request.graph.whole()});
}

/// The routing whose paths lash prefers; nullptr: any.
std::unique_ptr<Routing> preferred_by_lash(const Request& request) {
    if (request.spread != Spread::kNone) return shortest_path(request);
    return request.graph.has_faults() ? of_whole_network(request) : nullptr;
}

/// Layered shortest paths, or nullptr when the virtual channels do not suffice.
std::unique_ptr<Routing> find_lash(const Request& request) {
    const auto preferred = preferred_by_lash(request);
    return make_lash(request.graph, request.virtual_channels(), preferred.get(), request.spread);
}

std::unique_ptr<Routing> lash(const Request& request) {
    require_table(request, "lash");
    if (auto found = find_lash(request)) return found;
    const std::uint32_t channels = request.virtual_channels();
    const FabricConfig& fabric = request.config.fabric;
    const std::uint32_t classes = fabric.class_count();
    const auto preferred = preferred_by_lash(request);
    const std::uint32_t enough = lash_layers(
        request.graph, channels + 1, fabric.most_virtual_channels() / classes, preferred.get());
    const std::string otherwise = one_way_link(request.graph) == kNoLink
                                      ? "use up_down"
                                      : "add the opposite links and use up_down";
    request.refuse(
        fmt::format("lash finds no shortest paths in {} virtual channel{} that cannot deadlock",
                    channels, channels == 1 ? "" : "s"),
        enough == 0
            ? otherwise
            : fmt::format("set fabric.virtual_channels: {}, or {}", enough * classes, otherwise));
}

std::unique_ptr<Routing> up_down(const Request& request) {
    if (request.has_nodes_below_a_fat_tree() && !request.graph.has_faults()) {
        if (request.spread != Spread::kNone) {
            throw ConfigError(request.config.where("fabric.spread"),
                              "up_down of a whole fat tree is no table: it spreads destinations "
                              "evenly over the roots by their digits",
                              "set fabric.spread: none");
        }
        return make_fat_tree_up_down(request.graph);
    }
    require_table(request, "up_down");
    const LinkId one_way = one_way_link(request.graph);
    if (one_way != kNoLink) {
        const Link& link = request.graph.link(one_way);
        request.refuse(fmt::format("up_down needs links in both directions, and {} has no link "
                                   "back from router {} to router {}",
                                   request.graph.link_name(one_way), link.to, link.from),
                       "use lash with several virtual channels, or add the opposite links");
    }
    return make_up_down(request.graph, request.spread);
}

std::unique_ptr<Routing> up_down_adaptive(const Request& request) {
    if (!request.has_nodes_below_a_fat_tree()) {
        request.refuse(
            request.fat_tree() == nullptr
                ? "up_down_adaptive is for fat trees, not for topology kind '" +
                      request.graph.kind() + '\''
                : "up_down_adaptive needs all nodes on the lowest switches of a fat tree",
            "use auto, or name shortest_path, lash or up_down");
    }
    return make_fat_tree_up_down(request.graph, true);
}

void require_mesh(const Request& request, const char* name, std::size_t dims) {
    const bool is_mesh = request.has(&GridWiring::is_mesh);
    if (is_mesh && (dims == 0 || request.graph.dims().size() == dims)) return;
    request.refuse(fmt::format("{} is for meshes{}, not for {}", name,
                               dims == 0 ? "" : fmt::format(" of {} dimensions", dims),
                               is_mesh ? fmt::format("{} dimension{}", request.graph.dims().size(),
                                                     request.graph.dims().size() == 1 ? "" : "s")
                                       : "topology kind '" + request.graph.kind() + '\''),
                   is_mesh ? "use negative_first or minimal_adaptive" : "use auto");
}

void require_virtual_channels(const Request& request, const char* name, std::uint32_t least) {
    if (request.virtual_channels() >= least) return;
    const std::uint32_t classes = request.config.fabric.class_count();
    const std::uint32_t most = request.config.fabric.most_virtual_channels();
    request.refuse(
        fmt::format("{} needs {} virtual channels {}, and there {}", name, least,
                    classes == 1 ? "here" : "for each class",
                    request.virtual_channels() == 1
                        ? "is 1"
                        : fmt::format("are {}", request.virtual_channels())),
        least * classes <= most
            ? fmt::format("set fabric.virtual_channels: {} or more", least * classes)
            : fmt::format("set fabric.routing: {}; there can be {} in all",
                          request.has(&GridWiring::has_rings) ? "up_down" : "auto", most));
}

std::unique_ptr<Routing> balanced_dimension_order(const Request& request) {
    if (!request.has(&GridWiring::has_rings)) {
        request.refuse(
            "dimension_order_balanced is for tori with rings of more than two nodes, "
            "not for " +
                request.graph.description(),
            "use auto");
    }
    require_virtual_channels(request, "dimension_order_balanced", 2);
    return make_balanced_dimension_order(request.graph, request.virtual_channels());
}

std::unique_ptr<Routing> west_first(const Request& request) {
    require_mesh(request, "west_first", 2);
    return make_west_first(request.graph);
}

std::unique_ptr<Routing> negative_first(const Request& request) {
    require_mesh(request, "negative_first", 0);
    return make_negative_first(request.graph);
}

std::unique_ptr<Routing> odd_even(const Request& request) {
    require_mesh(request, "odd_even", 2);
    return make_odd_even(request.graph);
}

std::unique_ptr<Routing> minimal_adaptive(const Request& request) {
    const bool is_binary = request.has(&GridWiring::has_port_per_address_bit);
    if (is_binary || !request.has(&GridWiring::has_equal_windows)) {
        request.refuse(
            "minimal_adaptive is for meshes, tori, HOWs and generalized hypercubes, not "
            "for topology kind '" +
                request.graph.kind() + '\'',
            is_binary ? "describe it as {kind: ghc, dims: [2, 2, ...]}" : "use auto");
    }
    require_virtual_channels(request, "minimal_adaptive",
                             request.has(&GridWiring::has_rings) ? 3 : 2);
    return make_minimal_adaptive(request.graph);
}

std::unique_ptr<Routing> o1turn(const Request& request) {
    require_mesh(request, "o1turn", 2);
    require_virtual_channels(request, "o1turn", 2);
    return make_o1turn(request.graph, request.virtual_channels(), request.config.seed);
}

std::unique_ptr<Routing> valiant(const Request& request) {
    const bool has_groups = request.dragonfly() != nullptr;
    if (!request.has_coordinates() && !has_groups) {
        request.refuse(fmt::format("valiant needs coordinates, which topology kind '{}' does not "
                                   "have",
                                   request.graph.kind()),
                       "use auto, or name shortest_path, lash or up_down");
    }
    const bool needs_two = has_groups || request.has(&GridWiring::has_rings);  // for each way
    require_virtual_channels(request, "valiant", needs_two ? 4 : 2);
    return make_valiant(request.graph, request.virtual_channels(), request.config.seed);
}

bool has_express_shortest(const Request& request) {
    return request.express() != nullptr && request.express()->joins_terminals();
}

std::unique_ptr<Routing> express_shortest(const Request& request) {
    const ExpressShape* const express = request.express();
    if (!has_express_shortest(request)) {
        request.refuse(
            fmt::format("express_shortest is for express meshes of layout full or "
                        "sparse, not for {}",
                        express != nullptr ? "layout '" + name_of(express->layout) + '\''
                                           : "topology kind '" + request.graph.kind() + '\''),
            "use auto, or name shortest_path, lash or up_down");
    }
    require_virtual_channels(request, "express_shortest", 2);
    return make_express_shortest(request.graph, express->layout == ExpressLayout::kFull,
                                 request.virtual_channels());
}

/// Checks that the network is a dragonfly and has this many virtual channels.
void require_dragonfly(const Request& request, const char* name, std::uint32_t virtual_channels) {
    if (request.dragonfly() == nullptr) {
        request.refuse(fmt::format("{} is for dragonflies, not for topology kind '{}'", name,
                                   request.graph.kind()),
                       "use auto");
    }
    require_virtual_channels(request, name, virtual_channels);
}

std::unique_ptr<Routing> dragonfly_minimal(const Request& request) {
    require_dragonfly(request, "dragonfly_minimal", 2);
    return make_dragonfly_minimal(request.graph, request.virtual_channels());
}

std::unique_ptr<Routing> by_queues(const Request& request, const char* name,
                                   std::uint32_t virtual_channels, DragonflyChoice choice) {
    require_dragonfly(request, name, virtual_channels);
    return make_dragonfly_adaptive(request.graph, request.virtual_channels(), request.config.seed,
                                   choice);
}

std::unique_ptr<Routing> ugal_local(const Request& request) {
    return by_queues(request, "ugal_local", 3, DragonflyChoice::kUgalLocal);
}

std::unique_ptr<Routing> ugal_global(const Request& request) {
    return by_queues(request, "ugal_global", 3, DragonflyChoice::kUgalGlobal);
}

std::unique_ptr<Routing> progressive_adaptive(const Request& request) {
    return by_queues(request, "progressive_adaptive", 4, DragonflyChoice::kProgressive);
}

/// The family's own routing; nullptr if it has none, or needs more virtual channels, or the network
/// has faults, which it does not support.
std::unique_ptr<Routing> of_family(const Request& request) {
    if (request.graph.has_faults()) return nullptr;
    if (has_express_shortest(request) && request.virtual_channels() > 1) {
        return express_shortest(request);
    }
    if (request.has_coordinates()) return dimension_order(request);
    if (request.is_compound()) {
        return request.virtual_channels() > 1 ? dimension_order(request) : up_down(request);
    }
    if (request.has_nodes_below_a_fat_tree()) return up_down(request);
    if (request.dragonfly() != nullptr && request.virtual_channels() > 1) {
        return dragonfly_minimal(request);
    }
    return nullptr;
}

/// The tables that `auto` compares.
std::vector<TableKind> compared_tables() {
    return {{"shortest_path", shortest_path, ""},
            // Layers of paths that need none are these paths.
            {"lash", find_lash, "needs more virtual channels", "shortest_path"},
            {"up_down",
             [](const Request& request) {
                 return one_way_link(request.graph) == kNoLink ? up_down(request) : nullptr;
             },
             "needs links in both directions"}};
}

std::unique_ptr<Routing> automatic(const Request& request) {
    if (auto routing = of_family(request)) return routing;
    require_table(request, "shortest_path");
    if (auto best = TableComparison(request, compared_tables()).best()) return best;
    return shortest_path(request);  // which can deadlock, as the check reports to the user
}

std::unique_ptr<Routing> from_file(const Request& request) {
    require_table(request, "a file of routes");
    return load_routes(request.config.fabric.routes_file, request.graph, request.virtual_channels(),
                       request.config.where("fabric.routing"));
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
        {{"dimension_order_balanced",
          "tori: dimension_order with as many packets on either half of the virtual channels (2)"},
         balanced_dimension_order},
        {{"shortest_path", "table of shortest paths, for any graph; the deadlock check decides",
          true},
         shortest_path},
        {{"up_down",
          "table of ways up a tree, then down: cannot deadlock on any graph; on fat trees over all "
          "roots",
          true},
         up_down},
        {{"up_down_adaptive", "adaptive on fat trees: up on any way that is free, then down"},
         up_down_adaptive},
        {{"lash",
          "table of shortest paths, for any graph, in layers of virtual channels: cannot deadlock",
          true},
         lash},
        {{"express_shortest",
          "shortest paths on express meshes, full or sparse (2 virtual channels)"},
         express_shortest},
        {{"dragonfly_minimal",
          "dragonflies: local, global, local channel, never more (2 virtual channels)"},
         dragonfly_minimal},
        {{"ugal_local",
          "dragonflies; per packet, minimal or over another group, by the queues of its router (3 "
          "virtual channels)"},
         ugal_local},
        {{"ugal_global",
          "the same, by the queues of the global channels of the group, as if known at once (3 "
          "virtual channels)"},
         ugal_global},
        {{"progressive_adaptive",
          "ugal_local, which may still leave the minimal path behind its first local channel (4 "
          "virtual channels)"},
         progressive_adaptive},
        {{"west_first", "adaptive on 2-D meshes, all hops to the west first"}, west_first},
        {{"negative_first", "adaptive on meshes, all hops in - directions first"}, negative_first},
        {{"odd_even", "adaptive on 2-D meshes, which turns depends on the column"}, odd_even},
        {{"minimal_adaptive",
          "adaptive on meshes, tori, HOWs and ghcs, with an escape in dimension order (2 virtual "
          "channels, tori 3)"},
         minimal_adaptive},
        {{"o1turn", "2-D meshes; per packet, at random, XY or YX (2 virtual channels)"}, o1turn},
        {{"valiant",
          "to a node chosen at random, then to the destination, in dimension order or as "
          "dragonfly_minimal (2 virtual channels, tori and dragonflies 4)"},
         valiant},
    };
    return kBuilders;
}

std::unique_ptr<Routing> routing_of(const Request& request) {
    if (request.config.fabric.routing == kRoutesFromFile) return from_file(request);
    for (const Builder& builder : builders()) {
        if (builder.kind.name != request.config.fabric.routing) continue;
        if (request.graph.has_faults() && !builder.kind.is_table) {
            request.refuse(fmt::format("{} supports only a {} without faults and cannot route "
                                       "around them (section faults)",
                                       builder.kind.name, request.graph.kind()),
                           "use auto, or name shortest_path, lash or up_down");
        }
        return builder.build(request);
    }
    return automatic(request);
}

}  // namespace

std::unique_ptr<Routing> make_routing(const WorkloadConfig& config, const Graph& graph) {
    std::unique_ptr<Routing> routing = routing_of({config, graph, config.fabric.spread});
    if (!config.fabric.has_classes()) return routing;
    return make_virtual_networks(std::move(routing), config.fabric.class_count(),
                                 config.fabric.channels_per_class());
}

std::vector<RoutingCandidate> compared_routings(const WorkloadConfig& config, const Graph& graph) {
    const Request request{config, graph};
    if (config.fabric.routing != kAutomaticRouting || of_family(request) != nullptr) return {};
    return TableComparison(request, compared_tables()).candidates();
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
