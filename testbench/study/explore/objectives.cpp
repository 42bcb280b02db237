// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/study/explore/objectives.h"

#include <algorithm>

namespace flitscope::study {
namespace {

constexpr double kUm2PerMm2 = 1e6;

std::optional<double> figure(const PointOutcome* outcome, const char* name) {
    const Metric* const metric = outcome == nullptr ? nullptr : outcome->find(name);
    return metric == nullptr ? std::nullopt : std::optional(metric->value);
}

std::optional<double> times(std::optional<double> value, double factor) {
    return value ? std::optional(*value * factor) : std::nullopt;
}

template <const char* kName>
std::optional<double> appraised(const Evaluation& e) {
    return figure(e.appraisal, kName);
}
template <const char* kName>
std::optional<double> measured(const Evaluation& e) {
    return figure(e.measured, kName);
}
template <const char* kName>
std::optional<double> appraised_ns(const Evaluation& e) {
    return times(figure(e.appraisal, kName), e.clock_ns);
}
template <const char* kName>
std::optional<double> measured_ns(const Evaluation& e) {
    return times(figure(e.measured, kName), e.clock_ns);
}

/// Payload of all nodes together, of a load in flits per sending node and cycle.
std::optional<double> gbps(const Evaluation& e, std::optional<double> load) {
    const auto senders = figure(e.appraisal, "senders");
    const auto bits = figure(e.appraisal, "bits_per_flit");
    if (!load || !senders || !bits) return std::nullopt;
    return *load * *senders * *bits / e.clock_ns;
}

constexpr char kPins[] = "pins";
constexpr char kWireLength[] = "wire_length";
constexpr char kWireBits[] = "wire_bits";
constexpr char kBufferBits[] = "buffer_bits";
constexpr char kLinks[] = "links";
constexpr char kFlitBits[] = "flit_bits";
constexpr char kRouters[] = "routers";
constexpr char kZeroLoad[] = "zero_load_latency";
constexpr char kCycles[] = "cycles";
constexpr char kLowerBound[] = "lower_bound";
constexpr char kMeanLatency[] = "mean_latency";
constexpr char kSaturation[] = "saturation";
constexpr char kSaturationBound[] = "saturation_bound";

MetricInfo known(const char* name, const char* unit, const char* meaning,
                 std::optional<double> (*value)(const Evaluation&)) {
    return {name, unit, meaning, std::nullopt, false, true, false, value, value};
}

MetricInfo of_router(const char* name, const char* unit, const char* meaning,
                     std::optional<double> (*value)(const Evaluation&)) {
    MetricInfo info = known(name, unit, meaning, value);
    info.needs_router = true;
    return info;
}

std::vector<MetricInfo> make_metrics() {
    std::vector<MetricInfo> all;
    all.push_back({"time_ns", "ns", "time of the programs: cycles times the clock period",
                   Measurement::kRun, false, false, true, measured_ns<kCycles>,
                   appraised_ns<kLowerBound>});
    all.push_back({"cycles", "cycles", "makespans of the programs", Measurement::kRun, false, false,
                   true, measured<kCycles>, appraised<kLowerBound>});
    all.push_back({"latency_ns", "ns", "mean latency of a message", Measurement::kRun, false, false,
                   false, measured_ns<kMeanLatency>, appraised_ns<kZeroLoad>});
    all.push_back(
        {"saturation_gbps", "Gbit/s",
         "payload that all nodes together deliver at the lower end of the bracket of "
         "saturation",
         Measurement::kSaturation, false, false, false,
         [](const Evaluation& e) { return gbps(e, figure(e.measured, kSaturation)); },
         [](const Evaluation& e) { return gbps(e, figure(e.appraisal, kSaturationBound)); }, true});
    all.push_back({"saturation", "flits/node/cycle", "lower end of the bracket of saturation",
                   Measurement::kSaturation, false, false, false, measured<kSaturation>,
                   appraised<kSaturationBound>, true});
    all.push_back(known("zero_load_ns", "ns", "mean latency of a message on an idle network",
                        appraised_ns<kZeroLoad>));
    all.push_back(
        of_router("area_mm2", "mm2", "cells of all routers, synthesized", [](const Evaluation& e) {
            return times(figure(e.appraisal, kRouters), e.router->area_um2 / kUm2PerMm2);
        }));
    all.push_back(
        of_router("period_ns", "ns", "longest path of the synthesized router",
                  [](const Evaluation& e) { return std::optional(e.router->period_ns); }));
    all.push_back(
        known("pins", "wires", "wires that leave the node with the most links", appraised<kPins>));
    all.push_back(
        known("wire_length", "node pitches", "length of all channels", appraised<kWireLength>));
    all.push_back(known("wire_bits", "node pitches", "length of all wires of all links",
                        appraised<kWireBits>));
    all.push_back(
        known("buffer_bits", "bits", "flit buffers of all routers", appraised<kBufferBits>));
    all.push_back(known("links", "links", "directed links", appraised<kLinks>));
    all.push_back(known("flit_bits", "bits", "width of links", appraised<kFlitBits>));
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
    return metric.is_sum ? sum : sum / weights;
}

}  // namespace flitscope::study
