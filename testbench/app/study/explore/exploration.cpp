// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/exploration.h"
#include "testbench/app/study/explore/derived.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/digest.h"
#include "models/base/printable.h"
#include "models/base/stopwatch.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/explore/search.h"

namespace flitscope::study {
namespace {

/// All designs that the conditions admit.
std::vector<Choices> all_choices(const Study& study, const Space& space) {
    if (space.size() > Space::kMostListed) {
        throw ConfigError({study.source, 0, 0},
                          fmt::format("{} designs are too many for an exact search", space.size()),
                          "let fewer keys vary, or search: {method: nsga2, evaluations: 1000}");
    }
    return space.wanted();
}

/// Checks that routers can be estimated, if that is requested.
void require_estimable(const Study& study, const ExploreOptions& options) {
    if (!options.estimates_routers) return;
    if (study.search.method != SearchMethod::kExact) {
        throw ConfigError({"--estimate", 0, 0},
                          "goes with the exact search: others measure whatever they draw",
                          "leave it out, or set search.method to exact");
    }
    if (study.needs(&MetricInfo::needs_energy)) {
        throw ConfigError({"--estimate", 0, 0}, "energies of routers are not estimated",
                          "leave it out, or the metrics of energy");
    }
}

/// The designs on the front, best first.
std::vector<Design> best_of(Explorer& explorer) {
    std::vector<Design> front;
    for (const Front::Member& member : explorer.front().members()) {
        front.push_back(explorer.designs()[member.id]);
    }
    std::sort(front.begin(), front.end(), [](const Design& a, const Design& b) {
        return a.objectives != b.objectives ? a.objectives < b.objectives : a.digest < b.digest;
    });
    return front;
}

/// Why a measurement of it did not finish; empty if all did.
std::string crash_of(const Design& design) {
    for (const auto* const outcomes : {&design.appraisals, &design.outcomes}) {
        for (const PointOutcome& outcome : *outcomes) {
            if (outcome.status == PointStatus::kCrashed) return outcome.problem;
        }
    }
    return "";
}

/// Throws ConfigError if none of the designs, `which` they are, can be built.
void require_any(const Study& study, const std::vector<Design>& designs, const char* which) {
    const auto was_refused = [](const PointOutcome& outcome) {
        return outcome.status == PointStatus::kRefused;
    };
    const bool is_empty = std::all_of(designs.begin(), designs.end(), [&](const Design& design) {
        return design.state == DesignState::kRefused && crash_of(design).empty() &&
               (design.outcomes.empty() ||
                std::any_of(design.outcomes.begin(), design.outcomes.end(), was_refused));
    });
    if (!is_empty) return;
    throw ConfigError({study.source, 0, 0}, fmt::format("no design {} can be built", which),
                      "the first one: " + one_line(designs.front().reason));
}

/// A value with which no design can be built is a slip of the study; so are axes of which none can.
void require_designs(const Study& study, const Space& space, const std::vector<Design>& designs) {
    for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
        for (std::size_t value = 0; value < study.axes[axis].values.size(); ++value) {
            const Design* refused = nullptr;
            bool is_used = false;
            for (const Design& design : designs) {
                if (design.choices[axis] != value) continue;
                if (design.digest.empty()) {
                    refused = &design;
                } else {
                    is_used = true;
                }
            }
            if (is_used || refused == nullptr) continue;
            for (std::size_t w = 0; w < study.workloads.size(); ++w) {
                space.point(refused->choices, w);  // throws what is wrong
            }
        }
    }
    require_any(study, designs, "of the study");
}

/// Counts designs that were refused or crashed, and gathers why designs are not on the front.
void tell_exclusions(ExploreResult& result, const std::vector<Design>& designs) {
    std::vector<DesignRow> rows;
    std::vector<DesignRow> refused;
    for (const Design& design : designs) {
        const std::string crash = crash_of(design);
        if (!crash.empty() && result.crashed++ == 0) result.crash = one_line(crash);
        DesignRow row;
        row.state = design.state;
        row.reason = design.reason;
        if (row.state == DesignState::kRefused) refused.push_back(row);
        rows.push_back(std::move(row));
    }
    result.refused = refused.size();
    result.why_refused = exclusions(refused);
    if (result.front.empty()) result.why_empty = exclusions(rows);
}

/// Nobody's designs are replaced without a word.
void begin_study(const StudyRow& study, Database& database, const ExploreOptions& options) {
    const std::optional<StudyRow> kept = database.replaced_by(study);
    if (kept && options.on_replaced) options.on_replaced(*kept, study);
    database.begin_study(study);
}

/// Options of a trial: those of a search, but all of it ends in time.
class TimeLimit {
public:
    explicit TimeLimit(const ExploreOptions& options)
        : is_cancelled_(options.is_cancelled),
          length_(options.most_trial_seconds),
          options_(options) {
        options_.is_cancelled = [this] { return is_over() || is_cancelled(); };
        options_.simulate = process_worker_pool({options.processes, options_.is_cancelled});
    }
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    void begin() { end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(length_); }
    /// Whether it has ended for lack of time, and not by the user.
    bool is_over() const { return end_ && Clock::now() >= *end_ && !is_cancelled(); }
    const ExploreOptions& options() const { return options_; }

private:
    using Clock = std::chrono::steady_clock;

    bool is_cancelled() const { return is_cancelled_ && is_cancelled_(); }

    std::function<bool()> is_cancelled_;
    std::chrono::duration<double> length_;
    std::optional<Clock::time_point> end_;
    ExploreOptions options_;
};

/// A few designs of a study, and how long they take.
class Trial {
public:
    explicit Trial(Explorer& explorer) : explorer_(explorer) {}

    /// Chooses them, equally far from each other; more if constraints rule out some.
    void look_at(const std::vector<Choices>& all, ExploreEstimate& estimate) {
        constexpr std::size_t kMostCells = 9 * kSamples;
        std::set<std::size_t> seen;
        for (std::size_t cells = std::min(kSamples, all.size()); cells != 0; cells *= kFiner) {
            std::vector<Choices> sample;
            for (std::size_t i = 0; i < cells; ++i) {
                const std::size_t middle = (2 * i + 1) * all.size() / (2 * cells);
                if (seen.insert(middle).second) sample.push_back(all[middle]);
            }
            const std::size_t first = explorer_.add(sample);
            estimate.tried += sample.size();
            for (std::size_t id = first; id < first + sample.size(); ++id) {
                const DesignState state = explorer_.designs()[id].state;
                if (state == DesignState::kWaiting) waiting_.push_back(id);
                if (state == DesignState::kPruned) ++estimate.ruled_out;
            }
            const bool has_enough = waiting_.size() >= kSamples || estimate.ruled_out == 0;
            if (has_enough || cells >= std::min(kMostCells, all.size())) break;
        }
        waiting_.resize(std::min(waiting_.size(), kSamples));
    }

    void measure(ExploreEstimate& estimate) {
        std::size_t next = 0;
        explorer_.measure(
            [&]() -> std::optional<std::size_t> {
                if (next == waiting_.size()) return std::nullopt;
                under_way_[waiting_[next]] = Stopwatch();
                return waiting_[next++];
            },
            [&](std::size_t id) {
                under_way_.erase(id);
                for (const PointOutcome& outcome : explorer_.designs()[id].outcomes) {
                    seconds_ += outcome.wall_seconds;
                }
                ++counted_;
                ++estimate.measured;
            });
    }

    /// Those that were being measured take as long as they have taken, and longer.
    void count_stopped(ExploreEstimate& estimate) {
        for (const auto& [id, watch] : under_way_) {
            seconds_ += watch.seconds();
            ++counted_;
            estimate.is_least = true;
        }
    }

    std::optional<double> mean_seconds() const {
        return counted_ == 0 ? std::nullopt
                             : std::optional(seconds_ / static_cast<double>(counted_));
    }

private:
    static constexpr std::size_t kSamples = 5;
    /// Middles of cells are middles of a third of these.
    static constexpr std::size_t kFiner = 3;

    Explorer& explorer_;
    std::vector<std::size_t> waiting_;
    std::map<std::size_t, Stopwatch> under_way_;
    double seconds_ = 0;
    std::size_t counted_ = 0;
};

/// Looks at as many designs as the time allows for the routers and links they need.
SynthesesEstimate examine(Explorer& explorer, const std::vector<Choices>& all, TimeLimit& limit) {
    constexpr std::size_t kAtOnce = 64;
    limit.begin();
    std::size_t looked_at = 0;
    try {
        while (looked_at < all.size() && !limit.is_over()) {
            const std::size_t end = std::min(all.size(), looked_at + kAtOnce);
            explorer.add({all.begin() + static_cast<std::ptrdiff_t>(looked_at),
                          all.begin() + static_cast<std::ptrdiff_t>(end)});
            looked_at = end;
        }
    } catch (const Cancelled&) {
        if (!limit.is_over()) throw;
    }
    SynthesesEstimate estimate = explorer.syntheses();
    estimate.examined = looked_at;
    estimate.is_least = looked_at < all.size() || all.empty();
    return estimate;
}

}  // namespace

void keep_outcome(Database& database, const std::string& digest, const PointRow& point,
                  const PointOutcome& outcome) {
    if (outcome.status == PointStatus::kCrashed) return;
    if (outcome.status == PointStatus::kStopped) {
        const auto known = database.find(digest);
        if (known && known->status != PointStatus::kStopped) return;
    }
    database.put(digest, point, outcome);
}

std::string appraisal_digest(const std::string& point) { return digest_of(point + " appraisal"); }

StudyRow study_row(const Study& study) {
    StudyRow row;
    row.name = study.name;
    row.text = study.text;
    row.settings = study.settings;
    for (const Objective& objective : study.objectives) {
        row.objectives.push_back(
            {objective.metric, find_metric(objective.metric)->unit, objective.is_maximised});
    }
    return row;
}

DesignRow design_row(const Study& study, const Design& design) {
    DesignRow row{design.digest, design.state, design.reason, Json::object(), Json::object(), 0,
                  false};
    const std::vector<std::string> names = study.axis_names();
    for (std::size_t i = 0; i < names.size(); ++i) row.axes[names[i]] = design.labels[i];
    for (std::size_t i = 0; i < design.objectives.size(); ++i) {
        const Objective& objective = study.objectives[i];
        row.objectives[objective.metric] =
            objective.is_maximised ? -design.objectives[i] : design.objectives[i];
    }
    row.period_ns = design.clock_ns.empty() ? 0 : design.clock_ns.front();
    row.is_synthesized = design.is_synthesized;
    row.derived = derived_of(design.appraisals);
    return row;
}

ExploreResult explore(const Study& study, Database& database, const ExploreOptions& options) {
    const Stopwatch watch;
    require_estimable(study, options);
    Explorer explorer(study, database, options);
    ExploreResult& result = explorer.result();
    const bool is_exact = study.search.method == SearchMethod::kExact;
    if (is_exact) {
        const std::vector<Choices> all = all_choices(study, explorer.space());
        result.points = all.size();
        explorer.add(all);
        require_designs(study, explorer.space(), explorer.designs());
    }
    // The stored data of the study stay until a design replaces them.
    const auto begin = [&] {
        if (!is_exact) require_any(study, explorer.designs(), "that was drawn");
        begin_study(study_row(study), database, options);
        if (is_exact) explorer.expect(result.points);
    };
    switch (study.search.method) {
        case SearchMethod::kExact:
            begin();
            search_exactly(explorer);
            break;
        case SearchMethod::kRandom:
            search_at_random(explorer, begin);
            break;
        case SearchMethod::kNsga2:
            search_genetically(explorer, begin);
            break;
    }
    database.end_study(study.name);
    if (!is_exact) {
        require_any(study, explorer.designs(), "that was drawn");
        result.points = explorer.designs().size();
    }
    result.routers = explorer.known_routers();
    result.estimates = explorer.estimates();
    result.front = best_of(explorer);
    tell_exclusions(result, explorer.designs());
    result.wall_seconds = watch.seconds();
    return std::move(result);
}

ExploreEstimate estimate(const Study& study, Database& database, const ExploreOptions& options) {
    TimeLimit limit(options);
    Explorer explorer(study, database, limit.options(), Purpose::kTrial);
    ExploreEstimate estimate;
    const bool is_exact = study.search.method == SearchMethod::kExact;
    const std::vector<Choices> all = is_exact || explorer.space().size() <= Space::kMostListed
                                         ? all_choices(study, explorer.space())
                                         : std::vector<Choices>{};
    estimate.points = is_exact      ? all.size()
                      : all.empty() ? study.search.evaluations
                                    : std::min<std::uint64_t>(study.search.evaluations, all.size());
    if (options.on_designs) options.on_designs(estimate.points);
    limit.begin();
    Trial trial(explorer);
    bool is_stopped = false;
    try {
        trial.look_at(all, estimate);
        // If they are all, and none waits for a synthesis, a search would give the same result.
        if (is_exact && estimate.tried == all.size() && explorer.unsynthesized().empty()) {
            require_designs(study, explorer.space(), explorer.designs());
        }
        trial.measure(estimate);
    } catch (const Cancelled&) {
        if (!limit.is_over()) throw;
        is_stopped = true;
        trial.count_stopped(estimate);
    }
    estimate.unsynthesized = explorer.unsynthesized();
    if (!estimate.unsynthesized.empty()) estimate.syntheses = examine(explorer, all, limit);
    if (const std::optional<double> mean = trial.mean_seconds()) {
        const double share =
            1 - static_cast<double>(estimate.ruled_out) / static_cast<double>(estimate.tried);
        estimate.seconds = *mean * share * static_cast<double>(estimate.points) / options.processes;
    } else if (is_stopped) {
        estimate.problem = fmt::format("nothing more is known after {:.4g} s of examining designs",
                                       options.most_trial_seconds);
    } else if (estimate.tried != 0) {
        estimate.problem = one_line(explorer.designs().front().reason);
    }
    return estimate;
}

}  // namespace flitscope::study
