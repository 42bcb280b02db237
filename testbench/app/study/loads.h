// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The behaviour of a network under a pattern, load by load: latency against load, and where it
// saturates. Loads are in flits per node and cycle, headers included, over the nodes that generate
// traffic: under a permutation some may be silent.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "testbench/app/study/worker_pool.h"

namespace flitscope {
struct Machine;
struct Config;
}  // namespace flitscope

namespace flitscope::study {

/// Outcome of one run at a load, or of its replications together.
struct LoadPoint {
    double rate = 0;                             ///< asked for
    unsigned replications = 1;                   ///< runs that figures are means over
    PointStatus status = PointStatus::kCrashed;  ///< status of its PointOutcome
    std::string problem;
    double offered = 0;
    double accepted = 0;                    ///< delivered
    std::optional<LatencyFigures> latency;  ///< if messages were delivered
    /// From the injection of the first head, for the same messages.
    std::optional<LatencyFigures> network_latency;
    /// Cycles from the start of a request to the delivery of its reply, if replies were delivered.
    std::optional<LatencyFigures> round_trip;
    std::vector<HopClass> by_hops;  ///< nearest first; empty if not asked for
    // For all replications.
    Cycle warmup_cycles = 0;
    Cycle measured_cycles = 0;

    /// Whether there are figures at all, from `offered` on.
    bool is_measured() const { return study::is_measured(status); }
    bool is_stable() const { return status == PointStatus::kStable; }
    bool is_unstable() const { return status == PointStatus::kUnstable; }
};

struct LoadOptions {
    std::string engine;
    unsigned processes = 1;     ///< at a time
    unsigned replications = 1;  ///< runs of each load
    bool by_hops = false;       ///< latency also by distance
    double narrow = 0.02;  ///< width at which a bracket is one load, as a share of its upper end
    /// After every run. May be empty.
    std::function<void(const LoadPoint&)> on_run = {};
    /// Asked now and then; true ends the work. May be empty.
    std::function<bool()> is_cancelled = {};
};

/// `config` at this load in flits per node and cycle, whatever load it has.
Config at_rate(Config config, double rate);

/// The load that saturates the busiest channel, as far as that is known without a run; at most 1.
/// For a machine with a pattern.
double load_bound(const Machine& machine);
/// The highest load that the sources of a pattern can offer.
double most_offered(const Config& config);

/// `config` at the load `most`, with a goal of precision if it has none. Throws ConfigError if its
/// traffic is not a pattern or `engine` cannot run its machine at loads up to that.
Config steady_config(Config config, const std::string& engine, double most);

/// The seed of a replication: `seed` itself for the first, a hash of both for the others.
std::uint64_t replication_seed(std::uint64_t seed, unsigned replication);

/// Combines replications at one load into one point. It is stable if all of them are, unstable if
/// more than half of them are, and else not_converged: neither is known. If all are stable, its
/// figures have confidence intervals from the spread of the replications. If one could not be
/// measured, its outcome is that of all.
LoadPoint combined(const std::vector<LoadPoint>& runs, double confidence);

/// Runs `config`, a steady_config(), at each of the loads. Throws Cancelled.
std::vector<LoadPoint> measure_loads(const Config& config, const std::vector<double>& rates,
                                     const LoadOptions& options);

}  // namespace flitscope::study
