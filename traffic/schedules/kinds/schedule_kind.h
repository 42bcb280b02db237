// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The description of a schedule: names, sources, the keys that it reads, its requirements on the
// network, and its builder. Each family has a table of these next to its builders;
// schedule_catalogue.cpp lists the families.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;
struct AlgorithmKind;
struct WorkloadConfig;
struct ScheduleKind;

/// A requested schedule: the input of its requirements.
struct ScheduleRequest {
    const WorkloadConfig& config;
    const Graph& graph;
    const ScheduleKind& schedule;
    const AlgorithmKind& algorithm;
};

/// A check that a schedule can be built on a network (requirements.h); nothing if it can.
using Requirement = std::function<std::optional<Diagnostic>(const ScheduleRequest&)>;

/// The program of `config.traffic` on a network that meets the requirements.
using ScheduleBuilder = std::function<Program(const Graph&, const WorkloadConfig&)>;

/// A variant of a schedule; a schedule without variants has one without a name.
struct AlgorithmKind {
    std::string name;
    std::string summary;  ///< empty if there is one algorithm: the schedule's summary applies
    std::string source;   ///< authors, year and section
    /// Keys of `traffic` that it reads and that not every schedule has: root, contention, ...
    std::vector<std::string> keys;
    ScheduleBuilder build;
    std::vector<Requirement> requirements = {};  ///< findings come in their order
    /// No message is passed on: each goes from its origin straight to its destination, so if some
    /// are left out the others keep their meaning.
    bool is_direct = false;
    /// It is built for the network with its faults; others for the whole one.
    bool knows_faults = false;
};

struct ScheduleKind {
    std::string name;
    std::string summary;
    std::vector<AlgorithmKind> algorithms;  ///< at least one; the first is the default
    /// The name of the default algorithm, if that depends on the network. All algorithms that it
    /// may name read the same keys as the first one.
    std::function<std::string(const Graph&)> default_on = {};

    bool has_variants() const { return !algorithms.front().name.empty(); }
};

/// A builder that needs only the nodes and the bytes of a message.
ScheduleBuilder for_nodes(std::function<Program(NodeId nodes, std::uint64_t bytes)> build);

/// A builder for a schedule with a root.
ScheduleBuilder from_root(
    std::function<Program(NodeId nodes, NodeId root, std::uint64_t bytes)> build);

}  // namespace flitscope
