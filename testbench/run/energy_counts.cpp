// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/run/energy_counts.h"

#include "testbench/run/simulation.h"

namespace flitscope {

double wire_pf(const Machine& machine, LinkId link) {
    const LinkDelayConfig& wires = machine.config.fabric.link_delay;
    if (!wires.is_physical()) return 0;
    return machine.graph.link(link).length * wires.pitch_mm * wires.pf_per_mm;
}

EnergyCounts idle_counts(const Machine& machine, Cycle cycles) {
    EnergyCounts counts;
    counts.cycles = static_cast<double>(cycles);
    counts.routers = machine.graph.node_count();
    counts.links = machine.graph.link_count();
    for (const Link& link : machine.graph.links()) counts.further_cycles += link.delay - 1;
    return counts;
}

EnergyCounts energy_counts(const Machine& machine, const SimulationResult& result) {
    const Graph& graph = machine.graph;
    const ChannelMap map(graph);
    EnergyCounts counts = idle_counts(machine, result.span());
    for (ChannelId channel = 0; channel < map.count(); ++channel) {
        const auto flits = static_cast<double>(result.channel_flits[channel]);
        if (!map.is_ejection(channel)) counts.writes += flits;
        if (map.is_injection(channel)) continue;
        const auto starts = static_cast<double>(result.sendings[channel].starts);
        counts.sends += flits;
        counts.packets += static_cast<double>(result.sendings[channel].packets);
        counts.starts += starts;
        if (!map.is_link(channel)) continue;
        counts.link_flits += flits;
        counts.further_flits += flits * (graph.link(channel).delay - 1);
        counts.wire_flits += flits * wire_pf(machine, channel);
        counts.wire_starts += starts * wire_pf(machine, channel);
    }
    return counts;
}

}  // namespace flitscope
