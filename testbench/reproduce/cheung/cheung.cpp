// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cheung and Lau 1995: computations on meshes with express links, their steps and what these cost
// when wires are free, when they take time in proportion to their length, and at equal cost.
#include "testbench/reproduce/cheung/cheung.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "models/topology/families/topologies.h"
#include "testbench/configuration/configuration.h"
#include "testbench/reproduce/cheung/cheung_experiments.h"
#include "testbench/reproduce/frame/paper.h"
#include "testbench/reproduce/frame/routers.h"
#include "traffic/computations/computations.h"
#include "traffic/computations/grid_computations.h"

namespace flitscope::reproduce {
namespace {

using namespace cheung_lau;

std::string text(double number) { return fmt::format("{:.2f}", number); }

constexpr int kOneStep = 0;  ///< in place of a pitch

/// Outcomes by the parts of their keys.
class Measured {
public:
    explicit Measured(const Outcomes& outcomes) : outcomes_(outcomes) {}

    const Outcome& at(const std::string& key, bool is_linear) const {
        return outcomes_.at(full_key(key, is_linear));
    }
    Cycle growth(const char* network, std::uint32_t s, bool is_linear,
                 std::uint32_t bytes = kSmall) const {
        return at(growth_key(network_of(network), s, bytes), is_linear).cycles;
    }
    /// Nanoseconds with wires of so many millimetres per node pitch; with kOneStep every wire takes
    /// a cycle.
    double ns(const char* network, std::uint32_t s, int pitch_mm,
              std::uint32_t bytes = kSmall) const {
        const Network& of = network_of(network);
        const std::string key = growth_key(of, s, bytes);
        return nanoseconds(key, pitch_mm, of.router);
    }
    double length_ns(std::uint32_t length, int pitch_mm) const {
        return nanoseconds(length_key(length), pitch_mm, kLineRouter);
    }
    double exponent_ns(const char* network, int pitch_mm) const {
        const auto [from, to] = kExponentRoots;
        return std::log(ns(network, to, pitch_mm) / ns(network, from, pitch_mm)) /
               std::log(std::pow(1.0 * to / from, 4));
    }
    /// b in cycles ~ N^b, between the meshes of two sides.
    double exponent(const char* network, std::uint32_t from, std::uint32_t to,
                    bool is_linear) const {
        const auto cycles = [&](std::uint32_t s) {
            return static_cast<double>(growth(network, s, is_linear));
        };
        return std::log(cycles(to) / cycles(from)) / std::log(std::pow(1.0 * to / from, 4));
    }
    const Outcome& row(std::uint32_t s, const std::string& key, bool is_linear) const {
        return at(row_key(s, key), is_linear);
    }

private:
    double nanoseconds(const std::string& key, int pitch_mm, const std::string& router) const {
        const Outcome& outcome =
            pitch_mm == kOneStep ? at(key, false) : outcomes_.at(physical_key(key, pitch_mm));
        return static_cast<double>(outcome.cycles) * router_clock_ns(router);
    }

    const Outcomes& outcomes_;
};

std::string whole(double ns) { return fmt::format("{:.0f} ns", ns); }

/// `text` of every pitch: "130 ns at 4 mm, 170 ns at 16 mm".
template <class Text>
std::string by_pitch(const Text& text) {
    std::vector<std::string> all;
    for (const int pitch : kPitchesMm)
        all.push_back(fmt::format("{} at {} mm", text(pitch), pitch));
    return fmt::format("{}", fmt::join(all, ", "));
}

/// Confirmed where it holds at all pitches, refuted where at none.
template <class Holds>
Finding over_pitches(const Holds& holds) {
    const auto count = std::count_if(std::begin(kPitchesMm), std::end(kPitchesMm), holds);
    if (count == std::ptrdiff_t{std::size(kPitchesMm)}) return Finding::kConfirmed;
    return count == 0 ? Finding::kRefuted : Finding::kPartly;
}

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

/// Steps of communication and of local combination together, for `values` on s^4 nodes.
std::uint32_t total_steps(const Measured& measured, std::uint32_t s, std::uint32_t values) {
    const std::uint32_t nodes = s * s * s * s;
    return measured.at(values_key(s), false).steps + (values + nodes - 1) / nodes - 1;
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

constexpr std::uint32_t kSeedsOf256 = 2000;
constexpr std::uint32_t kSeedsOf4096 = 400;

struct Rounds {
    double mean = 0;
    std::uint32_t p95 = 0;
};

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

/// The express lengths with the fewest of what `count` counts.
std::vector<std::uint32_t> best_lengths(const std::function<double(std::uint32_t)>& count) {
    std::vector<std::uint32_t> best;
    for (const std::uint32_t length : kLengths) {
        if (!best.empty() && count(length) > count(best.front())) continue;
        if (!best.empty() && count(length) < count(best.front())) best.clear();
        best.push_back(length);
    }
    return best;
}

Conclusion conclusion_on_lengths(const Measured& measured) {
    const auto cycles = [&](bool is_linear) {
        return [&measured, is_linear](std::uint32_t length) {
            return measured.at(length_key(length), is_linear).cycles;
        };
    };
    const auto steps = [&](std::uint32_t length) {
        return Cycle{measured.at(length_key(length), false).steps};
    };
    const std::vector<std::uint32_t> by_steps = best_lengths(steps);
    const std::vector<std::uint32_t> by_cycles = best_lengths(cycles(false));
    const std::vector<std::uint32_t> linear = best_lengths(cycles(true));
    constexpr std::uint32_t kRoot = 16;
    const bool holds = by_steps == std::vector<std::uint32_t>{kRoot} &&
                       cycles(false)(kRoot) == cycles(false)(by_cycles.front());
    const auto in_ns = [&](int pitch) {
        return
            [&measured, pitch](std::uint32_t length) { return measured.length_ns(length, pitch); };
    };
    const auto is_within = [&](double share) {
        return over_pitches([&, share](int pitch) {
            const double best = in_ns(pitch)(best_lengths(in_ns(pitch)).front());
            return in_ns(pitch)(kRoot) <= (1 + share) * best;
        });
    };
    constexpr double kNearly = 0.05;
    Finding nearly = is_within(0);
    if (nearly == Finding::kRefuted && is_within(kNearly) == Finding::kConfirmed) {
        nearly = Finding::kPartly;
    }
    const PhysicalFinding physical{
        nearly,
        fmt::format("The least time: {}; with length {} {}, and {} where any wire takes a cycle. "
                    "Partly: within 5 %.",
                    by_pitch([&](int pitch) {
                        const auto best = best_lengths(in_ns(pitch));
                        return fmt::format("{} with {}", whole(in_ns(pitch)(best.front())),
                                           fmt::join(best, ", "));
                    }),
                    kRoot, by_pitch([&](int pitch) { return whole(in_ns(pitch)(kRoot)); }),
                    whole(in_ns(kOneStep)(kRoot)))};
    return {"The best length of the express links of a line is N^1/2",
            "3",
            holds ? Finding::kConfirmed : Finding::kRefuted,
            fmt::format("On {} nodes the fewest steps, {}, are those of length {}. The cycles are "
                        "fewest, {}, with lengths {}, where steps overlap; with linear wire delay "
                        "with {}: {} cycles, and {} with {}.",
                        kLine, steps(by_steps.front()), fmt::join(by_steps, ", "),
                        cycles(false)(by_cycles.front()), fmt::join(by_cycles, ", "),
                        fmt::join(linear, ", "), cycles(true)(linear.front()), cycles(true)(kRoot),
                        kRoot),
            {},
            {},
            physical};
}

/// On how many nodes `values` are combined fastest: the root s of P = s^4, of those measured. The
/// steps on the hardware do not depend on how many values a node has.
std::uint32_t best_root(const Measured& measured, std::uint32_t values) {
    return *std::min_element(
        kProcessorRoots.begin(), kProcessorRoots.end(), [&](std::uint32_t a, std::uint32_t b) {
            return total_steps(measured, a, values) < total_steps(measured, b, values);
        });
}

Conclusion conclusion_on_values(const Measured& measured) {
    const std::uint32_t best = best_root(measured, kValues);
    const double ideal = std::pow(kValues, 0.8);
    std::vector<std::uint32_t> sums;
    constexpr std::uint32_t kFewest = 256;
    constexpr std::uint32_t kMost = 16384;
    for (std::uint32_t values = kFewest; values <= kMost; values *= 4) {
        sums.push_back(total_steps(measured, best_root(measured, values), values));
    }
    const double exponent = std::log(1.0 * sums.back() / sums.front()) / std::log(kMost / kFewest);
    const bool is_near = std::abs(best - std::pow(ideal, 0.25)) <= 1;
    return {
        "With several values per node N^4/5 nodes are best, and take O(N^1/5)", "5",
        is_near && exponent < 0.22 ? Finding::kConfirmed : Finding::kPartly,
        fmt::format("For {} values the best of {} sizes is P = {} with {} steps and "
                    "combinations together (N^4/5 = {:.0f}); P = N takes {}. For N = {} to {}, "
                    "by fours, the best sums are {}, those of 4 s - 4 steps; here they grow as "
                    "N^{}, in the limit as N^0.20.",
                    kValues, kProcessorRoots.size(), best * best * best * best,
                    total_steps(measured, best, kValues), ideal, total_steps(measured, 8, kValues),
                    kFewest, kMost, fmt::join(sums, ", "), text(exponent))};
}

/// What Algorithm 4 as printed makes of values that must stay in order: what is wrong, or nothing.
std::string fault_as_printed() {
    const Config config = parse_config(
        fmt::format("fabric: {{topology: {{{}}}}}\ntraffic: {{schedule: semigroup, algorithm: "
                    "row_major_printed, operation: concat}}\n",
                    express(square(16), 4, "sparse")),
        "cheung");
    const Computation computation = build_computation(config, build_topology(config));
    const std::vector<std::string> wrong = wrong_results(computation, execute(computation));
    return wrong.empty() ? "" : wrong.front();
}

/// Confirmed where all steps are those of the errata and all is well otherwise.
Finding steps_as_expected(const Measured& measured, const std::vector<std::string>& keys) {
    for (const std::uint32_t s : kRoots) {
        for (const Row& row : rows(s)) {
            if (std::find(keys.begin(), keys.end(), row.key) == keys.end()) continue;
            if (measured.row(s, row.key, false).steps != row.corrected) return Finding::kRefuted;
        }
    }
    return Finding::kConfirmed;
}

std::string steps_of(const Measured& measured, const std::string& key) {
    return fmt::format("{} and {}", measured.row(4, key, false).steps,
                       measured.row(8, key, false).steps);
}

double ratio(Cycle a, Cycle b) { return static_cast<double>(a) / static_cast<double>(b); }

std::vector<Conclusion> conclusions(const Measured& measured, const Rounds& of_256,
                                    const Rounds& of_4096) {
    std::vector<Conclusion> all;
    const double constant = measured.exponent("express", 6, 10, false);
    const double of_steps = std::log(36.0 / 20) / std::log(std::pow(10.0 / 6, 4));
    const double linear = measured.exponent("express", 6, 10, true);
    const double of_mesh = measured.exponent("mesh", 6, 10, false);
    all.push_back(
        {"Semigroup computation takes Theta(N^1/4) on a mesh with express links whose wires all "
         "take one step",
         "4, 5, Table 1",
         std::abs(constant - of_steps) < 0.02 && constant < 0.35 ? Finding::kConfirmed
                                                                 : Finding::kPartly,
         fmt::format("{} steps on n = 16 and 64 as 4 s - 4 says; from N = 1296 to 10000 the cycles "
                     "grow as N^{} ({} follows from 4 s - 4, 0.25 in the limit), on the ordinary "
                     "mesh as N^{}.",
                     steps_of(measured, "alg2"), text(constant), text(of_steps), text(of_mesh))});
    const auto exponents = [&](const char* network) {
        return by_pitch(
            [&, network](int pitch) { return "N^" + text(measured.exponent_ns(network, pitch)); });
    };
    all.back().physical = {
        over_pitches([&](int pitch) {
            const double exponent = measured.exponent_ns("express", pitch);
            return std::abs(exponent - of_steps) < 0.02 && exponent < 0.35;
        }),
        fmt::format("From N = 1296 to 10000 the time grows as {} (one step: N^{}), on the ordinary "
                    "mesh as {}.",
                    exponents("express"), text(constant), exponents("mesh"))};
    all.push_back(
        {"The propagation delay of express links may be taken as one step, whatever their length",
         "2", linear - of_steps < 0.05 ? Finding::kConfirmed : Finding::kPartly,
         fmt::format(
             "Where a wire takes a cycle per place, the exponent over the same range is {}: "
             "the way over the mesh cannot be shorter than its places. Express links still "
             "save the routers on it: {} cycles against {} of the mesh on N = 4096, {} "
             "with one step for any wire.",
             text(linear), measured.growth("express", 8, true), measured.growth("mesh", 8, true),
             measured.growth("express", 8, false))});
    const auto on_4096 = [&](const char* network, std::uint32_t bytes) {
        return by_pitch([&, network, bytes](int pitch) {
            return whole(measured.ns(network, kPhysicalRoot, pitch, bytes));
        });
    };
    all.back().physical = {
        over_pitches(
            [&](int pitch) { return measured.exponent_ns("express", pitch) - of_steps < 0.05; }),
        fmt::format("On N = 4096 {}, and {} where any wire takes a cycle: in a cycle of {} ns a "
                    "signal passes {:.0f} mm, and an express link is {} node pitches long. The "
                    "exponents are {}.",
                    on_4096("express", kSmall), whole(measured.ns("express", 8, kOneStep)),
                    router_clock_ns(network_of("express").router),
                    router_clock_ns(network_of("express").router) / LinkDelayConfig().ns_per_mm,
                    kPhysicalRoot, exponents("express"))};
    all.push_back(conclusion_on_lengths(measured));
    all.push_back(
        {"One express line out of every N^1/4 is enough", "6",
         steps_as_expected(measured, {"alg3"}),
         fmt::format("Algorithm 3 takes {} steps and {} cycles on n = 64, Algorithm 2 with express "
                     "links everywhere {} steps and {} cycles.",
                     measured.row(8, "alg3", false).steps, measured.row(8, "alg3", false).cycles,
                     measured.row(8, "alg2", false).steps, measured.row(8, "alg2", false).cycles)});
    const std::string fault = fault_as_printed();
    all.push_back(
        {"Algorithm 4 handles values in row-major order under operations that do not commute", "6",
         fault.empty() ? Finding::kConfirmed : Finding::kPartly,
         fmt::format("As printed it does not ({}). With the rows of a submesh combined before "
                     "phase 3 it does, in {} steps instead of {} on n = 16 and 64.",
                     fault, steps_of(measured, "alg4"), steps_of(measured, "alg4_as_printed"))});
    all.push_back(
        {"Nodes of degree 5 are enough for the same order of time", "7",
         steps_as_expected(measured, {"shifted", "compound"}),
         fmt::format("Shifted links: {} steps; compound nodes: {}; degree 8: {} on n = 16 and 64.",
                     steps_of(measured, "shifted"), steps_of(measured, "compound"),
                     steps_of(measured, "alg3"))});
    const Outcome& two_levels = measured.row(8, "hierarchy2", false);
    const Outcome& two_linear = measured.row(8, "hierarchy2", true);
    all.push_back(
        {"r levels of express links take O(N^(1 / 2(r + 1)))", "8",
         steps_as_expected(measured, {"hierarchy2", "hierarchy5"}),
         fmt::format("On n = 64: {} steps with one level, {} with two, {} with five; {}, {} and {} "
                     "cycles, with linear wire delay {}, {} and {}.",
                     measured.row(8, "alg3", false).steps, two_levels.steps,
                     measured.row(8, "hierarchy5", false).steps,
                     measured.row(8, "alg3", false).cycles, two_levels.cycles,
                     measured.row(8, "hierarchy5", false).cycles,
                     measured.row(8, "alg3", true).cycles, two_linear.cycles,
                     measured.row(8, "hierarchy5", true).cycles)});
    all.push_back(conclusion_on_values(measured));
    all.push_back(
        {"Prefix, median row and closest neighbours take Theta(N^1/4)", "9",
         steps_as_expected(measured, {"prefix", "median_row", "closest"}),
         fmt::format("Steps on n = 16 and 64: prefix {}, median row {}, closest neighbours {}, all "
                     "of their results right (the paper omits the algorithms; these are ours).",
                     steps_of(measured, "prefix"), steps_of(measured, "median_row"),
                     steps_of(measured, "closest"))});
    all.push_back(
        {"Median finding takes O(N^1/4 log N)", "9", steps_as_expected(measured, {"median"}),
         fmt::format("{} steps on n = 16 and 64; {} rounds on average for 256 numbers, {} for "
                     "4096: {} more for 16 times as many, as 2 ln N has it ({}).",
                     steps_of(measured, "median"), text(of_256.mean), text(of_4096.mean),
                     text(of_4096.mean - of_256.mean), text(2 * std::log(16.0)))});
    const auto gain = [&](const char* network, bool is_linear, std::uint32_t bytes) {
        return ratio(measured.growth(network, 8, is_linear, bytes),
                     measured.growth("express", 8, is_linear, bytes));
    };
    all.push_back(
        {"Express links are a significant improvement over ordinary meshes from a few hundred to "
         "tens of thousands of nodes (here at equal cost in pins)",
         "3", gain("mesh", true, kLarge) > 1.5 ? Finding::kConfirmed : Finding::kPartly,
         fmt::format("With {} wires per node, on N = 4096 the mesh takes {} times the cycles of "
                     "the express mesh for {} bytes and {} times for {}; with linear wire delay {} "
                     "and {} times. The torus takes {} and {} times (linear {} and {}), a HOW of "
                     "window 3 {} and {} times.",
                     kPins, text(gain("mesh", false, kSmall)), kSmall,
                     text(gain("mesh", false, kLarge)), kLarge, text(gain("mesh", true, kSmall)),
                     text(gain("mesh", true, kLarge)), text(gain("torus", false, kSmall)),
                     text(gain("torus", false, kLarge)), text(gain("torus", true, kSmall)),
                     text(gain("torus", true, kLarge)), text(gain("how", false, kSmall)),
                     text(gain("how", false, kLarge)))});
    const auto ratios = [&](const char* network, std::uint32_t bytes) {
        return by_pitch([&, network, bytes](int pitch) {
            return text(measured.ns(network, kPhysicalRoot, pitch, bytes) /
                        measured.ns("express", kPhysicalRoot, pitch, bytes));
        });
    };
    all.back().physical = {
        over_pitches([&](int pitch) {
            return measured.ns("mesh", kPhysicalRoot, pitch, kLarge) >
                   1.5 * measured.ns("express", kPhysicalRoot, pitch, kLarge);
        }),
        fmt::format("Times as long as on the express mesh, whose clock is {} ns, for {} and for {} "
                    "bytes: the mesh ({} ns) {}; and {}. The torus ({} ns, for its two virtual "
                    "channels) {}; and {}. A HOW of window 3 ({} ns) {}; and {}.",
                    router_clock_ns(network_of("express").router), kSmall, kLarge,
                    router_clock_ns(network_of("mesh").router), ratios("mesh", kSmall),
                    ratios("mesh", kLarge), router_clock_ns(network_of("torus").router),
                    ratios("torus", kSmall), ratios("torus", kLarge),
                    router_clock_ns(network_of("how").router), ratios("how", kSmall),
                    ratios("how", kLarge))};
    return all;
}

Report report(const Outcomes& outcomes) {
    const Measured measured(outcomes);
    const Rounds of_256 = measure_rounds(256, kSeedsOf256);
    const Rounds of_4096 = measure_rounds(4096, kSeedsOf4096);
    Report result;
    for (const std::uint32_t s : kRoots) result.tables.push_back(steps_table(s, measured));
    result.tables.push_back(length_table(measured));
    result.tables.push_back(growth_table(measured, kSmall));
    result.tables.push_back(growth_table(measured, kLarge));
    result.tables.push_back(physical_table(measured));
    result.tables.push_back(physical_length_table(measured));
    result.tables.push_back(values_table(measured));
    result.tables.push_back(rounds_table(of_256, of_4096));
    result.plots = plots(measured);
    result.conclusions = conclusions(measured, of_256, of_4096);
    return result;
}

}  // namespace

Paper cheung() {
    return {"cheung",
            "S. Cheung and F. C. M. Lau, Efficient Computations on Meshes with Express Links, 1995",
            cheung_lau::experiments, report};
}

}  // namespace flitscope::reproduce
