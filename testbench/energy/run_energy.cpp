// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/energy/run_energy.h"

#include <fmt/format.h>

#include "hw/verilated/rtl_limitations.h"
#include "models/base/diagnostics.h"

namespace flitscope {
namespace {

constexpr double kPico = 1e-12;
constexpr double kNano = 1e-9;
constexpr double kMilli = 1e-3;

}  // namespace

RouterEnergy require_router_energy(const Machine& machine) {
    const Config& config = machine.config;
    if (const auto refusal = hw::synthesis_refusal(config, machine.graph, *machine.routing)) {
        throw ConfigError({refusal->diagnostic(config)});
    }
    const hw::RtlVariant variant = hw::rtl_variant(config, machine.graph, *machine.routing);
    auto energy = cached_router_energy(variant, {});
    if (!energy) {
        throw ConfigError({config.source, 0, 0},
                          fmt::format("the energies of {} are not known", variant.name()),
                          "flitscope synth --energy with this configuration finds them");
    }
    return *std::move(energy);
}

RunEnergy run_energy(const Machine& machine, const SimulationResult& result,
                     const RouterEnergy& router) {
    const Graph& graph = machine.graph;
    const ChannelMap map(graph);
    RunEnergy energy;
    energy.router = router;
    energy.variant = hw::rtl_variant(machine.config, graph, *machine.routing).name();
    const auto cycles = static_cast<double>(result.span());
    energy.seconds = cycles * machine.config.clock_ns * kNano;
    energy.messages = static_cast<double>(result.messages_delivered);
    energy.flit_hops = static_cast<double>(result.flit_hops);
    double writes = 0;
    double sends = 0;
    double packets = 0;
    double starts = 0;
    for (ChannelId channel = 0; channel < map.count(); ++channel) {
        const auto flits = static_cast<double>(result.channel_flits[channel]);
        // A router writes what comes over its links and from its node, and sends what goes there.
        if (!map.is_ejection(channel)) writes += flits;
        if (map.is_injection(channel)) continue;
        sends += flits;
        packets += static_cast<double>(result.sendings[channel].packets);
        starts += static_cast<double>(result.sendings[channel].starts);
    }
    RunEnergy::Routers& routers = energy.routers;
    routers.write = writes * router.write_pj * kPico;
    routers.read = sends * router.read_pj * kPico;
    routers.cross = (sends * router.cross_pj + starts * router.start_pj) * kPico;
    routers.arbitrate = packets * router.arbitrate_pj * kPico;
    routers.idle = graph.node_count() * cycles * router.idle_pj * kPico;
    routers.leakage = graph.node_count() * router.leakage_mw * kMilli * energy.seconds;
    energy.per_link.resize(graph.link_count());
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const auto flits = static_cast<double>(result.channel_flits[map.link(id)]);
        const double further = graph.link(id).delay - 1;
        const auto of = [&](double LinkEnergy::*figure) {
            return router.link.*figure + further * router.further.*figure;
        };
        const double moved = flits * of(&LinkEnergy::flit_pj) * kPico;
        const double idle = cycles * of(&LinkEnergy::idle_pj) * kPico;
        const double leakage = of(&LinkEnergy::leakage_mw) * kMilli * energy.seconds;
        energy.links.flits += moved;
        energy.links.idle += idle;
        energy.links.leakage += leakage;
        energy.per_link[id].registers = moved + idle + leakage;
    }
    return energy;
}

}  // namespace flitscope
