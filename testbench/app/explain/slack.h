// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// By how many cycles the steps of a program, or operations, could be later without the makespan
// growing. README.md says what is claimed, and why it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/operations.h"
#include "traffic/program/program.h"

namespace flitscope {

class OperationTimes;
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

/// Slack of an operation, by its number.
struct OperationSlack {
    Cycle begin = 0;  ///< of a receive: its message is there, and its stream is free
    Cycle end = 0;    ///< it no longer keeps its stream
    /// It may take up to this many cycles longer: a send its startup, a receive its overhead.
    Cycle slack = 0;
};

/// The operations of a node.
struct RankSlack {
    NodeId node = 0;
    std::uint32_t rank = 0;
    std::uint64_t operations = 0;
    std::uint64_t operations_with_slack = 0;
    Cycle slack = kNever;  ///< the least of them: any one of them may take so much longer
    Cycle most = 0;        ///< the largest
};

/// Of a program with operations `nodes` and `steps` are empty, of others `operations` and `ranks`.
struct Slack {
    std::vector<NodeSlack> nodes;  ///< by node, in its program order
    std::vector<StepSlack> steps;  ///< those that there are, by number
    std::vector<OperationSlack> operations;
    std::vector<RankSlack> ranks;  ///< that do something, by number
    std::vector<LinkSlack> links;  ///< that messages cross, most flits first; under fixed paths
};

/// The slack of more operations cannot be found: it takes some 120 bytes for each.
inline constexpr std::size_t kMostOperationsWithSlack = std::size_t{1} << 20;
/// The slack of more operations is found only where it is asked for: it takes as long as a part of
/// their run.
inline constexpr std::size_t kMostOperationsWithSlackUnasked = std::size_t{1} << 17;

/// Whether the slack of a program can be found.
inline bool can_have_slack(const Program& program) {
    return program.operations == nullptr || program.operations->size() <= kMostOperationsWithSlack;
}
/// Whether an explanation should have it without being asked for it.
inline bool has_slack_unasked(const Program& program) {
    return program.operations == nullptr ||
           program.operations->size() <= kMostOperationsWithSlackUnasked;
}

/// Finds the slack in a run that completed with this makespan. A node's slack is a lower bound.
Slack find_slack(const Machine& machine, const ProgramTimes& times, Cycle makespan);
/// The same of operations; `makespan`: the end of the last rank, or the last delivery if that is
/// later.
Slack find_slack(const Machine& machine, const OperationTimes& times, Cycle makespan);

}  // namespace flitscope
