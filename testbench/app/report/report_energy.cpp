// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/channel_timing.h"
#include "models/topology/families/link_rates.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/energy/run_energy.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"
#include "testbench/app/study/explore/routers.h"

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

/// Null if nothing was counted.
Json ratio(double joules, std::uint64_t count) {
    return count == 0 ? Json() : Json(joules / static_cast<double>(count));
}

RunEnergy energy_of(const Machine& machine, const SimulationResult& result,
                    const RouterEnergy& router) {
    return run_energy(energy_counts(machine, result), router, machine.config.clock_ns);
}

/// What the flits of each message class took; the clock and leakage are of all together.
struct ClassEnergy {
    std::string name;
    double joules = 0;
    std::uint64_t messages = 0;
};
std::vector<ClassEnergy> energy_of_classes(const Machine& machine, const SimulationResult& result,
                                           const RouterEnergy& router) {
    std::vector<ClassEnergy> classes;
    for (std::size_t k = 0; k < result.class_sendings.size(); ++k) {
        const RunEnergy energy =
            run_energy(class_counts(machine, result, k), router, machine.config.clock_ns);
        classes.push_back({machine.config.fabric.classes[k], energy.total(),
                           k < result.classes.size() ? result.classes[k].delivered : 0});
    }
    return classes;
}

std::uint64_t pairs(const SimulationResult& result) {
    return result.replies ? result.replies->replies_delivered : 0;
}

/// For a long packet without contention. Through a FIFO that is shorter than its credit loop it
/// goes in bursts of that length, and the outputs downstream send as they come.
double starts_per_flit(const ChannelTiming& channel) {
    const bool pauses = channel.has_fifo() && channel.depth < channel.streaming_depth();
    return pauses ? 1.0 / channel.depth : 0;
}

bool has_wires(const Machine& machine) { return machine.config.fabric.link_delay.is_physical(); }

}  // namespace

Json energy_json(const Machine& machine, const SimulationResult& result) {
    const RouterEnergy router = require_router_energy(machine);
    const RunEnergy energy = energy_of(machine, result, router);
    const RunEnergy::Routers& routers = energy.routers;
    Json json = {
        {"total_j", energy.total()},
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
        {"wires_j", has_wires(machine) ? Json(energy.wires) : Json()},
        {"transceivers_j", energy.transceivers},
        {"per_message_j", ratio(energy.total(), result.messages_delivered)},
        {"per_flit_hop_j", ratio(energy.total(), result.flit_hops)},
        {"per_bit_j", ratio(energy.total(), result.bits_delivered())},
        {"per_round_trip_j", ratio(energy.total(), pairs(result))},
        {"mean_power_w", energy.seconds > 0 ? Json(energy.total() / energy.seconds) : Json()},
        {"seconds", energy.seconds},
        {"clock_ns", machine.config.clock_ns},
        {"variant", hw::built_variant(machine.config, machine.graph, *machine.routing).name()},
        {"library", router.library},
        {"fit_error", router.error}};
    for (const ClassEnergy& of : energy_of_classes(machine, result, router)) {
        json["classes"].push_back({{"name", of.name},
                                   {"flits_j", of.joules},
                                   {"per_message_j", ratio(of.joules, of.messages)}});
    }
    return json;
}

void print_energy(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    const RouterEnergy router = require_router_energy(machine);
    const RunEnergy energy = energy_of(machine, result, router);
    const double total = energy.total();
    std::string text = fmt::format("{} in {} cycles of {} ns", joules_text(total),
                                   grouped(powered_cycles(result)), machine.config.clock_ns);
    const auto each = [&](std::uint64_t count, const char* of) {
        if (count == 0) return;
        text += fmt::format(", {} per {}", joules_text(total / static_cast<double>(count)), of);
    };
    each(result.messages_delivered, "message");
    each(pairs(result), "request with its reply");
    each(result.flit_hops, "flit-hop");
    each(result.bits_delivered(), "bit of payload");
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
    part(energy.links.flits, "registers of links");
    part(routers.leakage + energy.links.leakage, "leakage");
    if (energy.transceivers > 0) part(energy.transceivers, "transceivers between dies");
    if (has_wires(machine)) {
        part(energy.wires, "wires");
    } else {
        text += "; wires are not in it: without fabric.link_delay.pitch_mm they have no length";
    }
    print_line(out, "", text);
    for (const ClassEnergy& of : energy_of_classes(machine, result, router)) {
        text = fmt::format("{} ({:.1f} %) for the flits of class {}", joules_text(of.joules),
                           100 * of.joules / total, of.name);
        if (of.messages != 0) {
            const double each_message = of.joules / static_cast<double>(of.messages);
            text += fmt::format(", {} per message", joules_text(each_message));
        }
        print_line(out, "", text);
    }
}

std::optional<StaticEnergy> static_energy(const Machine& machine, double mean_hops) {
    const auto router =
        cached_average_energy(hw::built_routers(machine.config, machine.graph, *machine.routing),
                              machine.config.technology);
    if (!router) return std::nullopt;
    constexpr double kPico = 1e-12;
    const EnergyCounts cycle = idle_counts(machine, 1);
    EnergyCounts flit;
    flit.writes = flit.sends = mean_hops + 1;
    flit.link_flits = mean_hops;
    // On links as they are on average; planes are alike.
    const double planes = machine.graph.planes();
    const double links = std::max(1.0, cycle.links / planes);
    const ChannelTimings timings(machine.config.fabric);
    const double from_node = starts_per_flit(timings.injection());
    flit.further_flits = mean_hops * cycle.further_cycles / planes / links;
    for (LinkId id = 0; id < machine.graph.link_count(); ++id) {
        const double pf = mean_hops * wire_pf(machine, id) / links;
        const double starts =
            std::max(from_node, starts_per_flit(timings.link(machine.graph.link(id))));
        flit.starts += (mean_hops + 1) * starts / links;  // to its node, too
        flit.wire_flits += pf;
        flit.transceivers +=
            mean_hops / links *
            transceiver_pj(machine.config.fabric, machine.graph, machine.graph.link(id));
        flit.wire_starts += pf * starts;
    }
    const RunEnergy idle = run_energy(cycle, *router, machine.config.clock_ns);
    return StaticEnergy{(idle.routers.idle + idle.links.idle) / kPico,
                        run_energy(flit, *router, machine.config.clock_ns).total() / kPico};
}

void write_energy_csv(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    const RouterEnergy router = require_router_energy(machine);
    const ChannelMap map(machine.graph);
    out << "link,from,to,flits,packets,starts,registers_j,wires_j,transceivers_j\n";
    for (LinkId id = 0; id < machine.graph.link_count(); ++id) {
        const Link& link = machine.graph.link(id);
        ChannelSendings::Counts counts;
        std::uint64_t flits = 0;
        for (std::uint32_t plane = 0; plane < map.planes(); ++plane) {
            const ChannelId channel = map.link(id, plane);
            counts.packets += result.sendings[channel].packets;
            counts.starts += result.sendings[channel].starts;
            flits += result.channel_flits[channel];
        }
        const RunEnergy energy =
            run_energy(link_counts(machine, result, map, id), router, machine.config.clock_ns);
        out << fmt::format(
            "{},{},{},{},{},{},{:.6g},{},{:.6g}\n", machine.graph.link_name(id), link.from, link.to,
            flits, counts.packets, counts.starts, energy.links.sum(),
            has_wires(machine) ? fmt::format("{:.6g}", energy.wires) : "", energy.transceivers);
    }
}

}  // namespace flitscope
