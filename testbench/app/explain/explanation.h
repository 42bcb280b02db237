// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a critical path says about a run: where its cycles went, by cause, channel, step and node.
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
    std::uint32_t id = 0;  ///< of a channel, step or node
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
    // What the path has to do with, most cycles first, of equals the lowest number first. Cycles in
    // nodes belong to no channel.
    std::vector<PathShare> channels;
    std::vector<PathShare> steps;
    /// A link's cycles are those of the router that sends on it.
    std::vector<PathShare> nodes;
    std::optional<Slack> slack;  ///< of a run that completed, where asked for
};

/// The node at which a segment of a path is.
NodeId node_of(const Machine& machine, const PathSegment& segment);

/// Simulates a machine with a program as simulate() does, and finds out why it takes as long as it
/// does; observers of channels and packets in `options` watch too. Of a run that does not complete
/// the path leads to the last delivery that there was.
Explanation explain(const Machine& machine, const std::string& engine, SimulationOptions options,
                    bool with_slack = false);

}  // namespace flitscope
