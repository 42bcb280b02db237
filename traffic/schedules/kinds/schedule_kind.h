// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a schedule says of itself: names, sources, the keys that it reads, what it asks of the
// network, and how it is built. Each family has a table of these beside its builders;
// schedule_catalogue.cpp lists the families.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/topology/graph.h"
#include "traffic/program/program.h"

namespace flitscope {

struct ScheduleKind;
struct AlgorithmKind;

/// A schedule that is asked for: what its requirements look at.
struct ScheduleRequest {
    const Config& config;
    const Graph& graph;
    const ScheduleKind& schedule;
    const AlgorithmKind& algorithm;
};

/// What keeps a schedule from being built on a network (requirements.h); nothing when all is well.
using Requirement = std::function<std::optional<Diagnostic>(const ScheduleRequest&)>;

/// The program of `config.traffic` on a network that meets the requirements.
using ScheduleBuilder = std::function<Program(const Graph&, const Config&)>;

/// A variant of a schedule; a schedule without variants has one without a name.
struct AlgorithmKind {
    std::string name;
    std::string summary;  ///< empty where there is one algorithm: that of the schedule says it
    std::string source;   ///< authors, year and section
    /// Keys of `traffic` that it reads and that not every schedule has: root, contention, ...
    std::vector<std::string> keys;
    ScheduleBuilder build;
    std::vector<Requirement> requirements = {};  ///< findings come in their order
    /// Nothing is passed on: every message goes from whose it is to whom it is for, so that without
    /// some of them the others still mean the same.
    bool is_direct = false;
    /// It is built for what faults leave of the network; others are built for the whole one.
    bool knows_faults = false;
};

struct ScheduleKind {
    std::string name;
    std::string summary;
    std::vector<AlgorithmKind> algorithms;  ///< at least one; the first is the default
    /// Where the default follows from the network: its name. All that it may name read the same
    /// keys as the first one.
    std::function<std::string(const Graph&)> default_on = {};

    bool has_variants() const { return !algorithms.front().name.empty(); }
};

/// A builder that needs to know the nodes and the bytes of a message alone.
template <typename Function>
ScheduleBuilder for_nodes(Function function) {
    return [function](const Graph& graph, const Config& config) {
        return function(graph.endpoint_count(), config.traffic.message_bytes);
    };
}

/// The same for a schedule with a root.
template <typename Function>
ScheduleBuilder from_root(Function function) {
    return [function](const Graph& graph, const Config& config) {
        const TrafficConfig& traffic = config.traffic;
        return function(graph.endpoint_count(), traffic.root, traffic.message_bytes);
    };
}

}  // namespace flitscope
