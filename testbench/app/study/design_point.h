// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A point: a configuration and its measurement.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/base/types.h"
#include "models/config/config.h"
#include "testbench/app/study/measurement.h"
#include "testbench/app/study/point_outcome.h"

namespace flitscope::study {

struct DesignPoint {
    Config config;
    Measurement measurement = Measurement::kRun;
    std::string engine = "auto";
    /// For a run: stop it after this many cycles, since a longer one is useless. Its outcome is
    /// then "stopped" with the metric `lower_bound`. Changes no other outcome, so it is not part of
    /// the digest. kNever: no limit.
    Cycle useful_cycles = kNever;
    bool by_hops = false;  ///< latency also by distance, for a run with `steady`
    bool by_cause =
        false;  ///< cycles also by cause (testbench/app/explain), for a run of a program
    /// Also the counts that energy depends on (kEnergyCounts), and kPayloadBits; for a run or an
    /// appraisal.
    bool by_energy = false;
};

/// Messages between processes and machines.
Json to_json(const DesignPoint& point);
/// Throws std::exception if it is malformed.
DesignPoint point_from_json(const Json& json);

struct Measured {
    PointOutcome outcome;
    /// Nothing else should be measured in this process: modules were left standing, since to take
    /// down that many takes long, or something went wrong.
    bool is_last = false;
};

/// Measures; an error is an outcome.
Measured measure(const DesignPoint& point);

/// Names what decides the outcome of a point: its configuration without traces, the contents of
/// files that it refers to, engine, measurement, and this very program (models/base/digest.h).
std::string digest(const DesignPoint& point);

/// This very program by a hash of its file: other builds may simulate otherwise.
const std::string& program_name();

}  // namespace flitscope::study
