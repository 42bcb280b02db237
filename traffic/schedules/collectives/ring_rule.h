// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives round a ring in closed form: in every step each node sends to the next one.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/transfer_rule.h"

namespace flitscope {

class RingRule final : public RoundRule {
public:
    /// `order` is the ring: every node, once.
    RingRule(const std::vector<NodeId>& order, std::uint32_t rounds)
        : RoundRule(static_cast<NodeId>(order.size()), order.size() > 1 ? rounds : 0),
          next_(order.size()),
          before_(order.size()) {
        for (std::size_t rank = 0; rank < order.size(); ++rank) {
            const NodeId next = order[(rank + 1) % order.size()];
            next_[order[rank]] = next;
            before_[next] = order[rank];
        }
    }

    std::uint32_t repeats() const override { return each() == 0 ? 1 : each(); }

private:
    NodeId receiver(NodeId source, std::uint32_t) const override { return next_[source]; }
    NodeId sender(NodeId destination, std::uint32_t) const override { return before_[destination]; }
    StepId step(std::uint32_t round) const override { return round; }

    std::vector<NodeId> next_;
    std::vector<NodeId> before_;
};

}  // namespace flitscope
