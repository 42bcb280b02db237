// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs of a few messages, written down transfer by transfer.
#pragma once

#include <utility>
#include <vector>

#include "traffic/program/program.h"

namespace flitscope {

inline Transfer step_send(NodeId source, NodeId destination, StepId step) {
    return {source, destination, 64, step};
}

inline Transfer timed_send(NodeId source, NodeId destination, Cycle time,
                           std::vector<MessageId> after = {}) {
    Transfer t{source, destination, 64};
    t.time = time;
    t.after = std::move(after);
    return t;
}

inline Program step_program(NodeId nodes, std::vector<Transfer> transfers) {
    Program program;
    program.name = "test";
    program.nodes = nodes;
    program.transfers = std::move(transfers);
    return program;
}

inline Program timed_program(NodeId nodes, std::vector<Transfer> transfers) {
    Program program = step_program(nodes, std::move(transfers));
    program.ordering = Ordering::kTimed;
    return program;
}

}  // namespace flitscope
