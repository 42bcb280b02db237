// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/study_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/base/printable.h"
#include "models/config/value_readers.h"
#include "testbench/app/study/explore/objectives.h"

namespace flitscope::study {
namespace {

constexpr double kMostWeight = 1e12;

std::optional<double> number(const ConfigTree& tree) {
    return tree.is_scalar() ? kinds::to_real(tree.text) : std::nullopt;
}

}  // namespace

std::optional<Measurement> MeasureReader::measurement_of(const ConfigTree& tree) {
    const auto chosen =
        choice(tree, "measurement", std::array{Measurement::kRun, Measurement::kSaturation});
    is_measured_unknown_ = is_measured_unknown_ || !chosen;
    return chosen;
}

void MeasureReader::read_workloads(const ConfigTree& tree) {
    if (!tree.is_map()) {
        if (const auto measurement = measurement_of(tree)) {
            study_.workloads.push_back({tree.text, *measurement, {}, 1, tree.where});
        }
        return;
    }
    if (!is_map(tree, "write {small: {kind: run, set: {traffic.message_bytes: 64}}}")) {
        is_measured_unknown_ = true;
        return;
    }
    for (const ConfigTree& child : tree.children) {
        if (child.is_map()) {
            read_workload(child);
        } else {
            is_measured_unknown_ = true;
            report(child.where, "a measurement is a map, found " + child.found(),
                   "with kind, set and weight");
        }
    }
}

void MeasureReader::read_workload(const ConfigTree& tree) {
    Workload workload{tree.key, Measurement::kRun, {}, 1, tree.key_where};
    static const std::vector<std::string> kKeys = {"kind", "set", "weight"};
    for (const ConfigTree& child : tree.children) {
        if (child.key == "kind") {
            workload.measurement = measurement_of(child).value_or(Measurement::kRun);
        } else if (child.key == "set") {
            if (!is_map(child, "write {traffic.message_bytes: 64}")) continue;
            for (const ConfigTree& key : child.children) {
                if (!is_known(key.key, key.key_where)) continue;
                workload.overrides.push_back(override_of(key.key, key));
                study_.places.emplace_back(workload.overrides.back(), key.where);
            }
        } else if (child.key == "weight") {
            const auto weight = number(child);
            if (!weight || *weight <= 0 || *weight > kMostWeight) {
                report(child.where, fmt::format("a weight is a number above 0, at most {:g}, "
                                                "found {}",
                                                kMostWeight, child.found()));
            } else {
                workload.weight = *weight;
            }
        } else {
            refuse_key(child, kKeys);
        }
    }
    study_.workloads.push_back(std::move(workload));
}

std::uint64_t MeasureReader::whole(const ConfigTree& tree, std::uint64_t least,
                                   std::uint64_t most) {
    const auto value = tree.is_scalar() ? kinds::to_unsigned(tree.text) : std::nullopt;
    if (value && *value >= least && *value <= most) return *value;
    report(tree.where, fmt::format("'{}' must be a whole number from {} to {}, found {}", tree.key,
                                   least, most, tree.found()));
    return least;
}

/// Whether there is such a metric and the study measures it; reports if not.
bool MeasureReader::gives(const std::string& metric, const Location& where) {
    const MetricInfo* const info = find_metric(metric);
    if (info == nullptr) {
        report(where, fmt::format("unknown metric '{}'", excerpt(metric)),
               suggest_choice(metric, metric_names()));
        return false;
    }
    const auto serves = [&](const Workload& workload) {
        return !info->measurement || workload.measurement == *info->measurement;
    };
    const bool is_given = std::any_of(study_.workloads.begin(), study_.workloads.end(), serves);
    if (is_given || is_measured_unknown_) return true;
    report(where, fmt::format("no measurement of this study gives '{}'", metric),
           fmt::format("it takes one of kind '{}' under 'measure'", name_of(*info->measurement)));
    return false;
}

void MeasureReader::read_objectives(const ConfigTree& tree) {
    if (!is_map(tree, "write {min: [time_ns, pins], max: [saturation_gbps]}")) return;
    for (const ConfigTree& goal : tree.children) {
        if (goal.key != "min" && goal.key != "max") {
            refuse_key(goal, {"min", "max"});
            continue;
        }
        const auto read = [&](const ConfigTree& metric) {
            const bool is_known = gives(metric.is_scalar() ? metric.text : "", metric.where);
            const auto it =
                std::find_if(study_.objectives.begin(), study_.objectives.end(),
                             [&](const Objective& o) { return o.metric == metric.text; });
            if (it != study_.objectives.end()) {
                report(metric.where,
                       fmt::format("'{}' is an objective already, at {}", metric.text,
                                   it->where.str()),
                       "leave one of them out");
            } else if (is_known) {
                study_.objectives.push_back({metric.text, goal.key == "max", metric.where});
            }
        };
        if (goal.is_sequence()) {
            for (const ConfigTree& metric : goal.children) read(metric);
        } else {
            read(goal);
        }
    }
    if (study_.objectives.empty() && findings_.empty()) {
        report(tree.where, "a study has at least one objective",
               suggest_choice("", metric_names()));
    }
}

void MeasureReader::read_constraints(const ConfigTree& tree) {
    if (!is_map(tree, "write {area_mm2: {max: 3}}")) return;
    for (const ConfigTree& child : tree.children) {
        if (!gives(child.key, child.key_where) || !is_map(child, "write {max: 3}")) continue;
        Limits limits{child.key, std::nullopt, std::nullopt, child.key_where};
        for (const ConfigTree& limit : child.children) {
            if (limit.key != "min" && limit.key != "max") {
                refuse_key(limit, {"min", "max"});
            } else if (!number(limit)) {
                report(limit.where, "a limit is a number, found " + limit.found());
            } else {
                (limit.key == "min" ? limits.least : limits.most) = number(limit);
            }
        }
        if (limits.least && limits.most && *limits.least > *limits.most) {
            report(child.key_where,
                   fmt::format("'{}' can not be at least {} and at most {}", child.key,
                               *limits.least, *limits.most),
                   "no design can keep both");
        }
        study_.constraints.push_back(std::move(limits));
    }
}

void MeasureReader::read_search(const ConfigTree& tree) {
    if (!is_map(tree, "write {method: exact}")) return;
    static const std::vector<std::string> kKeys = {"method", "evaluations", "population", "seed"};
    SearchConfig& search = study_.search;
    constexpr std::uint64_t kMost = 10'000'000;
    for (const ConfigTree& child : tree.children) {
        if (child.key == "method") {
            search.method = choice(child, "method", kSearchMethods).value_or(search.method);
        } else if (child.key == "evaluations") {
            search.evaluations = whole(child, 1, kMost);
        } else if (child.key == "population") {
            search.population = whole(child, 4, kMost);
        } else if (child.key == "seed") {
            search.seed = whole(child, 0, UINT64_MAX);
        } else {
            refuse_key(child, kKeys);
        }
    }
    const auto refuse_of = [&](SearchMethod method, const char* key, const char* why) {
        const ConfigTree* const child = tree.find(key);
        if (search.method != method || child == nullptr) return;
        report(child->key_where,
               fmt::format("'{}' is not for the method '{}'", key, name_of(method)), why);
    };
    for (const char* key : {"evaluations", "population", "seed"}) {
        refuse_of(SearchMethod::kExact, key, "an exact search ends when every design is settled");
    }
    refuse_of(SearchMethod::kRandom, "population", "it is bred by the method 'nsga2'");
}

}  // namespace flitscope::study
