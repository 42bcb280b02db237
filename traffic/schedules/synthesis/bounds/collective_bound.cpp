// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/bounds/collective_bound.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/config/hardware_config.h"
#include "models/config/packet_format.h"
#include "models/fabric/channel_timing.h"
#include "models/performance/bisection.h"
#include "models/performance/distances.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope::synthesis {
namespace {

/// Cuts worth checking for an exchange: the middle of the longest dimension, both ways, and if
/// nodes have one channel each way those channels.
std::vector<std::vector<bool>> canonical_cuts(const CapacityGraph& capacities, const Graph& graph) {
    const NodeCut middle = middle_cut(graph);
    std::vector<bool> inside(capacities.vertices);
    for (std::uint32_t v = 0; v < capacities.vertices; ++v) {
        inside[v] = middle.upper[capacities.router_of(v)];
    }
    std::vector<bool> outside = inside;
    outside.flip();
    std::vector<std::vector<bool>> cuts{inside, outside};
    if (!graph.has_per_link_endpoints()) {
        for (std::uint32_t v = 0; v < capacities.vertices; ++v) {
            inside[v] = !capacities.is_router(v);
        }
        cuts.push_back(inside);
        inside.flip();
        cuts.push_back(std::move(inside));
    }
    return cuts;
}

ArcLengths exchange_lengths(const Task& task, const CapacityGraph& capacities, const Graph& graph,
                            std::uint64_t enough) {
    // As many steps as take about a second.
    constexpr double kWork = 4e7;
    constexpr double kMostSteps = 5000;
    const double step = static_cast<double>(capacities.members.size()) *
                        static_cast<double>(capacities.arcs.size() + 1);
    const auto steps = static_cast<std::uint32_t>(std::min(kWork / step, kMostSteps));
    const Fraction goal = enough == 0 ? Fraction{UINT64_MAX, 1} : Fraction{enough, task.chunks};
    return best_lengths(capacities, canonical_cuts(capacities, graph), goal, steps);
}

/// Replaces a bound on an all-reduce if counting transfers gives a larger one.
void bound_transfers(const CapacityGraph& capacities, const Graph& graph, CollectiveBound& bound) {
    std::optional<Partition> partition;
    Fraction share;
    if (graph.has_per_link_endpoints() && capacities.members.size() == capacities.vertices) {
        partition = largest_partition(capacities, bound.share);
        share = partition->bound();
    } else {
        // A node receives only over its ejection channel, or over the links that end at it;
        // switches combine nothing.
        std::uint64_t capacity = 0;
        for (const CapacityGraph::Arc& arc : capacities.arcs) {
            if (!capacities.is_router(arc.to)) capacity += arc.capacity;
        }
        share = {2 * (capacities.members.size() - 1), std::max<std::uint64_t>(capacity, 1)};
    }
    if (!(bound.share < share)) return;
    bound.kind = BoundKind::kTransfers;
    bound.share = share.reduced();
    bound.cut.reset();
    bound.partition = std::move(partition);
}

/// The two nodes with data for each other that are farthest apart.
void bound_latency(const Task& task, const HardwareConfig& config, const Graph& graph,
                   CollectiveBound& bound) {
    std::vector<Cycle> hops;
    const ChannelTimings timings(config.fabric);
    for (const Link& link : graph.links()) hops.push_back(timings.link(link).delay);
    DelaySearch search(graph, Way::kFrom, std::move(hops));
    const Cycle flits =
        config.packet_format().message_flits(std::min<std::uint64_t>(task.bytes, 1));
    for (const NodeId from : task.members) {
        if (has_root(task.collective) && from != task.root) continue;
        const std::vector<Cycle>& delays = search.delays(graph.router_of(from));
        for (const NodeId to : task.members) {
            const Cycle delay = delays[graph.router_of(to)];
            if (to == from || delay == kNever) continue;
            const Cycle cycles =
                config.node.send_overhead + config.fabric.router_delay + delay + flits;
            if (cycles <= bound.cycles) continue;
            bound.cycles = cycles;
            bound.kind = BoundKind::kLatency;
            bound.from = from;
            bound.to = to;
        }
    }
}

}  // namespace

const char* name_of(BoundKind kind) {
    switch (kind) {
        case BoundKind::kNone:
            return "none";
        case BoundKind::kCut:
            return "cut";
        case BoundKind::kLengths:
            return "lengths";
        case BoundKind::kTransfers:
            return "transfers";
        case BoundKind::kLatency:
            return "latency";
        case BoundKind::kStartups:
            return "startups";
    }
    return "none";
}

Cycle cycles_of(const Fraction& share, const Task& task, const HardwareConfig& config,
                const CapacityGraph& capacities) {
    const PacketFormat format = config.packet_format();
    const std::uint64_t flit_cycles =
        share.times(8 * task.bytes * capacities.period, format.flit_bits);
    // Headers: at least one if packets are unlimited, else one per packet_bytes.
    const std::uint64_t packet_bits = 8 * format.packet_bytes;
    const std::uint64_t headers =
        packet_bits == 0
            ? format.header_flits
            : share.times(8 * task.bytes * capacities.period, packet_bits) * format.header_flits;
    return capacities.idle_cycles + std::max<std::uint64_t>(flit_cycles + headers, 1);
}

CollectiveBound bound_of(const Task& task, const HardwareConfig& config, const Graph& graph,
                         std::uint64_t enough) {
    CollectiveBound bound;
    if (task.members.size() < 2) return bound;
    const CapacityGraph capacities(config, graph);
    bound.period = capacities.period;
    if (task.collective == Collective::kAllToAll) {
        bound.kind = BoundKind::kLengths;
        bound.lengths = exchange_lengths(task, capacities, graph, enough);
        bound.share = bound.lengths->bound;
    } else if ((bound.cut = largest_cut(task, capacities))) {
        bound.kind = BoundKind::kCut;
        bound.share = bound.cut->bound().reduced();
    }
    if (task.collective == Collective::kAllReduce) bound_transfers(capacities, graph, bound);
    bound.cycles = cycles_of(bound.share, task, config, capacities);
    // Some chunks of a short vector have no bytes, and are not sent.
    const std::uint64_t bytes = std::max<std::uint64_t>(task.bytes, 1);
    const std::uint64_t chunks = task.collective == Collective::kAllReduce
                                     ? std::min(task.chunk_count(), bytes)
                                     : task.chunks;
    bound.rounds = bound.share.times(chunks * capacities.period);
    if (!config.fabric.switches_circuits()) bound_latency(task, config, graph, bound);
    const std::optional<StartupBound> startups = startup_bound(task, config, capacities);
    if (startups && startups->cycles > bound.cycles) {
        bound.kind = BoundKind::kStartups;
        bound.cycles = startups->cycles;
        bound.startups = startups;
    }
    return bound;
}

}  // namespace flitscope::synthesis
