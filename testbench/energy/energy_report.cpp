// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/energy/energy_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <set>
#include <tuple>
#include <utility>

namespace flitscope {
namespace {

using Cells = std::vector<std::string>;

struct Column {
    const char* title;
    bool only_if_rows_differ;
    std::function<std::string(const EnergyOfVariant&)> text;
};

/// Four digits, and no exponent.
std::string figure_text(double value) {
    return fmt::format("{:.{}f}", value, value >= 1000 ? 0 : value >= 100 ? 1 : 2);
}

const std::vector<Column>& columns() {
    using E = const EnergyOfVariant&;
    static const std::vector<Column> all = {
        {"ports", false, [](E e) { return std::to_string(e.variant.ports); }},
        {"VCs", false, [](E e) { return std::to_string(e.variant.virtual_channels); }},
        {"depth", false, [](E e) { return std::to_string(e.variant.depth); }},
        {"bits", true, [](E e) { return std::to_string(e.variant.flit_bits); }},
        {"delay", true, [](E e) { return std::to_string(e.variant.router_delay); }},
        {"entries", true, [](E e) { return std::to_string(e.variant.table_entries); }},
        {"hold", true, [](E e) { return std::string(e.variant.hold ? "yes" : "no"); }},
        {"combined", true, [](E e) { return std::string(e.variant.combined ? "yes" : "no"); }},
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
    };
    return all;
}

/// The titles, then one row per router.
std::vector<Cells> table(const std::vector<EnergyOfVariant>& all) {
    std::vector<Cells> rows(all.size() + 1);
    for (const Column& column : columns()) {
        std::set<std::string> values;
        for (const EnergyOfVariant& one : all) values.insert(column.text(one));
        if (column.only_if_rows_differ && values.size() < 2) continue;
        rows[0].emplace_back(column.title);
        for (std::size_t i = 0; i < all.size(); ++i) rows[i + 1].push_back(column.text(all[i]));
    }
    return rows;
}

}  // namespace

std::string energy_conditions_text(const std::vector<EnergyOfVariant>& all) {
    std::set<std::string> libraries;
    for (const EnergyOfVariant& one : all) libraries.insert(one.energy.library);
    return fmt::format(
        "{}; a flit written, read, through the crossbar, and besides it one behind a pause of the "
        "output and a header; the clock per cycle; registers of a link of one cycle. Gates "
        "simulated without delays (no glitches), power by OpenSTA with the transitions counted; no "
        "wires, no clock tree. Errors: the largest among stimuli that were not fitted to.",
        fmt::join(libraries, " or "));
}

void print_energies(std::ostream& out, const std::vector<EnergyOfVariant>& all) {
    if (all.empty()) return;
    std::vector<Cells> rows = table(all);
    for (std::size_t c = 0; c < rows[0].size(); ++c) {
        std::size_t width = 0;
        for (const Cells& row : rows) width = std::max(width, row[c].size());
        for (Cells& row : rows) row[c].insert(0, width - row[c].size(), ' ');
    }
    for (const Cells& row : rows) out << fmt::format("  {}\n", fmt::join(row, "  "));
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
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        const auto order = [](const hw::RtlVariant& v) {
            return std::make_tuple(v.ports, v.virtual_channels, v.hold, v.combined, v.depth);
        };
        return order(a.variant) < order(b.variant);
    });
    const std::vector<Cells> rows = table(all);
    std::string text;
    const auto line = [&text](const Cells& row) {
        text += fmt::format("| {} |\n", fmt::join(row, " | "));
    };
    line(rows[0]);
    line(Cells(rows[0].size(), "---:"));
    for (std::size_t i = 1; i < rows.size(); ++i) line(rows[i]);
    return text + '\n' + energy_conditions_text(all) + '\n';
}

}  // namespace flitscope
