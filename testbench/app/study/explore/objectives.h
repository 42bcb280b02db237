// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The metrics by which designs are compared, in physical units: their values once a design is
// measured, and the best possible values before.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/energy/router_energy.h"
#include "testbench/app/study/measurement.h"
#include "testbench/app/study/point_outcome.h"

namespace flitscope {
struct Config;
}  // namespace flitscope

namespace flitscope::study {

/// Gate level figures of a design's routers.
struct RouterCost {
    double area_um2 = 0;                 ///< mean
    double largest_um2 = 0;              ///< area of the largest one
    double period_ns = 0;                ///< of the slowest one
    double power_mw = 0;                 ///< mean
    std::optional<RouterEnergy> energy;  ///< average_energy(), if a metric needs it
    std::string kinds = {};              ///< kinds_text(), of a design
};

/// The known figures of a design under one workload.
struct Evaluation {
    const PointOutcome* appraisal = nullptr;  ///< null if not needed
    const PointOutcome* measured = nullptr;   ///< null: not measured yet, or never
    const RouterCost* router = nullptr;       ///< null if no metric needs it
    /// area of the registers of all links; if a metric needs it
    std::optional<double> links_um2;
    Measurement measurement = Measurement::kRun;
    double weight = 1;
    double clock_ns = 1;  ///< clock period for times in ns
};

/// A configuration that has no value of a metric.
struct Unsuited {
    std::string key;  ///< the key that is the reason
    std::string why;  ///< text after "so there is none"
    std::string remedy;
};

struct MetricInfo {
    std::string name;
    std::string unit;
    std::string meaning;
    /// The kind of workloads that it is computed from; nothing: all.
    std::optional<Measurement> measurement;
    bool needs_router = false;
    /// It is known without a simulation.
    bool is_known = false;
    /// It is the weighted sum over the workloads; otherwise their weighted mean.
    bool is_sum = false;
    /// The value for one workload; nothing if the workload has none (missing() says why).
    std::function<std::optional<double>(const Evaluation&)> value;
    /// Bound that no simulated value can beat; null if none is known.
    std::function<std::optional<double>(const Evaluation&)> bound;
    bool bound_is_upper = false;  ///< `bound` is an upper bound
    /// Whether a run of the configuration cannot give it, whatever comes of it; null: any can.
    std::function<std::optional<Unsuited>(const Config&)> unsuited;
    /// What a value consists of, in words, if it has one; null: it has no parts.
    std::function<std::string(const Evaluation&)> parts;
    bool is_time = false;       ///< its value is cycles, or cycles times the clock period
    bool is_steady = false;     ///< nothing if the load of a pattern was too much
    bool needs_energy = false;  ///< it needs the router's energies (implies needs_router)
    bool needs_links = false;   ///< it needs the area of the registers of links
    /// Its measured value also uses a figure of the appraisal.
    bool needs_appraisal = false;
};

const std::vector<MetricInfo>& metrics();
/// Finds a metric by name; null if there is none.
const MetricInfo* find_metric(const std::string& name);
std::vector<std::string> metric_names();

/// The metric over all workloads of a design. With `bounded`, the best value it can have from what
/// is known before simulation. Nothing if some workload does not give it.
std::optional<double> combine(const MetricInfo& metric, const std::vector<Evaluation>& workloads,
                              bool bounded);

/// " (of which ...)" if the metric has parts, to be added to the value of a design; else
/// nothing, as for workloads on networks of different sizes.
std::string parts_text(const MetricInfo& metric, const std::vector<Evaluation>& workloads);
inline constexpr const char* kOfWhich = " (of which ";

/// A sentence that says why the measured workloads do not give the metric.
std::string missing(const MetricInfo& metric, const std::vector<Evaluation>& workloads);

}  // namespace flitscope::study
