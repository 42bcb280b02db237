// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/run_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/verilated/rtl_limitations.h"
#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "testbench/app/build/machine.h"

namespace flitscope {
namespace {

constexpr double kPico = 1e-12;
constexpr double kNano = 1e-9;
constexpr double kMilli = 1e-3;

}  // namespace

RunEnergy run_energy(const EnergyCounts& counts, const RouterEnergy& router, double clock_ns) {
    RunEnergy energy;
    energy.seconds = counts.cycles * clock_ns * kNano;
    RunEnergy::Routers& routers = energy.routers;
    routers.write = counts.writes * router.write_pj * kPico;
    routers.read = counts.sends * router.read_pj * kPico;
    routers.cross = (counts.sends * router.cross_pj + counts.starts * router.start_pj) * kPico;
    routers.arbitrate = counts.packets * router.arbitrate_pj * kPico;
    routers.idle = counts.routers * counts.cycles * router.idle_pj * kPico;
    routers.leakage = counts.routers * router.leakage_mw * kMilli * energy.seconds;
    const LinkEnergy& first = router.link;
    const LinkEnergy& further = router.further;
    RunEnergy::Links& links = energy.links;
    links.flits =
        (counts.link_flits * first.flit_pj + counts.further_flits * further.flit_pj) * kPico;
    links.idle = (counts.links * first.idle_pj + counts.further_cycles * further.idle_pj) *
                 counts.cycles * kPico;
    links.leakage = (counts.links * first.leakage_mw + counts.further_cycles * further.leakage_mw) *
                    kMilli * energy.seconds;
    // C V^2 / 2 for every transition.
    const double toggled_pf =
        counts.wire_flits * router.wire_toggles + counts.wire_starts * router.start_toggles;
    energy.wires = toggled_pf * kPico * router.voltage * router.voltage / 2;
    energy.transceivers = counts.transceivers * kPico;
    return energy;
}

RouterEnergy average_energy(const std::vector<EnergyOfKind>& kinds) {
    if (kinds.empty()) return {};
    RouterEnergy average = kinds.front().energy;  // of links, which are alike, and of the library
    const auto over = [&](double RouterEnergy::*part, auto weight_of) {
        double sum = 0;
        double weights = 0;
        for (const EnergyOfKind& one : kinds) {
            const double weight = weight_of(one.kind);
            sum += weight * one.energy.*part;
            weights += weight;
        }
        average.*part = sum / weights;
    };
    const auto routers = [](const hw::BuiltRouter& kind) { return double{1} * kind.count; };
    const auto ports = [](const hw::BuiltRouter& kind) {
        return double{1} * kind.count * hw::used_ports(kind.variant);
    };
    for (const auto part : {&RouterEnergy::idle_pj, &RouterEnergy::leakage_mw}) over(part, routers);
    for (const auto part :
         {&RouterEnergy::write_pj, &RouterEnergy::read_pj, &RouterEnergy::cross_pj,
          &RouterEnergy::arbitrate_pj, &RouterEnergy::start_pj, &RouterEnergy::wire_toggles,
          &RouterEnergy::start_toggles}) {
        over(part, ports);
    }
    for (const EnergyOfKind& one : kinds) {
        average.error = std::max(average.error, one.energy.error);
        average.active_error = std::max(average.active_error, one.energy.active_error);
    }
    return average;
}

std::optional<RouterEnergy> cached_average_energy(const hw::BuiltRouters& routers,
                                                  const TechnologyConfig& technology) {
    std::vector<EnergyOfKind> kinds;
    for (const hw::BuiltRouter& kind : routers) {
        auto energy = cached_router_energy(kind.variant, technology);
        if (!energy) return std::nullopt;
        kinds.push_back({kind, *std::move(energy)});
    }
    return average_energy(kinds);
}

RouterEnergy require_router_energy(const Machine& machine) {
    const Config& config = machine.config;
    if (const auto refusal = hw::synthesis_refusal(config, machine.graph, *machine.routing)) {
        throw ConfigError({refusal->diagnostic(config)});
    }
    if (machine.graph.whole().has_slow_links()) {
        throw no_energies_of_slow_links(config.where("fabric.link_rate"));
    }
    if (config.fabric.has_output_queues()) {
        throw no_energies_of_output_queues(config.where("fabric.output_speedup"));
    }
    const hw::BuiltRouters routers = hw::built_routers(config, machine.graph, *machine.routing);
    if (auto energy = cached_average_energy(routers, config.technology)) return *std::move(energy);
    const auto unknown =
        std::find_if(routers.begin(), routers.end(), [&](const hw::BuiltRouter& kind) {
            return !cached_router_energy(kind.variant, config.technology);
        });
    throw ConfigError(
        {config.source, 0, 0},
        fmt::format("the energies of {} are not known{}", unknown->variant.name(),
                    config.technology.is_standard() ? "" : " in " + config.technology.text()),
        "flitscope synth --energy with this configuration finds them");
}

}  // namespace flitscope
