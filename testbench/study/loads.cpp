// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/study/loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "models/base/diagnostics.h"
#include "testbench/build/machine.h"
#include "testbench/run/engines.h"
#include "testbench/run/simulation.h"
#include "testbench/study/crew.h"
#include "traffic/patterns/pattern_load.h"

namespace flitscope::study {
namespace {

constexpr double kBracket = 0.02;  // of its upper end

Config at_rate(Config config, double rate) {
    config.traffic.injection_rate = rate;
    return config;
}

LoadPoint load_point(double rate, const PointOutcome& outcome) {
    LoadPoint point;
    point.rate = rate;
    point.status = outcome.status;
    point.problem = outcome.problem;
    if (!outcome.is_measured()) return point;
    point.generated = outcome.value("generated");
    point.accepted = outcome.value("accepted");
    const Metric& latency = *outcome.find("mean_latency");
    point.mean_latency = latency.value;
    point.half_width = latency.half_width;
    point.median = outcome.cycles("p50_latency");
    point.percentile_95 = outcome.cycles("p95_latency");
    point.percentile_99 = outcome.cycles("p99_latency");
    point.warmup_cycles = outcome.cycles("warmup_cycles");
    point.measured_cycles = outcome.cycles("measured_cycles");
    point.wall_seconds = outcome.wall_seconds;
    return point;
}

/// The search for a saturation: makes runs, within a budget.
class Search {
public:
    Search(const Config& config, const LoadOptions& options) : config_(config), options_(options) {}

    bool has_budget(std::size_t kept = 0) const {
        return saturation.runs.size() + kept < kMostLoads;
    }
    LoadPoint run(double rate) {
        const LoadPoint point = measure_loads(config_, {rate}, options_).front();
        if (!point.is_measured()) {
            throw std::runtime_error(
                fmt::format("the run at {:.4g} flits/node/cycle: {}", rate, point.problem));
        }
        saturation.runs.push_back(point);
        return point;
    }

    Saturation saturation;

private:
    const Config& config_;
    const LoadOptions& options_;
};

bool is_unstable(const LoadPoint& point) {
    return point.status == status_name(SteadyStatus::kUnstable);
}

/// Halves [lower, upper] until it is narrow, as long as there is a budget beyond `kept` runs.
template <class IsBelow>
void bisect(Search& search, double& lower, double& upper, std::size_t kept, IsBelow is_below) {
    while (upper - lower > kBracket * upper && search.has_budget(kept)) {
        const double middle = (lower + upper) / 2;
        (is_below(search.run(middle)) ? lower : upper) = middle;
    }
}

}  // namespace

double load_bound(const Machine& machine) {
    const PatternLoad load = pattern_load(at_rate(machine.config, 1), machine.graph,
                                          *machine.routing, machine.pattern->pattern);
    const double most = std::max(
        {1.0, load.injection / load.injection_capacity, load.ejection, load.link, load.cut});
    return 1 / most;
}

Config steady_config(Config config, const std::string& engine, double most) {
    if (config.traffic.pattern.empty()) {
        throw ConfigError(config.where("traffic"), "loads are those of a pattern",
                          "choose one: --set traffic={pattern: uniform, message_bytes: 64}");
    }
    if (!config.steady) config.steady.emplace();
    const Machine machine = build_machine(at_rate(config, most));
    choose_engine(machine, engine);
    require_deadlock_freedom(machine);
    require_runnable(machine);
    return config;
}

std::vector<LoadPoint> measure_loads(const Config& config, const std::vector<double>& rates,
                                     const LoadOptions& options) {
    std::vector<LoadPoint> points(rates.size());
    // The highest loads take longest.
    std::vector<std::size_t> waiting(rates.size());
    for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = i;
    std::sort(waiting.begin(), waiting.end(),
              [&](std::size_t a, std::size_t b) { return rates[a] < rates[b]; });
    const auto next = [&]() -> std::optional<Task> {
        if (waiting.empty()) return std::nullopt;
        const std::size_t task = waiting.back();
        waiting.pop_back();
        return Task{task, {{at_rate(config, rates[task]), Measurement::kRun, options.engine}}};
    };
    process_crew({options.processes, options.is_cancelled})(
        next, [&](std::size_t task, const std::vector<PointOutcome>& outcomes) {
            points[task] = load_point(rates[task], outcomes.front());
            if (options.on_point) options.on_point(points[task]);
        });
    return points;
}

Saturation find_saturation(const Config& config, const LoadOptions& options) {
    Search search(config, options);
    Saturation& found = search.saturation;
    const double bound = load_bound(build_machine(config));
    const LoadPoint idle = search.run(bound / 50);
    found.zero_load_latency = idle.mean_latency;
    found.lower = idle.rate;
    found.upper = bound;
    std::optional<LoadPoint> most;
    if (bound == 1) {  // otherwise more is proved to be too much, and no run could tell
        most = search.run(found.upper);
        if (!is_unstable(*most)) found.lower = found.upper;
    }
    constexpr std::size_t kKept = 3;  // for the plateau and three times the latency
    bisect(search, found.lower, found.upper, kKept,
           [](const LoadPoint& point) { return !is_unstable(point); });

    found.plateau_accepted =
        most ? most->accepted : search.run(std::min(1.0, 1.5 * found.upper)).accepted;

    const double limit = 3 * found.zero_load_latency;
    const auto is_below = [limit](const LoadPoint& point) {
        return !is_unstable(point) && point.mean_latency < limit;
    };
    double lower = 0;
    double upper = found.upper;
    for (const LoadPoint& run : found.runs) {
        if (is_below(run)) {
            lower = std::max(lower, run.rate);
        } else {
            upper = std::min(upper, run.rate);
        }
    }
    if (lower < upper) {
        bisect(search, lower, upper, 0, is_below);
        found.rate_at_3x_zero_load = (lower + upper) / 2;
    }
    return std::move(found);
}

}  // namespace flitscope::study
