// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// When a simulation of open-loop traffic has shown its steady state: how long its warm-up was, how
// precise its mean latency is, and whether it has one at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/config/steady_config.h"
#include "testbench/app/measure/statistics/estimates.h"

namespace flitscope {

/// Counts of kSteadyWindow cycles.
struct SteadyWindow {
    statistics::Interval latency;  ///< cycles, of the messages delivered
    std::uint64_t generated = 0;   ///< flits of the messages whose send began
    std::uint64_t delivered = 0;   ///< flits of the packets delivered
};
inline constexpr Cycle kSteadyWindow = 100;

enum class SteadyStatus : std::uint8_t {
    kStable,        ///< the mean latency is as precise as was asked for
    kUnstable,      ///< generated exceeds delivered permanently: no steady state
    kNotConverged,  ///< neither is known yet
};

/// The word for a status in JSON and text: stable, unstable, not_converged.
const char* name_of(SteadyStatus status);

struct SteadyOutcome {
    SteadyStatus status = SteadyStatus::kNotConverged;
    Cycle warmup = 0;  ///< cycles that were discarded
    Cycle cycles = 0;  ///< cycles that were measured after it
    Cycle least = 0;   ///< cycles to measure before the state is known, however precise the mean is
    statistics::Estimate latency;
    std::uint64_t generated = 0;  ///< flits in these cycles
    std::uint64_t delivered = 0;
};

/// Properties of the sources that are known in advance; if consecutive windows are correlated,
/// windows do not show them.
struct SteadySources {
    double variance = 0;  ///< variance of the flits generated, per cycle over a long time
    /// cycles after which the sources no longer depend on the past; 0: none
    double correlation = 0;
    /// Cycles that a message takes on an idle network. Flits in flight are not a growing backlog.
    Cycle arrival = 0;
    /// Mean cycles between messages of the rarest kind, which may take far longer than the others;
    /// 0: there is one kind.
    double rarest = 0;
};

class SteadyState {
public:
    explicit SteadyState(const SteadyConfig& goal, const SteadySources& sources = {});

    void add(const SteadyWindow& window) { windows_.push_back(window); }
    std::size_t windows() const { return windows_.size(); }
    /// Number of windows after which to call evaluate() next.
    std::size_t next_check() const { return next_check_; }
    /// Returns whether the run can end: the state is known, or the cycles are used up.
    bool evaluate();
    /// The result of the last evaluate().
    const SteadyOutcome& outcome() const { return outcome_; }

private:
    bool find_warmup(std::size_t& first) const;
    std::vector<double> backlog_from(std::size_t first) const;
    double generated_deviation(std::size_t first) const;
    bool is_unstable(std::size_t first) const;

    SteadyConfig goal_;
    SteadySources sources_;
    std::size_t least_;    // minimum number of windows measured
    std::size_t arrival_;  // windows in which nothing need have arrived
    std::vector<SteadyWindow> windows_;
    std::size_t next_check_;
    std::size_t first_ = 0;  // first window after the warm-up
    bool is_warm_ = false;   // the warm-up is over
    double reached_ = -1;    // half width x root of cycles if the last check reached the goal
    SteadyOutcome outcome_;
};

}  // namespace flitscope
