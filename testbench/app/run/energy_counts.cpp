// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/run/energy_counts.h"

#include "models/config/link_delay_config.h"
#include "models/fabric/faulted_network.h"
#include "models/topology/families/link_rates.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {
namespace {

/// What channels sent.
struct Sent {
    const std::vector<std::uint64_t>& flits;               // per channel
    const std::vector<ChannelSendings::Counts>& sendings;  // the same
};

/// Adds the flits that went over a link, on all planes.
void add_link(EnergyCounts& counts, const Machine& machine, const Sent& sent, const ChannelMap& map,
              LinkId link) {
    const double pf = wire_pf(machine, link);
    const double pj =
        transceiver_pj(machine.config.fabric, machine.graph, machine.graph.link(link));
    for (std::uint32_t plane = 0; plane < map.planes(); ++plane) {
        const ChannelId channel = map.link(link, plane);
        const auto flits = static_cast<double>(sent.flits[channel]);
        counts.link_flits += flits;
        counts.further_flits += flits * (machine.graph.link(link).delay - 1);
        counts.wire_flits += flits * pf;
        counts.transceivers += flits * pj;
        counts.wire_starts += static_cast<double>(sent.sendings[channel].starts) * pf;
    }
}

void add_sent(EnergyCounts& counts, const Machine& machine, const Sent& sent) {
    const ChannelMap map(machine.graph);
    for (ChannelId channel = 0; channel < map.count(); ++channel) {
        const auto flits = static_cast<double>(sent.flits[channel]);
        if (!map.is_ejection(channel)) counts.writes += flits;
        if (map.is_injection(channel)) continue;
        counts.sends += flits;
        counts.packets += static_cast<double>(sent.sendings[channel].packets);
        counts.starts += static_cast<double>(sent.sendings[channel].starts);
    }
    for (LinkId link = 0; link < machine.graph.link_count(); ++link) {
        add_link(counts, machine, sent, map, link);
    }
}

/// Adds what exists there during `part` of the cycles. Dead routers and links spend nothing.
void add_standing(EnergyCounts& counts, const Graph& graph, double part) {
    part *= graph.planes();
    counts.routers += part * graph.working_router_count();
    counts.links += part * static_cast<double>(graph.link_count());
    for (const Link& link : graph.links()) counts.further_cycles += part * (link.delay - 1);
}

}  // namespace

Cycle powered_cycles(const SimulationResult& result) {
    return std::max(result.active_cycles(), result.ranks_end());
}

double part_before_faults(const Machine& machine, Cycle cycles) {
    if (machine.later == nullptr || cycles <= machine.later->at) return 1;
    return static_cast<double>(machine.later->at) / static_cast<double>(cycles);
}

double wire_pf(const Machine& machine, LinkId link) {
    return machine.graph.link(link).mm * machine.config.fabric.link_delay.pf_per_mm;
}

EnergyCounts idle_counts(const Machine& machine, Cycle cycles) {
    EnergyCounts counts;
    counts.cycles = static_cast<double>(cycles);
    const double before = part_before_faults(machine, cycles);
    add_standing(counts, machine.graph, before);
    if (before < 1) add_standing(counts, machine.later->graph, 1 - before);
    return counts;
}

EnergyCounts energy_counts(const Machine& machine, const SimulationResult& result) {
    EnergyCounts counts = idle_counts(machine, powered_cycles(result));
    add_sent(counts, machine, {result.channel_flits, result.sendings});
    return counts;
}

EnergyCounts class_counts(const Machine& machine, const SimulationResult& result,
                          std::size_t message_class) {
    EnergyCounts counts;
    std::vector<std::uint64_t> flits;
    for (const ChannelSendings::Counts& of : result.class_sendings[message_class]) {
        flits.push_back(of.flits);
    }
    add_sent(counts, machine, {flits, result.class_sendings[message_class]});
    return counts;
}

EnergyCounts link_counts(const Machine& machine, const SimulationResult& result,
                         const ChannelMap& map, LinkId link) {
    const Cycle cycles = powered_cycles(result);
    const Link& wires = machine.graph.link(link);
    EnergyCounts counts;
    counts.cycles = static_cast<double>(cycles);
    const bool dies = machine.later != nullptr &&
                      machine.later->graph.out_link(wires.from, wires.from_port) == kNoLink;
    counts.links = dies ? part_before_faults(machine, cycles) : map.planes();
    counts.further_cycles = counts.links * (wires.delay - 1);
    add_link(counts, machine, {result.channel_flits, result.sendings}, map, link);
    return counts;
}

}  // namespace flitscope
