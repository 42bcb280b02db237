// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/bounds/capacities.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/config/hardware_config.h"
#include "models/config/node_config.h"
#include "models/fabric/channel_timing.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "models/topology/working_nodes.h"

namespace flitscope::synthesis {
namespace {

/// Cycles in which every link carries a whole number of flits; or, if links have many rates, so
/// many that the next whole number is not much more. `per` times as many stay small enough for
/// maximum flows in 64 bits.
std::uint64_t cycles_of_whole_flits(const Graph& graph, std::uint64_t per) {
    constexpr std::uint64_t kMost = 1 << 16;
    const std::uint64_t most = std::max(kMost / per, std::uint64_t{kMostRateCycles});
    std::uint64_t cycles = 1;
    for (const Link& link : graph.links()) {
        cycles = std::lcm(cycles, std::uint64_t{link.rate_cycles});
        if (cycles > most) return most;
    }
    return cycles;
}

}  // namespace

CapacityGraph::CapacityGraph(const HardwareConfig& config, const Graph& graph)
    : nodes_(graph.node_count()), places_(graph.shared_places()) {
    const ChannelMap channels(graph);
    const bool has_one_channel = !graph.has_per_link_endpoints();
    const std::uint32_t first_router = has_one_channel ? nodes_ : 0;
    vertices = first_router + graph.router_count();
    members = working_nodes(graph);
    const Rate rate = config.node.injection_bandwidth;
    const std::uint64_t flit_cycles = cycles_of_whole_flits(graph, rate.denominator);
    const std::uint64_t planes = graph.planes();  // each has all of these channels
    period = rate.denominator * flit_cycles;
    const ChannelTimings timings(config.fabric);
    std::uint32_t least_delay = UINT32_MAX;
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& link = graph.link(id);
        least_delay = std::min(least_delay, timings.link(link).delay);
        arcs.push_back({first_router + link.from, first_router + link.to,
                        (period + link.rate_cycles - 1) / link.rate_cycles * planes,
                        channels.link(id)});
    }
    if (has_one_channel) {
        for (const NodeId node : members) {
            const std::uint32_t router = first_router + graph.router_of(node);
            arcs.push_back(
                {node, router, rate.numerator * flit_cycles * planes, channels.injection(node)});
            arcs.push_back({router, node, period * planes, channels.ejection(node)});
        }
    }
    const bool share_routers = graph.local_ports() > 1;  // their messages pass one router only
    if (config.fabric.switches_circuits() || (graph.link_count() == 0 && !share_routers)) return;
    idle_cycles = Cycle{config.node.send_overhead} + timings.injection().delay;
    if (!share_routers) idle_cycles += least_delay;
}

CapacityGraph CapacityGraph::backwards() const {
    CapacityGraph result = *this;
    for (Arc& arc : result.arcs) std::swap(arc.from, arc.to);
    return result;
}

}  // namespace flitscope::synthesis
