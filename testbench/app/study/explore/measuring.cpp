// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How an Explorer measures designs: stored outcomes are looked up, the rest is simulated by the
// worker pool of its options.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "testbench/app/study/design_point.h"
#include "testbench/app/study/explore/design_figures.h"
#include "testbench/app/study/explore/explorer.h"

namespace flitscope::study {

bool Explorer::finish(std::size_t id) {
    Design& design = designs_[id];
    for (const PointOutcome& outcome : design.outcomes) {
        if (outcome.status != PointStatus::kRefused) continue;
        settle(id, DesignState::kRefused, space_.placed(outcome.problem, design.choices));
        return false;
    }
    for (const PointOutcome& outcome : design.outcomes) {
        if (outcome.is_measured()) continue;
        settle(id, DesignState::kRefused,
               fmt::format("{}: {}", name_of(outcome.status), outcome.problem));
        return false;
    }
    if (is_trial()) {
        design.state = DesignState::kSimulated;
        return true;
    }
    const std::vector<Evaluation> workloads = evaluations(design);
    DesignObjectives objectives = measured_objectives(study_, workloads);
    if (!objectives.unknown.empty()) {
        settle(id, DesignState::kRefused, std::move(objectives.unknown));
        return false;
    }
    design.objectives = std::move(objectives.values);
    Breach broken = breach(study_.constraints, workloads, false, is_estimated(design));
    design.reason = std::move(broken.reason);
    design.violation = broken.size;
    design.state = DesignState::kSimulated;
    settled_.push_back(id);
    if (design.reason.empty()) front_.add(id, design.objectives);
    return true;
}

std::vector<Explorer::Run> Explorer::begin(std::size_t id) {
    Design& design = designs_[id];
    const Cycle useful = useful_cycles(study_, design, front_).value_or(kNever);
    std::vector<Run> missing;
    design.outcomes.resize(design.points.size());
    for (std::size_t w = 0; w < design.points.size(); ++w) {
        if (auto known = outcomes_.find_complete(design.points[w])) {
            design.outcomes[w] = *std::move(known);
            continue;
        }
        missing.push_back({id, w, useful});
    }
    return missing;
}

bool Explorer::end(const Run& run, PointOutcome outcome) {
    Design& design = designs_[run.design];
    result_.simulation_seconds += outcome.wall_seconds;
    const std::string& point = design.points[run.workload];
    PointRow row{study_.workloads[run.workload].measurement, options_.engine, {}};
    if (design.appraisals.empty()) row = point_row(this->point(design, run.workload));
    outcomes_.add(point, std::move(row), outcome);
    if (outcome.status == PointStatus::kStopped) {
        ++result_.stopped;
        settle(run.design, DesignState::kPruned,
               fmt::format("dominated for certain, so {}", outcome.problem));
        return false;
    }
    design.outcomes[run.workload] = std::move(outcome);
    return true;
}

void Explorer::measure(const std::function<std::optional<std::size_t>()>& next,
                       const std::function<void(std::size_t)>& on_measured) {
    const Stopwatch watch;
    std::vector<Run> waiting;                 // for designs that were begun
    std::map<std::size_t, Run> under_way;     // by task
    std::map<std::size_t, std::size_t> open;  // outcomes that a design waits for
    std::size_t tasks = 0;
    std::size_t done = 0;
    Job job;
    job.next = [&]() -> std::optional<Task> {
        while (waiting.empty()) {
            const std::optional<std::size_t> id = next();
            if (!id) return std::nullopt;
            waiting = begin(*id);
            open[*id] = waiting.size();
            if (!waiting.empty()) break;
            if (finish(*id)) ++result_.reused;
            on_measured(*id);
        }
        const Run& run = under_way.emplace(tasks, waiting.back()).first->second;
        waiting.pop_back();
        return Task{tasks++, {run.design, run.workload, run.useful_cycles}};
    };
    job.point = [&](const Json& recipe) {
        DesignPoint point =
            this->point(designs_[recipe.at(0).get<std::size_t>()], recipe.at(1).get<std::size_t>());
        recipe.at(2).get_to(point.useful_cycles);
        return point;
    };
    job.on_outcome = [&](std::size_t task, PointOutcome outcome) {
        const Run run = under_way.extract(task).mapped();
        const bool is_outcome = end(run, std::move(outcome));
        if (!is_outcome || --open[run.design] == 0) {
            const bool is_measured = !is_outcome || finish(run.design);
            open.erase(run.design);
            if (is_measured) ++result_.simulated;
            show("simulating", ++done, 0, watch);
            on_measured(run.design);
        }
    };
    job.catch_up = [&] {
        if (outcomes_.size() == 0 && settled_.empty()) return;
        database_.begin();  // outcomes, and the results of their designs
        outcomes_.write();
        keep();
        database_.commit();
    };
    show("simulating", done, 0, watch);  // which may begin with a long wait for a cluster
    options_.simulate(job);
}

void Explorer::measure_all(const std::vector<std::size_t>& ids,
                           const std::function<void(std::size_t)>& on_measured) {
    std::size_t next = 0;
    measure(
        [&]() -> std::optional<std::size_t> {
            return next < ids.size() ? std::optional(ids[next++]) : std::nullopt;
        },
        on_measured);
}

}  // namespace flitscope::study
