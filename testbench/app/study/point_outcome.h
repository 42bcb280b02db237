// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The outcome of a point: figures with their units.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "testbench/app/explain/cause.h"

namespace flitscope::study {

using Json = nlohmann::ordered_json;

/// Bits of payload: for the messages that arrived in a run, or the whole program in an appraisal.
inline constexpr const char* kPayloadBits = "payload_bits";
/// The word of a run without `steady` that was overloaded.
inline constexpr const char* kOverloaded = "overloaded";

/// The outcome of a point.
enum class PointStatus : std::uint8_t {
    // It was measured.
    kComplete,
    kStable,  ///< a run with `steady`, as the next two (SteadyStatus)
    kUnstable,
    kNotConverged,
    // It was not.
    kRefused,  ///< it cannot be built, or is not measured for a reason that is known before
    kStopped,  ///< the run took longer than DesignPoint::useful_cycles
    kFailed,   ///< the verdict of the run, as the next three (Verdict)
    kDeadlock,
    kTimeout,
    kInterrupted,
    kCrashed,  ///< its measurement did not end, for lack of memory for instance; it is measured
               ///< again when it is asked for
};

inline constexpr std::array kPointStatuses{
    PointStatus::kComplete,     PointStatus::kStable,   PointStatus::kUnstable,
    PointStatus::kNotConverged, PointStatus::kRefused,  PointStatus::kStopped,
    PointStatus::kFailed,       PointStatus::kDeadlock, PointStatus::kTimeout,
    PointStatus::kInterrupted,  PointStatus::kCrashed};

/// The word for it in outcomes and databases: complete, not_converged, refused.
const char* name_of(PointStatus status);
/// Throws std::out_of_range if there is none of that name.
PointStatus point_status_of(const std::string& name);
bool is_measured(PointStatus status);

/// A figure that was measured.
struct Metric {
    std::string name;
    std::string unit;  ///< as printed: "cycles", "flits/node/cycle", "mm2"; empty: a number
    double value = 0;
    /// Half width of its confidence interval, if known; 0: all samples were equal.
    std::optional<double> half_width = {};
    std::uint64_t count = 0;  ///< number of samples; 0: not a statistic
    std::string method = {};  ///< how it was found, unless it is a count of events
};

/// A figure and its precision.
struct Figure {
    double value = 0;
    std::optional<double> half_width;  ///< as that of a Metric
};

/// Cycles from the start of a send to the delivery of its tail. Percentiles are whole cycles in one
/// run, and have intervals in several.
struct LatencyFigures {
    Figure mean;
    Figure median;
    Figure percentile_95;
    Figure percentile_99;
};
inline constexpr Figure LatencyFigures::*kLatencyFigures[] = {
    &LatencyFigures::mean, &LatencyFigures::median, &LatencyFigures::percentile_95,
    &LatencyFigures::percentile_99};

/// The messages between nodes of one distance.
struct HopClass {
    std::uint32_t hops = 0;      ///< links of a shortest path
    std::uint64_t messages = 0;  ///< messages of all replications
    LatencyFigures latency;
};

struct PointOutcome {
    PointStatus status = PointStatus::kCrashed;
    std::string problem;  ///< one sentence; empty if it could be measured
    /// The metrics that are known: a run without deliveries has no latencies, a saturation for
    /// which all loads were unstable no lower end.
    std::vector<Metric> metrics;
    std::vector<std::pair<std::string, std::string>> words;  ///< name and value of non-numbers
    std::vector<HopClass> by_hops;  ///< nearest first; empty if not asked for
    /// Cycles of the critical path by cause, if asked for; they sum up to the makespan.
    std::optional<CauseCycles> by_cause;
    double wall_seconds = 0;  ///< time of the whole measurement, including building the machine

    bool is_measured() const { return study::is_measured(status); }
    /// Null when there is none of that name.
    const Metric* find(const std::string& name) const;
    /// The value of a metric. Throws std::out_of_range, which names it, if there is none.
    double value(const std::string& name) const;
    Cycle cycles(const std::string& name) const;
    /// The value of a word; empty if there is none.
    std::string word(const std::string& name) const;
};

/// Messages between processes and machines.
Json to_json(const PointOutcome& outcome);
/// Throws std::exception if it is malformed.
PointOutcome outcome_from_json(const Json& json);

}  // namespace flitscope::study
