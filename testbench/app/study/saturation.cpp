// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/saturation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/memory.h"
#include "models/config/unit_values.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/study/appraisal.h"

namespace flitscope::study {
namespace {

/// The search for a saturation: makes runs, within a budget.
class Search {
public:
    Search(const Config& config, const LoadOptions& options) : config_(config), options_(options) {
        saturation.narrow = options.narrow;
    }

    bool has_budget(std::size_t kept = 0) const {
        return saturation.runs.size() + kept < kMostLoads;
    }
    LoadPoint run(double rate) {
        const LoadPoint point = measure_loads(config_, {rate}, options_).front();
        if (!point.is_measured()) {
            const std::string what = fmt::format("the run at {:.4g} flits/node/cycle: {}: {}", rate,
                                                 name_of(point.status), point.problem);
            if (is_out_of_memory(point.problem)) throw MemoryError(what);
            throw RunError(what, point.status);
        }
        saturation.runs.push_back(point);
        return point;
    }

    Saturation saturation;

private:
    const Config& config_;
    const LoadOptions& options_;
};

/// Where halving `root` ends, as far as the answers are `known` (below its lower end, not at its
/// upper one) or follow from a `guess` of what is sought. Without a guess it ends at a bracket
/// whose middle has to be tried.
LoadBracket halved(LoadBracket root, const LoadBracket& known, std::optional<double> guess,
                   double narrow) {
    while (!root.is_narrow(narrow)) {
        const double middle = root.middle();
        if (middle <= known.lower) {
            root.lower = middle;
        } else if (middle >= known.upper) {
            root.upper = middle;
        } else if (guess) {
            (middle < *guess ? root.lower : root.upper) = middle;
        } else {
            break;
        }
    }
    return root;
}

/// The part of `bracket` in which the least load that is not below is, after these runs.
template <class IsBelow>
LoadBracket part_left(LoadBracket bracket, const std::vector<LoadPoint>& runs, IsBelow is_below) {
    for (const LoadPoint& run : runs) {
        if (!is_below(run)) bracket.upper = std::min(bracket.upper, run.rate);
    }
    for (const LoadPoint& run : runs) {
        if (run.rate < bracket.upper && is_below(run)) {
            bracket.lower = std::max(bracket.lower, run.rate);
        }
    }
    return bracket;
}

/// What is sought in `root`, below `most`.
struct Question {
    LoadBracket root;
    double most = 0;
    /// Which end of a bracket is tried first: the upper one, or the lower one.
    bool from_above = false;
    std::size_t kept = 0;  ///< runs that are left for other questions
};

/// The next load to be tried: one end of the bracket at which halving would end if the guess were
/// right, or the middle. Nothing if all is known.
std::optional<double> load_to_try(const Question& question, const LoadBracket& known,
                                  std::optional<double> guess, double narrow) {
    if (guess && (*guess <= known.lower || *guess > known.upper)) guess.reset();
    const LoadBracket end = halved(question.root, known, guess, narrow);
    if (!end.is_narrow(narrow)) return end.middle();
    const bool asks_lower = known.lower < end.lower;
    const bool asks_upper = end.upper < known.upper;
    if (asks_upper && (question.from_above || !asks_lower)) return end.upper;
    if (asks_lower) return end.lower;
    return std::nullopt;
}

/// Finds what halving would find, mostly by fewer and shorter runs. `is_below` judges a run;
/// `guess` says where the load may be that is sought. One step in four halves, so guesses that
/// creep along do not use up all runs.
template <class IsBelow, class Guess>
LoadBracket narrowed(Search& search, const Question& question, IsBelow is_below, Guess guess) {
    constexpr unsigned kHalves = 3;
    for (unsigned step = 0;; ++step) {
        const LoadBracket known =
            part_left({question.root.lower, question.most}, search.saturation.runs, is_below);
        if (!search.has_budget(question.kept) || !known.is_open()) return known;
        std::optional<double> sought;
        if (step % 4 != kHalves) sought = guess();
        const std::optional<double> next =
            load_to_try(question, known, sought, search.saturation.narrow);
        if (!next) return known;
        search.run(*next);
    }
}

/// The highest load without a backlog that grows. Networks mostly accept about as much of any load
/// beyond it, and runs beyond it are short, those a little below it the longest of all. So the
/// search comes from above: from the highest load, whose run shows how much is accepted, to a
/// little more than that, and from there step by step.
LoadBracket stable_loads(Search& search, const LoadBracket& root) {
    constexpr std::size_t kKept = 3;  // for the plateau and three times the latency
    constexpr double kALittleMore = 1.01;
    constexpr double kNearlyAll = 0.95;
    const auto guess = [&search, &root] {
        const LoadPoint* least = nullptr;
        for (const LoadPoint& run : search.saturation.runs) {
            if (run.is_unstable() && (least == nullptr || run.rate < least->rate)) least = &run;
        }
        if (least == nullptr || least->rate > root.upper) return root.upper;
        const bool is_close = least->accepted > kNearlyAll * least->rate;
        return is_close ? least->rate : kALittleMore * least->accepted;
    };
    return narrowed(
        search, {root, root.upper, true, kKept},
        [](const LoadPoint& point) { return !point.is_unstable(); }, guess);
}

/// The load below that of saturation at which the mean latency reaches `times` that of an idle
/// network. Nothing if it never does, or always.
std::optional<LoadBracket> at_latency(Search& search, LoadBracket root, double times) {
    const LoadBracket saturation = search.saturation.load;
    const double idle = search.saturation.zero_load_latency.value();
    const double limit = times * idle;
    const auto is_below = [limit](const LoadPoint& point) {
        return !point.is_unstable() && point.latency && point.latency->mean.value < limit;
    };
    const LoadPoint& first = search.saturation.runs.front();
    if (!is_below(first)) root = {0, first.rate};
    // Towards saturation latency grows as that of a queue: idle + growth load / (saturation -
    // load).
    const double saturated = saturation.middle();
    const auto guess = [&] {
        double growth = 0.2 * idle;  // until a run with a latency near the limit shows it
        double nearest = std::log(times);
        for (const LoadPoint& run : search.saturation.runs) {
            if (run.is_unstable() || !run.latency || run.rate < saturated / 2) continue;
            const double latency = run.latency->mean.value;
            const double distance = std::abs(std::log(latency / limit));
            if (latency <= idle || run.rate >= saturated || distance >= nearest) continue;
            nearest = distance;
            growth = (latency - idle) * (saturated - run.rate) / run.rate;
        }
        return saturated * (limit - idle) / (growth + limit - idle);
    };
    const LoadBracket found = narrowed(search, {root, saturation.upper, false, 0}, is_below, guess);
    // Without a load below it nothing was delivered, or too late, at any.
    if (!found.is_open() || found.lower == 0) return std::nullopt;
    return found;
}

}  // namespace

void make_quick(Config& config, LoadOptions& options) {
    constexpr Cycle kMost = 100'000;
    SteadyConfig& goal = config.steady.value();
    goal.max_cycles = std::min(goal.max_cycles, goal.warmup.value_or(0) + kMost);
    goal.half_width = std::max(goal.half_width, 0.1);
    options.narrow = 0.05;
}

Saturation find_saturation(const Config& config, const LoadOptions& options) {
    if (config.traffic.outstanding != 0) {
        throw ConfigError(config.where("traffic.outstanding"),
                          "a closed loop (traffic.outstanding) has no saturation: its sources "
                          "stop for replies",
                          "leave it out, or see what is accepted by load: flitscope curve");
    }
    Search search(config, options);
    Saturation& found = search.saturation;
    double bound = 0;
    {
        const Machine machine = build_machine(config);  // which no run needs: each builds its own
        bound = load_bound(machine);
        found.zero_load_latency = zero_load_latency(machine);
        found.zero_load_is_exact = found.zero_load_latency.has_value();
    }
    const LoadPoint idle = search.run(bound / 50);
    // Channels can take far less, if few flits may be in flight on long wires: then this is already
    // too much, and not an idle network.
    const bool is_idle = !idle.is_unstable();
    if (!found.zero_load_latency && is_idle && idle.latency) {
        found.zero_load_latency = idle.latency->mean.value;
    }
    const LoadBracket root = is_idle ? LoadBracket{idle.rate, bound} : LoadBracket{0, idle.rate};
    std::optional<LoadPoint> most;
    const double most_of_all = most_offered(config);
    // Otherwise more is proved to be too much, and no run is needed.
    if (root.upper == most_of_all) most = search.run(root.upper);
    found.load = most && !most->is_unstable() ? LoadBracket{root.upper, root.upper}
                                              : stable_loads(search, root);

    const double plateau_rate = std::min(most_of_all, 1.5 * found.load.upper);
    if (!most || most->rate != plateau_rate) most = search.run(plateau_rate);
    found.plateau_rate = most->rate;
    found.plateau_accepted = most->accepted;

    if (found.zero_load_latency) found.at_3x_zero_load = at_latency(search, root, 3);
    return std::move(found);
}

std::optional<LoadBracket> resolve_share(Config& config, const LoadOptions& options) {
    const std::optional<double> share = config.traffic.share_of_saturation;
    if (!share) return std::nullopt;
    const double most = most_offered(config);
    const LoadBracket found =
        find_saturation(steady_config(config, options.engine, most), options).load;
    const double rate = *share * found.lower;
    const Location where = config.where("traffic.injection_rate");
    if (rate == 0) {
        throw ConfigError(where, "the network is unstable at every load that was tried",
                          "give a load in flits per cycle");
    }
    if (rate > most) {
        throw ConfigError(where,
                          fmt::format("{} ({:.4g}) is {:.4g} flits per cycle, and sources offer at "
                                      "most {:.4g}",
                                      kinds::share_text(*share), found.lower, rate, most),
                          "a smaller share");
    }
    config = at_rate(std::move(config), rate);
    return found;
}

}  // namespace flitscope::study
