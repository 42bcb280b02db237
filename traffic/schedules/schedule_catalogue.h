// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The one list of the schedules, with look-up, and the keys of `traffic` that each reads.
#pragma once

#include <string>
#include <vector>

#include "traffic/schedules/kinds/schedule_kind.h"

namespace flitscope {

class Graph;

/// All families, in the order in which they are listed.
const std::vector<ScheduleKind>& schedule_kinds();

/// The schedule of this name, or nullptr.
const ScheduleKind* find_schedule_kind(const std::string& schedule);
/// The algorithm of this name, the first if `algorithm` is empty, which means any default; nullptr
/// if there is no such algorithm.
const AlgorithmKind* find_algorithm_kind(const std::string& schedule, const std::string& algorithm);

/// Names of all schedules.
std::vector<std::string> schedule_names();
/// Names of all algorithms, each once.
std::vector<std::string> algorithm_names();
/// Names of the algorithms of a schedule, the default of most networks first; empty when it has no
/// variants.
std::vector<std::string> algorithms_of(const std::string& schedule);
/// Name of the default algorithm for a network; empty without variants.
std::string default_algorithm(const std::string& schedule, const Graph& graph);
/// "`a`", "`a` or `b`", "`a`, `b` or `c`".
std::string alternatives(const std::vector<std::string>& names);
/// Whether the algorithm, named or the default one, reads `traffic.` + `key`. For a name that the
/// schedule does not have: whether any of its algorithms does.
bool reads_key(const std::string& schedule, const std::string& algorithm, const std::string& key);
/// Names the readers of `traffic.` + `key`, e.g. "schedule `relayed-exchange`, algorithm
/// `windows`": schedules all of whose algorithms read it, then algorithms of others.
std::string readers_of(const std::string& key);

}  // namespace flitscope
