// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/measure/steady/steady_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/base/limits.h"

namespace flitscope {

using statistics::Interval;

namespace {

/// Windows of a batch at the first check; and how often a batch has to show, on average, all that
/// sources do: correlation times, and messages of the rarest kind.
constexpr std::size_t kShortestBatch = 5;

constexpr std::size_t kMostWindows = kLongTime / kSteadyWindow;

std::size_t least_windows(const SteadySources& sources) {
    const double slowest = std::max(sources.correlation, sources.rarest);
    const double windows = kShortestBatch * slowest / kSteadyWindow;
    const double most = static_cast<double>(kMostWindows);
    return statistics::kBatches *
           std::max(kShortestBatch, static_cast<std::size_t>(std::ceil(std::min(windows, most))));
}

std::size_t arrival_windows(const SteadySources& sources) {
    return std::min<std::size_t>(sources.arrival / kSteadyWindow, kMostWindows);
}

/// The warm-up, half of the windows, ends this many windows after the first messages have arrived,
/// so that queues can fill.
constexpr std::size_t kFillingWindows = 40;

std::size_t first_check(std::size_t least, std::size_t arrival) {
    return std::max(least, 2 * (arrival + kFillingWindows));
}

}  // namespace

SteadyState::SteadyState(const SteadyConfig& goal, const SteadySources& sources)
    : goal_(goal),
      sources_(sources),
      least_(least_windows(sources)),
      arrival_(arrival_windows(sources)),
      next_check_(
          std::min<std::size_t>(first_check(least_, arrival_), goal.max_cycles / kSteadyWindow)) {}

const char* name_of(SteadyStatus status) {
    switch (status) {
        case SteadyStatus::kStable:
            return "stable";
        case SteadyStatus::kUnstable:
            return "unstable";
        case SteadyStatus::kNotConverged:
            return "not_converged";
    }
    return "";
}

bool SteadyState::evaluate() {
    const std::size_t count = windows_.size();
    const std::size_t most = goal_.max_cycles / kSteadyWindow;
    const bool is_last = count >= most;
    next_check_ = std::min(count + count / 2, most);
    if (!is_warm_) is_warm_ = find_warmup(first_);
    const std::size_t first = first_;
    outcome_ = {};
    outcome_.warmup = first * kSteadyWindow;
    outcome_.least = least_ * kSteadyWindow;
    outcome_.cycles = (count - first) * kSteadyWindow;
    std::vector<Interval> latency;
    for (std::size_t i = first; i < count; ++i) {
        outcome_.generated += windows_[i].generated;
        outcome_.delivered += windows_[i].delivered;
        latency.push_back(windows_[i].latency);
    }
    outcome_.latency = statistics::batch_means(latency, goal_.confidence);
    // A warm-up of less than messages are under way, which a user can set, ends before anything
    // arrives: until then more waits with every window, however little is sent.
    if (is_unstable(std::max(first, arrival_))) {
        outcome_.status = SteadyStatus::kUnstable;
        return true;
    }
    // A share of the true mean, not of the estimate (Law and Kelton 2000, section 9.4.1).
    const double wanted = goal_.half_width / (1 + goal_.half_width);
    const bool is_reached = is_warm_ && count - first >= least_ && outcome_.latency.is_sound &&
                            outcome_.latency.relative_half_width() <= wanted;
    // A run that is ended by its first narrow interval ends when the interval is narrow by chance:
    // the next one has to be as well, and is not reported narrower than the first one suggests.
    const double root = std::sqrt(static_cast<double>(outcome_.cycles));
    double& half_width = outcome_.latency.half_width;
    const double before = std::exchange(reached_, is_reached ? half_width * root : -1);
    if (is_reached && before >= 0) {
        half_width = std::max(half_width, before / root);
        outcome_.status = SteadyStatus::kStable;
        return true;
    }
    return is_last;
}

/// Finds the first window after the warm-up. False if it is not over. MSER decides whether it is in
/// the first half of the windows so far; all of that half is left out, since the place that MSER
/// finds depends on the very numbers that are measured: it is the one after which they vary least.
bool SteadyState::find_warmup(std::size_t& first) const {
    if (goal_.warmup) {
        first = std::min<std::size_t>((*goal_.warmup + kSteadyWindow - 1) / kSteadyWindow,
                                      windows_.size());
        return first < windows_.size();
    }
    std::vector<double> backlog = backlog_from(0);
    std::vector<double> delivered;
    std::vector<double> latency;
    for (const SteadyWindow& window : windows_) {
        delivered.push_back(static_cast<double>(window.delivered));
        // A window in which nothing arrives is like the one before.
        latency.push_back(window.latency.count > 0 ? window.latency.sum / window.latency.count
                          : latency.empty()        ? 0
                                                   : latency.back());
    }
    bool has_ended = true;
    for (const auto* series : {&backlog, &delivered, &latency}) {
        has_ended = has_ended && statistics::mser5(*series).has_ended;
    }
    first = windows_.size() / 2;
    return has_ended;
}

/// Flits generated and not delivered after each window, from window `first` on.
std::vector<double> SteadyState::backlog_from(std::size_t first) const {
    std::vector<double> backlog;
    double waiting = 0;
    for (std::size_t i = first; i < windows_.size(); ++i) {
        waiting +=
            static_cast<double>(windows_[i].generated) - static_cast<double>(windows_[i].delivered);
        backlog.push_back(waiting);
    }
    return backlog;
}

/// The standard deviation of the flits generated from window `first` on: that of windows which do
/// not depend on each other, or what is known of sources that windows do not show whole.
double SteadyState::generated_deviation(std::size_t first) const {
    const auto count = static_cast<double>(windows_.size() - first);
    double sum = 0;
    double squares = 0;
    for (std::size_t i = first; i < windows_.size(); ++i) {
        const auto generated = static_cast<double>(windows_[i].generated);
        sum += generated;
        squares += generated * generated;
    }
    double variance = std::max(squares - sum * sum / count, 0.0);
    if (sources_.correlation > 0 || sources_.rarest > 0) {
        variance = std::max(variance, sources_.variance * count * kSteadyWindow);
    }
    return std::sqrt(variance);
}

/// Whether the backlog grows: its slope is above 0 with a confidence of 99 %, and it grew by more
/// than four standard deviations of what is generated. The latter keeps the queue of a network near
/// saturation, which wanders like the sum of its arrivals, from being taken for growth.
bool SteadyState::is_unstable(std::size_t first) const {
    constexpr double kDeviations = 4;
    const std::vector<double> backlog = backlog_from(first);
    if (backlog.empty()) return false;
    const double deviation = generated_deviation(first);
    const statistics::Trend trend = statistics::linear_trend(backlog);
    return backlog.back() > kDeviations * deviation && trend.slope > 0 &&
           trend.t > statistics::student_quantile(0.99, statistics::kBatches - 2);
}

}  // namespace flitscope
