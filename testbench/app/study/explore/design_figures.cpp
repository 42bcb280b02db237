// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/design_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hw/verilated/built_routers.h"

namespace flitscope::study {
namespace {

/// Why a figure that needs no measurement is not there.
std::string unknown(const MetricInfo& metric) {
    return fmt::format(
        "its {} is not known: its routing chooses among paths, or packets of a message wait for "
        "each "
        "other",
        metric.name);
}

/// Keys that one of two workloads sets and the other does not, or otherwise.
std::string keys_that_differ(const Workload& a, const Workload& b) {
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
    add(a, b);
    add(b, a);
    return fmt::format("{}", fmt::join(of_fabric.empty() ? others : of_fabric, ", "));
}

}  // namespace

DesignObjectives best_objectives(const Study& study, const std::vector<Evaluation>& workloads,
                                 bool is_guessed) {
    DesignObjectives best;
    for (const Objective& objective : study.objectives) {
        const MetricInfo& metric = *find_metric(objective.metric);
        const auto value = metric.is_known || metric.bound != nullptr
                               ? combine(metric, workloads, !metric.is_known)
                               : std::nullopt;
        if (!value && metric.is_known) {
            best.unknown = unknown(metric);
            return best;
        }
        // A bound from the wrong side says nothing about what is best.
        const bool serves =
            metric.bound_is_upper == objective.is_maximised || (metric.is_known && !is_guessed);
        const bool is_bounded = value && serves;
        best.values.push_back(is_bounded ? (objective.is_maximised ? -*value : *value) : -INFINITY);
    }
    return best;
}

DesignObjectives measured_objectives(const Study& study, const std::vector<Evaluation>& workloads) {
    DesignObjectives measured;
    for (const Objective& objective : study.objectives) {
        const MetricInfo& metric = *find_metric(objective.metric);
        const auto value = combine(metric, workloads, false);
        if (!value) {
            measured.unknown = missing(metric, workloads);
            return measured;
        }
        measured.values.push_back(objective.is_maximised ? -*value : *value);
    }
    return measured;
}

Breach breach(const std::vector<Limits>& constraints, const std::vector<Evaluation>& workloads,
              bool bounded, bool is_guessed) {
    Breach breach;
    const auto add = [&breach](double value, double limit, std::string reason) {
        breach.size += std::abs(value - limit) / (limit == 0 ? 1 : std::abs(limit));
        if (breach.reason.empty()) breach.reason = std::move(reason);
    };
    for (const Limits& limits : constraints) {
        const MetricInfo& metric = *find_metric(limits.metric);
        const auto value = combine(metric, workloads, bounded && !metric.is_known);
        if (!value) {  // which violates every limit; if still to be measured, that is open
            if (bounded && !metric.is_known) continue;
            breach.size = INFINITY;  // the amount is not known
            std::string reason = metric.is_known ? unknown(metric) : missing(metric, workloads);
            if (breach.reason.empty()) breach.reason = std::move(reason);
            continue;
        }
        // A value that is not known yet has a one-sided bound.
        const bool is_exact = !bounded || (metric.is_known && !is_guessed);
        const bool is_over = limits.most && *value > *limits.most;
        const bool is_under = limits.least && *value < *limits.least;
        if (is_over && (is_exact || !metric.bound_is_upper)) {
            add(*value, *limits.most,
                fmt::format("{} is {}{:.6g}, at most {:.6g} is allowed{}", metric.name,
                            is_exact ? "" : "at least ", *value, *limits.most,
                            parts_text(metric, workloads)));
        }
        if (is_under && (is_exact || metric.bound_is_upper)) {
            add(*value, *limits.least,
                fmt::format("{} is {}{:.6g}, at least {:.6g} is asked for", metric.name,
                            is_exact ? "" : "at most ", *value, *limits.least));
        }
    }
    return breach;
}

std::optional<Cycle> useful_cycles(const Study& study, const Design& design, const Front& front) {
    // A search that draws reports all that it has drawn.
    if (study.search.method != SearchMethod::kExact) return std::nullopt;
    if (study.workloads.size() != 1) return std::nullopt;
    std::optional<std::size_t> timed;
    for (std::size_t i = 0; i < study.objectives.size(); ++i) {
        const MetricInfo& metric = *find_metric(study.objectives[i].metric);
        if (metric.is_known) continue;
        if (!metric.is_time || study.objectives[i].is_maximised || timed) return std::nullopt;
        timed = i;
    }
    if (!timed || design.appraisals.front().find("lower_bound") == nullptr) return std::nullopt;
    double least = INFINITY;
    for (const Front::Member& member : front.members()) {
        bool is_no_worse = true;
        for (std::size_t i = 0; i < design.best.size(); ++i) {
            if (i != *timed && member.objectives[i] > design.best[i]) is_no_worse = false;
        }
        if (is_no_worse) least = std::min(least, member.objectives[*timed]);
    }
    if (!std::isfinite(least)) return std::nullopt;
    const bool is_in_ns = find_metric(study.objectives[*timed].metric)->unit == "ns";
    const double unit = (is_in_ns ? design.clock_ns.front() : 1) * study.workloads.front().weight;
    const double cycles = least / unit;
    constexpr double kMost = 1e18;  // no run gets so far
    if (!(cycles < kMost)) return std::nullopt;
    return static_cast<Cycle>(cycles) + 2;
}

DesignRouter only_router(const Study& study, const Design& design) {
    hw::BuiltRouters all;
    std::string only;
    for (std::size_t w = 0; w < design.appraisals.size(); ++w) {
        const std::string routers = design.appraisals[w].word("router");
        if (routers.empty()) {
            return {"", "its router has no area and no period: " +
                            design.appraisals[w].word("no_router")};
        }
        const hw::BuiltRouters kinds = hw::parse_built_routers(routers);
        all.insert(all.end(), kinds.begin(), kinds.end());
        hw::RtlVariant largest = all.back().variant;
        largest.turns.clear();
        const std::string router = largest.name();
        if (w == 0) only = router;
        if (router == only) continue;
        // Else areas and periods would be those of a router that is not measured.
        const Workload& first = study.workloads.front();
        const Workload& other = study.workloads[w];
        return {"",
                fmt::format("its measurements take different routers: '{}' {}, and '{}' {}; a "
                            "design has one area and one period, so {} under 'set' belongs under "
                            "'vary' or into the base",
                            first.name, only, other.name, router, keys_that_differ(first, other))};
    }
    return {hw::text_of(hw::merged(all)), ""};
}

}  // namespace flitscope::study
