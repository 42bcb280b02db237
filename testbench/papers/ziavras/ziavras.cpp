// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Ziavras, Wang, Alexandridis and Papathanasiou: highly overlapping windows. Topologies, and
// collectives under three port models by store and forward and by wormhole.
#include "testbench/papers/ziavras/ziavras.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/performance/collinear.h"
#include "models/performance/topology_metrics.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/papers/framework/routers.h"
#include "testbench/papers/framework/script.h"
#include "testbench/papers/ziavras/ziavras_formulas.h"

namespace flitscope::reproduce {

extern const char* const kZiavrasScript;  // made by CMake

/// From a record: side, window, dimensions, and perhaps more.
template <>
HowCase taken(const Value& value) {
    HowCase how;
    for (const auto& [field, number] : std::get<Record>(value.is)) {
        if (field == "side") how.side = taken<std::uint32_t>(number);
        if (field == "window") how.window = taken<std::uint32_t>(number);
        if (field == "dimensions") how.dimensions = taken<std::uint32_t>(number);
    }
    return how;
}

/// From the name of our schedule.
template <>
Collective taken(const Value& value) {
    static const std::map<std::string, Collective> kAll = {
        {"broadcast", Collective::kOneToAll},
        {"allgather", Collective::kAllToAll},
        {"scatter", Collective::kOneToAllPersonalized},
        {"relayed-exchange", Collective::kAllToAllPersonalized}};
    return kAll.at(value.word());
}

template <>
PortModel taken(const Value& value) {
    return static_cast<PortModel>(taken<int>(value));
}

namespace {

// As in the script. A message is kFlits flits, in Table 2 fewer; times in cycles.
constexpr std::uint64_t kFlits = 32;
constexpr std::uint64_t kTableFlits = 8;
constexpr std::uint64_t kStartup = 20;
constexpr std::uint64_t kReceive = 10;
constexpr std::uint64_t kHop = 3;
constexpr int kOneStep = 0;  // instead of a pitch

// ---- Networks -----------------------------------------------------------------------------------

Record record_of(const HowCase& how) {
    return {{"side", how.side}, {"window", how.window}, {"dimensions", how.dimensions}};
}

List records_of(const std::vector<HowCase>& hows) {
    List list;
    for (const HowCase& how : hows) list.emplace_back(record_of(how));
    return list;
}

std::vector<HowCase> lines() {
    std::vector<HowCase> all;
    for (const std::uint32_t p : {8U, 16U, 64U}) {
        for (std::uint32_t w = 1; w < p; w *= 2) {
            if (w < p - 1) all.push_back({p, w, 1});
        }
        all.push_back({p, p - 1, 1});
    }
    // If 2w divides p - 1 the printed count of splits is one too small.
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

List networks_of_table_1() {
    return records_of({{8, 2, 1},
                       {8, 4, 1},
                       {16, 4, 1},
                       {16, 12, 1},
                       {64, 16, 1},
                       {4, 2, 2},
                       {8, 2, 2},
                       {8, 3, 2},
                       {8, 4, 2},
                       {8, 7, 2},
                       {16, 4, 2}});
}

/// The network as fabric.topology has it.
std::string topology_of(const HowCase& how) {
    const std::string dims =
        how.dimensions == 2 ? fmt::format("{0}, {0}", how.side) : std::to_string(how.side);
    return fmt::format("{{kind: how, dims: [{}], window: {}}}", dims, how.window);
}

Graph graph_of(const std::string& topology) {
    return build_topology(parse_config("fabric: {topology: " + topology + "}", "ziavras"));
}

std::uint64_t collective_width(const HowCase& how) {
    return maximum_collective_width(graph_of(topology_of(how)));
}

/// A network with its counts.
Record counted_network(const HowCase& how) {
    const TopologyMetrics metrics = measure_topology(graph_of(topology_of(how)));
    Record record = record_of(how);
    record.insert(record.end(), {{"nodes", metrics.nodes},
                                 {"channels", metrics.channels},
                                 {"degree_min", metrics.degree_min},
                                 {"degree_max", metrics.degree_max},
                                 {"diameter", metrics.diameter},
                                 {"bisection", metrics.bisection},
                                 {"width", collective_width(how)}});
    return record;
}

// ---- Collectives --------------------------------------------------------------------------------

/// Whether the paper has a separate algorithm for the model: the personalized ones are the same
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

/// t_s + S m t_w + (S - 1) t_c, with t_s = startup + hop and t_c = startup + hop + receive.
std::uint64_t stored_cycles(std::uint64_t steps, std::uint64_t flits) {
    if (steps == 0) return 0;
    return kStartup + kHop + steps * flits + (steps - 1) * (kStartup + kHop + kReceive);
}

/// A hop of a stream is one of a flit and the cycle from its ejection to its injection.
std::optional<std::uint64_t> wormhole_cycles(const std::optional<WormholeTime>& time) {
    if (!time) return std::nullopt;
    return kStartup + time->messages * kFlits - 1 + time->hops * (kHop + 1);
}

// ---- Table 2: what HOW, binary hypercube and generalized hypercube cost -------------------------

/// For those named HOW and GH.
HowCase how_of(const std::string& contender, std::uint32_t side) {
    return {side, contender == "HOW" ? side / 4 : side - 1, 2};
}

std::string contender_topology(const std::string& contender, std::uint32_t side) {
    return contender == "BH" ? fmt::format("{{kind: hypercube, dimensions: {}}}", 2 * ceil_lg(side))
                             : topology_of(how_of(contender, side));
}

TopologyMetrics metrics_of(const std::string& contender, std::uint32_t side) {
    return measure_topology(graph_of(contender_topology(contender, side)));
}

/// The exchanges of 1024 nodes have millions of messages; their steps are counted, not run.
bool is_simulated(std::uint32_t side, Collective collective) {
    return side < 32 || collective != Collective::kAllToAllPersonalized;
}

double clock_ns(const std::string& contender, std::uint32_t side) {
    return router_clock_ns(fmt::format("ziavras/{}/{}", contender, side * side));
}

class Costs {
public:
    explicit Costs(const Outcomes& outcomes) : outcomes_(outcomes) {}

    double cycles(const std::string& contender, std::uint32_t side, const std::string& schedule,
                  int pitch_mm = kOneStep) const {
        const auto collective = taken<Collective>(schedule);
        if (is_simulated(side, collective)) {
            const std::string key =
                fmt::format("ziavras/table2/{}/{}/{}", contender, side * side, schedule);
            const std::string wires = pitch_mm == kOneStep ? "" : pitch_key(pitch_mm);
            return static_cast<double>(outcomes_.at(key + wires).cycles);
        }
        if (contender != "BH") {
            const auto steps =
                corrected_steps(how_of(contender, side), collective, PortModel::kIndependent);
            return static_cast<double>(stored_cycles(*steps, kTableFlits));
        }
        // lg N steps of N / 2 blocks in one message
        const std::uint64_t nodes = std::uint64_t{side} * side;
        const std::uint64_t flits = 1 + (kTableFlits - 1) * nodes / 2;
        return static_cast<double>(stored_cycles(2 * ceil_lg(side), flits));
    }
    double nanoseconds(const std::string& contender, std::uint32_t side,
                       const std::string& schedule, int pitch_mm) const {
        return cycles(contender, side, schedule, pitch_mm) * clock_ns(contender, side);
    }
    /// Cost of HOW over that of GH, in cycles and in nanoseconds.
    double ratio(std::uint32_t side, const std::string& schedule) const {
        return cycles("HOW", side, schedule) * metrics_of("HOW", side).degree_max /
               (cycles("GH", side, schedule) * metrics_of("GH", side).degree_max);
    }
    double ratio_ns(std::uint32_t side, const std::string& schedule, int pitch_mm) const {
        return nanoseconds("HOW", side, schedule, pitch_mm) * metrics_of("HOW", side).degree_max /
               (nanoseconds("GH", side, schedule, pitch_mm) * metrics_of("GH", side).degree_max);
    }

private:
    const Outcomes& outcomes_;
};

// ---- The names of the script --------------------------------------------------------------------

using How = const HowCase&;

Names formulas() {
    Names names;
    names.set("ns_per_mm", LinkDelayConfig().ns_per_mm);
    names.define("hows", [](std::uint32_t dimensions) {
        return records_of(dimensions == 1 ? lines() : squares());
    });
    names.define("line", [](std::uint32_t p, std::uint32_t w) { return record_of({p, w, 1}); });
    names.define("networks_of_table_1", networks_of_table_1);
    names.define("counted_network", counted_network);
    names.define("collective_width", collective_width);
    names.define("topology_of", topology_of);
    names.define("contender_topology", contender_topology);
    names.define("diameter", [](const std::string& contender, std::uint32_t side) {
        return metrics_of(contender, side).diameter;
    });
    names.define("degree", [](const std::string& contender, std::uint32_t side) {
        return metrics_of(contender, side).degree_max;
    });
    names.define("is_run", is_run);
    names.define("is_simulated", is_simulated);
    names.define("model_name", model_name);
    names.define("port_model", [](PortModel model) { return std::string(name_of(model)); });
    names.define("pitch_key", pitch_key);
    names.define("physical_wires", physical_wires);
    names.define("clock_ns", clock_ns);
    names.define("stored_cycles", stored_cycles);
    names.define("printed_steps", printed_steps);
    names.define("corrected_steps", corrected_steps);
    names.define("printed_wormhole", [](How how, Collective collective, PortModel model) {
        return wormhole_cycles(printed_wormhole(how, collective, model));
    });
    names.define("corrected_wormhole", [](How how, Collective collective, PortModel model) {
        return wormhole_cycles(corrected_wormhole(how, collective, model));
    });
    names.define("exchange_bound", exchange_bound);
    names.define("printed_channels", printed_channels);
    names.define("printed_bisection", printed_bisection);
    names.define("corrected_bisection", corrected_bisection);
    names.define("printed_collective_width", printed_collective_width);
    names.define("corrected_collective_width", corrected_collective_width);
    return names;
}

std::vector<Experiment> experiments() { return scripted_experiments(kZiavrasScript, formulas()); }

Report report(const Outcomes& outcomes, const Wanted& wanted) {
    const Costs costs(outcomes);
    Names names = formulas();
    names.define("table_cycles", [&](const std::string& contender, std::uint32_t side,
                                     const std::string& schedule) {
        return costs.cycles(contender, side, schedule);
    });
    names.define("nanoseconds", [&](const std::string& contender, std::uint32_t side,
                                    const std::string& schedule, int pitch_mm) {
        return costs.nanoseconds(contender, side, schedule, pitch_mm);
    });
    names.define("cost_ratio", [&](std::uint32_t side, const std::string& schedule) {
        return costs.ratio(side, schedule);
    });
    names.define("cost_ratio_ns",
                 [&](std::uint32_t side, const std::string& schedule, int pitch_mm) {
                     return costs.ratio_ns(side, schedule, pitch_mm);
                 });
    return scripted_report(kZiavrasScript, names, outcomes, wanted);
}

}  // namespace

Paper ziavras() {
    return {"ziavras",
            "Ziavras, Wang, Alexandridis, Papathanasiou: Cost and Performance Analysis of Scalable "
            "Parallel Architectures",
            experiments, report};
}

}  // namespace flitscope::reproduce
