// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The findings of a critical path: the cycles of a run by cause, channel, step and node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/app/explain/critical_path.h"
#include "testbench/app/explain/slack.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {

struct Machine;

/// Cycles of a path that have something in common.
struct PathShare {
    std::uint32_t id = 0;  ///< number of a channel, step or router
    Cycle cycles = 0;
    CauseCycles by_cause{};

    /// The cause of most of them.
    Cause main_cause() const;
};

struct Explanation {
    SimulationResult run;
    std::vector<std::string> files;  ///< names of those that the run leaves in a folder (--out)
    bool is_explained = false;       ///< otherwise there is nothing but the run
    CriticalPath path;
    CauseCycles by_cause{};
    // The objects on the path, most cycles first, ties by lowest number. Cycles in nodes belong to
    // no channel.
    std::vector<PathShare> channels;
    std::vector<PathShare> steps;  ///< numbers of step_of()
    /// A node's cycles are those of its router, a link's those of the router that sends on it.
    std::vector<PathShare> routers;
    std::optional<Slack> slack;  ///< for a completed run, if requested
};

/// The router at which, or at whose node, a segment of a path is.
RouterId router_of(const Machine& machine, const PathSegment& segment);

/// The step of a message by the numbers of its schedule: handshakes count with the exchange that
/// they prepare.
StepId step_of(const Program& program, MessageId message);

/// Simulates a machine with a program as simulate() does, and explains its run time; observers of
/// channels and packets in `options` watch too. If the run does not complete, the path leads to its
/// last delivery.
Explanation explain(const Machine& machine, const std::string& engine, SimulationOptions options,
                    bool with_slack = false);

}  // namespace flitscope
