// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A computation on the simulated hardware: the registers of all nodes, which change as sends begin
// and receives complete there.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "traffic/computations/computation_plan.h"

namespace flitscope {

/// The generators of a step program call it. A value is read in the step that sends it and written
/// in the step that awaits it, whatever the nodes have done by then: messages that come too late or
/// too early give wrong results.
class ComputationRun {
public:
    /// `computation` must outlive the run.
    explicit ComputationRun(const Computation& computation);

    /// `node` reaches its part of `step`: does the local operations that precede it.
    void begin_step(NodeId node, StepId step);
    /// The send of `message` begins: its value is the current one of the register.
    void begin_send(MessageId message);
    /// The receiver of `message` has completed the step that awaits it.
    void receive(MessageId message);

    /// Call when every message has been received: lists unexpected results.
    std::vector<std::string> finish();

    const Computation& computation() const { return computation_; }

private:
    /// An operation of a node by itself, after its part in the steps below `before`.
    struct Own {
        StepId before = 0;
        const LocalOperation* operation = nullptr;
    };

    const Computation& computation_;
    Registers registers_;
    std::vector<const ValueMove*> moves_;  // per message
    std::vector<std::vector<Own>> own_;    // per node
    std::vector<std::size_t> done_;        // per node: number of its operations done
    std::unordered_map<MessageId, Value> under_way_;
};

}  // namespace flitscope
