// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/computations/computation_run.h"

namespace flitscope {

ComputationRun::ComputationRun(const Computation& computation)
    : computation_(computation),
      registers_(computation.initial),
      own_(computation.plan.nodes),
      done_(computation.plan.nodes, 0) {
    const ComputationPlan& plan = computation.plan;
    for (const LocalOperation& operation : plan.before) {
        own_[operation.node].push_back({0, &operation});
    }
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        for (const ValueMove& move : plan.steps[i].moves) moves_.push_back(&move);
        for (const LocalOperation& operation : plan.steps[i].after) {
            own_[operation.node].push_back({static_cast<StepId>(i + 1), &operation});
        }
    }
}

void ComputationRun::begin_step(NodeId node, StepId step) {
    const std::vector<Own>& all = own_[node];
    std::size_t& next = done_[node];
    for (; next < all.size() && all[next].before <= step; ++next) {
        registers_.apply(computation_.plan, *all[next].operation);
    }
}

void ComputationRun::begin_send(MessageId message) {
    const ValueMove& move = *moves_[message];
    under_way_[message] = registers_.at(move.from, move.read);
}

void ComputationRun::receive(MessageId message) {
    registers_.receive(computation_.plan, *moves_[message], under_way_[message]);
    under_way_.erase(message);
}

std::vector<std::string> ComputationRun::finish() {
    const auto last = static_cast<StepId>(computation_.plan.steps.size());
    for (NodeId node = 0; node < computation_.plan.nodes; ++node) begin_step(node, last);
    return wrong_results(computation_, registers_);
}

}  // namespace flitscope
