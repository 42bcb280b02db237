// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The golden model's nodes: when each send of a program begins, and how the network interface
// turns it into flits (hw/TIMING.md, "Network interface" and "Node programs").
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/config/config.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "testbench/reference/golden_network.h"
#include "testbench/reference/golden_witness.h"
#include "traffic/program/operations.h"
#include "traffic/program/program.h"

namespace flitscope {

/// Packets of all messages, in order: those of message m are first[m] .. first[m + 1] - 1. With
/// `traffic.reply_bytes` every transfer of the program is a request; of N transfers, message N + m
/// is the reply to message m.
struct GoldenPackets {
    GoldenPackets(const Config& config, const Program& program);

    std::vector<GoldenPacketState> all;
    std::vector<std::size_t> first;
};

/// Decides in which cycle each send begins, from what happened in earlier cycles.
class GoldenProgram {
public:
    /// References must outlive the object.
    GoldenProgram(const Config& config, const Program& program, const GoldenPackets& packets);

    /// The messages whose sends begin in cycle `now`, per source in program order. Called once for
    /// every cycle, with everything recorded that happened before `now`.
    std::vector<MessageId> begin_sends(Cycle now);
    /// After begin_sends(now): notes what the nodes lack that have more to begin.
    void note(Cycle now, GoldenCycle& cycle) const;

private:
    struct Part {  ///< what one node does in one step
        std::vector<MessageId> sends;
        std::vector<MessageId> receives;
    };
    struct Node {
        std::map<StepId, Part> parts;  ///< kSteps
        std::vector<MessageId> sends;  ///< kTimed, in program order
        std::optional<StepId> step;    ///< kSteps: the step that has begun last
        std::size_t next_send = 0;     ///< kTimed
        Cycle begin = 0;               ///< of the step or send that has begun last
    };

    /// What has become of an operation.
    struct OperationState {
        std::optional<Cycle> ready;    ///< what it waits for has happened
        std::optional<Cycle> begin;    ///< it has begun; a receive: it has been posted
        std::optional<Cycle> matched;  ///< a receive: its message is there for it
        std::optional<Cycle> starts;   ///< it keeps its stream from then on
        bool is_done = false;
    };
    /// A message that a node has received and no operation has taken.
    struct Unclaimed {
        NodeId source = 0;
        std::uint32_t tag = 0;
    };

    void play_operations(NodeId id, Cycle now, std::vector<MessageId>& begun);
    void settle(NodeId id, Cycle now, std::vector<MessageId>& begun);
    void finish_operations(NodeId id, Cycle now);
    bool begin_operation(NodeId id, Cycle now, std::vector<MessageId>& begun);
    bool is_met(OperationId operation) const;
    std::optional<Cycle> end_of(OperationId operation) const;
    static bool takes(const Operation& receive, const Unclaimed& message);

    std::optional<Cycle> injected(MessageId message) const;   ///< cycle of its last tail
    std::optional<Cycle> delivered(MessageId message) const;  ///< cycle of its last tail
    std::optional<Cycle> end_of_step(const Part& part, Cycle begin) const;
    void step_without_barrier(Node& node, Cycle now, std::vector<MessageId>& begun) const;
    void step_with_barrier(Cycle now, std::vector<MessageId>& begun);
    void step_timed(Node& node, Cycle now, std::vector<MessageId>& begun) const;
    void begin_replies(Cycle now, std::vector<MessageId>& begun);
    void note_received(MessageId message, Cycle now, std::vector<GoldenLacking>& lacks) const;

    const Program& program_;
    const GoldenPackets& packets_;
    Cycle recv_overhead_;
    Cycle reply_delay_;
    std::vector<MessageId> unanswered_;  ///< requests whose replies have not begun
    std::vector<Node> nodes_;
    Cycle send_startup_;
    // Of a program of operations:
    std::vector<OperationState> operations_;
    std::vector<std::vector<OperationDependency>> waits_;  ///< per operation
    std::vector<OperationId> sends_of_;                    ///< per message, its send
    std::vector<std::vector<OperationId>> posted_;         ///< per node, receives in order
    std::vector<std::vector<Unclaimed>> unclaimed_;        ///< per node, in order of arrival
    std::optional<StepId> barrier_step_;  ///< the step that has begun last, with a barrier
    Cycle barrier_begin_ = 0;
};

/// The network interfaces of all nodes.
class GoldenInterfaces {
public:
    /// References must outlive the object.
    GoldenInterfaces(const Config& config, const Graph& graph, const Routing& routing,
                     const Program& program, GoldenPackets& packets, LossCounts& losses);

    // The network changes, before a cycle is decided; between the two calls the network says what
    // is lost.
    /// Notes which nodes are dead from now on, and that what these send, or is sent to them, is
    /// lost.
    void find_dead(const LaterNetwork& later);
    /// Gives up what has been lost before its tail was injected.
    void cut_off();

    /// Queues the packets of `message`, whose send begins in cycle `now`.
    void begin_send(MessageId message, Cycle now);
    /// Decides cycle `now` of every interface, and changes nothing else.
    void decide(const GoldenNetwork& network, Cycle now);
    /// Between decide(now) and apply(now): notes what apply will send, and what those lack that
    /// come next in their queues, and next after these.
    void note(const GoldenNetwork& network, Cycle now, GoldenWitness& witness) const;
    /// Carries out what decide(now) decided.
    void apply(GoldenNetwork& network, Cycle now);

private:
    /// Packets that are sent flit by flit together: copies of one value, or a packet alone.
    using Together = std::vector<std::size_t>;
    struct Queue {
        std::deque<Together> packets;  ///< not wholly injected, the current ones first
        std::uint64_t flits_sent = 0;  ///< of each current packet
        Cycle assembly_end = 0;        ///< of the previous message; only with a rate below 1
        Cycle message_end = 0;         ///< one past the tail of the message injected last
        /// Decided in this cycle: the virtual channel of each current packet; none: nothing is
        /// sent.
        std::vector<std::uint32_t> sends_on;
        // Decided in this cycle, of faults and repeats:
        std::optional<std::size_t> repeats;  ///< a packet goes once more, before all others
        bool discards = false;               ///< the next packet is not sent at all
        bool is_cut = false;                 ///< the current packet ends here
    };
    struct Injection {
        std::uint32_t vc = 0;        ///< of the current packet, or of the one before
        std::uint32_t first_vc = 0;  ///< where the search for the next packet's vc begins
    };
    struct Interface {
        std::map<std::uint32_t, Queue> queues;  ///< one, or one for each port or class
        std::uint32_t departed = 0;             ///< heads injected so far
        GoldenBudgets budgets;                  ///< per class
        std::uint32_t pointer = 0;              ///< round robin over classes
        std::vector<std::size_t> sent;          ///< packets whose tails have been injected
    };

    bool is_dead(NodeId node) const { return later_ != nullptr && !later_->graph.is_alive(node); }
    std::optional<std::size_t> overdue(const Interface& interface, Cycle now) const;
    void decide_next(const Interface& interface, Queue& queue, const GoldenNetwork& network,
                     Cycle now) const;
    void end_packet(Interface& interface, Queue& queue, Cycle now);
    bool assembles() const;
    Cycle earliest_injection(const Queue& queue, const GoldenPacketState& packet) const;
    ChannelId channel_of(std::size_t packet) const;
    bool has_arrived(std::size_t packet, std::uint64_t flit, const GoldenNetwork& network,
                     Cycle now) const;
    GoldenStart start_of(const Queue& queue, const GoldenPacketState& packet) const;
    void note_start(const Queue& queue, std::size_t packet, bool is_next, Cycle now,
                    GoldenWitness& witness, GoldenWait& wait) const;
    void note_stream(std::size_t packet, const GoldenNetwork& network, Cycle now,
                     GoldenWait& wait) const;
    void note_credits(std::size_t packet, bool is_head, const GoldenNetwork& network, Cycle now,
                      GoldenWait& wait) const;
    void choose_class(Interface& interface) const;
    std::optional<std::uint32_t> choose(std::size_t packet, bool is_head,
                                        const GoldenNetwork& network, Cycle now) const;

    NodeConfig config_;
    GoldenClasses classes_;
    const Graph& graph_;
    const Routing& routing_;
    const Program& program_;
    ChannelMap map_;
    GoldenPackets& packets_;
    LossCounts& losses_;
    const LaterNetwork* later_ = nullptr;  ///< the network is this one; null: it is whole
    std::vector<Interface> interfaces_;
    std::map<std::pair<ChannelId, std::uint32_t>, Injection> injections_;  ///< and per class
    std::vector<Cycle> assembly_from_;  ///< per message, once it has begun
};

}  // namespace flitscope
