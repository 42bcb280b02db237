// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// When a simulation of open-loop traffic has shown its steady state: how long its warm-up was, how
// sure its mean latency is, and whether it has one at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/config/config.h"
#include "testbench/measure/statistics/estimates.h"

namespace flitscope {

/// What happened in kSteadyWindow cycles.
struct SteadyWindow {
    statistics::Interval latency;  ///< cycles, of the messages delivered
    std::uint64_t generated = 0;   ///< flits of the messages whose send began
    std::uint64_t delivered = 0;   ///< flits of the packets delivered
};
inline constexpr Cycle kSteadyWindow = 100;

enum class SteadyStatus : std::uint8_t {
    kStable,     ///< the mean latency is as sure as it was to be
    kUnstable,   ///< more is generated than delivered, for good: there is no steady state
    kMaxCycles,  ///< neither is known yet
};

/// The word for a status in JSON and text: stable, unstable, max_cycles.
const char* status_name(SteadyStatus status);

struct SteadyOutcome {
    SteadyStatus status = SteadyStatus::kMaxCycles;
    Cycle warmup = 0;  ///< cycles that were left out
    Cycle cycles = 0;  ///< that were measured behind them
    statistics::Estimate latency;
    std::uint64_t generated = 0;  ///< flits in these cycles
    std::uint64_t delivered = 0;
};

/// What is known of the sources beforehand, and windows alone do not show where what is generated
/// in one goes with what is in the next.
struct SteadySources {
    double variance = 0;     ///< of the flits generated, per cycle of a long time
    double correlation = 0;  ///< cycles until they do not depend on the past; 0: at once
    /// Cycles until what they send on an idle network has arrived, which is no growth of a backlog.
    Cycle arrival = 0;
};

class SteadyState {
public:
    explicit SteadyState(const SteadyConfig& goal, const SteadySources& sources = {});

    void add(const SteadyWindow& window) { windows_.push_back(window); }
    std::size_t windows() const { return windows_.size(); }
    /// Windows after which to evaluate() next.
    std::size_t next_check() const { return next_check_; }
    /// Whether the run can end: the state is known, or the cycles are used up.
    bool evaluate();
    /// As of the last evaluate().
    const SteadyOutcome& outcome() const { return outcome_; }

private:
    bool find_warmup(std::size_t& first) const;
    std::vector<double> backlog_from(std::size_t first) const;
    double generated_deviation(std::size_t first) const;
    bool is_unstable(std::size_t first) const;

    SteadyConfig goal_;
    SteadySources sources_;
    std::size_t least_;    // windows that are measured at least
    std::size_t arrival_;  // windows in which nothing need have arrived
    std::vector<SteadyWindow> windows_;
    std::size_t next_check_;
    std::size_t first_ = 0;  // window behind the warm-up
    bool is_warm_ = false;   // it is over
    double reached_ = -1;    // half width x root of cycles where the last check reached the goal
    SteadyOutcome outcome_;
};

}  // namespace flitscope
