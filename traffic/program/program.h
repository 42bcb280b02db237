// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A program: which node sends how much to which, and when, as plain data. It is built, validated,
// printed, counted and stored without a simulator; NodePrograms is the form that generators play.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/index_iterator.h"
#include "models/base/types.h"
#include "models/fabric/message.h"
#include "traffic/program/message_order.h"
#include "traffic/program/transfers.h"

namespace flitscope {

/// The maximum steps of a program. Reports and barriers store data for each of them, used or not.
inline constexpr StepId kMostSteps = 1U << 24;

/// The order of the sends of one node.
enum class Ordering {
    /// Transfers of one number form a step. A node's step begins all its sends at once, and is
    /// complete when their tails have been injected and the step's messages to the node have been
    /// received; the next step in which the node takes part begins in the following cycle.
    kSteps,
    /// A send begins as soon as its time is reached, the messages in `after` have been received
    /// (unless it streams: then its flits wait for theirs), and the node's earlier sends have
    /// begun: those of a smaller time, and of the same time those listed before. `step` is a label
    /// only.
    kTimed,
    /// Sends are among the `operations` of their nodes, which say when they begin.
    kOperations,
};

/// Cost of a barrier between steps: ceil(per_doubling * lg(nodes) + fixed) cycles, at least 0.
struct BarrierCost {
    double per_doubling = 0;
    double fixed = 0;

    Cycle cycles(NodeId nodes) const;
};

struct Computation;
class Operations;

struct Program {
    std::string name;  ///< schedule name or program file
    NodeId nodes = 0;
    Ordering ordering = Ordering::kSteps;
    /// With kSteps: no node begins a step before every node has completed the one before and
    /// this many further cycles have passed.
    std::optional<Cycle> barrier_cycles;
    /// The file's cost from which barrier_cycles follow, if any; with dead nodes they are fewer.
    std::optional<BarrierCost> barrier_cost;
    Transfers transfers;
    /// The file says which plane each message crosses.
    bool names_planes = false;
    /// The number of each message in the file it was read from; empty if that is its MessageId.
    std::vector<std::uint64_t> numbers;
    /// Which messages only agree on the exchange that follows (handshake.h); empty: none.
    std::vector<bool> handshakes;
    /// The steps of these messages, in rising order.
    std::vector<StepId> handshake_steps;
    /// Messages of nodes to themselves that were left out as the file was read.
    std::uint64_t dropped = 0;
    /// Messages from or to dead nodes that were left out (dead_nodes.h).
    std::uint64_t dropped_dead = 0;
    /// The computation of the messages, step by step (to_program()); null: they only carry bytes.
    std::shared_ptr<const Computation> computation;
    /// The operations of the nodes, with kOperations: every transfer is a send of its source.
    std::shared_ptr<const Operations> operations;
    /// What its file was taken to mean where it does not say so; for reports, a sentence each.
    std::vector<std::string> notes;

    /// Highest step number + 1; 0 for an empty program.
    StepId step_count() const;
    /// The number of a step without handshakes, as its schedule counts: a step of handshakes has
    /// that of the exchange that follows.
    StepId schedule_step(StepId step) const;
    /// Whether the numbers of steps mean something to a user; else they are labels, or all alike.
    bool has_steps() const { return ordering == Ordering::kSteps; }
    /// The user's number of a message.
    std::uint64_t number(MessageId id) const { return id < numbers.size() ? numbers[id] : id; }
    bool is_handshake(MessageId id) const { return id < handshakes.size() && handshakes[id]; }
    /// Lists the numbers of all messages, which those that are moved then keep.
    void keep_numbers();
    /// Adds a transfer of a step.
    void send(NodeId source, NodeId destination, std::uint64_t bytes, StepId step);
};

/// A program of steps without transfers, with room for `transfers` of them.
Program empty_program(std::string name, NodeId nodes, std::uint64_t transfers);

/// A program of steps whose messages, of `bytes` each, follow `rule`.
Program program_by_rule(std::string name, std::shared_ptr<const TransferRule> rule,
                        std::uint64_t bytes);

/// A larger program is refused: beyond this it would not fit the memory of a workstation. 2^26
/// transfers are a complete exchange among 8192 nodes.
inline constexpr std::uint64_t kMaxTransfers = 1ULL << 26;

/// Messages of a rule, which takes no memory for them: 2^30, a complete exchange among 32768 nodes.
inline constexpr std::uint64_t kMaxRuleTransfers = 1ULL << 30;

/// Messages of a rule, repeated ones once, whose ways are followed one by one: a complete exchange
/// among 2048 nodes. Of more only sums are known (TotalFlows).
inline constexpr std::uint64_t kMostFollowed = 1ULL << 22;

/// Largest `traffic.message_bytes` of a schedule (1 TiB).
inline constexpr std::uint64_t kMaxBlockBytes = 1ULL << 40;

/// Messages of a complete exchange: one for every ordered pair of different nodes.
constexpr std::uint64_t complete_exchange_size(NodeId nodes) {
    return nodes == 0 ? 0 : std::uint64_t{nodes} * (nodes - 1);
}

/// The transfers in order of their step number, those of one step in the order of the program.
MessageOrder step_order(const Program& program);

/// Lists all that would keep `program` from being played: nodes out of range, messages to the
/// sender itself, sizes beyond 2^56 bytes, steps beyond kMostSteps, `after` entries that do not
/// exist or do not arrive at the sender, copies that differ from their original, messages that
/// stream nothing or data of another length, messages that wait for each other cyclically, and
/// invalid operations. Empty if all is well. `locate` gives the place of a transfer; without it
/// findings name the program.
std::vector<Diagnostic> validate(const Program& program,
                                 const std::function<Location(MessageId)>& locate = {});

/// One entry of a node's program: sends that begin together and the events that end the entry.
struct NodeStep {
    StepId step = 0;
    std::uint32_t first_send = 0;  ///< range in NodePrograms::sends
    std::uint32_t send_count = 0;
    std::uint32_t first_receive = 0;  ///< range in NodePrograms::receives
    std::uint32_t receive_count = 0;
    /// kSteps: the entry ends when its sends are injected and its receives are complete.
    /// kTimed: the receives must be complete before the sends begin; nothing else is awaited.
    Cycle not_before = 0;

    /// Whether this is the end after a node's last entry: every entry has something to do.
    bool is_end() const { return send_count == 0 && receive_count == 0; }
};

/// The messages that each node sends, or receives, node by node: from the rule, or else sorted.
class NodeMessages {
public:
    using const_iterator = IndexIterator<NodeMessages>;
    using value_type = MessageId;

    NodeMessages() = default;
    /// The messages of node n are ids[first[n]] .. ids[first[n + 1] - 1].
    NodeMessages(std::vector<std::uint32_t> first, std::vector<MessageId> ids)
        : first_(std::move(first)), ids_(std::move(ids)) {}
    /// The messages that nodes send, in the order `order`. The transfers must outlive the result.
    static NodeMessages sent(const Program& program, const MessageOrder& order);
    static NodeMessages received(const Program& program, const MessageOrder& order);

    std::size_t size() const { return rule_ != nullptr ? rule_->size() : ids_.size(); }
    /// The place of a node's first message; for the number after the last node, size().
    std::uint32_t first(NodeId node) const {
        return rule_ != nullptr ? node * rule_->each() : first_[node];
    }
    MessageId operator[](std::size_t place) const {
        if (rule_ == nullptr) return ids_[place];
        const auto node = static_cast<std::uint32_t>(place) / rule_->each();
        const std::uint32_t i = static_cast<std::uint32_t>(place) % rule_->each();
        return are_sent_ ? rule_->sent(node, i) : rule_->received(node, i);
    }
    const_iterator begin() const { return {*this, 0}; }
    const_iterator end() const { return {*this, size()}; }

private:
    NodeMessages(const TransferRule& rule, bool are_sent) : rule_(&rule), are_sent_(are_sent) {}

    const TransferRule* rule_ = nullptr;
    bool are_sent_ = false;
    std::vector<std::uint32_t> first_;  // per node, nodes + 1
    std::vector<MessageId> ids_;
};

/// A program sorted by node: the sends and receives of each node, in its program order. Entries are
/// found on demand, one after the other. The program must outlive it.
class NodePrograms {
public:
    /// Linear in the transfers if their steps (times) do not decrease. Throws std::invalid_argument
    /// when a node is out of range; see validate().
    explicit NodePrograms(const Program& program);

    NodeStep first(NodeId node) const;
    /// The entry of that node after `entry`.
    NodeStep next(NodeId node, const NodeStep& entry) const;

    NodeMessages sends;
    NodeMessages receives;

private:
    NodeStep entry_at(NodeId node, std::uint32_t send, std::uint32_t receive) const;

    const Program& program_;
};

/// NodePrograms with a list of all entries, for going back and forth in it.
struct NodeSteps : NodePrograms {
    explicit NodeSteps(const Program& program);

    std::vector<std::uint32_t> first_step;  ///< per node, range in `steps`; nodes + 1 entries
    std::vector<NodeStep> steps;
};

}  // namespace flitscope
