// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The golden model's programs: when each send of a node begins (hw/TIMING.md, "Node programs").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "testbench/verification/reference/golden_network.h"
#include "testbench/verification/reference/golden_witness.h"
#include "traffic/program/operations.h"
#include "traffic/program/program.h"

namespace flitscope {

struct Config;

/// Packets of all messages, in order: those of message m are first[m] .. first[m + 1] - 1. With
/// `traffic.reply_bytes` every transfer of the program is a request; of N transfers, message N + m
/// is the reply to message m.
struct GoldenPackets {
    GoldenPackets(const Config& config, const Program& program);

    std::uint32_t plane(MessageId message) const { return planes_[message]; }

    std::vector<GoldenPacketState> all;
    std::vector<std::size_t> first;

private:
    std::vector<std::uint8_t> planes_;  // per message
};

/// Decides in which cycle each send begins, from what happened in earlier cycles.
class GoldenProgram {
public:
    /// References must outlive the object.
    GoldenProgram(const Config& config, const Program& program, const GoldenPackets& packets);

    /// The messages whose sends begin in cycle `now`, per source in program order. Called once for
    /// every cycle, with everything recorded that happened before `now`.
    std::vector<MessageId> begin_sends(Cycle now);
    /// After begin_sends(now): packets of requests that begin neither now nor later, and of the
    /// replies to them: none before the cycle in which a closed loop is over, which has them all.
    std::size_t given_up(Cycle now) const;
    /// After begin_sends(now): notes what the nodes lack that have more to begin.
    void note(Cycle now, GoldenCycle& cycle) const;
    /// Whether some operation has not completed in the last cycle of begin_sends().
    bool has_operations_left() const;
    /// The cycles of all operations so far.
    std::vector<GoldenOperation> operations() const;

private:
    struct Part {  ///< the work of one node in one step
        std::vector<MessageId> sends;
        std::vector<MessageId> receives;
    };
    struct Node {
        std::map<StepId, Part> parts;  ///< kSteps
        std::vector<MessageId> sends;  ///< kTimed, in program order
        std::optional<StepId> step;    ///< kSteps: the step that has begun last
        std::size_t next_send = 0;     ///< kTimed
        Cycle begin = 0;               ///< begin of the last step or send that has begun
    };

    /// The state of an operation.
    struct OperationState {
        std::optional<Cycle> ready;    ///< its condition is met
        std::optional<Cycle> begin;    ///< it has begun; a receive: it has been posted
        std::optional<Cycle> matched;  ///< a receive: its message is there for it
        std::optional<Cycle> starts;   ///< it keeps its stream from then on
        bool is_done = false;
        MessageId message = kNoMessage;  ///< of a receive that is matched
    };
    /// A message that a node has received and no operation has taken.
    struct Unclaimed {
        NodeId source = 0;
        std::uint32_t tag = 0;
        MessageId message = kNoMessage;
    };

    void play_operations(NodeId id, Cycle now, std::vector<MessageId>& begun);
    void settle(NodeId id, Cycle now, std::vector<MessageId>& begun);
    void finish_operations(NodeId id, Cycle now);
    bool begin_operation(NodeId id, Cycle now, std::vector<MessageId>& begun);
    bool is_met(OperationId operation) const;
    std::optional<Cycle> end_of(OperationId operation) const;
    Cycle held(OperationId operation) const;
    void take_arrival(NodeId id, MessageId message, Cycle now);
    std::optional<Cycle> frees(OperationId operation) const;
    static bool takes(const Operation& receive, const Unclaimed& message);

    std::optional<Cycle> injected(MessageId message) const;   ///< cycle of its last tail
    std::optional<Cycle> arriving(MessageId message) const;   ///< cycle of its first flit
    std::optional<Cycle> delivered(MessageId message) const;  ///< cycle of its last tail
    std::optional<Cycle> end_of_step(const Part& part, Cycle begin) const;
    void step_without_barrier(Node& node, Cycle now, std::vector<MessageId>& begun) const;
    void step_with_barrier(Cycle now, std::vector<MessageId>& begun);
    void step_timed(Node& node, Cycle now, std::vector<MessageId>& begun) const;
    void step_closed(Node& node, Cycle now, std::vector<MessageId>& begun) const;
    void begin_replies(Cycle now, std::vector<MessageId>& begun);
    void note_received(MessageId message, Cycle now, std::vector<GoldenLacking>& lacks) const;

    const Program& program_;
    const GoldenPackets& packets_;
    Cycle recv_overhead_;
    PacketFormat format_;
    Cycle reply_delay_;
    std::size_t outstanding_;            ///< most requests of a node without a reply; 0: any number
    Cycle loop_end_;                     ///< with such a limit no request begins from then on
    std::vector<MessageId> unanswered_;  ///< requests whose replies have not begun
    std::vector<Node> nodes_;
    Cycle send_overhead_;
    // For a program of operations:
    std::vector<OperationState> operations_;
    std::vector<std::vector<OperationDependency>> waits_;  ///< per operation
    std::vector<OperationId> sends_of_;                    ///< per message, its send
    std::vector<std::optional<Cycle>> whole_;              ///< per message, if that matters
    std::vector<std::vector<OperationId>> posted_;         ///< per node, receives in order
    std::vector<std::vector<Unclaimed>> unclaimed_;        ///< per node, in order of arrival
    std::optional<StepId> barrier_step_;  ///< the step that has begun last, with a barrier
    Cycle barrier_begin_ = 0;
};

}  // namespace flitscope
