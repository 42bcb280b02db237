// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/topology_metrics.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/performance/bisection.h"
#include "models/performance/channels.h"
#include "models/performance/collinear.h"
#include "models/performance/concentration.h"
#include "models/performance/distances.h"
#include "models/topology/working_nodes.h"

namespace flitscope {
namespace {

/// Visits of links and routers that searches may cost, well below a second.
constexpr std::uint64_t kMostVisits = 100'000'000;
/// Hops of packets that are followed one by one, which is slower.
constexpr std::uint64_t kMostPackets = 4'000'000;

/// Whether all routers are in one row, or in one column.
bool is_line(const Graph& graph) {
    const Position first = graph.position(RouterId(0));
    bool is_row = true;
    bool is_column = true;
    for (RouterId router; router < graph.router_count(); ++router) {
        is_row = is_row && graph.position(router).row == first.row;
        is_column = is_column && graph.position(router).column == first.column;
    }
    return is_row || is_column;
}

/// Number of searches through `graph` that are affordable.
std::uint32_t affordable_searches(const Graph& graph) {
    const std::uint64_t visits = std::uint64_t{graph.link_count()} + graph.router_count();
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(kMostVisits / visits, 1));
}

/// The i-th of `count` of the items that are evenly spread.
template <class Item>
Item spread(const std::vector<Item>& items, std::uint32_t i, std::uint32_t count) {
    return items[std::uint64_t{i} * items.size() / count];
}

/// A router with nodes that are alive.
struct Terminal {
    RouterId router;
    std::uint32_t nodes;
};

std::vector<Terminal> terminals_of(const Graph& graph) {
    std::vector<Terminal> terminals;
    for (RouterId router; router < graph.router_count(); ++router) {
        const std::uint32_t nodes = working_nodes_at(graph, router);
        if (nodes != 0) terminals.push_back({router, nodes});
    }
    return terminals;
}

struct LineDistances {
    std::uint32_t longest = 0;
    double sum = 0;  ///< over ordered pairs of places
};

/// Hops of all lengths up to the longest: distance d takes ceil(d / longest) of them.
LineDistances window_distances(std::uint32_t side, std::uint32_t window) {
    LineDistances line;
    for (std::uint32_t d = 1; d < side; ++d) {
        line.longest = (d + window - 1) / window;
        line.sum += 2.0 * (side - d) * line.longest;
    }
    return line;
}

LineDistances ring_distances(std::uint32_t side) {
    LineDistances line;
    line.longest = side / 2;
    for (std::uint32_t d = 1; d < side; ++d) {
        line.sum += static_cast<double>(side) * std::min(d, side - d);
    }
    return line;
}

/// A line without rings: hops begin everywhere, or in an express mesh at multiples of their
/// lengths.
std::optional<LineDistances> searched_distances(const GridDimension& dimension, bool at_multiples) {
    Graph line("line", {dimension.side}, 1 + 2 * static_cast<PortId>(dimension.spans.size()));
    for (RouterId router; router < dimension.side; ++router) {
        for (PortId i = 0; i < dimension.spans.size(); ++i) {
            const std::uint32_t span = dimension.spans[i];
            if ((at_multiples && router % span != 0) || router + span >= dimension.side) continue;
            Link link;
            link.from = router;
            link.to = RouterId(router + span);
            link.from_port = 1 + 2 * i;
            link.to_port = 2 + 2 * i;
            line.add_link(link);
            std::swap(link.from, link.to);
            std::swap(link.from_port, link.to_port);
            line.add_link(link);
        }
    }
    if (affordable_searches(line) < dimension.side) return std::nullopt;
    LineDistances result;
    DistanceSearch search(line, Way::kFrom);
    for (RouterId router; router < dimension.side; ++router) {
        for (const std::uint32_t distance : search.distances(router)) {
            result.longest = std::max(result.longest, distance);
            result.sum += distance;
        }
    }
    return result;
}

/// Distances within the lines of a network that is a product of lines; nothing for others.
std::optional<std::vector<LineDistances>> line_distances(const Graph& graph) {
    if (graph.has_faults() || !has_equal_concentration(graph)) return std::nullopt;
    if (!graph.wiring() || !graph.wiring()->has_equal_lines()) return std::nullopt;
    std::vector<LineDistances> lines;
    for (const GridDimension& dimension : graph.wiring()->dimensions()) {
        if (dimension.wraps) {
            lines.push_back(ring_distances(dimension.side));
        } else if (graph.wiring()->has_equal_windows()) {
            lines.push_back(window_distances(dimension.side, dimension.spans.back()));
        } else if (const auto line =
                       searched_distances(dimension, !graph.wiring()->has_equal_places())) {
            lines.push_back(*line);
        } else {
            return std::nullopt;
        }
    }
    return lines;
}

/// Distances of a product of lines are sums of distances in its lines.
void add_up(const Graph& graph, const std::vector<LineDistances>& lines, TopologyMetrics& metrics) {
    double mean = 0;  // over all ordered pairs of routers or of nodes, equal ones included
    for (std::size_t dim = 0; dim < lines.size(); ++dim) {
        const double side = graph.dims()[dim];
        metrics.diameter += lines[dim].longest;
        mean += lines[dim].sum / (side * side);
    }
    const auto n = static_cast<double>(graph.node_count());
    metrics.average_distance = n > 1 ? mean * n / (n - 1) : 0;
    metrics.distance_sources = graph.node_count();
}

/// Hops from the routers of `sources` to `destination` under a fixed routing: each asks its next
/// one.
void count_hops(const Graph& graph, const Routing& routing, const std::vector<NodeId>& sources,
                NodeId destination, std::vector<std::uint32_t>& hops) {
    constexpr std::uint32_t kUnknown = UINT32_MAX;
    std::fill(hops.begin(), hops.end(), kUnknown);
    hops[graph.router_of(destination)] = 0;
    std::vector<LinkId> path;
    for (const NodeId source : sources) {
        RouterId at = graph.router_of(source);
        for (path.clear(); hops[at] == kUnknown; at = graph.link(path.back()).to) {
            const LinkId id = graph.out_link(at, routing.route(at, destination).port);
            if (id == kNoLink || path.size() >= graph.router_count()) {
                throw std::logic_error("measure_routing: a path does not arrive");
            }
            path.push_back(id);
        }
        for (std::uint32_t more = hops[at]; !path.empty(); path.pop_back()) {
            hops[graph.link(path.back()).from] = ++more;
        }
    }
}

/// Hops of one packet of a routing whose paths do not follow from router and destination.
std::uint32_t follow_packet(const Graph& graph, const Routing& routing, NodeId source,
                            NodeId destination) {
    RouteQuery query =
        RouteQuery::injected(graph.places(), source, destination, source + destination);
    RouteChoices choices;
    const std::uint64_t most = 4ULL * graph.router_count();
    for (std::uint32_t hops = 0; hops <= most; ++hops) {
        if (routing.path_choice() == PathChoice::kAdaptive) {
            routing.route(query, choices);
        } else {
            choices.clear();
            choices.add(routing.route(query));
        }
        if (graph.is_local(choices[0].port)) return hops;
        const LinkId id = graph.out_link(query.at, choices[0].port);
        if (id == kNoLink) break;
        query.at = graph.link(id).to;
        query.in_port = graph.link(id).to_port;
        query.is_injected = false;
        query.in_vc = lowest_channel(choices[0].virtual_channels);
    }
    throw std::logic_error("measure_routing: a path does not arrive");
}

}  // namespace

void measure_distances(const Graph& graph, TopologyMetrics& metrics, std::uint32_t searches) {
    const std::vector<Terminal> terminals = terminals_of(graph);
    searches = std::min(searches, static_cast<std::uint32_t>(terminals.size()));
    metrics.distance_sources = 0;
    metrics.diameter = 0;
    std::uint64_t sum = 0;  // over pairs of nodes
    DistanceSearch search(graph, Way::kFrom);
    for (std::uint32_t i = 0; i < searches; ++i) {
        const Terminal source = spread(terminals, i, searches);
        metrics.distance_sources += source.nodes;
        const std::vector<std::uint32_t>& distances = search.distances(source.router);
        for (const Terminal& to : terminals) {
            metrics.diameter = std::max(metrics.diameter, distances[to.router]);
            sum += std::uint64_t{distances[to.router]} * source.nodes * to.nodes;
        }
    }
    const double pairs = static_cast<double>(metrics.distance_sources) *
                         (static_cast<double>(graph.working_node_count()) - 1);
    metrics.average_distance = pairs > 0 ? static_cast<double>(sum) / pairs : 0;
}

TopologyMetrics measure_topology(const Graph& graph) {
    TopologyMetrics metrics;
    metrics.nodes = graph.working_node_count();
    metrics.switches = graph.working_switches();
    metrics.links = graph.link_count();
    std::vector<std::uint32_t> degree(graph.router_count(), 0);
    for (const LinkId id : channel_links(graph)) {
        const Link& link = graph.link(id);
        ++metrics.channels;
        ++degree[link.from];
        ++degree[link.to];
        metrics.wire_length += link.length;
        metrics.longest_wire = std::max(metrics.longest_wire, link.length);
    }
    metrics.degree_min = UINT32_MAX;
    for (RouterId router; router < graph.router_count(); ++router) {
        if (!graph.is_alive(router)) continue;
        metrics.degree_min = std::min(metrics.degree_min, degree[router]);
        metrics.degree_max = std::max(metrics.degree_max, degree[router]);
    }
    HalvesCut cut = cut_into_halves(graph);
    metrics.bisection = cut.channels;
    metrics.bisection_links = cut.most_links();
    metrics.bisection_proof = std::move(cut.proof);
    metrics.collective_width = maximum_collective_width(graph);
    if (!is_line(graph)) {
        metrics.layers = 2;
        metrics.contacts = 2 * metrics.channels;
    }
    if (const auto lines = line_distances(graph)) {
        add_up(graph, *lines, metrics);
    } else {
        measure_distances(graph, metrics, affordable_searches(graph));
    }
    return metrics;
}

RoutingMetrics measure_routing(const Graph& graph, const Routing& routing) {
    return measure_routing(graph, routing, working_nodes(graph));
}

RoutingMetrics measure_routing(const Graph& graph, const Routing& routing,
                               const std::vector<NodeId>& nodes) {
    const bool fixed = routing.path_choice() == PathChoice::kFixed;
    RoutingMetrics metrics;
    if (nodes.empty()) return metrics;
    metrics.destinations = std::min(affordable_searches(graph), static_cast<NodeId>(nodes.size()));
    if (!fixed) {
        const auto most = static_cast<NodeId>(kMostPackets / nodes.size());
        metrics.destinations = std::min(metrics.destinations, most);
    }
    DistanceSearch search(graph, Way::kTo);
    std::vector<std::uint32_t> hops(graph.router_count());
    std::uint64_t sum = 0;
    std::uint64_t extra_sum = 0;
    std::uint64_t detours = 0;
    for (NodeId i = 0; i < metrics.destinations; ++i) {
        const NodeId destination = spread(nodes, i, metrics.destinations);
        const std::vector<std::uint32_t>& shortest = search.distances(graph.router_of(destination));
        if (fixed) count_hops(graph, routing, nodes, destination, hops);
        for (const NodeId source : nodes) {
            const RouterId from = graph.router_of(source);
            if (!fixed) hops[from] = follow_packet(graph, routing, source, destination);
            const std::uint32_t extra = hops[from] - shortest[from];
            sum += hops[from];
            extra_sum += extra;
            detours += extra != 0 ? 1 : 0;
            metrics.max_hops = std::max(metrics.max_hops, hops[from]);
            metrics.max_extra_hops = std::max(metrics.max_extra_hops, extra);
        }
    }
    const double pairs =
        static_cast<double>(metrics.destinations) * (static_cast<double>(nodes.size()) - 1);
    if (pairs == 0) return metrics;
    metrics.mean_hops = static_cast<double>(sum) / pairs;
    metrics.mean_extra_hops = static_cast<double>(extra_sum) / pairs;
    metrics.detour_share = static_cast<double>(detours) / pairs;
    return metrics;
}

}  // namespace flitscope
