// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "testbench/energy/run_energy.h"
#include "testbench/report/report_lines.h"
#include "testbench/report/report_parts.h"

namespace flitscope {
namespace {

/// "3.21 uJ"
std::string joules_text(double joules) {
    static const std::vector<std::pair<double, const char*>> units = {
        {1, "J"}, {1e-3, "mJ"}, {1e-6, "uJ"}, {1e-9, "nJ"}};
    for (const auto& [unit, name] : units) {
        if (joules >= unit) return fmt::format("{:.3f} {}", joules / unit, name);
    }
    return fmt::format("{:.3f} pJ", joules / 1e-12);
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

}  // namespace

Json energy_json(const Machine& machine, const SimulationResult& result) {
    const RunEnergy energy = run_energy(machine, result, require_router_energy(machine));
    const RunEnergy::Routers& routers = energy.routers;
    return {{"total_j", energy.total()},
            {"routers",
             {{"write_j", routers.write},
              {"read_j", routers.read},
              {"cross_j", routers.cross},
              {"arbitrate_j", routers.arbitrate},
              {"idle_j", routers.idle},
              {"leakage_j", routers.leakage}}},
            {"links",
             {{"flits_j", energy.links.flits},
              {"idle_j", energy.links.idle},
              {"leakage_j", energy.links.leakage}}},
            {"wires_j", or_null(energy.wires)},
            {"per_message_j", or_null(energy.per_message())},
            {"per_flit_hop_j", or_null(energy.per_flit_hop())},
            {"mean_power_w", or_null(energy.watts())},
            {"seconds", energy.seconds},
            {"clock_ns", machine.config.clock_ns},
            {"variant", energy.variant},
            {"library", energy.router.library},
            {"fit_error", energy.router.error}};
}

void print_energy(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    const RunEnergy energy = run_energy(machine, result, require_router_energy(machine));
    const double total = energy.total();
    std::string text = fmt::format("{} in {} cycles of {} ns", joules_text(total),
                                   grouped(result.span()), machine.config.clock_ns);
    if (const auto each = energy.per_message()) {
        text += fmt::format(", {} per message", joules_text(*each));
    }
    if (const auto each = energy.per_flit_hop()) {
        text += fmt::format(", {} per flit-hop", joules_text(*each));
    }
    print_line(out, "energy", text);
    if (total <= 0) return;
    const RunEnergy::Routers& routers = energy.routers;
    text.clear();
    const auto part = [&](double joules, const char* name) {
        text += fmt::format("{}{:.1f} % {}", text.empty() ? "" : ", ", 100 * joules / total, name);
    };
    part(routers.idle, "clock of routers");
    part(routers.write, "writing");
    part(routers.read, "reading");
    part(routers.cross, "crossing");
    part(routers.arbitrate, "arbitrating");
    part(energy.links.idle, "clock of links");
    part(energy.links.flits, "links");
    part(routers.leakage + energy.links.leakage, "leakage");
    if (energy.wires) {
        part(*energy.wires, "wires");
    } else {
        text += "; without wires, for they have no length in mm";
    }
    print_line(out, "", text);
}

void write_energy_csv(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    const RunEnergy energy = run_energy(machine, result, require_router_energy(machine));
    const ChannelMap map(machine.graph);
    out << "link,from,to,flits,packets,starts,registers_j,wires_j\n";
    for (LinkId id = 0; id < machine.graph.link_count(); ++id) {
        const Link& link = machine.graph.link(id);
        const ChannelSendings::Counts& counts = result.sendings[map.link(id)];
        const RunEnergy::PerLink& of_link = energy.per_link[id];
        fmt::print(out, "{},{},{},{},{},{},{:.6g},{}\n", machine.graph.link_name(id), link.from,
                   link.to, result.channel_flits[map.link(id)], counts.packets, counts.starts,
                   of_link.registers, energy.wires ? fmt::format("{:.6g}", of_link.wires) : "");
    }
}

}  // namespace flitscope
