// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/study/explore/explorer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "hw/verilated/rtl_variant.h"
#include "models/base/digest.h"
#include "testbench/study/appraisal.h"
#include "testbench/synth/link_synthesis.h"
#include "testbench/synth/router_of.h"
#include "testbench/synth/synthesis.h"

namespace flitscope::study {
namespace {

/// Appraisals are quick; so many are written together.
constexpr std::size_t kAppraisalsAtOnce = 16;

/// Why a figure that needs no measurement is not there.
std::string unknown(const MetricInfo& metric) {
    return fmt::format("its {} is not known: its routing chooses among paths", metric.name);
}

}  // namespace

Explorer::Explorer(const Study& study, Database& database, const ExploreOptions& options,
                   Keeps keeps)
    : study_(study),
      database_(database),
      options_(options),
      keeps_(keeps),
      space_(study, options.engine),
      syntheses_{options.processes, options.is_cancelled,
                 [this](std::size_t done, std::size_t total) {
                     if (done == 0) synthesis_watch_ = Stopwatch();
                     show("synthesizing", done, total, synthesis_watch_);
                 }},
      routers_(syntheses_, study.needs(&MetricInfo::needs_energy), options.estimates_routers) {}

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
        if (designs_[id].state == DesignState::kWaiting) bound(id);
    }
    return first;
}

Point Explorer::point(const Design& design, std::size_t workload) const {
    Point point = space_.point(design.choices, workload);
    const RouterCost* const router = routers_.cost(design.router);
    if (design.needs_figures && router != nullptr) {
        resolve_synthesized(point.config, router->area_um2, router->period_ns);
    }
    return point;
}

std::vector<PointRow> Explorer::build(Design& design) {
    std::vector<PointRow> points;
    design.points.clear();
    design.clock_ns.clear();
    try {
        std::string all;
        for (std::size_t w = 0; w < study_.workloads.size(); ++w) {
            const Point point = this->point(design, w);
            const Config& config = point.config;
            points.push_back(point_row(point));
            design.points.push_back(digest(point));
            design.is_synthesized |= config.clock_is_synthesized;
            design.needs_figures |= needs_router_figures(config);
            design.clock_ns.push_back(config.clock_is_synthesized ? 0 : config.clock_ns);
            all += design.points.back();
        }
        for (const Workload& workload : study_.workloads)
            all += fmt::format(" {}", workload.weight);
        // A design with one workload is its point.
        design.digest = design.points.size() == 1 ? design.points.front() : digest_of(all);
    } catch (const ConfigError& error) {
        design.state = DesignState::kRefused;
        design.reason = error.findings().front().str();
        // Of its workloads that can be built nothing is measured, and nothing kept.
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
    std::size_t built = 0;                     // of `ids`
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
        Point point =
            this->point(designs_[recipe.at(0).get<std::size_t>()], recipe.at(1).get<std::size_t>());
        point.measurement = Measurement::kAppraisal;
        return point;
    };
    job.on_outcome = [&](std::size_t task, PointOutcome outcome) {
        Missing wanted = under_way.extract(task).mapped();
        Design& design = designs_[wanted.design];
        write_later(
            {appraisal_digest(design.points[wanted.workload]), std::move(wanted.point), outcome});
        design.appraisals[wanted.workload] = std::move(outcome);
        ++done;
        show("appraising", done, done + under_way.size() + ready.size() + ids.size() - built,
             watch);
    };
    job.catch_up = [&] {
        make_ready(options_.processes);
        if (unwritten_.size() >= kAppraisalsAtOnce) write_outcomes();
    };
    try {
        process_crew({options_.processes, options_.is_cancelled})(job);
    } catch (const Cancelled&) {
        write_outcomes();
        throw;
    }
    write_outcomes();
    for (const std::size_t id : ids) {
        for (const PointOutcome& appraisal : designs_[id].appraisals) {
            if (designs_[id].state != DesignState::kWaiting || appraisal.is_measured()) continue;
            settle(id, DesignState::kRefused,
                   space_.placed(appraisal.problem, designs_[id].choices));
        }
    }
}

bool Explorer::needs_router(const Design& design) const {
    return design.needs_figures ||
           std::count(design.clock_ns.begin(), design.clock_ns.end(), 0) != 0 ||
           study_.needs(&MetricInfo::needs_router);
}

/// Finds out what the routers of these designs cost: each variant once.
void Explorer::find_routers(const Ids& ids) {
    std::vector<std::string> exact;    // whose figures decide what is simulated
    std::vector<std::string> roughly;  // those of the others may be estimates for a while
    for (const std::size_t id : ids) {
        Design& design = designs_[id];
        if (design.state != DesignState::kWaiting || !needs_router(design)) continue;
        design.router = only_router(id);
        if (design.state != DesignState::kWaiting) continue;
        (design.needs_figures ? exact : roughly).push_back(design.router);
    }
    routers_.add(exact, false);
    routers_.add(roughly, true);
    for (const std::size_t id : ids) take_router(id);
}

std::string Explorer::only_router(std::size_t id) {
    const Design& design = designs_[id];
    std::string only;
    for (std::size_t w = 0; w < design.appraisals.size(); ++w) {
        const std::string router = design.appraisals[w].word("router");
        if (router.empty()) {
            settle(
                id, DesignState::kRefused,
                "its router has no area and no period: " + design.appraisals[w].word("no_router"));
            return "";
        }
        if (w == 0) only = router;
        if (router == only) continue;
        // Else areas and periods would be those of a router that is not measured.
        const std::string keys = keys_that_differ(0, w);
        settle(id, DesignState::kRefused,
               fmt::format("its measurements take different routers: '{}' {}, and '{}' {}; a "
                           "design has one area and one period, so {} under 'set' belongs under "
                           "'vary' or into the base",
                           study_.workloads.front().name, only, study_.workloads[w].name, router,
                           keys));
        return "";
    }
    return only;
}

std::string Explorer::keys_that_differ(std::size_t a, std::size_t b) const {
    std::vector<std::string> of_fabric;
    std::vector<std::string> others;
    const auto add = [&](const Workload& from, const Workload& to) {
        for (const std::string& text : from.overrides) {
            const auto& known = to.overrides;
            if (std::find(known.begin(), known.end(), text) != known.end()) continue;
            const std::string key = text.substr(0, text.find('='));
            std::vector<std::string>& keys = key.rfind("fabric", 0) == 0 ? of_fabric : others;
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
        }
    };
    add(study_.workloads[a], study_.workloads[b]);
    add(study_.workloads[b], study_.workloads[a]);
    return fmt::format("{}", fmt::join(of_fabric.empty() ? others : of_fabric, ", "));
}

/// What is certain of a design's router.
void Explorer::take_router(std::size_t id) {
    Design& design = designs_[id];
    if (design.state != DesignState::kWaiting || design.router.empty()) return;
    if (const std::string problem = routers_.problem(design.router); !problem.empty()) {
        settle(id, DesignState::kRefused,
               fmt::format("{} could not be synthesized: {}", design.router, problem));
    } else if (!is_estimated(design)) {
        std::replace(design.clock_ns.begin(), design.clock_ns.end(), 0.0,
                     synthesized_clock_ns(routers_.cost(design.router)->period_ns));
    }
}

void Explorer::make_certain(const std::vector<std::size_t>& ids) {
    std::vector<std::string> names;
    for (const std::size_t id : ids) names.push_back(designs_[id].router);
    routers_.make_certain(names);
    for (std::size_t id = 0; id < designs_.size(); ++id) {
        if (designs_[id].router.empty()) continue;
        take_router(id);
        if (designs_[id].state == DesignState::kWaiting) bound(id);
    }
}

/// And what the registers of their links cost.
void Explorer::find_links(const Ids& ids) {
    if (!study_.needs(&MetricInfo::needs_links)) return;
    std::map<std::size_t, std::vector<FabricLinks>> fabrics;  // one per workload
    std::set<std::string> missing;
    for (const std::size_t id : ids) {
        const Design& design = designs_[id];
        if (design.state != DesignState::kWaiting) continue;
        const auto router = hw::parse_rtl_variant(design.router);
        for (const PointOutcome& appraisal : design.appraisals) {
            const FabricLinks& links = fabrics[id].emplace_back(FabricLinks{
                {router->virtual_channels, router->flit_bits}, appraised_link_delays(appraisal)});
            for (const LinkVariant& variant : links.variants()) {
                if (links_.count(variant.name()) == 0) missing.insert(variant.name());
            }
        }
    }
    const auto look_up = [this](const std::string& name) {
        const auto found = cached_link(*parse_link_variant(name));
        if (found) links_[name] = *found;
        return found.has_value();
    };
    std::vector<std::string> waiting;
    std::copy_if(missing.begin(), missing.end(), std::back_inserter(waiting),
                 [&](const std::string& name) { return !look_up(name); });
    auto problems = synthesize_all(
        waiting, [](const std::string& name) { synthesize_link(*parse_link_variant(name)); },
        syntheses_);
    for (const std::string& name : waiting) {
        if (!look_up(name)) problems.emplace(name, "the cache has lost it");
    }
    const auto area_of = [this](const LinkVariant& variant) {
        const auto found = links_.find(variant.name());
        return found == links_.end() ? std::nullopt : std::optional(found->second);
    };
    for (const auto& [id, workloads] : fabrics) {
        Design& design = designs_[id];
        design.links_um2.clear();
        for (const FabricLinks& links : workloads) {
            if (design.state != DesignState::kWaiting) break;
            if (const auto area = links.total_um2(area_of)) {
                design.links_um2.push_back(*area);
                continue;
            }
            for (const LinkVariant& variant : links.variants()) {
                const auto problem = problems.find(variant.name());
                if (problem == problems.end()) continue;
                settle(id, DesignState::kRefused,
                       fmt::format("{} could not be synthesized: {}", problem->first,
                                   problem->second));
                break;
            }
        }
    }
}

std::vector<Evaluation> Explorer::evaluations(const Design& design) const {
    std::vector<Evaluation> all;
    const RouterCost* const router = routers_.cost(design.router);
    for (std::size_t w = 0; w < study_.workloads.size(); ++w) {
        const Workload& workload = study_.workloads[w];
        // 0: of a router that is estimated.
        const double clock_ns =
            design.clock_ns[w] != 0 ? design.clock_ns[w] : synthesized_clock_ns(router->period_ns);
        all.push_back(
            {design.appraisals.empty() ? nullptr : &design.appraisals[w],
             design.outcomes.empty() ? nullptr : &design.outcomes[w], router,
             w < design.links_um2.size() ? std::optional(design.links_um2[w]) : std::nullopt,
             workload.measurement, workload.weight, clock_ns});
    }
    return all;
}

Explorer::Breach Explorer::breach(const Design& design, bool bounded) const {
    Breach breach;
    const auto add = [&breach](double value, double limit, std::string reason) {
        breach.size += std::abs(value - limit) / (limit == 0 ? 1 : std::abs(limit));
        if (breach.reason.empty()) breach.reason = std::move(reason);
    };
    const std::vector<Evaluation> workloads = evaluations(design);
    const bool is_guessed = is_estimated(design);
    for (const Limits& limits : study_.constraints) {
        const MetricInfo& metric = *find_metric(limits.metric);
        const auto value = combine(metric, workloads, bounded && !metric.is_known);
        if (!value) {  // which keeps no limit; of what is still to be measured that is open
            if (bounded && !metric.is_known) continue;
            breach.size = INFINITY;  // nobody can say by how much
            std::string reason = metric.is_known ? unknown(metric) : missing(metric, workloads);
            if (breach.reason.empty()) breach.reason = std::move(reason);
            continue;
        }
        // Of what is not known yet there is a bound from one side.
        const bool is_exact = !bounded || (metric.is_known && !is_guessed);
        const bool is_over = limits.most && *value > *limits.most;
        const bool is_under = limits.least && *value < *limits.least;
        if (is_over && (is_exact || !metric.bound_is_upper)) {
            add(*value, *limits.most,
                fmt::format("{} is {}{:.6g}, at most {:.6g} is allowed", metric.name,
                            is_exact ? "" : "at least ", *value, *limits.most));
        }
        if (is_under && (is_exact || metric.bound_is_upper)) {
            add(*value, *limits.least,
                fmt::format("{} is {}{:.6g}, at least {:.6g} is asked for", metric.name,
                            is_exact ? "" : "at most ", *value, *limits.least));
        }
    }
    return breach;
}

/// Simulations that were stopped are bounds.
void Explorer::learn_from_stopped(Design& design) {
    for (std::size_t w = 0; w < design.appraisals.size(); ++w) {
        const auto known = database_.find(design.points[w]);
        if (!known || known->status != kStopped) continue;
        for (Metric& metric : design.appraisals[w].metrics) {
            if (metric.name != "lower_bound") continue;
            metric.value = std::max(metric.value, known->value(metric.name));
        }
    }
}

void Explorer::bound(std::size_t id) {
    Design& design = designs_[id];
    // Every time: a design of the same points may have been stopped meanwhile.
    learn_from_stopped(design);
    design.best.clear();
    design.ruled_out.clear();
    const std::vector<Evaluation> workloads = evaluations(design);
    const bool is_guessed = is_estimated(design);
    for (const Objective& objective : study_.objectives) {
        const MetricInfo& metric = *find_metric(objective.metric);
        const auto value = metric.is_known || metric.bound != nullptr
                               ? combine(metric, workloads, !metric.is_known)
                               : std::nullopt;
        if (!value && metric.is_known) {
            settle(id, DesignState::kRefused, unknown(metric));
            return;
        }
        // A bound from the wrong side says nothing about what is best.
        const bool serves =
            metric.bound_is_upper == objective.is_maximised || (metric.is_known && !is_guessed);
        const bool is_bounded = value && serves;
        design.best.push_back(is_bounded ? (objective.is_maximised ? -*value : *value) : -INFINITY);
    }
    Breach broken = breach(design, true);
    if (broken.reason.empty()) return;
    if (is_guessed) {
        design.ruled_out = std::move(broken.reason);
    } else {
        design.violation = broken.size;
        settle(id, DesignState::kPruned, std::move(broken.reason));
    }
}

// ---- Measuring ----------------------------------------------------------------------------------

void Explorer::settle(std::size_t id, DesignState state, std::string reason) {
    designs_[id].state = state;
    designs_[id].reason = std::move(reason);
    settled_.push_back(id);
    if (state == DesignState::kPruned) ++result_.pruned;
}

bool Explorer::finish(std::size_t id) {
    Design& design = designs_[id];
    for (const PointOutcome& outcome : design.outcomes) {
        if (outcome.status != kRefusedStatus) continue;
        settle(id, DesignState::kRefused, space_.placed(outcome.problem, design.choices));
        return false;
    }
    for (const PointOutcome& outcome : design.outcomes) {
        if (outcome.is_measured()) continue;
        settle(id, DesignState::kRefused, fmt::format("{}: {}", outcome.status, outcome.problem));
        return false;
    }
    const std::vector<Evaluation> workloads = evaluations(design);
    Objectives objectives;
    for (const Objective& objective : study_.objectives) {
        const MetricInfo& metric = *find_metric(objective.metric);
        const auto value = combine(metric, workloads, false);
        if (!value) {
            settle(id, DesignState::kRefused, missing(metric, workloads));
            return false;
        }
        objectives.push_back(objective.is_maximised ? -*value : *value);
    }
    design.objectives = std::move(objectives);
    Breach broken = breach(design, false);
    design.reason = std::move(broken.reason);
    design.violation = broken.size;
    design.state = DesignState::kSimulated;
    settled_.push_back(id);
    if (design.reason.empty()) front_.add(id, design.objectives);
    return true;
}

std::optional<PointOutcome> Explorer::known_outcome(const std::string& point) {
    if (unwritten_digests_.count(point) != 0) write_outcomes();
    std::optional<PointOutcome> known = database_.find(point);
    if (known && known->status == kStopped) return std::nullopt;
    return known;
}

/// Beyond so many cycles the design is dominated for certain: where all but the time of its only
/// program is known.
std::optional<Cycle> Explorer::useful_cycles(const Design& design) const {
    // A search that draws tells of all that it has drawn.
    if (study_.search.method != SearchMethod::kExact) return std::nullopt;
    if (study_.workloads.size() != 1) return std::nullopt;
    std::optional<std::size_t> timed;
    for (std::size_t i = 0; i < study_.objectives.size(); ++i) {
        const MetricInfo& metric = *find_metric(study_.objectives[i].metric);
        if (metric.is_known) continue;
        if (!metric.is_time || study_.objectives[i].is_maximised || timed) return std::nullopt;
        timed = i;
    }
    if (!timed || design.appraisals.front().find("lower_bound") == nullptr) return std::nullopt;
    double least = INFINITY;
    for (const Front::Member& member : front_.members()) {
        bool is_no_worse = true;
        for (std::size_t i = 0; i < design.best.size(); ++i) {
            if (i != *timed && member.objectives[i] > design.best[i]) is_no_worse = false;
        }
        if (is_no_worse) least = std::min(least, member.objectives[*timed]);
    }
    if (!std::isfinite(least)) return std::nullopt;
    const bool is_in_ns = find_metric(study_.objectives[*timed].metric)->unit == "ns";
    const double unit = (is_in_ns ? design.clock_ns.front() : 1) * study_.workloads.front().weight;
    const double cycles = least / unit;
    constexpr double kMost = 1e18;  // no run gets so far
    if (!(cycles < kMost)) return std::nullopt;
    return static_cast<Cycle>(cycles) + 2;
}

std::vector<Explorer::Run> Explorer::begin(std::size_t id) {
    Design& design = designs_[id];
    const Cycle useful = useful_cycles(design).value_or(kNever);
    std::vector<Run> missing;
    design.outcomes.resize(design.points.size());
    for (std::size_t w = 0; w < design.points.size(); ++w) {
        if (auto known = known_outcome(design.points[w])) {
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
    write_later({point, std::move(row), outcome});
    if (outcome.status == kStopped) {
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
    std::vector<Run> waiting;                 // of designs that were begun
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
        Point point =
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
        if (unwritten_.empty() && settled_.empty()) return;
        database_.begin();  // outcomes, and what they say of their designs
        write_outcomes();
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

void Explorer::write_later(Unwritten one) {
    unwritten_digests_.insert(one.digest);
    unwritten_.push_back(std::move(one));
}

void Explorer::write_outcomes() {
    database_.begin();
    for (Unwritten& one : unwritten_) {
        // The appraisal of such a point has its configuration, and was written before.
        if (one.point.config.empty()) {
            one.point.config = database_.config(appraisal_digest(one.digest));
        }
        keep_outcome(database_, one.digest, one.point, one.outcome);
    }
    database_.commit();
    unwritten_.clear();
    unwritten_digests_.clear();
}

void Explorer::keep() {
    if (keeps_ == Keeps::kOutcomes) settled_.clear();
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
