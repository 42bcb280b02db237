// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The load from which on a network has no steady state, the one at which latency has grown to three
// times that of an idle network, and what is accepted beyond.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/app/study/loads.h"

namespace flitscope::study {

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

/// Narrows the bracket of stable and unstable loads, as halving it would. Makes at most kMostLoads
/// runs, including those for zero load, for three times its latency and for the plateau. Throws
/// ConfigError for a closed loop (traffic.outstanding), Cancelled, MemoryError, and RunError if
/// another run fails.
Saturation find_saturation(const Config& config, const LoadOptions& options);
inline constexpr std::size_t kMostLoads = 16;

/// Finds the load of a configuration whose load is a share of its saturation
/// (traffic.share_of_saturation): puts that share of the lower end of the bracket in its place.
/// Returns the bracket; nothing if the load is no such share. Throws ConfigError if all loads are
/// unstable or the share is of more than sources can offer, and as find_saturation().
std::optional<LoadBracket> resolve_share(Config& config, const LoadOptions& options);

}  // namespace flitscope::study
