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

/// What a rank of a trace, or of a kernel, spent its time on until it had finished.
struct RankShare {
    NodeOperations run;   ///< its times, which sum up to its end
    Cycle on_path = 0;    ///< cycles of the path in its node: what it, or its interface, does
    CauseCycles waits{};  ///< the causes of run.waiting
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
    std::vector<RankShare> ranks;  ///< by number; of a program with operations that has ended
    std::optional<Slack> slack;    ///< of a completed run, if requested and can_have_slack()
};

/// The cycles that an explanation is of: the makespan, or until the last rank has finished, if that
/// is later.
Cycle explained_cycles(const SimulationResult& run);

/// Whether the cycles of a segment pass everywhere: the cost of a barrier, or a program's time.
bool is_everywhere(const PathSegment& segment);

/// The node in which the cycles of a segment pass; nothing if they do in a channel, or everywhere.
std::optional<NodeId> node_of(const Program& program, const PathSegment& segment);

/// The router at which, or at whose node, a segment of a path is.
RouterId router_of(const Machine& machine, const PathSegment& segment);

/// The step of a message by the numbers of its schedule: handshakes count with the exchange that
/// they prepare.
StepId step_of(const Program& program, MessageId message);

/// Simulates a machine with a program as simulate() does, and explains its run time; observers of
/// channels and packets in `options` watch too. If the run does not complete, the path leads to its
/// last delivery. Throws std::logic_error if the causes do not sum up.
Explanation explain(const Machine& machine, const std::string& engine, SimulationOptions options,
                    bool with_slack = false);

}  // namespace flitscope
