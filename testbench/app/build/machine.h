// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything that is known before a fabric is built: topology, routing, deadlock check, program,
// bounds. Made from a configuration, shared by all commands, needs no simulator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/performance/bounds.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "traffic/patterns/pattern_source.h"
#include "traffic/program/program.h"
#include "traffic/program/program_report.h"

namespace flitscope {

struct FaultedNetwork;

struct Machine {
    Config config;
    Graph graph;
    // Shared by machines that differ only in their configuration.
    std::shared_ptr<const Routing> routing;
    /// Links that wait for each other cyclically; empty when the routing cannot deadlock.
    std::vector<VirtualLink> dependency_cycle;

    // At most one of the two is set; none in a configuration without traffic.
    std::shared_ptr<const Program> program;
    std::shared_ptr<const PatternTraffic> pattern;

    /// Lower bounds of the program; zero for a pattern, and if the network changes.
    LowerBounds bounds;
    /// The network that replaces this one during the run (`faults.at`); null: none.
    std::shared_ptr<const FaultedNetwork> later = {};
    /// A cycle of links, the packets of each waiting for those of the next (find_reply_cycle()).
    std::vector<VirtualLink> reply_cycle = {};
    /// The same of the accesses of `interconnect` (find_response_cycle()).
    std::vector<VirtualLink> response_cycle = {};

    /// The schedule, pattern or program file, as reports name it.
    std::string traffic_name() const;
};

/// Throws ConfigError when the parts of the configuration do not fit together. `program`: that of a
/// machine with the same traffic, clock and network; null: it is made from the configuration.
Machine build_machine(Config config, std::shared_ptr<const Program> program = nullptr);

/// Reports on the steps of the program, found by routing every message; empty for a pattern.
std::vector<StepReport> step_reports(const Machine& machine);

/// Throws ConfigError when there is no traffic to run.
void require_traffic(const Machine& machine);

/// The links in whose cycle packets can wait for each other, before or after `faults.at`, as text;
/// empty if there is none.
std::string cycle_of_links(const Machine& machine);

/// Throws ConfigError that names the cycle when the routing can deadlock, or requests and replies
/// can, and the configuration does not allow that.
void require_deadlock_freedom(const Machine& machine);

}  // namespace flitscope
