// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/schedule_catalogue.h"

#include <algorithm>
#include <iterator>

#include "traffic/computations/computation_schedules.h"
#include "traffic/schedules/collectives/collective_schedules.h"
#include "traffic/schedules/exchange/exchange_schedules.h"
#include "traffic/schedules/kernels/kernel_schedules.h"
#include "traffic/schedules/synthesis/synthesized_schedules.h"
#include "traffic/schedules/windows/window_schedules.h"

namespace flitscope {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void add_once(Names& names, const std::string& name) {
    if (!contains(names, name)) names.push_back(name);
}

void append(std::vector<ScheduleKind>& all, std::vector<ScheduleKind> family) {
    std::move(family.begin(), family.end(), std::back_inserter(all));
}

/// More variants of a schedule that is there.
void append(std::vector<ScheduleKind>& all, const std::string& schedule,
            std::vector<AlgorithmKind> variants) {
    const auto kind = std::find_if(all.begin(), all.end(),
                                   [&](const ScheduleKind& k) { return k.name == schedule; });
    std::move(variants.begin(), variants.end(), std::back_inserter(kind->algorithms));
}

}  // namespace

const std::vector<ScheduleKind>& schedule_kinds() {
    static const std::vector<ScheduleKind> kKinds = [] {
        std::vector<ScheduleKind> all = exchange_schedules();
        all.push_back(relayed_exchange_schedule());
        append(all, collective_schedules());
        append(all, "broadcast", window_broadcasts());
        append(all, "allgather", window_allgathers());
        append(all, "scatter", window_scatters());
        append(all, computation_schedules());
        append(all, kernel_schedules());
        all.push_back(synthesized_schedule());
        return all;
    }();
    return kKinds;
}

const ScheduleKind* find_schedule_kind(const std::string& schedule) {
    for (const ScheduleKind& kind : schedule_kinds()) {
        if (kind.name == schedule) return &kind;
    }
    return nullptr;
}

const AlgorithmKind* find_algorithm_kind(const std::string& schedule,
                                         const std::string& algorithm) {
    const ScheduleKind* kind = find_schedule_kind(schedule);
    if (kind == nullptr) return nullptr;
    if (algorithm.empty()) return &kind->algorithms.front();
    for (const AlgorithmKind& variant : kind->algorithms) {
        if (variant.name == algorithm) return &variant;
    }
    return nullptr;
}

std::vector<std::string> schedule_names() {
    Names names;
    for (const ScheduleKind& kind : schedule_kinds()) names.push_back(kind.name);
    return names;
}

std::vector<std::string> algorithm_names() {
    Names names;
    for (const ScheduleKind& kind : schedule_kinds()) {
        for (const std::string& name : algorithms_of(kind.name)) add_once(names, name);
    }
    return names;
}

std::vector<std::string> algorithms_of(const std::string& schedule) {
    Names names;
    const ScheduleKind* kind = find_schedule_kind(schedule);
    if (kind == nullptr || !kind->has_variants()) return names;
    for (const AlgorithmKind& algorithm : kind->algorithms) names.push_back(algorithm.name);
    return names;
}

std::string default_algorithm(const std::string& schedule, const Graph& graph) {
    const ScheduleKind* kind = find_schedule_kind(schedule);
    if (kind == nullptr) return {};
    return kind->default_on ? kind->default_on(graph) : kind->algorithms.front().name;
}

std::string alternatives(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
        text += '`' + names[i] + '`';
    }
    return text;
}

bool reads_key(const std::string& schedule, const std::string& algorithm, const std::string& key) {
    const auto reads = [&](const AlgorithmKind& kind) { return contains(kind.keys, key); };
    if (const AlgorithmKind* known = find_algorithm_kind(schedule, algorithm)) return reads(*known);
    const ScheduleKind* kind = find_schedule_kind(schedule);
    return kind != nullptr && std::any_of(kind->algorithms.begin(), kind->algorithms.end(), reads);
}

std::string readers_of(const std::string& key) {
    Names schedules;
    Names algorithms;
    for (const ScheduleKind& kind : schedule_kinds()) {
        const auto reads = [&](const AlgorithmKind& a) { return contains(a.keys, key); };
        if (std::all_of(kind.algorithms.begin(), kind.algorithms.end(), reads)) {
            schedules.push_back(kind.name);
            continue;
        }
        for (const AlgorithmKind& algorithm : kind.algorithms) {
            if (reads(algorithm)) add_once(algorithms, algorithm.name);
        }
    }
    std::string text = schedules.empty() ? "" : "schedule " + alternatives(schedules);
    if (algorithms.empty()) return text;
    return text + (text.empty() ? "" : ", ") + "algorithm " + alternatives(algorithms);
}

}  // namespace flitscope
