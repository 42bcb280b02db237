// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Records a run of a program of steps or times, for the slack of its nodes' steps (slack.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "testbench/app/explain/message_times.h"
#include "traffic/program/program.h"

namespace flitscope {

class ProgramTimes final : public MessageTimes {
public:
    /// `program`, without operations, must outlive this object.
    explicit ProgramTimes(const Program& program)
        : MessageTimes(program),
          nodes_(program),
          ends_(nodes_.steps.size(), kNever),
          completed_(nodes_.first_step) {
        for (std::uint32_t i = 0; i < nodes_.sends.size(); ++i) set_place(nodes_.sends[i], i);
    }

    const NodeSteps& nodes() const { return nodes_; }
    /// The cycle in which a node was ready for what follows one of its steps; kNever: it was not.
    /// Steps are those of nodes().
    Cycle end_of(std::size_t node_step) const { return ends_[node_step]; }

    /// `node` is ready for what comes after its first step that has not been completed.
    void on_ready(NodeId node, Cycle cycle) { ends_[completed_[node]++] = cycle; }

private:
    NodeSteps nodes_;
    std::vector<Cycle> ends_;               // per step of a node
    std::vector<std::uint32_t> completed_;  // per node, the first step that is not
};

}  // namespace flitscope
