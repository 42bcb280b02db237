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

/// Between two loads.
struct LoadBracket {
    double lower = 0;
    double upper = 0;
    /// Whether its ends differ.
    bool is_open() const { return lower < upper; }
    double middle() const { return (lower + upper) / 2; }
    bool is_narrow(double share) const { return upper - lower <= share * upper; }
};

struct Saturation {
    /// Lower end: the largest load not found unstable within steady.max_cycles; 0 if all were.
    /// Upper end: the smallest load found unstable, or that asks some channel for more than a flit
    /// per cycle (PatternLoad). Both are most_offered() if sources cannot overload the network.
    LoadBracket load{0, 1};
    /// The load at 3x zero-load latency: narrow unless runs ran out. Nothing if latency stays below
    /// that, or is not known.
    std::optional<LoadBracket> at_3x_zero_load;
    double narrow = 0;  ///< LoadOptions::narrow
    /// Mean latency in cycles of a message that meets no other: study::zero_load_latency(). If that
    /// is not known, that of a run at a fiftieth of the load that is certainly too high; nothing if
    /// even that run was unstable or delivered nothing.
    std::optional<double> zero_load_latency;
    bool zero_load_is_exact = false;  ///< not from such a run
    double plateau_rate = 0;          ///< half as much again as load.upper, at most most_offered()
    double plateau_accepted = 0;      ///< throughput at that load
    std::vector<LoadPoint> runs;      ///< in the order in which they were made
};

/// A run that ended without figures.
class RunError : public std::runtime_error {
public:
    RunError(const std::string& what, PointStatus ended)
        : std::runtime_error(what), status(ended) {}

    PointStatus status;
};

/// Coarser goals for find_saturation(), which then takes about a tenth of the time: brackets of 5
/// %, and runs of at most 100,000 cycles with a mean latency within 10 %.
void make_quick(Config& config, LoadOptions& options);

/// Halves the bracket of stable and unstable loads until it is narrow. Makes at most kMostLoads
/// runs, including those for zero load, for three times its latency and for the plateau. Throws
/// ConfigError for a closed loop (traffic.outstanding), Cancelled, MemoryError, and RunError if
/// another run fails.
Saturation find_saturation(const Config& config, const LoadOptions& options);
inline constexpr std::size_t kMostLoads = 12;

}  // namespace flitscope::study
