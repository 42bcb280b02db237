// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From the ranks of a trace, one after the other, to the operations of nodes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/operations.h"
#include "traffic/program/program.h"
#include "traffic/traces/trace.h"

namespace flitscope {

struct WorkloadConfig;

class TraceLowering {
public:
    /// Lowers for `nodes` nodes; rank r runs on node `node_of[r]`; `source` names the trace. Throws
    /// ConfigError if such nodes play no operations, or not with traffic.trace.receive_time. The
    /// configuration must outlive this object.
    TraceLowering(const std::string& source, const WorkloadConfig& config, NodeId nodes,
                  std::vector<NodeId> node_of,
                  std::uint64_t most_operations = kMostTraceOperations);

    /// Adds a rank, each at most once; all of its peers must be ranks. Throws ConfigError if there
    /// are too many operations or messages.
    void add(RankId rank, const RankTrace& trace);
    /// Returns the program of all that has been added: times are cycles of config.clock_ns, each
    /// rounded to the nearest, and messages are numbered rank by rank. Validated, and named after
    /// the trace. Throws ConfigError. This object is empty afterwards.
    Program take();

private:
    Operation lowered(NodeId node, const TraceOperation& of);
    void put_on_plane(const TraceOperation& send);
    Cycle cycles(const TraceOperation& computation) const;
    Location where(MessageId id) const;

    const WorkloadConfig& config_;
    FindingList findings_;
    std::vector<NodeId> node_of_;  // per rank
    std::uint64_t most_operations_;
    std::shared_ptr<Operations> operations_;
    Program program_;
};

}  // namespace flitscope
