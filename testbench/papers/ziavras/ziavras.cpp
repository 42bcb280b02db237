// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Ziavras, Wang, Alexandridis and Papathanasiou: highly overlapping windows. Topologies, and
// collectives under three port models by store and forward and by wormhole.
#include "testbench/papers/ziavras/ziavras.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/performance/collinear.h"
#include "models/performance/topology_metrics.h"
#include "models/topology/graph.h"
#include "testbench/papers/frame/paper.h"
#include "testbench/papers/ziavras/ziavras_conclusions.h"
#include "testbench/papers/ziavras/ziavras_formulas.h"
#include "testbench/papers/ziavras/ziavras_machine.h"
#include "testbench/papers/ziavras/ziavras_table2.h"

namespace flitscope::reproduce {
namespace {

using namespace how_networks;

const PortModel kModels[] = {PortModel::kOneOutput, PortModel::kSameValue, PortModel::kIndependent};

/// Whether the paper has an algorithm of its own for the model: the personalized ones are the same
/// under models 1 and 2, and rings need a window of 2.
bool is_run(const HowCase& how, Collective collective, PortModel model) {
    if (is_personalized(collective) && model == PortModel::kSameValue) return false;
    const bool on_ring = model == PortModel::kOneOutput && collective != Collective::kOneToAll;
    return !on_ring || how.has_rings();
}

std::string model_name(Collective collective, PortModel model) {
    if (is_personalized(collective) && model == PortModel::kOneOutput) return "1, 2";
    return std::to_string(static_cast<int>(model));
}

std::vector<HowCase> lines() {
    std::vector<HowCase> all;
    for (const std::uint32_t p : {8U, 16U, 64U}) {
        for (std::uint32_t w = 1; w < p; w *= 2) {
            if (w < p - 1) all.push_back({p, w, 1});
        }
        all.push_back({p, p - 1, 1});
    }
    // Where 2w divides p - 1 the printed count of splits is one too small.
    all.insert(all.end(), {{9, 2, 1}, {9, 4, 1}, {17, 4, 1}});
    return all;
}

std::vector<HowCase> squares() {
    std::vector<HowCase> all;
    for (const std::uint32_t s : {4U, 8U}) {
        for (std::uint32_t w = 1; w < s - 1; w *= 2) all.push_back({s, w, 2});
        all.push_back({s, s - 1, 2});
    }
    return all;
}

// Whose time the conclusions split by cause.
constexpr HowCase kSerial{64, 32, 1};
constexpr HowCase kLanes{16, 4, 1};

std::string key_of(const HowCase& how, const Operation& operation, PortModel model, bool wormhole) {
    return fmt::format("ziavras/{}d/{}-{}/{}/model-{}/{}", how.dimensions, how.side, how.window,
                       operation.schedule, static_cast<int>(model), wormhole ? "wr" : "sf");
}

Experiment experiment(const HowCase& how, const Operation& operation, PortModel model,
                      bool wormhole) {
    Experiment result;
    result.key = key_of(how, operation, model, wormhole);
    result.yaml = machine_text(topology_of(how), name_of(model)) +
                  fmt::format("traffic: {{schedule: {}, algorithm: {}, message_bytes: {}{}}}\n",
                              operation.schedule, wormhole ? "windows_wormhole" : "windows",
                              8 * (kFlits - 1), wormhole ? "" : ", barrier: true");
    const double nodes = std::pow(how.side, how.dimensions);
    const bool all = operation.collective == Collective::kAllToAllPersonalized;
    result.weight = (all ? nodes * nodes * how.side / 4 : nodes * nodes) * kFlits / 3e6;
    return result;
}

std::vector<Experiment> experiments() {
    std::vector<Experiment> all;
    for (const auto& cases : {lines(), squares()}) {
        for (const HowCase& how : cases) {
            for (const Operation& operation : kOperations) {
                for (const PortModel model : kModels) {
                    if (!is_run(how, operation.collective, model)) continue;
                    all.push_back(experiment(how, operation, model, false));
                    all.push_back(experiment(how, operation, model, true));
                }
            }
        }
    }
    std::vector<Experiment> table = table2_experiments();
    std::move(table.begin(), table.end(), std::back_inserter(all));
    record_causes(all, {key_of(kSerial, kOperations[0], PortModel::kOneOutput, true),
                        key_of(kSerial, kOperations[0], PortModel::kIndependent, true),
                        key_of(kLanes, kOperations[3], PortModel::kIndependent, true)});
    return all;
}

// ---- What the formulas say in cycles ----

/// A hop of a stream is one of a flit and the cycle from its ejection to its injection.
std::uint64_t wormhole_cycles(const WormholeTime& time) {
    return kStartup + time.messages * kFlits - 1 + time.hops * (kHop + 1);
}

template <class T>
Cell cell_of(const std::optional<T>& value) {
    return value ? Cell(*value) : Cell();
}

Cell wormhole_cell(const std::optional<WormholeTime>& time) {
    return time ? Cell(wormhole_cycles(*time)) : Cell();
}

struct Row {
    const HowCase& how;
    const Operation& operation;
    PortModel model;
    const Outcome& stored;
    const Outcome& wormhole;
};

/// Steps in which a source at the corner sends a message to every other node, on all its channels.
double steps_of_source(const HowCase& how) {
    const double nodes = std::pow(how.side, how.dimensions);
    return std::ceil((nodes - 1) / (how.dimensions * std::min(how.window, how.side - 1)));
}

void count(const Row& row, Tally& tally) {
    const Collective collective = row.operation.collective;
    ++tally.cases;
    const auto printed = printed_steps(row.how, collective, row.model);
    const auto corrected = corrected_steps(row.how, collective, row.model);
    if (printed) ++tally.steps_stated;
    if (printed && *printed == row.stored.steps) ++tally.steps_as_printed;
    if (corrected) ++tally.steps_known;
    if (corrected && *corrected == row.stored.steps) ++tally.steps_as_corrected;
    if (stored_cycles(row.stored.steps, kFlits) == row.stored.cycles) ++tally.stored_exactly;
    if (collective == Collective::kAllToAllPersonalized && printed &&
        *printed < exchange_bound(row.how)) {
        ++tally.below_bound;
    }
    if (collective == Collective::kOneToAllPersonalized && row.model == PortModel::kIndependent) {
        tally.most_of_ports =
            std::max(tally.most_of_ports, 1.0 * row.stored.steps / steps_of_source(row.how));
    }
    if (const auto time = printed_wormhole(row.how, collective, row.model)) {
        const std::uint64_t cycles = wormhole_cycles(*time);
        if (row.wormhole.cycles < cycles) ++tally.wormhole_below_printed;
        if (row.wormhole.cycles > cycles) ++tally.wormhole_above_printed;
        const double ratio = static_cast<double>(row.wormhole.cycles) / static_cast<double>(cycles);
        if (ratio > tally.worst_printed) {
            tally.worst_printed = ratio;
            tally.worst = fmt::format("{} = {}, w = {}: {} cycles, printed {}",
                                      row.how.dimensions == 1 ? 'p' : 's', row.how.side,
                                      row.how.window, row.wormhole.cycles, cycles);
        }
    }
    if (const auto time = corrected_wormhole(row.how, collective, row.model)) {
        if (row.wormhole.cycles > wormhole_cycles(*time)) ++tally.wormhole_above_corrected;
    }
}

/// One collective on lines or squares, under all models; counts into tallies by model.
Table collective_table(const Operation& operation, const std::vector<HowCase>& cases,
                       const Outcomes& outcomes, Tally (&tallies)[4]) {
    const std::uint32_t dimensions = cases.front().dimensions;
    Table table;
    table.title = fmt::format("{}, {}-D HOW", operation.name, dimensions);
    table.source = fmt::format("Sec. {}", operation.sections);
    table.columns = {"model",       dimensions == 1 ? "p" : "s",
                     "w",           "steps: printed",
                     "corrected",   "measured",
                     "SF: formula", "simulated",
                     "error",       "WR: printed",
                     "corrected",   "simulated"};
    for (const PortModel model : kModels) {
        for (const HowCase& how : cases) {
            if (!is_run(how, operation.collective, model)) continue;
            const Row row{how, operation, model, outcomes.at(key_of(how, operation, model, false)),
                          outcomes.at(key_of(how, operation, model, true))};
            count(row, tallies[static_cast<int>(model)]);
            const std::uint64_t formula = stored_cycles(row.stored.steps, kFlits);
            table.rows.push_back(
                {model_name(operation.collective, model), how.side, how.window,
                 cell_of(printed_steps(how, operation.collective, model)),
                 cell_of(corrected_steps(how, operation.collective, model)), row.stored.steps,
                 formula, row.stored.cycles,
                 relative_error(static_cast<double>(row.stored.cycles),
                                static_cast<double>(formula)),
                 wormhole_cell(printed_wormhole(how, operation.collective, model)),
                 wormhole_cell(corrected_wormhole(how, operation.collective, model)),
                 row.wormhole.cycles});
        }
    }
    table.notes.push_back(
        fmt::format("SF: t_s + S m t_w + (S - 1) t_c for the measured S, m t_w = {} cycles, t_s = "
                    "{}, t_c = {}; a barrier without cost between steps.",
                    kFlits, kStartup + kHop, kStartup + kHop + kReceive));
    table.notes.push_back(fmt::format(
        "WR: start-up {} cycles, {} for a hop of the first flit where the paper has t_w.", kStartup,
        kHop + 1));
    return table;
}

/// The theorem's collective widths against counted tracks, of every line and window.
void count_widths(TopologyTally& tally) {
    for (std::uint32_t p = 2; p <= kWidestLine; ++p) {
        for (std::uint32_t w = 1; w < p; ++w) {
            const HowCase line{p, w, 1};
            const std::uint64_t width = maximum_collective_width(graph_of(topology_of(line)));
            tally.widths_corrected.add(width == corrected_collective_width(line));
            const auto printed = printed_collective_width(line);
            if (!printed) continue;
            (w + 1 == p ? tally.widths_of_hypercubes : tally.widths_of_hows).add(width == *printed);
        }
    }
}

Table topology_table(TopologyTally& tally) {
    Table table;
    table.title = "HOW networks: channels, degree, diameter, bisection, collective width";
    table.source = "Table 1, Theorem of Sec. 3; errata 004.1";
    table.columns = {"network",  "nodes",        "channels: printed",  "measured",
                     "degree",   "diameter",     "bisection: printed", "corrected",
                     "measured", "MCW: printed", "corrected",          "measured"};
    std::vector<HowCase> cases = {{8, 2, 1},   {8, 4, 1}, {16, 4, 1}, {16, 12, 1},
                                  {64, 16, 1}, {4, 2, 2}, {8, 2, 2},  {8, 3, 2},
                                  {8, 4, 2},   {8, 7, 2}, {16, 4, 2}};
    for (const HowCase& how : cases) {
        const Graph graph = graph_of(topology_of(how));
        const TopologyMetrics metrics = measure_topology(graph);
        const std::uint64_t width = maximum_collective_width(graph);
        tally.channels.add(metrics.channels == printed_channels(how));
        tally.bisections_printed.add(metrics.bisection == printed_bisection(how));
        tally.bisections_corrected.add(metrics.bisection == corrected_bisection(how));
        table.rows.push_back({fmt::format("({}, {}, {})", how.side, how.window, how.dimensions),
                              metrics.nodes, printed_channels(how), metrics.channels,
                              fmt::format("{} to {}", metrics.degree_min, metrics.degree_max),
                              metrics.diameter, printed_bisection(how), corrected_bisection(how),
                              metrics.bisection, cell_of(printed_collective_width(how)),
                              corrected_collective_width(how), width});
    }
    count_widths(tally);
    table.notes = {"MCW: of a line. The paper prints it for w < (p + 1) / 2 and for w = p - 1."};
    return table;
}

Report report(const Outcomes& outcomes) {
    Report result;
    TopologyTally topology;
    result.tables.push_back(topology_table(topology));
    Tallies tallies;
    for (const auto& cases : {lines(), squares()}) {
        const std::uint32_t dimensions = cases.front().dimensions;
        for (std::size_t o = 0; o < 4; ++o) {
            result.tables.push_back(
                collective_table(kOperations[o], cases, outcomes, tallies[dimensions - 1][o]));
        }
    }
    CostRatios ratios;
    result.tables.push_back(cost_table(outcomes, ratios, result.plots));
    PhysicalCosts physical;
    result.tables.push_back(physical_table(outcomes, physical));

    const auto breakdown = [&](const HowCase& how, const Operation& operation, PortModel model) {
        return outcomes.breakdown(
            key_of(how, operation, model, true),
            fmt::format("{}, p = {}, w = {}, model {}, wormhole", operation.name, how.side,
                        how.window, model_name(operation.collective, model)));
    };
    result.conclusions = conclusions(topology, tallies, ratios, physical,
                                     {breakdown(kSerial, kOperations[0], PortModel::kOneOutput),
                                      breakdown(kSerial, kOperations[0], PortModel::kIndependent),
                                      breakdown(kLanes, kOperations[3], PortModel::kIndependent)});
    return result;
}

}  // namespace

Paper ziavras() {
    return {"ziavras",
            "Ziavras, Wang, Alexandridis, Papathanasiou: Cost and Performance Analysis of Scalable "
            "Parallel Architectures",
            experiments, report};
}

}  // namespace flitscope::reproduce
