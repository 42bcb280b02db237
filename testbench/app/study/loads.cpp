// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/memory.h"
#include "models/base/split_mix.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/measure/statistics/estimates.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/simulation.h"
#include "testbench/app/study/appraisal.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/worker_pool.h"
#include "traffic/patterns/load_units.h"
#include "traffic/patterns/pattern_load.h"

namespace flitscope::study {
namespace {

/// From the metrics that end in `what`; nothing if there are none.
std::optional<LatencyFigures> latency_figures(const PointOutcome& outcome,
                                              const std::string& what) {
    const Metric* const mean = outcome.find("mean_" + what);
    if (mean == nullptr) return std::nullopt;
    LatencyFigures figures;
    figures.mean.value = mean->value;
    figures.mean.half_width = mean->half_width;
    figures.median.value = outcome.value("p50_" + what);
    figures.percentile_95.value = outcome.value("p95_" + what);
    figures.percentile_99.value = outcome.value("p99_" + what);
    return figures;
}

LoadPoint load_point(double rate, const PointOutcome& outcome) {
    LoadPoint point;
    point.rate = rate;
    point.status = outcome.status;
    point.problem = outcome.problem;
    if (!outcome.is_measured()) return point;
    point.offered = outcome.value("offered");
    point.accepted = outcome.value("accepted");
    point.latency = latency_figures(outcome, "latency");
    point.network_latency = latency_figures(outcome, "network_latency");
    point.round_trip = latency_figures(outcome, "round_trip");
    point.by_hops = outcome.by_hops;
    point.warmup_cycles = outcome.cycles("warmup_cycles");
    point.measured_cycles = outcome.cycles("measured_cycles");
    return point;
}

PointStatus combined_status(const std::vector<LoadPoint>& runs) {
    const auto is_stable = [](const LoadPoint& run) { return run.is_stable(); };
    const auto is_unstable = [](const LoadPoint& run) { return run.is_unstable(); };
    if (std::all_of(runs.begin(), runs.end(), is_stable)) return PointStatus::kStable;
    const auto unstable =
        static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), is_unstable));
    return 2 * unstable > runs.size() ? PointStatus::kUnstable : PointStatus::kNotConverged;
}

/// Means over `runs`, with their intervals if there is a `confidence` in them.
LatencyFigures combined_latency(const std::vector<LatencyFigures>& runs,
                                std::optional<double> confidence) {
    LatencyFigures all;
    for (Figure LatencyFigures::*const figure : kLatencyFigures) {
        std::vector<double> values;
        for (const LatencyFigures& run : runs) values.push_back((run.*figure).value);
        (all.*figure).value = statistics::mean(values);
        if (confidence) {
            (all.*figure).half_width = statistics::mean_half_width(values, *confidence);
        }
    }
    return all;
}

/// Nothing if some run does not know them.
std::optional<LatencyFigures> combined_if_known(const std::vector<LoadPoint>& runs,
                                                std::optional<LatencyFigures> LoadPoint::*figures,
                                                std::optional<double> confidence) {
    std::vector<LatencyFigures> known;
    for (const LoadPoint& run : runs) {
        if (!(run.*figures)) return std::nullopt;
        known.push_back(*(run.*figures));
    }
    return combined_latency(known, confidence);
}

/// Each class as far as it was met; in a run without it, nothing can be said of its intervals.
std::vector<HopClass> combined_classes(const std::vector<LoadPoint>& runs,
                                       std::optional<double> confidence) {
    std::map<std::uint32_t, std::vector<HopClass>> classes;
    for (const LoadPoint& run : runs) {
        for (const HopClass& of_run : run.by_hops) classes[of_run.hops].push_back(of_run);
    }
    std::vector<HopClass> all;
    for (const auto& [hops, met] : classes) {
        std::uint64_t messages = 0;
        std::vector<LatencyFigures> latency;
        for (const HopClass& of_run : met) {
            messages += of_run.messages;
            latency.push_back(of_run.latency);
        }
        const bool is_in_all = met.size() == runs.size();
        all.push_back(
            {hops, messages, combined_latency(latency, is_in_all ? confidence : std::nullopt)});
    }
    return all;
}

}  // namespace

Config at_rate(Config config, double rate) {
    config.traffic.injection_rate = rate;
    config.traffic.load_in_units.reset();
    config.traffic.share_of_saturation.reset();
    return config;
}

double load_bound(const Machine& machine) {
    const PatternLoad load = pattern_load(at_rate(machine.config, 1), machine.graph,
                                          *machine.routing, machine.pattern->pattern);
    const double most =
        std::max({1 / most_injected(machine.config), load.injection / load.injection_capacity,
                  load.ejection, load.link / load.link_capacity, load.cut / load.cut_capacity});
    return std::min(1 / most, most_offered(machine.config));
}

double most_offered(const Config& config) {
    const TrafficConfig& traffic = config.traffic;
    return traffic.arrivals == ArrivalKind::kBursty ? traffic.burst_rate : most_injected(config);
}

Config steady_config(Config config, const std::string& engine, double most) {
    if (config.traffic.pattern.empty()) {
        throw ConfigError(config.where("traffic"), "loads are those of a pattern",
                          "choose one: --set 'traffic={pattern: uniform, message_bytes: 64}'");
    }
    // As of a section `steady`, which a configuration with faults.at cannot have.
    if (config.faults && config.faults->come_later()) {
        throw ConfigError(config.where("faults.at"),
                          "a network that changes during the run has no steady state",
                          "set faults.at: 0");
    }
    if (!config.steady) config.steady.emplace();
    config = at_rate(std::move(config), most);
    const Machine machine = build_machine(config);
    if (machine.pattern->pattern.senders() == 0) {
        throw ConfigError(config.where("traffic.pattern"),
                          fmt::format("under '{}' no node of this network sends anything",
                                      config.traffic.pattern),
                          "choose another pattern, or a network with several working nodes");
    }
    choose_engine(machine, engine);
    require_deadlock_freedom(machine);
    require_runnable(machine);
    return config;
}

std::uint64_t replication_seed(std::uint64_t seed, unsigned replication) {
    constexpr int kBits = 53;  // which every reader of JSON keeps, so that a run can be had again
    return replication == 0 ? seed : split_mix(split_mix(seed) ^ replication) >> (64 - kBits);
}

LoadPoint combined(const std::vector<LoadPoint>& runs, double confidence) {
    if (runs.size() == 1) return runs.front();
    LoadPoint all;
    all.rate = runs.front().rate;
    all.replications = static_cast<unsigned>(runs.size());
    const auto failed = std::find_if(runs.begin(), runs.end(),
                                     [](const LoadPoint& run) { return !run.is_measured(); });
    if (failed != runs.end()) {
        all.status = failed->status;
        all.problem = failed->problem;
        return all;
    }
    for (const LoadPoint& run : runs) {
        all.offered += run.offered / static_cast<double>(runs.size());
        all.accepted += run.accepted / static_cast<double>(runs.size());
        all.warmup_cycles += run.warmup_cycles;
        all.measured_cycles += run.measured_cycles;
    }
    all.status = combined_status(runs);
    std::optional<double> sure;
    if (all.is_stable()) sure = confidence;
    for (const auto figures :
         {&LoadPoint::latency, &LoadPoint::network_latency, &LoadPoint::round_trip}) {
        all.*figures = combined_if_known(runs, figures, sure);
    }
    all.by_hops = combined_classes(runs, sure);
    return all;
}

std::vector<LoadPoint> measure_loads(const Config& config, const std::vector<double>& rates,
                                     const LoadOptions& options) {
    // Run r of load l is task l * replications + r.
    const std::size_t replications = options.replications;
    std::vector<std::vector<LoadPoint>> runs(rates.size(), std::vector<LoadPoint>(replications));
    const auto seed_of = [&](std::size_t task) {
        return replication_seed(config.seed, static_cast<unsigned>(task % replications));
    };
    // The highest loads take longest.
    std::vector<std::size_t> waiting(rates.size() * replications);
    for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = i;
    std::sort(waiting.begin(), waiting.end(), [&](std::size_t a, std::size_t b) {
        return rates[a / replications] < rates[b / replications];
    });
    Job job;
    job.next = [&]() -> std::optional<Task> {
        if (waiting.empty()) return std::nullopt;
        const std::size_t task = waiting.back();
        waiting.pop_back();
        return Task{task, task};
    };
    job.point = [&](const Json& recipe) {
        const auto task = recipe.get<std::size_t>();
        DesignPoint point;
        point.config = at_rate(config, rates[task / replications]);
        point.config.seed = seed_of(task);
        point.engine = options.engine;
        point.by_hops = options.by_hops;
        return point;
    };
    job.on_outcome = [&](std::size_t task, const PointOutcome& outcome) {
        const std::size_t load = task / replications;
        LoadPoint& run = runs[load][task % replications];
        run = load_point(rates[load], outcome);
        if (!run.is_measured() && replications > 1) {
            run.problem = fmt::format("with seed {}: {}", seed_of(task), run.problem);
        }
        if (options.on_run) options.on_run(run);
    };
    process_worker_pool({options.processes, options.is_cancelled})(job);
    std::vector<LoadPoint> points;
    for (const std::vector<LoadPoint>& of_load : runs) {
        points.push_back(combined(of_load, config.steady->confidence));
    }
    return points;
}

}  // namespace flitscope::study
