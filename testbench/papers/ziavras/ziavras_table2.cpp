// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/ziavras/ziavras_table2.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "models/config/link_delay_config.h"
#include "models/performance/topology_metrics.h"
#include "models/topology/graph.h"
#include "testbench/papers/frame/routers.h"
#include "testbench/papers/ziavras/ziavras_formulas.h"
#include "testbench/papers/ziavras/ziavras_machine.h"

namespace flitscope::reproduce::how_networks {
namespace {

constexpr std::uint64_t kTableFlits = 8;  // fewer than elsewhere: the networks are larger

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

}  // namespace

std::vector<Experiment> table2_experiments() {
    std::vector<Experiment> all;
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
    return all;
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

}  // namespace flitscope::reproduce::how_networks
