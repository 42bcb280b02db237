// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of a program in closed form: a complete exchange among thousands of nodes has
// millions of them, which are computed on demand and not stored.
#pragma once

#include <cstddef>

#include "models/base/types.h"

namespace flitscope {

/// Source, destination and step of a message.
struct TransferPlace {
    NodeId source = 0;
    NodeId destination = 0;
    StepId step = 0;
};

/// A rule by which each of `nodes` nodes sends `each` messages and receives as many, in steps that
/// do not decrease with the number of the message. Rules cost the same for every message and keep
/// no table of pairs.
class TransferRule {
public:
    /// There may be at most 2^32 - 1 messages in all.
    TransferRule(NodeId nodes, std::uint32_t each) : nodes_(nodes), each_(each) {}
    virtual ~TransferRule() = default;

    NodeId nodes() const { return nodes_; }
    std::uint32_t each() const { return each_; }
    std::size_t size() const { return std::size_t{nodes_} * each_; }

    /// The messages from the first one on, size() / repeats() of them, come so many times, with
    /// other steps.
    virtual std::uint32_t repeats() const { return 1; }

    virtual TransferPlace operator[](MessageId id) const = 0;
    /// Message i of those that `node` sends, 0 .. each() - 1 in their order.
    virtual MessageId sent(NodeId node, std::uint32_t i) const = 0;
    /// The message that `node` receives as number `i`.
    virtual MessageId received(NodeId node, std::uint32_t i) const = 0;

private:
    NodeId nodes_;
    std::uint32_t each_;
};

/// A rule in rounds: in each round every node sends one message and receives one. Messages are
/// numbered by round, then by source.
class RoundRule : public TransferRule {
public:
    using TransferRule::TransferRule;

    TransferPlace operator[](MessageId id) const final {
        const std::uint32_t round = id / nodes();
        const NodeId source = id % nodes();
        return {source, receiver(source, round), step(round)};
    }
    MessageId sent(NodeId node, std::uint32_t round) const final { return round * nodes() + node; }
    MessageId received(NodeId node, std::uint32_t round) const final {
        return round * nodes() + sender(node, round);
    }

private:
    virtual NodeId receiver(NodeId source, std::uint32_t round) const = 0;
    virtual NodeId sender(NodeId destination, std::uint32_t round) const = 0;
    virtual StepId step(std::uint32_t round) const = 0;
};

}  // namespace flitscope
