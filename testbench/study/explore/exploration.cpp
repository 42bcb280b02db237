// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/study/explore/exploration.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/digest.h"
#include "models/base/stopwatch.h"
#include "models/config/config_tree.h"
#include "testbench/study/explore/search.h"

namespace flitscope::study {
namespace {

/// More are for the searches that draw.
constexpr std::uint64_t kMostExact = 1'000'000;

/// That there is no design, and which condition none fulfils, if it is one of them alone.
[[noreturn]] void refuse_conditions(const Study& study, const Space& space) {
    for (const Expression& condition : study.conditions) {
        bool admits_any = false;
        for (std::uint64_t index = 0; index < space.size() && !admits_any; ++index) {
            admits_any = condition.holds(space.labels(space.choices(index)));
        }
        if (admits_any) continue;
        throw ConfigError(
            condition.where(),
            fmt::format("no design fulfils the condition '{}'", excerpt(condition.text())),
            "the study is empty");
    }
    throw ConfigError({study.source, 0, 0}, "no design fulfils all conditions of 'where'",
                      "the study is empty");
}

/// All designs that the conditions admit.
std::vector<Choices> all_choices(const Study& study, const Space& space) {
    if (space.size() > kMostExact) {
        throw ConfigError({study.source, 0, 0},
                          fmt::format("{} designs are too many for an exact search", space.size()),
                          "let fewer keys vary, or search: {method: nsga2, evaluations: 1000}");
    }
    std::vector<Choices> all;
    for (std::uint64_t index = 0; index < space.size(); ++index) {
        Choices choices = space.choices(index);
        if (space.is_wanted(space.labels(choices))) all.push_back(std::move(choices));
    }
    if (all.empty()) refuse_conditions(study, space);
    return all;
}

/// That routers can be estimated, where that is asked for.
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
    const bool is_empty = std::all_of(designs.begin(), designs.end(), [](const Design& design) {
        return design.state == DesignState::kRefused;
    });
    if (!is_empty) return;
    throw ConfigError({study.source, 0, 0}, "no design of the study can be built",
                      "of the first one: " + one_line(designs.front().reason));
}

/// Why a measurement of it did not come to an end; empty where all did.
std::string crash_of(const Design& design) {
    for (const auto* const outcomes : {&design.appraisals, &design.outcomes}) {
        for (const PointOutcome& outcome : *outcomes) {
            if (outcome.status == kCrashed) return outcome.problem;
        }
    }
    return "";
}

/// Counts designs that were refused or crashed, and gathers why designs are not on the front.
void tell_exclusions(ExploreResult& result, const std::vector<Design>& designs) {
    std::vector<DesignRow> rows;
    std::vector<DesignRow> refused;
    for (const Design& design : designs) {
        const std::string crash = crash_of(design);
        if (!crash.empty() && result.crashed++ == 0) result.crash = crash;
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

}  // namespace

void keep_outcome(Database& database, const std::string& digest, const PointRow& point,
                  const PointOutcome& outcome) {
    if (outcome.status == kCrashed) return;
    if (outcome.status == kStopped) {
        const auto known = database.find(digest);
        if (known && known->status != kStopped) return;
    }
    database.put(digest, point, outcome);
}

std::string appraisal_digest(const std::string& point) { return digest_of(point + " appraisal"); }

StudyRow study_row(const Study& study) {
    StudyRow row;
    row.name = study.name;
    row.text = study.text;
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
    database.begin_study(study_row(study));
    if (is_exact) explorer.expect(result.points);
    switch (study.search.method) {
        case SearchMethod::kExact:
            search_exactly(explorer);
            break;
        case SearchMethod::kRandom:
            search_at_random(explorer);
            break;
        case SearchMethod::kNsga2:
            search_genetically(explorer);
            break;
    }
    database.end_study(study.name);
    if (!is_exact) result.points = explorer.designs().size();
    result.routers = explorer.routers().known();
    result.estimates = explorer.routers().account();
    result.front = best_of(explorer);
    tell_exclusions(result, explorer.designs());
    result.wall_seconds = watch.seconds();
    return std::move(result);
}

ExploreEstimate estimate(const Study& study, Database& database, const ExploreOptions& options) {
    constexpr std::size_t kSamples = 5;
    Explorer explorer(study, database, options, Purpose::kTrial);
    ExploreEstimate estimate;
    const bool is_exact = study.search.method == SearchMethod::kExact;
    const std::vector<Choices> all = is_exact || explorer.space().size() <= kMostExact
                                         ? all_choices(study, explorer.space())
                                         : std::vector<Choices>{};
    estimate.points = is_exact      ? all.size()
                      : all.empty() ? study.search.evaluations
                                    : std::min<std::uint64_t>(study.search.evaluations, all.size());
    std::vector<Choices> sample;
    for (std::size_t i = 0; i < std::min(kSamples, all.size()); ++i) {
        sample.push_back(all[(2 * i + 1) * all.size() / (2 * std::min(kSamples, all.size()))]);
    }
    explorer.add(sample);
    // Where they are all, and none waits for a synthesis, a search would say the same.
    if (is_exact && sample.size() == all.size() && explorer.unsynthesized().empty()) {
        require_designs(study, explorer.space(), explorer.designs());
    }
    std::vector<std::size_t> ids;
    for (std::size_t id = 0; id < sample.size(); ++id) {
        if (explorer.designs()[id].state == DesignState::kWaiting) ids.push_back(id);
    }
    double seconds = 0;
    std::size_t measured = 0;
    explorer.measure_all(ids, [&](std::size_t id) {
        for (const PointOutcome& outcome : explorer.designs()[id].outcomes) {
            seconds += outcome.wall_seconds;
        }
        ++measured;
    });
    estimate.tried = sample.size();
    const std::set<std::string>& unsynthesized = explorer.unsynthesized();
    estimate.unsynthesized.assign(unsynthesized.begin(), unsynthesized.end());
    if (measured != 0) {
        estimate.seconds = seconds / static_cast<double>(measured) *
                           static_cast<double>(estimate.points) / options.processes;
    } else if (!sample.empty()) {
        estimate.problem = one_line(explorer.designs().front().reason);
    }
    return estimate;
}

}  // namespace flitscope::study
