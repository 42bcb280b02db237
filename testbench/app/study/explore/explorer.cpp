// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <utility>

#include "hw/verilated/rtl_variant.h"
#include "models/base/diagnostics.h"
#include "models/base/digest.h"
#include "models/performance/wire_budget.h"
#include "models/topology/graph.h"
#include "testbench/app/gate_synthesis/link_synthesis.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/gate_synthesis/synthesis.h"
#include "testbench/app/study/appraisal.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/explore/design_figures.h"
#include "traffic/patterns/load_units.h"

namespace flitscope::study {
namespace {

/// Appraisals are fast; this many are written together.
constexpr std::size_t kAppraisalsAtOnce = 16;

}  // namespace

Explorer::Explorer(const Study& study, Database& database, const ExploreOptions& options,
                   Purpose purpose)
    : study_(study),
      database_(database),
      options_(options),
      purpose_(purpose),
      space_(study, options.engine),
      syntheses_{options.processes, options.is_cancelled,
                 [this](std::size_t done, std::size_t total) {
                     if (done == 0) synthesis_watch_ = Stopwatch();
                     show("synthesizing", done, total, synthesis_watch_);
                 }},
      outcomes_(database) {}

void Explorer::show(const char* stage, std::size_t done, std::size_t total,
                    const Stopwatch& watch) const {
    if (!options_.on_progress) return;
    options_.on_progress({stage, done, total, static_cast<std::size_t>(result_.pruned),
                          front_.members().size(), watch.seconds()});
}

// ---- From choices to bounds ---------------------------------------------------------------------

std::size_t Explorer::add(const std::vector<Choices>& choices) {
    const std::size_t first = designs_.size();
    for (const Choices& chosen : choices) {
        Design& design = designs_.emplace_back();
        design.choices = chosen;
        design.labels = space_.labels(chosen);
    }
    Ids added(choices.size());
    std::iota(added.begin(), added.end(), first);
    appraise(added);
    find_routers(added);
    Ids late;  // whose machines are known only now
    for (const std::size_t id : added) {
        const Design& design = designs_[id];
        if (design.needs_figures && design.state == DesignState::kWaiting) late.push_back(id);
    }
    appraise(late);
    find_links(added);
    for (const std::size_t id : added) {
        if (designs_[id].state != DesignState::kWaiting) continue;
        if (is_trial()) {
            rule_out(id);  // without synthesis there are no bounds
        } else {
            bound(id);
        }
    }
    return first;
}

DesignPoint Explorer::point(const Design& design, std::size_t workload) const {
    DesignPoint point = space_.point(design.choices, workload);
    const RouterCost* const router = prices(design).routers.cost(design.router);
    if (design.needs_figures && router != nullptr) {
        resolve_synthesized(point.config, router->largest_um2, router->period_ns);
    }
    return point;
}

void Explorer::note_payload(std::size_t workload, Config config) {
    const bool has_load = study_.workloads[workload].measurement == Measurement::kRun &&
                          !config.traffic.pattern.empty() && !config.traffic.load_in_units &&
                          !config.traffic.share_of_saturation;
    if (!has_load) return;
    if (config.fabric.pin_budget != 0 || config.fabric.bisection_budget != 0) {
        config.fabric.link_delay = {};  // wires may take a router that is not synthesized yet
        try {
            build_budgeted_topology(config);  // the width that the budget leaves
        } catch (const ConfigError&) {
            return;  // refused when it is appraised, with the reason
        }
    }
    const std::string& name = study_.workloads[workload].name;
    auto found = std::find_if(result_.payloads.begin(), result_.payloads.end(),
                              [&](const PayloadSpread& one) { return one.workload == name; });
    const double bits = LoadUnits(config).bits_per_flit() * config.traffic.injection_rate;
    const double each = config.clock_is_synthesized ? bits : bits / config.clock_ns;
    if (found == result_.payloads.end()) {
        result_.payloads.push_back({name, each, each, !config.clock_is_synthesized});
    } else if (found->is_in_gbps != config.clock_is_synthesized) {
        found->least = std::min(found->least, each);
        found->most = std::max(found->most, each);
    }
}

std::vector<PointRow> Explorer::build(Design& design) {
    std::vector<PointRow> points;
    design.points.clear();
    design.clock_ns.clear();
    try {
        std::string all;
        for (std::size_t w = 0; w < study_.workloads.size(); ++w) {
            const DesignPoint point = this->point(design, w);
            const Config& config = point.config;
            require_technology(config);
            points.push_back(point_row(point));
            design.points.push_back(digest(point));
            if (w == 0) design.technology = config.technology;
            if (config.technology != design.technology) {
                throw ConfigError(config.where("technology"),
                                  fmt::format("its measurements are in different technologies: {}, "
                                              "and {}",
                                              design.technology.text(), config.technology.text()),
                                  "a design has one; technology belongs under 'vary' or into the "
                                  "base");
            }
            design.is_synthesized |= config.clock_is_synthesized;
            design.needs_figures |= needs_router_figures(config);
            design.clock_ns.push_back(config.clock_is_synthesized ? 0 : config.clock_ns);
            note_payload(w, config);
            all += design.points.back();
        }
        for (const Workload& workload : study_.workloads) {
            all += fmt::format(" {} {}", workload.name, workload.weight);
        }
        // A design with one unnamed measurement is its point.
        const Workload& first = study_.workloads.front();
        const bool is_point = study_.workloads.size() == 1 && first.weight == 1 &&
                              first.name == name_of(first.measurement);
        design.digest = is_point ? design.points.front() : digest_of(all);
    } catch (const ConfigError& error) {
        design.state = DesignState::kRefused;
        design.reason = error.findings().front().str();
        // Those of its workloads that can be built are neither measured nor stored.
        design.digest.clear();
        design.points.clear();
        design.clock_ns.clear();
    }
    if (needs_appraisals(design)) design.appraisals.assign(design.points.size(), {});
    return points;
}

bool Explorer::needs_appraisals(const Design& design) const {
    return study_.search.method != SearchMethod::kRandom || !study_.constraints.empty() ||
           study_.needs(&MetricInfo::needs_appraisal) || needs_router(design);
}

/// Builds these designs, and appraises what is not known of them. A design is built while another
/// one is appraised.
void Explorer::appraise(const Ids& ids) {
    struct Missing {
        std::size_t design;
        std::size_t workload;
        PointRow point;
    };
    std::deque<Missing> ready;                 // to be handed out
    std::map<std::size_t, Missing> under_way;  // by task
    std::size_t built = 0;                     // number of built `ids`
    const auto make_ready = [&](std::size_t count) {
        while (ready.size() < count && built < ids.size()) {
            const std::size_t id = ids[built++];
            Design& design = designs_[id];
            std::vector<PointRow> points = build(design);
            if (design.state != DesignState::kWaiting) settled_.push_back(id);
            for (std::size_t w = 0; w < design.appraisals.size(); ++w) {
                if (auto known = database_.find(appraisal_digest(design.points[w]))) {
                    design.appraisals[w] = *std::move(known);
                } else {
                    points[w].measurement = Measurement::kAppraisal;
                    ready.push_back({id, w, std::move(points[w])});
                }
            }
        }
    };
    const Stopwatch watch;
    std::size_t tasks = 0;
    std::size_t done = 0;
    Job job;
    job.next = [&]() -> std::optional<Task> {
        make_ready(1);
        if (ready.empty()) return std::nullopt;
        const Missing& wanted = under_way.emplace(tasks, std::move(ready.front())).first->second;
        ready.pop_front();
        return Task{tasks++, {wanted.design, wanted.workload}};
    };
    job.point = [&](const Json& recipe) {
        DesignPoint point =
            this->point(designs_[recipe.at(0).get<std::size_t>()], recipe.at(1).get<std::size_t>());
        point.measurement = Measurement::kAppraisal;
        return point;
    };
    job.on_outcome = [&](std::size_t task, PointOutcome outcome) {
        Missing wanted = under_way.extract(task).mapped();
        Design& design = designs_[wanted.design];
        outcomes_.add(appraisal_digest(design.points[wanted.workload]), std::move(wanted.point),
                      outcome);
        design.appraisals[wanted.workload] = std::move(outcome);
        ++done;
        show("appraising", done, done + under_way.size() + ready.size() + ids.size() - built,
             watch);
    };
    job.catch_up = [&] {
        make_ready(options_.processes);
        if (outcomes_.size() >= kAppraisalsAtOnce) outcomes_.write();
    };
    try {
        process_worker_pool({options_.processes, options_.is_cancelled})(job);
    } catch (const Cancelled&) {
        outcomes_.write();
        throw;
    }
    outcomes_.write();
    for (const std::size_t id : ids) {
        for (const PointOutcome& appraisal : designs_[id].appraisals) {
            if (designs_[id].state != DesignState::kWaiting || appraisal.is_measured()) continue;
            settle(id, DesignState::kRefused,
                   space_.placed(appraisal.problem, designs_[id].choices));
        }
    }
}

std::vector<Evaluation> Explorer::evaluations(const Design& design) const {
    std::vector<Evaluation> all;
    const Routers& routers = prices(design).routers;
    const RouterCost* const router = routers.cost(design.router);
    for (std::size_t w = 0; w < study_.workloads.size(); ++w) {
        const Workload& workload = study_.workloads[w];
        // 0: for a router that is estimated or, in a trial, not synthesized.
        const double clock_ns = design.clock_ns[w] != 0 ? design.clock_ns[w]
                                : router != nullptr     ? synthesized_clock_ns(router->period_ns)
                                                        : std::nan("");
        all.push_back(
            {design.appraisals.empty() ? nullptr : &design.appraisals[w],
             design.outcomes.empty() ? nullptr : &design.outcomes[w],
             design.appraisals.empty()
                 ? router
                 : routers.cost(design.appraisals[w].word("router"), design.router),
             w < design.links_um2.size() ? std::optional(design.links_um2[w]) : std::nullopt,
             workload.measurement, workload.weight, clock_ns});
    }
    return all;
}

/// Simulations that were stopped are bounds.
void Explorer::learn_from_stopped(Design& design) {
    for (std::size_t w = 0; w < design.appraisals.size(); ++w) {
        const auto known = database_.find(design.points[w]);
        if (!known || known->status != PointStatus::kStopped) continue;
        for (Metric& metric : design.appraisals[w].metrics) {
            if (metric.name != "lower_bound") continue;
            metric.value = std::max(metric.value, known->value(metric.name));
        }
    }
}

void Explorer::bound(std::size_t id) {
    Design& design = designs_[id];
    // Every time: a design of the same points may have been stopped in the meantime.
    learn_from_stopped(design);
    design.ruled_out.clear();
    const std::vector<Evaluation> workloads = evaluations(design);
    const bool is_guessed = is_estimated(design);
    DesignObjectives best = best_objectives(study_, workloads, is_guessed);
    design.best = std::move(best.values);
    if (!best.unknown.empty()) {
        settle(id, DesignState::kRefused, std::move(best.unknown));
        return;
    }
    Breach broken = breach(study_.constraints, workloads, true, is_guessed);
    if (broken.reason.empty()) return;
    if (is_guessed) {
        design.ruled_out = std::move(broken.reason);
    } else {
        design.violation = broken.size;
        settle(id, DesignState::kPruned, std::move(broken.reason));
    }
}

void Explorer::rule_out(std::size_t id) {
    const Design& design = designs_[id];
    const bool has_router = prices(design).routers.cost(design.router) != nullptr;
    std::vector<Limits> known;
    for (const Limits& limits : study_.constraints) {
        const MetricInfo& metric = *find_metric(limits.metric);
        if (!metric.needs_links && (has_router || !metric.needs_router)) known.push_back(limits);
    }
    Breach broken = breach(known, evaluations(design), true, false);
    if (!broken.reason.empty()) settle(id, DesignState::kPruned, std::move(broken.reason));
}

// ---- What is settled ----------------------------------------------------------------------------

void Explorer::settle(std::size_t id, DesignState state, std::string reason) {
    designs_[id].state = state;
    designs_[id].reason = std::move(reason);
    settled_.push_back(id);
    if (state == DesignState::kPruned) ++result_.pruned;
}

void Explorer::expect(std::uint64_t designs) { database_.expect_designs(study_.name, designs); }

void Explorer::keep() {
    if (is_trial()) settled_.clear();
    database_.begin();
    for (const std::size_t id : settled_) {
        const Design& design = designs_[id];
        std::vector<MemberRow> points;
        for (std::size_t w = 0; w < design.points.size(); ++w) {
            points.push_back(
                {study_.workloads[w].name, study_.workloads[w].weight, design.points[w]});
        }
        database_.put_design(study_.name, id, design_row(study_, design), points);
    }
    database_.commit();
    settled_.clear();
}

}  // namespace flitscope::study
