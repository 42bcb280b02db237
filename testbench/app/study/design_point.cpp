// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/design_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/digest.h"
#include "models/base/file_text.h"
#include "models/base/memory.h"
#include "models/base/stopwatch.h"
#include "models/base/types.h"
#include "models/config/config.h"
#include "models/config/value_named.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/run/energy_counts.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/input_files.h"
#include "testbench/app/run/simulation.h"
#include "testbench/app/study/appraisal.h"
#include "testbench/app/study/loads.h"
#include "testbench/app/study/saturation.h"

namespace flitscope::study {
namespace {

/// Steps of a program in which something is sent.
std::uint64_t used_steps(const SimulationResult& result) {
    return static_cast<std::uint64_t>(
        std::count_if(result.step_times.begin(), result.step_times.end(),
                      [](const StepTime& time) { return time.start != kNever; }));
}

void add(PointOutcome& outcome, const char* name, const char* unit, double value) {
    outcome.metrics.push_back({name, unit, value});
}

/// If nothing was delivered in the cycles measured there is no latency, not one of 0.
bool has_latency(const SimulationResult& result) { return result.latency.count() > 0; }

/// Without replies in the cycles measured there are no round trips, whatever is configured.
bool has_round_trips(const SimulationResult& result) {
    return result.replies && result.replies->round_trip.count() > 0;
}

void add_percentiles(PointOutcome& outcome, const char* what, const LatencyStatistics& latency) {
    for (const int percent : {50, 95, 99}) {
        add(outcome, fmt::format("p{}_{}", percent, what).c_str(), "cycles",
            static_cast<double>(latency.percentile(percent)));
    }
}

/// Nothing if that is not known: without a steady state, or from too few samples.
std::optional<double> half_width(const statistics::Estimate& mean, bool is_stable) {
    return is_stable && std::isfinite(mean.half_width) ? std::optional(mean.half_width)
                                                       : std::nullopt;
}

void add_steady(PointOutcome& outcome, const Machine& machine, const SimulationResult& result) {
    const SteadyOutcome& steady = *result.steady;
    const bool is_stable = steady.status == SteadyStatus::kStable;
    // If no node sends, there is no traffic.
    const double node_cycles = static_cast<double>(std::max<Cycle>(steady.cycles, 1)) *
                               std::max(machine.pattern->pattern.senders(), 1U);
    add(outcome, "offered", "flits/node/cycle",
        static_cast<double>(steady.generated) / node_cycles);
    add(outcome, "accepted", "flits/node/cycle",
        static_cast<double>(steady.delivered) / node_cycles);
    add(outcome, "warmup_cycles", "cycles", static_cast<double>(steady.warmup));
    add(outcome, "measured_cycles", "cycles", static_cast<double>(steady.cycles));
    const auto add_mean = [&](const char* name, const statistics::Estimate& mean,
                              std::uint64_t count) {
        outcome.metrics.push_back(
            {name, "cycles", mean.mean, half_width(mean, is_stable), count, "batch means"});
    };
    if (has_latency(result)) {
        add_mean("mean_latency", steady.latency, result.latency.count());
        add_mean("mean_network_latency", *result.mean_network_latency, result.latency.count());
    }
    if (has_round_trips(result)) {
        add_mean("mean_round_trip", *result.replies->mean, result.replies->round_trip.count());
    }
    for (const HopStatistics& of_distance : result.by_hops) {
        const LatencyStatistics& latency = of_distance.latency;
        HopClass& c = outcome.by_hops.emplace_back();
        c.hops = of_distance.hops;
        c.messages = latency.count();
        c.latency.mean.value = latency.mean();
        c.latency.mean.half_width = half_width(of_distance.mean, is_stable);
        c.latency.median.value = static_cast<double>(latency.percentile(50));
        c.latency.percentile_95.value = static_cast<double>(latency.percentile(95));
        c.latency.percentile_99.value = static_cast<double>(latency.percentile(99));
    }
    if (outcome.is_measured()) outcome.status = point_status_of(name_of(steady.status));
}

void add_energy_counts(PointOutcome& outcome, const EnergyCounts& counts) {
    for (const auto& [name, member] : kEnergyCounts) add(outcome, name, "", counts.*member);
}

PointOutcome stopped(Cycle after) {
    PointOutcome outcome;
    outcome.status = PointStatus::kStopped;
    outcome.problem = fmt::format("stopped after {} cycles", after);
    add(outcome, "lower_bound", "cycles", static_cast<double>(after));
    return outcome;
}

/// The outcome of a run that was not stopped.
PointOutcome outcome_of(const DesignPoint& point, const Machine& machine,
                        const SimulationResult& result) {
    PointOutcome outcome;
    outcome.status = point_status_of(name_of(result.verdict));
    if (result.verdict != Verdict::kComplete) {
        outcome.problem =
            result.problems.empty() ? name_of(result.verdict) : result.problems.front();
    }
    outcome.words = {{"engine", result.engine}};
    add(outcome, "cycles", "cycles", static_cast<double>(result.span()));
    add(outcome, "messages", "messages", static_cast<double>(result.messages_delivered));
    if (!result.node_operations.empty()) {
        add(outcome, "ranks_end", "cycles", static_cast<double>(result.ranks_end()));
    }
    add(outcome, "flit_hops", "flit-hops", static_cast<double>(result.flit_hops));
    add(outcome, "lower_bound", "cycles", static_cast<double>(result.lower_bound_cycles));
    add(outcome, "steps", "steps", static_cast<double>(used_steps(result)));
    add(outcome, "results", "values", static_cast<double>(result.correct_results));
    if (result.steady) {
        add_steady(outcome, machine, result);
    } else {
        const auto add_mean = [&](const char* name, const LatencyStatistics& latency) {
            outcome.metrics.push_back({name, "cycles", latency.mean(), {}, latency.count(), ""});
        };
        if (result.measured && result.measured->is_overloaded()) {
            outcome.words.emplace_back(kOverloaded, "the backlog grew by more than chance");
        }
        if (has_latency(result)) {
            add_mean("mean_latency", result.latency);
            add_mean("mean_network_latency", result.network_latency);
        }
        if (has_round_trips(result)) add_mean("mean_round_trip", result.replies->round_trip);
    }
    if (point.by_energy) {
        add_energy_counts(outcome, energy_counts(machine, result));
        add(outcome, kPayloadBits, "bits", static_cast<double>(result.bits_delivered()));
    }
    if (has_latency(result)) {
        add_percentiles(outcome, "latency", result.latency);
        add_percentiles(outcome, "network_latency", result.network_latency);
    }
    if (has_round_trips(result)) {
        add_percentiles(outcome, "round_trip", result.replies->round_trip);
    }
    return outcome;
}

/// Up to this many nodes modules are destroyed; beyond, that takes longer than a new process.
constexpr NodeId kMostTakenDown = 256;

/// The configuration at a load that is known. Points of one design are often measured one after the
/// other, at several shares of its saturation, so that is kept.
Config at_known_load(const DesignPoint& point) {
    Config config = point.config;
    const std::optional<double> share = config.traffic.share_of_saturation;
    if (!share) return config;
    static std::pair<std::string, double> kept;  // of a process, which measures one point at a time
    DesignPoint design;
    design.config = at_rate(config, 1);
    design.measurement = Measurement::kSaturation;
    design.engine = point.engine;
    const std::string name = digest(design);
    if (kept.first == name) return at_rate(std::move(config), *share * kept.second);
    kept = {name, resolve_share(config, {point.engine, 1})->lower};
    return config;
}

Measured measure_run(const DesignPoint& point) {
    const Machine machine = build_machine(at_known_load(point));
    require_traffic(machine);
    require_deadlock_freedom(machine);
    require_runnable(machine);
    SimulationOptions options;
    options.keep_modules =
        std::max(machine.graph.node_count(), machine.graph.router_count()) > kMostTakenDown;
    options.by_hops = point.by_hops;
    options.useful_cycles = point.useful_cycles;
    options.count_sendings = point.by_energy;
    auto kernel = std::make_unique<FreshKernel>();
    std::optional<CauseCycles> by_cause;
    const auto run = [&] {
        if (!point.by_cause) return simulate(machine, point.engine, options);
        Explanation explanation = explain(machine, point.engine, options);
        by_cause = explanation.by_cause;
        return std::move(explanation.run);
    };
    const SimulationResult result = run();
    Measured measured;
    measured.is_last = options.keep_modules;
    if (measured.is_last) static_cast<void>(kernel.release());  // it stays with its modules
    const bool may_be_stopped = point.useful_cycles < point.config.limits.max_cycles;
    // If all has arrived, ranks are busy beyond the limit of the configuration.
    const bool is_under_way = result.messages_delivered < result.messages_expected;
    if (may_be_stopped && is_under_way && result.verdict == Verdict::kTimeout) {
        measured.outcome = stopped(point.useful_cycles);
    } else {
        measured.outcome = outcome_of(point, machine, result);
        measured.outcome.by_cause = by_cause;
    }
    return measured;
}

PointOutcome measure_saturation(const DesignPoint& point) {
    const Saturation found = find_saturation(
        steady_config(point.config, point.engine, most_offered(point.config)), {point.engine, 1});
    PointOutcome outcome;
    outcome.status = PointStatus::kComplete;
    const char* const unit = "flits/node/cycle";
    // No half widths: a bracket is not a confidence interval, least of all around one of its ends.
    // Nothing is known of a load that was not run: a bracket that begins at 0 has no lower end.
    if (found.load.lower > 0) {
        outcome.metrics.push_back(
            {"saturation", unit, found.load.lower, {}, 0, "lower end of the bracket"});
    }
    outcome.metrics.push_back(
        {"saturation_upper", unit, found.load.upper, {}, 0, "upper end of the bracket"});
    add(outcome, "plateau", unit, found.plateau_accepted);
    if (found.zero_load_latency) {
        add(outcome, "zero_load_latency", "cycles", *found.zero_load_latency);
    }
    return outcome;
}

Measured measure_it(const DesignPoint& point) {
    switch (point.measurement) {
        case Measurement::kAppraisal:
            return {appraise(point)};
        case Measurement::kRun:
            return measure_run(point);
        case Measurement::kSaturation:
            return {measure_saturation(point)};
    }
    return {};
}

/// Null if it is not known.
Json half_width_json(const std::optional<double>& half_width) {
    return half_width ? Json(*half_width) : Json();
}

std::optional<double> half_width_from_json(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json to_json(const LatencyFigures& latency) {
    Json json = Json::array();
    for (Figure LatencyFigures::*const member : kLatencyFigures) {
        const Figure& figure = latency.*member;
        json.push_back({figure.value, half_width_json(figure.half_width)});
    }
    return json;
}

LatencyFigures latency_from_json(const Json& json) {
    LatencyFigures latency;
    for (std::size_t i = 0; i < std::size(kLatencyFigures); ++i) {
        Figure& figure = latency.*kLatencyFigures[i];
        json.at(i).at(0).get_to(figure.value);
        figure.half_width = half_width_from_json(json.at(i).at(1));
    }
    return latency;
}

/// A count, as to_json() writes it. Another number would be converted, whatever it is.
std::uint64_t count_from_json(const Json& json) {
    return json.get_ref<const Json::number_unsigned_t&>();
}

}  // namespace

const char* name_of(Measurement measurement) {
    switch (measurement) {
        case Measurement::kAppraisal:
            return "appraisal";
        case Measurement::kRun:
            return "run";
        case Measurement::kSaturation:
            return "saturation";
    }
    return "";
}

Measurement measurement_of(const std::string& name) {
    if (const auto measurement = value_named(kMeasurements, name)) return *measurement;
    throw std::out_of_range("no measurement is called " + name);
}

const char* name_of(PointStatus status) {
    switch (status) {
        case PointStatus::kComplete:
            return name_of(Verdict::kComplete);
        case PointStatus::kStable:
            return name_of(SteadyStatus::kStable);
        case PointStatus::kUnstable:
            return name_of(SteadyStatus::kUnstable);
        case PointStatus::kNotConverged:
            return name_of(SteadyStatus::kNotConverged);
        case PointStatus::kRefused:
            return "refused";
        case PointStatus::kStopped:
            return "stopped";
        case PointStatus::kFailed:
            return name_of(Verdict::kFailed);
        case PointStatus::kDeadlock:
            return name_of(Verdict::kDeadlock);
        case PointStatus::kTimeout:
            return name_of(Verdict::kTimeout);
        case PointStatus::kInterrupted:
            return name_of(Verdict::kInterrupted);
        case PointStatus::kCrashed:
            return "crashed";
    }
    return "";
}

PointStatus point_status_of(const std::string& name) {
    if (const auto status = value_named(kPointStatuses, name)) return *status;
    throw std::out_of_range("no status is called " + name);
}

bool is_measured(PointStatus status) {
    switch (status) {
        case PointStatus::kComplete:
        case PointStatus::kStable:
        case PointStatus::kUnstable:
        case PointStatus::kNotConverged:
            return true;
        default:
            return false;
    }
}

const Metric* PointOutcome::find(const std::string& name) const {
    const auto it = std::find_if(metrics.begin(), metrics.end(),
                                 [&](const Metric& metric) { return metric.name == name; });
    return it == metrics.end() ? nullptr : &*it;
}

double PointOutcome::value(const std::string& name) const {
    const Metric* const metric = find(name);
    if (metric == nullptr) throw std::out_of_range("no metric is called " + name);
    return metric->value;
}

Cycle PointOutcome::cycles(const std::string& name) const {
    return static_cast<Cycle>(value(name));
}

std::string PointOutcome::word(const std::string& name) const {
    const auto it = std::find_if(words.begin(), words.end(),
                                 [&](const auto& word) { return word.first == name; });
    return it == words.end() ? "" : it->second;
}

Json to_json(const DesignPoint& point) {
    Json json = {{"measurement", name_of(point.measurement)},
                 {"engine", point.engine},
                 {"config", to_yaml(point.config)}};
    if (point.useful_cycles != kNever) json["useful_cycles"] = point.useful_cycles;
    if (point.by_hops) json["by_hops"] = true;
    if (point.by_cause) json["by_cause"] = true;
    if (point.by_energy) json["by_energy"] = true;
    return json;
}

DesignPoint point_from_json(const Json& json) {
    return {parse_config(json.at("config"), "a point"),
            measurement_of(json.at("measurement")),
            json.at("engine"),
            json.value("useful_cycles", kNever),
            json.value("by_hops", false),
            json.value("by_cause", false),
            json.value("by_energy", false)};
}

Json to_json(const PointOutcome& outcome) {
    Json metrics = Json::array();
    for (const Metric& m : outcome.metrics) {
        metrics.push_back(
            {m.name, m.unit, m.value, half_width_json(m.half_width), m.count, m.method});
    }
    Json json = {{"status", name_of(outcome.status)},
                 {"problem", outcome.problem},
                 {"metrics", std::move(metrics)},
                 {"words", outcome.words},
                 {"wall_seconds", outcome.wall_seconds}};
    for (const HopClass& c : outcome.by_hops) {
        json["by_hops"].push_back({c.hops, c.messages, to_json(c.latency)});
    }
    if (outcome.by_cause) json["by_cause"] = *outcome.by_cause;
    return json;
}

PointOutcome outcome_from_json(const Json& json) {
    PointOutcome outcome;
    outcome.status = point_status_of(json.at("status"));
    json.at("problem").get_to(outcome.problem);
    for (const Json& m : json.at("metrics")) {
        outcome.metrics.push_back({m.at(0), m.at(1), m.at(2), half_width_from_json(m.at(3)),
                                   count_from_json(m.at(4)), m.at(5)});
    }
    json.at("words").get_to(outcome.words);
    for (const Json& c : json.value("by_hops", Json::array())) {
        outcome.by_hops.push_back({static_cast<std::uint32_t>(count_from_json(c.at(0))),
                                   count_from_json(c.at(1)), latency_from_json(c.at(2))});
    }
    if (json.contains("by_cause")) {
        CauseCycles& cycles = outcome.by_cause.emplace();
        for (std::size_t i = 0; i < cycles.size(); ++i) {
            cycles[i] = count_from_json(json.at("by_cause").at(i));
        }
    }
    json.at("wall_seconds").get_to(outcome.wall_seconds);
    return outcome;
}

Measured measure(const DesignPoint& point) {
    const Stopwatch watch;
    Measured measured;
    PointOutcome& outcome = measured.outcome;
    try {
        measured = measure_it(point);
    } catch (const ConfigError& error) {
        outcome.status = PointStatus::kRefused;
        outcome.problem = error.findings().front().str();
    } catch (const std::bad_alloc&) {
        outcome.problem = kOutOfMemory;
        measured.is_last = true;
    } catch (const std::exception& error) {
        outcome.problem = error.what();
        measured.is_last = true;
    }
    outcome.wall_seconds = watch.seconds();
    return measured;
}

std::string digest(const DesignPoint& point) {
    Config config = point.config;
    config.trace = {};
    std::string text =
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", program_name(), name_of(point.measurement),
                    point.engine, point.by_hops, point.by_cause, point.by_energy, to_yaml(config));
    for (const std::string& file : input_files(config)) text += digest_of(read_file(file));
    return digest_of(text);
}

const std::string& program_name() {
    static const std::string name =
        "flitscope " + digest_of(read_file("/proc/self/exe")).substr(0, 16);
    return name;
}

}  // namespace flitscope::study
