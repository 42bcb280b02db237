// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The one list of the schedules and of their algorithms: names, what each is, where it comes from,
// and which keys of `traffic` it reads. traffic/schedules/schedule_factory.cpp has a builder for
// each.
#pragma once

#include <string>
#include <vector>

namespace flitscope {

/// A variant of a schedule; a schedule without variants has one without a name.
struct AlgorithmKind {
    std::string name;
    std::string summary;  ///< empty where there is one algorithm: that of the schedule says it
    std::string source;   ///< authors, year and section
    /// Keys of `traffic` that it reads and that not every schedule has: root, contention, ...
    std::vector<std::string> keys;
};

struct ScheduleKind {
    std::string name;
    std::string summary;
    std::vector<AlgorithmKind> algorithms;  ///< at least one; the first is the default

    bool has_variants() const { return !algorithms.front().name.empty(); }
};

const std::vector<ScheduleKind>& schedule_kinds();

/// The schedule of this name, or nullptr.
const ScheduleKind* find_schedule_kind(const std::string& schedule);
/// The algorithm of this name, the default where `algorithm` is empty; nullptr when there is none.
const AlgorithmKind* find_algorithm_kind(const std::string& schedule, const std::string& algorithm);

/// Names of all schedules.
std::vector<std::string> schedule_names();
/// Names of all algorithms, each once.
std::vector<std::string> algorithm_names();
/// Names of the algorithms of a schedule, the default first; empty when it has no variants.
std::vector<std::string> algorithms_of(const std::string& schedule);
/// "`a`", "`a` or `b`", "`a`, `b` or `c`".
std::string alternatives(const std::vector<std::string>& names);
/// Whether the algorithm, named or the default one, reads `traffic.` + `key`. For a name that the
/// schedule does not have: whether any of its algorithms does.
bool reads_key(const std::string& schedule, const std::string& algorithm, const std::string& key);
/// Who reads `traffic.` + `key`, e.g. "schedule `relayed-exchange`, algorithm `windows`": schedules
/// of which every algorithm does, then algorithms of others.
std::string readers_of(const std::string& key);

}  // namespace flitscope
