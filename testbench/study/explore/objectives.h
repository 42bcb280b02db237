// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The metrics by which designs are compared, in physical units: their values once a design is
// measured, and what they can come to at best before.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/energy/router_energy.h"
#include "testbench/study/point.h"

namespace flitscope::study {

/// Gate level figures of a design's router.
struct RouterCost {
    double area_um2 = 0;
    double period_ns = 0;
    double power_mw = 0;
    std::optional<RouterEnergy> energy;  ///< where a metric needs it
};

/// What is known of a design under one workload.
struct Evaluation {
    const PointOutcome* appraisal = nullptr;  ///< null where nobody needs it
    const PointOutcome* measured = nullptr;   ///< null: not yet, or nothing is measured
    const RouterCost* router = nullptr;       ///< null where no metric needs it
    std::optional<double> links_um2;          ///< of the registers of all links; where needed
    Measurement measurement = Measurement::kRun;
    double weight = 1;
    double clock_ns = 1;  ///< the period that times are counted in
};

struct MetricInfo {
    std::string name;
    std::string unit;
    std::string meaning;
    /// The workloads that it is made of; nothing: all.
    std::optional<Measurement> measurement;
    bool needs_router = false;
    /// Whether it is known without a simulation.
    bool is_known = false;
    /// Sum over the workloads, each times its weight, in place of their weighted mean.
    bool is_sum = false;
    /// The value for one workload, or nothing where the workload has none (missing() says why).
    std::function<std::optional<double>(const Evaluation&)> value;
    /// No worse than any value that a simulation can give; null where nothing is known.
    std::function<std::optional<double>(const Evaluation&)> bound;
    bool bound_is_upper = false;  ///< the bound is from above
    bool needs_replies = false;   ///< of traffic in which messages are replied to
    bool is_time = false;         ///< cycles, or cycles times the clock period
    bool is_steady = false;       ///< nothing where a run with `steady` has no steady state
    bool needs_energy = false;    ///< of the router; then needs_router, too
    bool needs_links = false;     ///< what the registers of links cost
    /// Whether the value of what was measured takes a figure of the appraisal, too.
    bool needs_appraisal = false;
};

const std::vector<MetricInfo>& metrics();
/// Null where there is none of that name.
const MetricInfo* find_metric(const std::string& name);
std::vector<std::string> metric_names();

/// The metric over the workloads of a design, `bounded` as far as it is known beforehand: then the
/// best value that it can have. Nothing where some workload does not give it.
std::optional<double> combine(const MetricInfo& metric, const std::vector<Evaluation>& workloads,
                              bool bounded);

/// Why measured workloads do not give the metric, which they do not: a sentence.
std::string missing(const MetricInfo& metric, const std::vector<Evaluation>& workloads);

}  // namespace flitscope::study
