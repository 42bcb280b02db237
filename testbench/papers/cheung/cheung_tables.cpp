// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/config/link_delay_config.h"
#include "testbench/papers/cheung/cheung_report.h"
#include "traffic/computations/grid_computations.h"

namespace flitscope::reproduce::cheung_lau {
namespace {

Table steps_table(std::uint32_t s, const Measured& measured) {
    Table table;
    table.title = fmt::format("Steps on n = {}, L = s = {}", s * s, s);
    table.source = "Sections 4 to 9; errata 003 and sections B to D";
    table.columns = {"computation",   "section",   "paper",   "formula",
                     "steps",         "simulated", "results", "cycles, constant",
                     "cycles, linear"};
    for (const Row& row : rows(s)) {
        const Outcome& constant = measured.row(s, row.key, false);
        const Outcome& linear = measured.row(s, row.key, true);
        table.rows.push_back({row.name, row.source, row.printed, row.formula, row.corrected,
                              constant.steps, constant.results, constant.cycles, linear.cycles});
    }
    table.notes = {
        "simulated: steps in which the hardware sent something; results: values that nodes hold in "
        "the end and that equal direct computation",
        fmt::format("messages of {} bytes in flits of 64 bits, router delay 1; constant: every "
                    "wire takes a cycle, linear: a cycle per place",
                    kSmall)};
    return table;
}

Table length_table(const Measured& measured) {
    Table table;
    table.title = fmt::format("Algorithm 1 on a line of {} nodes", kLine);
    table.source = "Section 3";
    table.columns = {"L", "steps (L - 1) + (T - 1)", "simulated", "cycles, constant",
                     "cycles, linear"};
    for (const std::uint32_t length : kLengths) {
        const Outcome& constant = measured.at(length_key(length), false);
        table.rows.push_back({length, length - 1 + (kLine + length - 1) / length - 1,
                              constant.steps, constant.cycles,
                              measured.at(length_key(length), true).cycles});
    }
    return table;
}

Table growth_table(const Measured& measured, std::uint32_t bytes) {
    Table table;
    table.title = fmt::format("Semigroup computation, {} wires per node and direction, {} bytes",
                              kPins, bytes);
    table.source = "Table 1, at equal cost";
    table.columns = {"network"};
    for (const std::uint32_t s : kGrowth)
        table.columns.push_back(fmt::format("N = {}", s * s * s * s));
    for (const bool is_linear : {false, true}) {
        for (const Network& network : networks()) {
            std::vector<Cell> cells = {network.name + (is_linear ? ", linear" : "")};
            for (const std::uint32_t s : kGrowth) {
                cells.push_back(
                    s > network.largest
                        ? Cell()
                        : Cell(measured.at(growth_key(network, s, bytes), is_linear).cycles));
            }
            table.rows.push_back(std::move(cells));
        }
    }
    table.notes = {
        "cycles; from N = 81 on the budget makes channels 64 bits wide on express meshes (8 "
        "links), "
        "128 on meshes and tori, 40 on HOWs of window 3",
        "linear: a wire takes a cycle per place; the torus is laid out flat, with wires "
        "of two places"};
    return table;
}

Table values_table(const Measured& measured) {
    Table table;
    table.title = fmt::format("{} values on P nodes", kValues);
    table.source = "Section 5";
    table.columns = {"P",        "values per node",    "local combinations", "steps simulated",
                     "together", "cycles of the steps"};
    for (const std::uint32_t s : kProcessorRoots) {
        const Outcome& outcome = measured.at(values_key(s), false);
        table.rows.push_back({s * s * s * s, values_per_node(s), values_per_node(s) - 1,
                              outcome.steps, total_steps(measured, s, kValues), outcome.cycles});
    }
    table.notes = {
        "a local combination counts as a step, as in the paper; the hardware takes no "
        "time for it"};
    return table;
}

Table physical_table(const Measured& measured) {
    constexpr std::uint32_t kNodes = kPhysicalRoot * kPhysicalRoot * kPhysicalRoot * kPhysicalRoot;
    Table table;
    table.title = fmt::format("Nanoseconds of a semigroup computation, {} wires per node, N = {}",
                              kPins, kNodes);
    table.source = "at the clock of each network's router";
    table.columns = {"network", "router", "period [ns]"};
    for (const std::uint32_t bytes : {kSmall, kLarge}) {
        table.columns.push_back(fmt::format("{} bytes: one step", bytes));
        for (const int pitch : kPitchesMm) table.columns.push_back(fmt::format("{} mm", pitch));
    }
    for (const Network& network : networks()) {
        std::vector<Cell> cells = {network.name, network.router,
                                   Cell(router_clock_ns(network.router), 3)};
        for (const std::uint32_t bytes : {kSmall, kLarge}) {
            for (const int pitch : {kOneStep, kPitchesMm[0], kPitchesMm[1]}) {
                cells.emplace_back(measured.ns(network.key.c_str(), kPhysicalRoot, pitch, bytes),
                                   0);
            }
        }
        table.rows.push_back(std::move(cells));
    }
    table.notes = {
        fmt::format(
            "one step: any wire takes a cycle; otherwise {} ns per millimetre, nodes so many "
            "millimetres apart",
            LinkDelayConfig().ns_per_mm),
        "the periods are those of routers with as many ports, virtual channels and bits, FIFOs of "
        "4 "
        "flits, and routes found by comparing coordinates (kept/routers.csv)"};
    return table;
}

Table physical_length_table(const Measured& measured) {
    Table table;
    table.title = fmt::format("Nanoseconds of Algorithm 1 on a line of {} nodes", kLine);
    table.source = fmt::format("at the clock of {}", kLineRouter);
    table.columns = {"L", "one step"};
    for (const int pitch : kPitchesMm) table.columns.push_back(fmt::format("{} mm", pitch));
    for (const std::uint32_t length : kLengths) {
        std::vector<Cell> cells = {length, Cell(measured.length_ns(length, kOneStep), 0)};
        for (const int pitch : kPitchesMm) cells.emplace_back(measured.length_ns(length, pitch), 0);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Rounds measure_rounds(NodeId numbers, std::uint32_t seeds) {
    std::vector<std::uint32_t> all;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        all.push_back(median_rounds(numbers, seed));
        sum += all.back();
    }
    std::sort(all.begin(), all.end());
    return {sum / seeds, all[seeds * 95 / 100]};
}

/// Mean rounds of quickselect for the middle one of `numbers`: one d places from it becomes a pivot
/// when it is the first to be chosen of the d + 1 from there on, with probability 1 / (d + 1).
double expected_rounds(NodeId numbers) {
    double sum = -1;
    for (NodeId k = 1; k <= numbers / 2 + 1; ++k) sum += (k <= numbers / 2 ? 2.0 : 1.0) / k;
    return sum;
}

Table rounds_table(const Rounds& of_256, const Rounds& of_4096) {
    Table table;
    table.title = "Rounds R of median finding";
    table.source = "errata, section C; by the rule of the nodes, without a simulator";
    table.columns = {"numbers", "seeds", "errata, mean", "quickselect, mean",
                     "mean",    "error", "errata, 95 %", "95 %"};
    const auto row = [](NodeId numbers, std::uint32_t seeds, double mean, std::uint32_t p95,
                        const Rounds& rounds) -> std::vector<Cell> {
        const double expected = expected_rounds(numbers);
        return {numbers,
                seeds,
                Cell(mean, 1),
                Cell(expected, 2),
                Cell(rounds.mean, 2),
                relative_error(rounds.mean, expected),
                p95,
                rounds.p95};
    };
    table.rows = {row(256, kSeedsOf256, 9.6, 15, of_256),
                  row(4096, kSeedsOf4096, 15.1, 22, of_4096)};
    table.notes = {
        "quickselect: its mean in theory, H(N / 2) + H(N / 2 + 1) - 1 with the harmonic numbers H"};
    return table;
}

Plot growth_plot(const Measured& measured, bool is_linear) {
    Plot plot;
    plot.name = is_linear ? "cheung_growth_linear" : "cheung_growth";
    plot.title = fmt::format("Semigroup computation, {} wires per node, {} bytes, {} wire delay",
                             kPins, kSmall, is_linear ? "linear" : "constant");
    plot.x_label = "N";
    plot.y_label = "cycles";
    plot.log_x = plot.log_y = true;
    plot.is_in_docs = true;
    for (const Network& network : networks()) {
        Series series;
        series.name = network.name;
        for (const std::uint32_t s : kGrowth) {
            if (s > network.largest) continue;
            const Cycle cycles = measured.at(growth_key(network, s, kSmall), is_linear).cycles;
            series.points.emplace_back(s * s * s * s, cycles);
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace

std::uint32_t total_steps(const Measured& measured, std::uint32_t s, std::uint32_t values) {
    const std::uint32_t nodes = s * s * s * s;
    return measured.at(values_key(s), false).steps + (values + nodes - 1) / nodes - 1;
}

MedianRounds measure_median_rounds() {
    return {measure_rounds(256, kSeedsOf256), measure_rounds(4096, kSeedsOf4096)};
}

std::vector<Table> tables(const Measured& measured, const MedianRounds& rounds) {
    std::vector<Table> all;
    for (const std::uint32_t s : kRoots) all.push_back(steps_table(s, measured));
    all.push_back(length_table(measured));
    all.push_back(diameter_table());
    all.push_back(growth_table(measured, kSmall));
    all.push_back(growth_table(measured, kLarge));
    all.push_back(physical_table(measured));
    all.push_back(physical_length_table(measured));
    all.push_back(values_table(measured));
    all.push_back(rounds_table(rounds.of_256, rounds.of_4096));
    return all;
}

std::vector<Plot> plots(const Measured& measured) {
    Plot lengths;
    lengths.name = "cheung_length";
    lengths.title = fmt::format("Algorithm 1 on a line of {} nodes", kLine);
    lengths.x_label = "length of the express links";
    lengths.y_label = "cycles";
    lengths.log_x = lengths.log_y = true;
    for (const bool is_linear : {false, true}) {
        Series series;
        series.name = is_linear ? "linear wire delay" : "constant wire delay";
        for (const std::uint32_t length : kLengths) {
            series.points.emplace_back(length, measured.at(length_key(length), is_linear).cycles);
        }
        lengths.series.push_back(std::move(series));
    }
    Plot values;
    values.name = "cheung_values";
    values.title = fmt::format("{} values on P nodes", kValues);
    values.x_label = "P";
    values.y_label = "steps and local combinations";
    values.log_x = values.log_y = true;
    Series together;
    together.name = "together";
    for (const std::uint32_t s : kProcessorRoots) {
        together.points.emplace_back(s * s * s * s, total_steps(measured, s, kValues));
    }
    values.series.push_back(std::move(together));
    return {growth_plot(measured, false), growth_plot(measured, true), lengths, values};
}

}  // namespace flitscope::reproduce::cheung_lau
