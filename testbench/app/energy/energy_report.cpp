// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/energy_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>
#include <set>

#include "testbench/app/gate_synthesis/router_table.h"
#include "testbench/app/gate_synthesis/wire_load.h"

namespace flitscope {
namespace {

/// Four digits, and no exponent.
std::string figure_text(double value) {
    return fmt::format("{:.{}f}", value, value >= 1000 ? 0 : value >= 100 ? 1 : 2);
}

TextTable table(const std::vector<EnergyOfVariant>& all) {
    using E = const EnergyOfVariant&;
    static const auto columns = behind_parameters<EnergyOfVariant>({
        {"write pJ", false, [](E e) { return figure_text(e.energy.write_pj); }},
        {"read pJ", false, [](E e) { return figure_text(e.energy.read_pj); }},
        {"cross pJ", false, [](E e) { return figure_text(e.energy.cross_pj); }},
        {"start pJ", false, [](E e) { return figure_text(e.energy.start_pj); }},
        {"arbitrate pJ", false, [](E e) { return figure_text(e.energy.arbitrate_pj); }},
        {"idle pJ/cycle", false, [](E e) { return figure_text(e.energy.idle_pj); }},
        {"leakage uW", false, [](E e) { return figure_text(1000 * e.energy.leakage_mw); }},
        {"link pJ", false, [](E e) { return figure_text(e.energy.link.flit_pj); }},
        {"link pJ/cycle", false, [](E e) { return figure_text(e.energy.link.idle_pj); }},
        {"error %", false, [](E e) { return fmt::format("{:.1f}", 100 * e.energy.error); }},
        {"of events %", false,
         [](E e) { return fmt::format("{:.1f}", 100 * e.energy.active_error); }},
    });
    return router_table(columns, all);
}

}  // namespace

std::string energy_conditions_text(const std::vector<EnergyOfVariant>& all) {
    std::set<std::string> libraries;
    std::set<std::string> wires;
    bool has_gates = false;
    for (const EnergyOfVariant& one : all) {
        libraries.insert(one.energy.library);
        wires.insert(one.energy.wires == WireLoad::kNone ? "no wires"
                                                         : wires_text(one.energy.wires));
        has_gates |= one.energy.clock_gates;
    }
    return fmt::format(
        "{}; a flit written, read, through the crossbar; additional energy of a flit after an idle "
        "cycle of the output, and of a header; the clock per cycle; registers of a link of one "
        "cycle. Gates simulated without delays (no glitches), power by OpenSTA with the "
        "transitions counted; {}{}, no clock tree. Errors: the largest among stimuli that were "
        "not used for the fit.",
        fmt::join(libraries, " or "), has_gates ? "clock gates, " : "", fmt::join(wires, " or "));
}

void print_energies(std::ostream& out, const std::vector<EnergyOfVariant>& all) {
    if (all.empty()) return;
    table(all).print(out);
    out << "\n  " << energy_conditions_text(all) << '\n';
    for (const EnergyOfVariant& one : all) {
        out << fmt::format("  {}: energies {}\n", one.variant.name(),
                           one.energy.from_cache
                               ? fmt::format("from the cache ({:.1f} s saved)", one.energy.seconds)
                               : fmt::format("found in {:.1f} s", one.energy.seconds));
    }
}

nlohmann::ordered_json router_energy_json(const RouterEnergy& e) {
    const auto link = [](const LinkEnergy& of) {
        return nlohmann::ordered_json{{"flit_pj", of.flit_pj},
                                      {"idle_pj_per_cycle", of.idle_pj},
                                      {"leakage_mw", of.leakage_mw}};
    };
    return {{"write_pj", e.write_pj},
            {"read_pj", e.read_pj},
            {"cross_pj", e.cross_pj},
            {"start_pj", e.start_pj},
            {"arbitrate_pj", e.arbitrate_pj},
            {"idle_pj_per_cycle", e.idle_pj},
            {"leakage_mw", e.leakage_mw},
            {"link", link(e.link)},
            {"link_further_cycle", link(e.further)},
            {"wire_toggles_per_flit", e.wire_toggles},
            {"wire_toggles_per_start", e.start_toggles},
            {"voltage", e.voltage},
            {"error", e.error},
            {"active_error", e.active_error},
            {"seconds", e.seconds},
            {"from_cache", e.from_cache}};
}

std::string energy_markdown_table(std::vector<EnergyOfVariant> all) {
    if (all.empty()) return {};
    sort_by_parameters(all);
    return table(all).markdown() + '\n' + energy_conditions_text(all) + '\n';
}

}  // namespace flitscope
