// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/appraisal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "hw/verilated/built_routers.h"
#include "hw/verilated/rtl_limitations.h"
#include "models/fabric/channel_timing.h"
#include "models/performance/channels.h"
#include "models/performance/topology_metrics.h"
#include "models/performance/wire_budget.h"
#include "models/performance/zero_load_paths.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/floorplan.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/energy_counts.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/simulation.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/loads.h"
#include "traffic/patterns/load_units.h"

namespace flitscope::study {
namespace {

/// The name of the word that holds the delays of links.
constexpr const char* kLinkDelays = "link_delays";

void add(PointOutcome& outcome, const char* name, const char* unit, std::uint64_t value) {
    outcome.metrics.push_back({name, unit, static_cast<double>(value)});
}

/// Inputs of routers that have FIFOs (hw/TIMING.md, "Port models" and "Circuits"): every router has
/// those of the one with the most links, and those for its own nodes.
std::uint64_t buffered_inputs(const FabricConfig& fabric, const Graph& graph) {
    if (fabric.switches_circuits()) return 0;
    const std::uint64_t of_links =
        std::uint64_t{graph.router_count()} * (graph.port_count() - graph.local_ports());
    return graph.has_per_link_endpoints() ? 2 * of_links : of_links + graph.node_count();
}

/// Places of the register slices of a virtual channel of all links and injection channels
/// (hw/TIMING.md, "Valid and ready").
std::uint64_t slice_places(const FabricConfig& fabric, const Graph& graph) {
    const ChannelTimings timings(fabric);
    const std::uint64_t from_nodes =
        graph.has_per_link_endpoints() ? graph.link_count() : graph.node_count();
    std::uint64_t places = from_nodes * timings.injection().slice_places();
    for (const Link& link : graph.links()) places += timings.link(link).slice_places();
    return places;
}

/// Ports of the router with the most, those of its nodes included.
std::uint64_t most_ports(const Graph& graph) {
    std::uint64_t most = 0;
    for (RouterId router; router < graph.router_count(); ++router) {
        std::uint64_t links = 0;
        for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
            const bool is_used =
                graph.out_link(router, port) != kNoLink || graph.in_link(router, port) != kNoLink;
            links += is_used ? 1 : 0;
        }
        const std::uint64_t of_nodes =
            graph.has_per_link_endpoints() ? links : graph.nodes_at(router).size();
        most = std::max(most, links + of_nodes);
    }
    return most;
}

void add_cost(PointOutcome& outcome, const Machine& machine) {
    const FabricConfig& fabric = machine.config.fabric;
    const Graph& graph = machine.graph.whole();  // dead links were built too, so they count
    std::uint64_t length = 0;
    for (const Link& link : graph.links()) length += link.length;
    const std::uint64_t bits = fabric.channel_bits();
    const std::uint64_t planes = graph.planes();  // a network each, with all of this
    const std::uint64_t buffers =
        (buffered_inputs(fabric, graph) * fabric.buffer_depth + slice_places(fabric, graph)) *
        fabric.virtual_channels;
    add(outcome, "links", "links", planes * graph.link_count());
    add(outcome, "flit_bits", "bits", bits);
    add(outcome, "ports", "ports", most_ports(graph));
    add(outcome, "pins", "wires", planes * most_links_per_direction(graph) * bits);
    const TopologyMetrics metrics = measure_topology(graph);
    add(outcome, "bisection_wires", "wires", planes * metrics.bisection_links * bits);
    add(outcome, "wire_length", "node pitches", planes * metrics.wire_length);
    add(outcome, "wire_bits", "node pitches", planes * length * bits);
    if (fabric.link_delay.is_physical()) {
        outcome.metrics.push_back({"chip_mm2", "mm2", chip_size(graph, fabric.link_delay).mm2()});
    }
    add(outcome, "buffer_bits", "bits", planes * buffers * bits);
    add(outcome, "routers", "routers", planes * graph.router_count());
}

void add_router(PointOutcome& outcome, const Config& config, const Graph& graph,
                const Routing& routing) {
    if (const auto refusal = hw::synthesis_refusal(config, graph, routing)) {
        outcome.words.emplace_back("no_router", refusal->reason);
    } else {
        outcome.words.emplace_back("router",
                                   hw::text_of(hw::built_routers(config, graph, routing)));
    }
}

/// Appraisal of only the router, which wire delays and the clock do not change.
PointOutcome appraise_router(Config config) {
    config.fabric.link_delay = {};
    const Graph graph = build_budgeted_topology(config);
    PointOutcome outcome;
    outcome.status = PointStatus::kComplete;
    add_router(outcome, config, graph, *make_routing(config, graph));
    return outcome;
}

void add_link_delays(PointOutcome& outcome, const Graph& graph) {
    std::string text;
    for (const auto& [kind, links] : link_counts(graph)) {
        text +=
            fmt::format("{}{}{}:{}", text.empty() ? "" : " ", kind.delay,
                        kind.rate_cycles == 1 ? "" : fmt::format("/{}", kind.rate_cycles), links);
    }
    outcome.words.emplace_back(kLinkDelays, text);
}

/// Mean over messages with weights.
class WeightedMean {
public:
    void add(double value, double weight) {
        sum_ += value * weight;
        weight_ += weight;
    }
    std::optional<double> mean() const {
        return weight_ > 0 ? std::optional<double>(sum_ / weight_) : std::nullopt;
    }

private:
    double sum_ = 0;
    double weight_ = 0;
};

/// Cycles on an idle network; nothing if not known.
struct Idle {
    std::optional<double> latency;     ///< for a message
    std::optional<double> round_trip;  ///< for an exchange, if there are replies
};

/// The time that messages of a pattern take if they meet no other, if paths are fixed.
class IdleExchanges {
public:
    IdleExchanges(const Machine& machine, ZeroLoadPaths& paths)
        : message_(machine.config), paths_(paths), replies_(machine.pattern->replies) {}

    Cycle there(NodeId from, NodeId to, std::uint64_t flits) {
        const ZeroLoadPath path = paths_.path(from, to);
        are_exact_ = are_exact_ && message_.is_exact(flits, path);
        return message_.delivered(flits, path);
    }
    /// Cycles of the reply to such a message; there must be one.
    Cycle back(NodeId from, NodeId to) { return there(to, from, replies_->flits()); }
    /// Whether all that has been asked for takes as long as was said, and not longer.
    bool are_exact() const { return are_exact_; }

private:
    ZeroLoadMessage message_;
    ZeroLoadPaths& paths_;
    const std::optional<Replies>& replies_;
    bool are_exact_ = true;
};

/// Calls `visit(from, to, share)` for all nodes of which the first sends such a share to the other.
template <class Visit>
void for_each_pair(const PatternTraffic& traffic, Visit visit) {
    for (NodeId from = 0; from < traffic.nodes; ++from) {
        if (!traffic.pattern.sends(from)) continue;
        for (NodeId to = 0; to < traffic.nodes; ++to) {
            const double share = from == to ? 0 : traffic.pattern.share(from, to);
            if (share != 0) visit(from, to, share);
        }
    }
}

/// Means over all that a pattern draws in the long run; nothing if some latencies are unknown, as
/// packets wait for each other.
Idle mean_idle(const PatternTraffic& traffic, IdleExchanges& exchanges) {
    WeightedMean latency;
    WeightedMean round_trip;
    for_each_pair(traffic, [&](NodeId from, NodeId to, double share) {
        const double weight = share * traffic.pattern.offered(from);
        const double there = traffic.lengths.mean(
            [&](const MessageLength& length) { return exchanges.there(from, to, length.flits); });
        latency.add(there, weight);
        if (!traffic.replies) return;
        const auto back = static_cast<double>(exchanges.back(from, to));
        latency.add(back, weight);
        round_trip.add(there + static_cast<double>(traffic.replies->begin(0)) + back, weight);
    });
    if (!exchanges.are_exact()) return {};
    return {latency.mean(), round_trip.mean()};
}

std::optional<double> known(Cycle cycles) {
    return cycles == kNever ? std::nullopt : std::optional(static_cast<double>(cycles));
}

/// Finds the quickest message, and the quickest exchange, that a pattern can draw. Which ones a run
/// with `steady` measures of those that it draws is known at its end, and their mean may be less
/// than that of all.
Idle quickest(const PatternTraffic& traffic, IdleExchanges& exchanges) {
    Cycle latency = kNever;
    Cycle round_trip = kNever;
    for_each_pair(traffic, [&](NodeId from, NodeId to, double /*share*/) {
        Cycle there = kNever;
        for (const MessageLength& length : traffic.lengths.all()) {
            there = std::min(there, exchanges.there(from, to, length.flits));
        }
        latency = std::min(latency, there);
        if (!traffic.replies) return;
        const Cycle back = exchanges.back(from, to);
        latency = std::min(latency, back);
        round_trip = std::min(round_trip, traffic.replies->begin(there) + back);
    });
    return {known(latency), known(round_trip)};
}

/// Means over the messages that begin in the cycles measured, and over the exchanges. The network
/// does not affect which messages are drawn, but it decides which replies begin in these cycles:
/// their latencies are only bounded by the fastest.
Idle mean_of_window(const Machine& machine, IdleExchanges& exchanges) {
    const PatternTraffic& traffic = *machine.pattern;
    const PacketFormat format = machine.config.packet_format();
    WeightedMean latency;
    WeightedMean round_trip;
    Cycle quickest_reply = kNever;
    for (NodeId from = 0; from < traffic.nodes; ++from) {
        PatternSource source(machine.pattern, from);
        Message message;
        Cycle begin = 0;
        while (source.next(message, begin)) {
            const NodeId to = message.destination;
            const Cycle back = traffic.replies ? exchanges.back(from, to) : 0;
            if (traffic.replies) quickest_reply = std::min(quickest_reply, back);
            if (begin < traffic.measured_from) continue;
            const Cycle there = exchanges.there(from, to, format.message_flits(message.bytes));
            latency.add(static_cast<double>(there), 1);
            if (!traffic.replies) continue;
            round_trip.add(static_cast<double>(traffic.replies->begin(there) + back), 1);
        }
    }
    std::optional<double> least = known(quickest_reply);
    if (latency.mean()) least = std::min(*latency.mean(), least.value_or(*latency.mean()));
    return {least, round_trip.mean()};
}

void add_idle(PointOutcome& outcome, const char* when, const Idle& idle, const char* method) {
    for (const auto& [what, cycles] :
         {std::pair("latency", idle.latency), std::pair("round_trip", idle.round_trip)}) {
        if (!cycles) continue;
        outcome.metrics.push_back(
            {fmt::format("{}_{}", when, what), "cycles", *cycles, {}, 0, method});
    }
}

void add_idle(PointOutcome& outcome, const Machine& machine, bool knows_load) {
    ZeroLoadPaths paths(machine.config, machine.graph, *machine.routing);
    if (!paths.are_fixed()) return;
    Idle mean;
    Idle least;
    if (machine.program) {  // for the same messages
        least.latency = machine.bounds.mean_latency;
        if (machine.bounds.mean_latency_is_exact) mean = least;
    } else {
        IdleExchanges exchanges(machine, paths);
        mean = mean_idle(*machine.pattern, exchanges);
        least = machine.config.steady ? quickest(*machine.pattern, exchanges)
                                      : mean_of_window(machine, exchanges);
    }
    add_idle(outcome, "zero_load", mean, "mean of idle paths");
    // After a failure there are other paths, which may be shorter.
    if (machine.later == nullptr && knows_load) add_idle(outcome, "least", least, "bound");
}

}  // namespace

bool needs_router_figures(const Config& config) {
    const TrafficConfig& traffic = config.traffic;
    const bool has_times = !traffic.program.empty() || !traffic.trace.file.empty() ||
                           !traffic.times_in_ns.empty() || !config.node.times_in_ns.empty() ||
                           traffic.load_in_units;
    return config.wires_need_synthesis() || (config.clock_is_synthesized && has_times);
}

std::optional<double> zero_load_latency(const Machine& machine) {
    ZeroLoadPaths paths(machine.config, machine.graph, *machine.routing);
    if (!paths.are_fixed()) return std::nullopt;
    IdleExchanges exchanges(machine, paths);
    return mean_idle(*machine.pattern, exchanges).latency;
}

LinkCounts appraised_links(const PointOutcome& appraisal) {
    LinkCounts counts;
    std::istringstream in(appraisal.word(kLinkDelays));
    for (LinkKind kind; in >> kind.delay; kind = {}) {
        char mark = ' ';
        in >> mark;
        if (mark == '/') in >> kind.rate_cycles >> mark;
        in >> counts[kind];
    }
    return counts;
}

PointOutcome appraise(const DesignPoint& point) {
    if (needs_router_figures(point.config)) return appraise_router(point.config);
    // Before its saturation is known, a share of it may be any load.
    const bool knows_load = !point.config.traffic.share_of_saturation;
    const Machine machine = build_machine(
        knows_load ? point.config : at_rate(point.config, most_offered(point.config)));
    require_traffic(machine);
    require_deadlock_freedom(machine);
    require_runnable(machine);
    choose_engine(machine, point.engine);
    PointOutcome outcome;
    outcome.status = PointStatus::kComplete;
    add_cost(outcome, machine);
    add_router(outcome, machine.config, machine.graph, *machine.routing);
    add_link_delays(outcome, machine.graph.whole());
    add_idle(outcome, machine, knows_load);
    if (machine.program) {
        outcome.metrics.push_back(
            {"lower_bound", "cycles", static_cast<double>(machine.bounds.max()), {}, 0, "bound"});
        if (point.by_energy) {
            const EnergyCounts counts = idle_counts(machine, machine.bounds.max());
            for (const auto& [name, member] : kEnergyCounts) {
                outcome.metrics.push_back({name, "", counts.*member, {}, 0, "bound"});
            }
            double bytes = 0;
            for (const Transfer& transfer : machine.program->transfers) {
                bytes += static_cast<double>(transfer.bytes);
            }
            outcome.metrics.push_back({kPayloadBits, "bits", 8 * bytes, {}, 0, "bound"});
        }
    } else {
        outcome.metrics.push_back(
            {"saturation_bound", "flits/node/cycle", load_bound(machine), {}, 0, "bound"});
        // Nodes that offer less than others count for less than one.
        outcome.metrics.push_back({"senders", "nodes", machine.pattern->pattern.offered()});
        outcome.metrics.push_back(
            {"bits_per_flit", "bits", LoadUnits(machine.config).bits_per_flit()});
    }
    return outcome;
}

}  // namespace flitscope::study
