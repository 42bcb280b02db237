// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Complete exchanges in closed form: the nodes that a node sends to and receives from in a round.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/transfer_rule.h"

namespace flitscope {

/// A rule for a power of two of nodes: in a round n exchanges with n XOR a mask. The steps of
/// rounds do not decrease.
class MaskRule final : public RoundRule {
public:
    struct Round {
        NodeId mask = 0;
        StepId step = 0;
    };

    MaskRule(NodeId nodes, std::vector<Round> rounds)
        : RoundRule(nodes, static_cast<std::uint32_t>(rounds.size())), rounds_(std::move(rounds)) {}

private:
    NodeId receiver(NodeId source, std::uint32_t round) const override {
        return source ^ rounds_[round].mask;
    }
    NodeId sender(NodeId destination, std::uint32_t round) const override {
        return destination ^ rounds_[round].mask;
    }
    StepId step(std::uint32_t round) const override { return rounds_[round].step; }

    std::vector<Round> rounds_;
};

/// The node that is `steps` after `node` on the circle of `nodes`; `steps` is less than `nodes`.
inline NodeId around(NodeId node, NodeId steps, NodeId nodes) {
    return steps < nodes - node ? node + steps : node + steps - nodes;
}

/// A rule by which n sends to n + i + 1 modulo the node count in round i, each round being a step.
class ShiftRule final : public RoundRule {
public:
    explicit ShiftRule(NodeId nodes) : RoundRule(nodes, nodes - 1) {}

private:
    NodeId receiver(NodeId source, std::uint32_t round) const override {
        return around(source, round + 1, nodes());
    }
    NodeId sender(NodeId destination, std::uint32_t round) const override {
        return around(destination, nodes() - round - 1, nodes());
    }
    StepId step(std::uint32_t round) const override { return round; }
};

/// A rule of one step in which each node n sends to n + 1, n + 2, ... modulo the node count, or to
/// 0, 1, 2, ... Messages are numbered by source.
class NaiveRule final : public TransferRule {
public:
    NaiveRule(NodeId nodes, bool from_next)
        : TransferRule(nodes, nodes - 1), from_next_(from_next) {}

    TransferPlace operator[](MessageId id) const override {
        const NodeId source = id / each();
        const std::uint32_t i = id % each();
        return {source, from_next_ ? around(source, i + 1, nodes()) : other(source, i), 0};
    }
    MessageId sent(NodeId node, std::uint32_t i) const override { return node * each() + i; }
    MessageId received(NodeId node, std::uint32_t i) const override {
        const NodeId source = other(node, i);
        const NodeId from_zero = node < source ? node : node - 1;
        const NodeId from_next = around(node, nodes() - source - 1, nodes());
        return source * each() + (from_next_ ? from_next : from_zero);
    }

private:
    /// Number i of those that are not `node`.
    static NodeId other(NodeId node, std::uint32_t i) { return i < node ? i : i + 1; }

    bool from_next_;
};

}  // namespace flitscope
