// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/random_graphs.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "models/topology/node_places.h"
#include "testbench/verification/reference/draw.h"
#include "testbench/verification/reference/random_networks.h"

namespace flitscope {
namespace {

/// Draws of the link delays; apart from those of the case, so that neither disturbs the other.
constexpr std::uint64_t kDelayStream = 0x9e3779b97f4a7c15U;

/// Draws of the graphs.
constexpr std::uint64_t kGraphStream = 0x165667b19e3779f9U;

using RandomChannel = std::pair<RouterId, RouterId>;

bool is_uneven(Draw& draw) { return draw.percent(20); }

/// A tree, in which every router is attached to one with a lower number, and for half of them
/// further channels, so that there are several paths.
std::vector<RandomChannel> random_channels(std::uint64_t seed, std::uint32_t routers) {
    Draw draw(seed ^ kGraphStream);
    std::vector<RandomChannel> channels;
    std::set<RandomChannel> joined;
    const auto join = [&](RouterId a, RouterId b) {
        if (a != b && joined.insert(std::minmax(a, b)).second) channels.emplace_back(a, b);
    };
    const auto drawn = [&](std::uint32_t bound) {
        return RouterId(static_cast<std::uint32_t>(draw.below(bound)));
    };
    for (RouterId router(1); router < routers; ++router) join(router, drawn(router));
    if (draw.percent(50)) return channels;
    for (std::uint32_t count = draw.between(1, routers); count != 0; --count) {
        const RouterId router = drawn(routers);
        join(router, drawn(routers));
    }
    return channels;
}

/// In a third of the graphs some channels once more, or several times, anywhere in the order.
void add_parallel_channels(std::uint64_t seed, std::vector<RandomChannel>& channels) {
    Draw draw(seed ^ kParallelStream);
    if (!draw.percent(35)) return;
    const std::vector<RandomChannel> all = channels;
    const std::uint32_t share = draw.pick<std::uint32_t>({20, 50, 100});
    for (const RandomChannel& channel : all) {
        if (!draw.percent(share)) continue;
        const std::uint32_t more = draw.pick<std::uint32_t>({1, 1, 1, 2, 3});
        channels.insert(channels.end(), more, channel);
    }
    draw.shuffle(channels);
}

}  // namespace

Graph random_graph(const RandomCase& random) {
    const std::uint32_t routers = random.config.fabric.topology.dims[0];
    std::vector<RandomChannel> channels = random_channels(random.config.seed, routers);
    const std::size_t different = channels.size();
    add_parallel_channels(random.config.seed, channels);
    // A port per other router, the local one first, and as many as there are parallel channels.
    const auto parallel = static_cast<PortId>(channels.size() - different);
    Graph graph("custom", {routers}, routers + parallel);
    if (!random.places.empty()) {
        const auto nodes = static_cast<NodeId>(random.places.size());
        graph.attach(NodePlaces(random.places, routers), {nodes});
    }
    std::vector<PortId> used(routers, graph.local_ports());
    std::map<RandomChannel, std::uint32_t> count;
    for (const auto& [a, b] : channels) {
        Link link;
        link.from = a;
        link.from_port = used[a]++;
        link.to = b;
        link.to_port = used[b]++;
        link.rank = count[{a, b}]++;
        link.delay = random.config.fabric.link_delay.cycles;
        graph.add_link(link);
        std::swap(link.from, link.to);
        std::swap(link.from_port, link.to_port);
        graph.add_link(link);
    }
    return graph;
}

bool has_parallel_links(const Graph& graph) {
    const std::vector<Link>& links = graph.links();
    return std::any_of(links.begin(), links.end(), [](const Link& link) { return link.rank > 0; });
}

bool has_uneven_delays(const RandomCase& random) {
    Draw draw(random.config.seed ^ kDelayStream);
    return is_uneven(draw);
}

Graph random_case_graph(const RandomCase& random) {
    const FabricConfig& fabric = random.config.fabric;
    Graph graph =
        is_random_graph(fabric.topology) ? random_graph(random) : build_topology(random.config);
    Draw draw(random.config.seed ^ kDelayStream);
    if (is_uneven(draw)) {
        const std::uint32_t longest = random.range == CaseRange::kWide ? 10 : 6;
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            graph.set_delay(id, draw.between(1, longest));
        }
    }
    graph.put_side_by_side(fabric.planes);
    if (random.has_slow_links) {
        Draw rates(random.config.seed ^ kRateStream);
        const std::uint32_t share = rates.pick<std::uint32_t>({20, 50, 100});
        const std::uint32_t slowest = rates.percent(15) ? 24 : 5;
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            if (rates.percent(share)) graph.set_rate(id, rates.between(1, slowest));
        }
    }
    return graph;
}

}  // namespace flitscope
