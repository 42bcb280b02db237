// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/objectives.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/rounded.h"
#include "models/config/config.h"
#include "testbench/app/energy/run_energy.h"
#include "testbench/app/gate_synthesis/synthesis.h"
#include "traffic/schedules/kernels/kernel_schedules.h"

namespace flitscope::study {
namespace {

std::optional<double> figure(const PointOutcome* outcome, const char* name) {
    const Metric* const metric = outcome == nullptr ? nullptr : outcome->find(name);
    return metric == nullptr ? std::nullopt : std::optional(metric->value);
}

std::optional<double> times(std::optional<double> value, double factor) {
    return value ? std::optional(*value * factor) : std::nullopt;
}

using MetricFunction = std::function<std::optional<double>(const Evaluation&)>;

MetricFunction appraised(const char* name) {
    return [name](const Evaluation& e) { return figure(e.appraisal, name); };
}
MetricFunction measured(const char* name) {
    return [name](const Evaluation& e) { return figure(e.measured, name); };
}
bool is_overloaded(const PointOutcome& run) { return !run.word(kOverloaded).empty(); }

/// Metric of a run; nothing if its load was too much, or if a run with `steady` ended before its
/// latency was known well enough.
MetricFunction if_steady(const MetricFunction& value) {
    return [value](const Evaluation& e) -> std::optional<double> {
        if (e.measured == nullptr) return std::nullopt;
        for (const PointStatus status : {PointStatus::kUnstable, PointStatus::kNotConverged}) {
            if (e.measured->status == status) return std::nullopt;
        }
        if (is_overloaded(*e.measured)) return std::nullopt;
        return value(e);
    };
}
MetricFunction in_ns(const MetricFunction& cycles) {
    return [cycles](const Evaluation& e) { return times(cycles(e), e.clock_ns); };
}

/// Payload of all nodes together in Gbit/s, for a load in flits per sending node and cycle.
std::optional<double> gbps(const Evaluation& e, std::optional<double> load) {
    const auto senders = figure(e.appraisal, "senders");
    const auto bits = figure(e.appraisal, "bits_per_flit");
    if (!load || !senders || !bits) return std::nullopt;
    return *load * *senders * *bits / e.clock_ns;
}

/// Energy of a run in uJ from the counts of an outcome, for `cycles` if given.
std::optional<double> energy_uj(const Evaluation& e, const PointOutcome* counted,
                                std::optional<double> cycles = {}) {
    constexpr double kMicro = 1e-6;
    if (e.router == nullptr || !e.router->energy) return std::nullopt;
    EnergyCounts counts;
    for (const auto& [name, member] : kEnergyCounts) {
        const auto count = figure(counted, name);
        // Older databases have no count of them, and networks without them.
        if (!count && member != &EnergyCounts::transceivers) return std::nullopt;
        counts.*member = count.value_or(0);
    }
    if (cycles) counts.cycles = *cycles;
    return run_energy(counts, *e.router->energy, e.clock_ns).total() / kMicro;
}

/// The clock and the leakage of all routers and links in the cycles that a program takes at least:
/// no energy is negative.
std::optional<double> least_energy_uj(const Evaluation& e) {
    const auto cycles = figure(e.appraisal, "lower_bound");
    return cycles ? energy_uj(e, e.appraisal, cycles) : std::nullopt;
}

/// Energy in pJ per bit of payload, from an energy and the bits that an outcome has counted.
std::optional<double> per_bit_pj(std::optional<double> energy_uj, const PointOutcome* counted) {
    constexpr double kPicoPerMicro = 1e6;
    const auto bits = figure(counted, kPayloadBits);
    if (!bits || *bits == 0) return std::nullopt;
    return times(energy_uj, kPicoPerMicro / *bits);
}

MetricInfo described(const char* name, const char* unit, const char* meaning,
                     const MetricFunction& value, const MetricFunction& bound) {
    MetricInfo info;
    info.name = name;
    info.unit = unit;
    info.meaning = meaning;
    info.value = value;
    info.bound = bound;
    return info;
}

/// Known without a simulation.
MetricInfo known(const char* name, const char* unit, const char* meaning,
                 const MetricFunction& value) {
    MetricInfo info = described(name, unit, meaning, value, value);
    info.is_known = true;
    info.needs_appraisal = true;
    return info;
}

MetricInfo of_router(const char* name, const char* unit, const char* meaning,
                     const MetricFunction& value) {
    MetricInfo info = known(name, unit, meaning, value);
    info.needs_router = true;
    return info;
}

std::optional<Unsuited> without_makespan(const Config& config) {
    if (config.traffic.pattern.empty()) return std::nullopt;
    return Unsuited{"traffic.pattern", "a pattern has no makespan",
                    "take latency_ns or saturation_gbps, or set traffic.schedule"};
}
std::optional<Unsuited> without_ranks(const Config& config) {
    constexpr const char* kRemedy = "take time_ns, which ends with the last delivery";
    const TrafficConfig& traffic = config.traffic;
    if (!traffic.pattern.empty()) return without_makespan(config);
    if (!traffic.program.empty()) {
        return Unsuited{"traffic.program", "a program of messages has no ranks", kRemedy};
    }
    if (!traffic.trace.file.empty()) {
        if (traffic.trace.format != TraceFormat::kCsv) return std::nullopt;
        return Unsuited{"traffic.trace.format", "messages with times have no ranks", kRemedy};
    }
    if (is_kernel(traffic.schedule)) return std::nullopt;
    return Unsuited{"traffic.schedule", fmt::format("{} has no ranks", traffic.schedule), kRemedy};
}
std::optional<Unsuited> without_fixed_length(const Config& config) {
    if (!config.steady) return std::nullopt;
    return Unsuited{"steady", "such a run lasts until its latency is known",
                    "take energy_per_bit_pj, or leave steady out and set traffic.measure_cycles"};
}
std::optional<Unsuited> without_replies(const Config& config) {
    if (config.traffic.reply_bytes) return std::nullopt;
    return Unsuited{"traffic", "messages have no replies",
                    "set traffic.reply_bytes, with a pattern"};
}

/// How long the programs run.
MetricInfo time_of_runs(const char* name, const char* unit, const char* meaning,
                        const MetricFunction& value, const MetricFunction& bound) {
    MetricInfo info = described(name, unit, meaning, value, bound);
    info.measurement = Measurement::kRun;
    info.is_sum = true;
    info.is_time = true;
    info.unsuited = without_makespan;
    return info;
}

/// A mean of what runs deliver.
MetricInfo steady_mean(const char* name, const char* meaning, const char* mean, const char* least) {
    MetricInfo info =
        described(name, "ns", meaning, in_ns(if_steady(measured(mean))), in_ns(appraised(least)));
    info.measurement = Measurement::kRun;
    info.is_steady = true;
    return info;
}

MetricInfo energy_of_runs(const char* name, const char* unit, const char* meaning,
                          const MetricFunction& value, const MetricFunction& bound) {
    MetricInfo info = described(name, unit, meaning, if_steady(value), bound);
    info.measurement = Measurement::kRun;
    info.is_steady = true;
    info.needs_router = true;
    info.needs_energy = true;
    info.needs_appraisal = true;  // which includes the router
    return info;
}

MetricInfo of_saturation(const char* name, const char* unit, const char* meaning,
                         const MetricFunction& value, const MetricFunction& bound) {
    MetricInfo info = described(name, unit, meaning, value, bound);
    info.measurement = Measurement::kSaturation;
    info.bound_is_upper = true;
    return info;
}

std::vector<MetricInfo> make_metrics() {
    std::vector<MetricInfo> all;
    all.push_back(time_of_runs("time_ns", "ns",
                               "time of the programs: cycles times the clock period",
                               in_ns(measured("cycles")), in_ns(appraised("lower_bound"))));
    all.push_back(time_of_runs("cycles", "cycles", "makespans of the programs", measured("cycles"),
                               appraised("lower_bound")));
    all.push_back(time_of_runs("ranks_end_ns", "ns",
                               "time until the last rank of a trace or a kernel has done "
                               "everything",
                               in_ns(measured("ranks_end")), in_ns(appraised("lower_bound"))));
    all.back().unsuited = without_ranks;
    all.push_back(energy_of_runs(
        "energy_uj", "uJ",
        "energy of the programs: synthesized routers and links; wires if they have a length in mm",
        [](const Evaluation& e) { return energy_uj(e, e.measured); }, least_energy_uj));
    all.back().is_sum = true;
    all.back().unsuited = without_fixed_length;
    all.push_back(energy_of_runs(
        "energy_per_bit_pj", "pJ/bit", "that energy, over the bits of payload that arrived",
        [](const Evaluation& e) { return per_bit_pj(energy_uj(e, e.measured), e.measured); },
        [](const Evaluation& e) { return per_bit_pj(least_energy_uj(e), e.appraisal); }));
    all.push_back(
        steady_mean("latency_ns", "mean latency of a message", "mean_latency", "least_latency"));
    all.push_back(steady_mean(
        "round_trip_ns", "mean time from the start of a request to the delivery of the reply to it",
        "mean_round_trip", "least_round_trip"));
    all.back().unsuited = without_replies;
    all.push_back(of_saturation(
        "saturation_gbps", "Gbit/s",
        "payload that all nodes together deliver at the lower end of the bracket of "
        "saturation",
        [](const Evaluation& e) { return gbps(e, figure(e.measured, "saturation")); },
        [](const Evaluation& e) { return gbps(e, figure(e.appraisal, "saturation_bound")); }));
    all.back().needs_appraisal = true;
    all.push_back(of_saturation("saturation", "flits/node/cycle",
                                "lower end of the bracket of saturation", measured("saturation"),
                                appraised("saturation_bound")));
    all.push_back(known("zero_load_ns", "ns", "mean latency of a message on an idle network",
                        in_ns(appraised("zero_load_latency"))));
    all.push_back(of_router(
        "area_mm2", "mm2", "cells of all routers and of the registers of all links, synthesized",
        [](const Evaluation& e) -> std::optional<double> {
            const auto routers = times(figure(e.appraisal, "routers"), e.router->area_um2);
            if (!routers || !e.links_um2) return std::nullopt;
            return (*routers + *e.links_um2) / kUm2PerMm2;
        }));
    all.back().needs_links = true;
    all.back().parts = [](const Evaluation& e) {
        const double routers = figure(e.appraisal, "routers").value_or(0) * e.router->area_um2;
        return fmt::format("routers {:.4g}: {}; registers of links {:.4g}", routers / kUm2PerMm2,
                           e.router->kinds, e.links_um2.value_or(0) / kUm2PerMm2);
    };
    all.push_back(of_router("power_mw", "mW",
                            "all routers, synthesized, at the clock and the activity that "
                            "flitscope synth assumes",
                            [](const Evaluation& e) {
                                return times(figure(e.appraisal, "routers"), e.router->power_mw);
                            }));
    all.push_back(
        of_router("period_ns", "ns", "longest path of the synthesized router",
                  [](const Evaluation& e) { return std::optional(e.router->period_ns); }));
    all.push_back(known("pins", "wires",
                        "wires of the node with the most links, in the direction with more of them",
                        appraised("pins")));
    all.push_back(known("bisection_wires", "wires",
                        "wires between the halves of the network, in the direction with more",
                        appraised("bisection_wires")));
    all.push_back(
        known("wire_length", "node pitches", "length of all channels", appraised("wire_length")));
    all.push_back(known("wire_bits", "node pitches", "length of all wires of all links",
                        appraised("wire_bits")));
    all.push_back(known("chip_mm2", "mm2",
                        "rectangle around the tiles of all nodes, if wires have a length in mm",
                        appraised("chip_mm2")));
    all.push_back(
        known("buffer_bits", "bits", "flit buffers of all routers", appraised("buffer_bits")));
    all.push_back(known("links", "links", "directed links", appraised("links")));
    all.push_back(known("flit_bits", "bits", "width of links", appraised("flit_bits")));
    return all;
}

}  // namespace

const std::vector<MetricInfo>& metrics() {
    static const std::vector<MetricInfo> all = make_metrics();
    return all;
}

const MetricInfo* find_metric(const std::string& name) {
    const auto it = std::find_if(metrics().begin(), metrics().end(),
                                 [&](const MetricInfo& metric) { return metric.name == name; });
    return it == metrics().end() ? nullptr : &*it;
}

std::vector<std::string> metric_names() {
    std::vector<std::string> names;
    for (const MetricInfo& metric : metrics()) names.push_back(metric.name);
    return names;
}

std::optional<double> combine(const MetricInfo& metric, const std::vector<Evaluation>& workloads,
                              bool bounded) {
    double sum = 0;
    double weights = 0;
    for (const Evaluation& workload : workloads) {
        if (metric.measurement && workload.measurement != *metric.measurement) continue;
        const auto value = bounded ? metric.bound(workload) : metric.value(workload);
        if (!value) return std::nullopt;
        sum += *value * workload.weight;
        weights += workload.weight;
    }
    if (weights == 0) return std::nullopt;
    // Equal values may be computed in another order, or with weights that cancel: the last bits
    // must not decide about a front or a limit.
    return rounded(metric.is_sum ? sum : sum / weights);
}

std::string parts_text(const MetricInfo& metric, const std::vector<Evaluation>& workloads) {
    if (metric.parts == nullptr) return "";
    const auto value = metric.value(workloads.front());
    const bool is_one_network =
        std::all_of(workloads.begin(), workloads.end(),
                    [&](const Evaluation& workload) { return metric.value(workload) == value; });
    if (!is_one_network) return "";  // then it is a mean
    return kOfWhich + metric.parts(workloads.front()) + ')';
}

std::string missing(const MetricInfo& metric, const std::vector<Evaluation>& workloads) {
    for (const Evaluation& workload : workloads) {
        if (metric.measurement && workload.measurement != *metric.measurement) continue;
        if (workload.measured == nullptr || metric.value(workload)) continue;
        const PointStatus status = workload.measured->status;
        if (metric.is_steady && is_overloaded(*workload.measured)) {
            return fmt::format("overloaded, so no {}: the backlog grew", metric.name);
        }
        if (metric.is_steady && status == PointStatus::kUnstable) {
            return fmt::format(
                "no steady state at this load, so no {}: the backlog grows without bound",
                metric.name);
        }
        if (metric.is_steady && status == PointStatus::kNotConverged) {
            return fmt::format(
                "no {} that has converged to steady.half_width within steady.max_cycles",
                metric.name);
        }
        if (workload.measurement == Measurement::kSaturation) {
            return fmt::format("no {}: the backlog grew at the least load that was run",
                               metric.name);
        }
    }
    return fmt::format("its measurement does not give {}", metric.name);
}

}  // namespace flitscope::study
