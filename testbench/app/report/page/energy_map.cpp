// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/page/energy_map.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "models/fabric/faulted_network.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/energy/run_energy.h"
#include "testbench/app/report/page/packed_numbers.h"
#include "testbench/app/run/energy_counts.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {
namespace {

/// The part of the cycles in which a router works, times the planes that it is on.
double working_part(const Machine& machine, RouterId router, Cycle cycles) {
    const double before = part_before_faults(machine, cycles);
    double part = machine.graph.is_alive(router) ? before : 0;
    if (before < 1 && machine.later->graph.is_alive(router)) part += 1 - before;
    return part * machine.graph.planes();
}

/// energy_counts() of each router, without links.
std::vector<EnergyCounts> router_counts(const Machine& machine, const SimulationResult& result) {
    const ChannelMap map(machine.graph);
    std::vector<EnergyCounts> counts(machine.graph.router_count());
    const Cycle cycles = powered_cycles(result);
    for (RouterId router; router < machine.graph.router_count(); ++router) {
        EnergyCounts& of = counts[router.number()];
        of.cycles = static_cast<double>(cycles);
        of.routers = working_part(machine, router, cycles);
    }
    for (ChannelId channel = 0; channel < map.count(); ++channel) {
        const auto flits = static_cast<double>(result.channel_flits[channel]);
        const Link* const link =
            map.is_link(channel) ? &machine.graph.link(map.link_of(channel)) : nullptr;
        if (!map.is_ejection(channel)) {
            const RouterId to = link == nullptr ? map.router(channel) : link->to;
            counts[to.number()].writes += flits;
        }
        if (map.is_injection(channel)) continue;
        EnergyCounts& of = counts[(link == nullptr ? map.router(channel) : link->from).number()];
        of.sends += flits;
        of.packets += static_cast<double>(result.sendings[channel].packets);
        of.starts += static_cast<double>(result.sendings[channel].starts);
    }
    return counts;
}

}  // namespace

Json energy_map_json(const Machine& machine, const SimulationResult& result) {
    constexpr double kFemto = 1e-15;
    const RouterEnergy router = require_router_energy(machine);
    const auto energy_of = [&](const EnergyCounts& counts) {
        const double joules = run_energy(counts, router, machine.config.clock_ns).total();
        return static_cast<std::int64_t>(std::llround(joules / kFemto));
    };
    std::vector<std::int64_t> routers;
    for (const EnergyCounts& counts : router_counts(machine, result)) {
        routers.push_back(energy_of(counts));
    }
    const ChannelMap map(machine.graph);
    std::vector<std::int64_t> links;
    for (LinkId link = 0; link < machine.graph.link_count(); ++link) {
        links.push_back(energy_of(link_counts(machine, result, map, link)));
    }
    return {{"routers", packed(routers)}, {"links", packed(links)}};
}

}  // namespace flitscope
