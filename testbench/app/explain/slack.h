// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// By how many cycles the steps of a program could be later without the makespan growing. README.md
// says what is claimed, and why it holds.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class ProgramTimes;
struct Machine;

/// Slack of what one node does in one step; for a timed program, of one send.
struct NodeSlack {
    NodeId node = 0;
    StepId step = 0;                 ///< by Program::schedule_step()
    MessageId message = kNoMessage;  ///< the send of a timed program
    Cycle begin = 0;                 ///< begin of its first send
    Cycle end = 0;                   ///< its node continues; of a timed program, delivery is over
    /// The node may begin it, and continue after it, up to this many cycles later.
    Cycle slack = 0;
};

/// A step of all its nodes; for a timed program, the sends of one step number.
struct StepSlack {
    StepId step = 0;
    Cycle begin = kNever;  ///< begin of the first of its nodes
    Cycle end = 0;         ///< the last of them continues
    Cycle slack = kNever;  ///< the least of its parts: any one of them may be so much later
    Cycle most = 0;        ///< largest slack of a part
    std::uint64_t parts = 0;
    std::uint64_t parts_with_slack = 0;
};

struct LinkSlack {
    ChannelId link = 0;
    std::uint64_t flits = 0;  ///< that crossed it, hence busy cycles
    std::uint64_t messages = 0;
    /// The send of every message that crosses it may begin up to this many cycles later, with the
    /// rest of its node's step.
    Cycle slack = kNever;
};

struct Slack {
    std::vector<NodeSlack> nodes;  ///< by node, in its program order
    std::vector<StepSlack> steps;  ///< those that there are, by number
    std::vector<LinkSlack> links;  ///< that messages cross, most flits first; under fixed paths
};

/// Finds the slack in a run that completed with this makespan. A node's slack is a lower bound.
Slack find_slack(const Machine& machine, const ProgramTimes& times, Cycle makespan);

}  // namespace flitscope
