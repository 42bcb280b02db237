// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Ziavras, Wang, Alexandridis and Papathanasiou: highly overlapping windows. Topologies,
// collectives under three port models by store and forward and by wormhole, and Table 2.
#include "testbench/reproduce/ziavras/ziavras.h"

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
#include "models/topology/families/topologies.h"
#include "testbench/configuration/configuration.h"
#include "testbench/reproduce/frame/paper.h"
#include "testbench/reproduce/frame/routers.h"
#include "testbench/reproduce/ziavras/ziavras_conclusions.h"
#include "testbench/reproduce/ziavras/ziavras_formulas.h"

namespace flitscope::reproduce {
namespace {

using namespace how_networks;

// The machine: a message is m = kFlits flits, header included, and a flit one word.
constexpr std::uint64_t kFlits = 32;
constexpr std::uint64_t kTableFlits = 8;  // of Table 2, whose networks are larger
constexpr std::uint64_t kStartup = 20;
constexpr std::uint64_t kReceive = 10;
constexpr std::uint64_t kHop = 3;  // injection, link, ejection

const PortModel kModels[] = {PortModel::kOneOutput, PortModel::kSameValue, PortModel::kIndependent};

bool is_personalized(Collective collective) {
    return collective == Collective::kOneToAllPersonalized ||
           collective == Collective::kAllToAllPersonalized;
}

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

std::string topology_of(const HowCase& how) {
    const std::string dims =
        how.dimensions == 2 ? fmt::format("{0}, {0}", how.side) : std::to_string(how.side);
    return fmt::format("{{kind: how, dims: [{}], window: {}}}", dims, how.window);
}

std::string key_of(const HowCase& how, const Operation& operation, PortModel model, bool wormhole) {
    return fmt::format("ziavras/{}d/{}-{}/{}/model-{}/{}", how.dimensions, how.side, how.window,
                       operation.schedule, static_cast<int>(model), wormhole ? "wr" : "sf");
}

std::string machine_text(const std::string& topology, const std::string& ports) {
    return fmt::format(
        "fabric: {{topology: {}}}\n"
        "node: {{port_model: {}, send_startup: {}, recv_overhead: {}}}\n",
        topology, ports, kStartup, kReceive);
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

// ---- Table 2 ----

struct Contender {
    const char* name;
    std::string topology;
    HowCase how;  ///< side 0: the binary hypercube
};

std::vector<Contender> contenders(std::uint32_t side) {
    const HowCase how{side, side / 4, 2};
    const HowCase ghc{side, side - 1, 2};
    return {{"HOW", topology_of(how), how},
            {"BH", fmt::format("{{kind: hypercube, dimensions: {}}}", 2 * ceil_lg(side)), {}},
            {"GH", topology_of(ghc), ghc}};
}

/// The exchanges of 1024 nodes have millions of messages; their steps are counted, not run.
bool is_simulated(std::uint32_t side, const Operation& operation) {
    return side < 32 || operation.collective != Collective::kAllToAllPersonalized;
}

std::string table_key(std::uint32_t side, const Contender& contender, const Operation& operation) {
    return fmt::format("ziavras/table2/{}/{}/{}", contender.name, side * side, operation.schedule);
}

// In nanoseconds: the networks whose routers are small enough to be synthesized, with channels as
// narrow as routers allow. A flit counts for as much, so cycles are the same.
const std::uint32_t kPhysicalSides[] = {8, 16};
constexpr std::uint32_t kPhysicalBits = 16;

/// One with a port for every link of a node in the middle.
std::string router_of(const Contender& contender, std::uint32_t side) {
    const HowCase& how = contender.how;
    const std::uint32_t per_line = std::min(2 * how.window, side - 1);
    const std::uint32_t degree = how.side == 0 ? 2 * ceil_lg(side) : 2 * per_line;
    return fmt::format("router_p{}_v1_d4_w{}_r1_mesh", degree + 1, kPhysicalBits);
}

/// In cycles, with wires of a cycle each, or of so many millimetres per node pitch at the clock of
/// the router.
Experiment table_experiment(std::uint32_t side, const Contender& contender,
                            const Operation& operation, std::optional<int> pitch_mm = {}) {
    Experiment result;
    result.key = table_key(side, contender, operation);
    const bool cube = contender.how.side == 0;
    const std::uint32_t bytes = (pitch_mm ? kPhysicalBits / 8 : 8) * (kTableFlits - 1);
    const std::string algorithm = cube ? operation.on_hypercube : "windows";
    result.yaml = machine_text(contender.topology, cube ? "single" : "independent") +
                  fmt::format("traffic: {{schedule: {}{}, message_bytes: {}, barrier: true}}\n",
                              cube ? operation.schedule_there : operation.schedule,
                              algorithm.empty() ? "" : ", algorithm: " + algorithm, bytes);
    if (pitch_mm) {
        result.key += pitch_key(*pitch_mm);
        result.yaml.replace(result.yaml.find("}\nnode:"), 1,
                            fmt::format(", flit_bits: {}, link_delay: {}}}", kPhysicalBits,
                                        physical_wires(*pitch_mm)));
        result.yaml += fmt::format("clock_ns: {}\n", router_clock_ns(router_of(contender, side)));
    }
    const double nodes = std::pow(side, 2);
    result.weight = nodes * nodes * kTableFlits / 3e6;
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
    for (const std::uint32_t side : {8U, 16U, 32U}) {
        for (const Contender& contender : contenders(side)) {
            for (const Operation& operation : kOperations) {
                if (!is_simulated(side, operation)) continue;
                all.push_back(table_experiment(side, contender, operation));
            }
        }
    }
    for (const std::uint32_t side : kPhysicalSides) {
        for (const Contender& contender : contenders(side)) {
            for (const Operation& operation : kOperations) {
                for (const int pitch : kPitchesMm) {
                    all.push_back(table_experiment(side, contender, operation, pitch));
                }
            }
        }
    }
    record_causes(all, {key_of(kSerial, kOperations[0], PortModel::kOneOutput, true),
                        key_of(kSerial, kOperations[0], PortModel::kIndependent, true),
                        key_of(kLanes, kOperations[3], PortModel::kIndependent, true)});
    return all;
}

// ---- What the formulas say in cycles ----

/// t_s + S m t_w + (S - 1) t_c, with t_s = startup + hop and t_c = startup + hop + receive.
std::uint64_t stored_cycles(std::uint64_t steps, std::uint64_t flits) {
    if (steps == 0) return 0;
    return kStartup + kHop + steps * flits + (steps - 1) * (kStartup + kHop + kReceive);
}

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

void count(const Row& row, Tally& tally) {
    const Collective collective = row.operation.collective;
    ++tally.cases;
    const auto printed = printed_steps(row.how, collective, row.model);
    const auto corrected = corrected_steps(row.how, collective, row.model);
    if (printed && *printed == row.stored.steps) ++tally.steps_as_printed;
    if (corrected) ++tally.steps_known;
    if (corrected && *corrected == row.stored.steps) ++tally.steps_as_corrected;
    if (stored_cycles(row.stored.steps, kFlits) == row.stored.cycles) ++tally.stored_exactly;
    if (collective == Collective::kAllToAllPersonalized && printed &&
        *printed < exchange_bound(row.how)) {
        ++tally.below_bound;
    }
    if (const auto time = printed_wormhole(row.how, collective, row.model)) {
        const std::uint64_t cycles = wormhole_cycles(*time);
        if (row.wormhole.cycles < cycles) ++tally.wormhole_below_printed;
        if (row.wormhole.cycles > cycles) ++tally.wormhole_above_printed;
        const double ratio = static_cast<double>(row.wormhole.cycles) / static_cast<double>(cycles);
        if (ratio > tally.worst_printed) {
            tally.worst_printed = ratio;
            tally.worst = fmt::format("p = {}, w = {}: {} cycles, printed {}", row.how.side,
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

Graph graph_of(const std::string& topology) {
    return build_topology(parse_config("fabric: {topology: " + topology + "}", "ziavras"));
}

Table topology_table(TopologyTally& tally) {
    Table table;
    table.title = "HOW networks: channels, degree, diameter, bisection, collective width";
    table.source = "Table 1, Theorem of Sec. 3; errata 004.1";
    table.columns = {"network",
                     "nodes",
                     "channels: printed",
                     "measured",
                     "degree",
                     "diameter",
                     "bisection: printed",
                     "corrected",
                     "measured",
                     "MCW: corrected",
                     "measured"};
    std::vector<HowCase> cases = {{8, 2, 1},   {8, 4, 1}, {16, 4, 1}, {16, 12, 1},
                                  {64, 16, 1}, {4, 2, 2}, {8, 2, 2},  {8, 3, 2},
                                  {8, 4, 2},   {8, 7, 2}, {16, 4, 2}};
    for (const HowCase& how : cases) {
        const Graph graph = graph_of(topology_of(how));
        const TopologyMetrics metrics = measure_topology(graph);
        const std::uint64_t width = maximum_collective_width(graph);
        ++tally.cases;
        tally.channels += metrics.channels == printed_channels(how) ? 1 : 0;
        tally.bisections_printed += metrics.bisection == printed_bisection(how) ? 1 : 0;
        tally.bisections_corrected += metrics.bisection == corrected_bisection(how) ? 1 : 0;
        tally.widths += width == corrected_collective_width(how) ? 1 : 0;
        table.rows.push_back({fmt::format("({}, {}, {})", how.side, how.window, how.dimensions),
                              metrics.nodes, printed_channels(how), metrics.channels,
                              fmt::format("{} to {}", metrics.degree_min, metrics.degree_max),
                              metrics.diameter, printed_bisection(how), corrected_bisection(how),
                              metrics.bisection, corrected_collective_width(how), width});
    }
    return table;
}

Table cost_table(const Outcomes& outcomes, CostRatios& ratios, std::vector<Plot>& plots) {
    Table table;
    table.title = "Table 2: time, pin-out and cost of HOW, binary hypercube and GH, model 3";
    table.source = "Sec. 6";
    table.columns = {"nodes",     "operation", "HOW: cycles", "BH: cycles", "GH: cycles",
                     "HOW: cost", "BH: cost",  "GH: cost",    "HOW / GH"};
    Plot plot;
    plot.name = "ziavras_cost";
    plot.title = "Cost of HOW over cost of GH (time x pin-out), model 3, store and forward";
    plot.x_label = "nodes";
    plot.y_label = "cost HOW / cost GH";
    plot.is_in_docs = true;
    plot.log_x = true;
    for (const Operation& operation : kOperations)
        plot.series.push_back({operation.name, {}, true});
    for (const std::uint32_t side : {8U, 16U, 32U}) {
        std::vector<TopologyMetrics> metrics;
        for (const Contender& c : contenders(side)) {
            metrics.push_back(measure_topology(graph_of(c.topology)));
        }
        const auto add = [&](const char* name, const std::vector<std::uint64_t>& cycles) {
            std::vector<Cell> row = {side * side, name};
            std::vector<double> costs;
            for (const std::uint64_t c : cycles) row.emplace_back(c);
            for (std::size_t i = 0; i < cycles.size(); ++i) {
                const std::uint64_t cost = cycles[i] * metrics[i].degree_max;
                costs.push_back(static_cast<double>(cost));
                row.emplace_back(cost);
            }
            const double ratio = costs[0] / costs[2];
            row.emplace_back(ratio, 2);
            table.rows.push_back(std::move(row));
            return ratio;
        };
        std::vector<std::uint64_t> single;
        for (const TopologyMetrics& m : metrics) {
            single.push_back(stored_cycles(m.diameter, kTableFlits));
        }
        add("one-to-one (formula)", single);
        for (std::size_t o = 0; o < 4; ++o) {
            const Operation& operation = kOperations[o];
            const bool simulated = is_simulated(side, operation);
            std::vector<std::uint64_t> cycles;
            for (const Contender& c : contenders(side)) {
                if (simulated) {
                    cycles.push_back(outcomes.at(table_key(side, c, operation)).cycles);
                } else if (c.how.side != 0) {
                    const auto steps =
                        corrected_steps(c.how, operation.collective, PortModel::kIndependent);
                    cycles.push_back(stored_cycles(*steps, kTableFlits));
                } else {  // lg N steps of N / 2 blocks in one message
                    const std::uint64_t nodes = std::uint64_t{side} * side;
                    const std::uint64_t flits = 1 + (kTableFlits - 1) * nodes / 2;
                    cycles.push_back(stored_cycles(2 * ceil_lg(side), flits));
                }
            }
            const std::string name = std::string(operation.name) + (simulated ? "" : " (formula)");
            const double ratio = add(name.c_str(), cycles);
            ratios.of[o].emplace_back(side, ratio);
            plot.series[o].points.emplace_back(side * side, ratio);
        }
    }
    table.notes.push_back(fmt::format(
        "Messages of {} flits; w = s / 4; pin-out: the largest degree, channels one flit wide.",
        kTableFlits));
    table.notes.push_back(
        "BH: the one-port algorithms whose orders the paper's column gives (binomial, recursive "
        "doubling); combined messages have one header.");
    plots.push_back(std::move(plot));
    return table;
}

/// Table 2 in nanoseconds, of what is simulated and has a router.
Table physical_table(const Outcomes& outcomes, PhysicalCosts& costs) {
    Table table;
    table.title = "Table 2 in nanoseconds, at the clock of each network's router";
    table.source = "Sec. 6";
    table.columns = {"nodes",  "operation", "node pitch",   "HOW: ns",
                     "BH: ns", "GH: ns",    "cost HOW / GH"};
    for (const std::uint32_t side : kPhysicalSides) {
        std::vector<double> clocks;
        std::vector<double> degrees;
        for (const Contender& c : contenders(side)) {
            clocks.push_back(router_clock_ns(router_of(c, side)));
            degrees.push_back(measure_topology(graph_of(c.topology)).degree_max);
        }
        costs.periods.push_back({side, clocks[0], clocks[2]});
        for (std::size_t o = 0; o < 4; ++o) {
            for (std::size_t p = 0; p <= std::size(kPitchesMm); ++p) {
                const bool is_one_step = p == std::size(kPitchesMm);
                std::vector<Cell> row = {
                    side * side, kOperations[o].name,
                    is_one_step ? std::string("one step") : fmt::format("{} mm", kPitchesMm[p])};
                std::vector<double> cost;
                std::size_t i = 0;
                for (const Contender& c : contenders(side)) {
                    const std::string key = table_key(side, c, kOperations[o]) +
                                            (is_one_step ? "" : pitch_key(kPitchesMm[p]));
                    const double ns = static_cast<double>(outcomes.at(key).cycles) * clocks[i];
                    row.emplace_back(ns, 0);
                    cost.push_back(ns * degrees[i++]);
                }
                row.emplace_back(cost[0] / cost[2], 2);
                table.rows.push_back(std::move(row));
                if (!is_one_step) costs.ratios[p][o].push_back(cost[0] / cost[2]);
            }
        }
    }
    table.notes = {
        fmt::format("one step: any wire takes a cycle; otherwise {} ns per millimetre. Channels "
                    "of {} bits, as those of the routers; larger networks need routers of up to 63 "
                    "ports and are left out.",
                    LinkDelayConfig().ns_per_mm, kPhysicalBits)};
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
