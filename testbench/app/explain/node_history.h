// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How the nodes' programs came to begin their sends (hw/TIMING.md, "Node programs").
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/flat_map.h"
#include "models/base/types.h"
#include "testbench/app/explain/event_graph.h"
#include "testbench/app/explain/operation_times.h"
#include "testbench/app/explain/program_times.h"
#include "traffic/endpoints/program_observer.h"
#include "traffic/program/program.h"

namespace flitscope {

/// What is kept of a run for its slack; null: slack is not asked for.
struct KeptTimes {
    ProgramTimes* program = nullptr;       ///< of a program without operations
    OperationTimes* operations = nullptr;  ///< of one with operations
    MessageTimes* messages() const {
        if (program != nullptr) return program;
        return operations;
    }
};

class NodeHistory final : public ProgramObserver, public EventGraph::Holder {
public:
    /// All references and `times` must outlive the history; `recv_overhead` in cycles.
    NodeHistory(const Program& program, Cycle recv_overhead, EventGraph& events,
                const KeptTimes& times);

    void on_ready(NodeId node, Cycle ready, const ReadyReason& reason, const MessageId* received,
                  std::uint32_t count) override;
    void on_barrier(Cycle begin) override;
    void on_begin(const Message& message, Cycle begin) override;

    void mark_events(EventGraph& graph) const override;

    /// The event that began the send of a message, and the last event that it waited for.
    struct Begin {
        Cycle cycle = 0;
        EventGraph::Handle because;
    };
    /// The begin of a message that has begun; call once per message.
    Begin take_begin(const Message& message);

    // For programs of operations, of which this keeps the messages (OperationHistory):

    /// The send of a message begins, or begins otherwise than was said before.
    void begin(NodeId node, MessageId message, const Begin& begin);
    /// The delivery of a message, in the cycle after its tail, which is asked for once.
    EventGraph::Handle take_delivery(MessageId message);
    /// The injection of a message, likewise, if sends complete by it.
    EventGraph::Handle take_injection(MessageId message);

    // Called by the observers of channels, in order of the cycles.

    /// `sent`, an event of the injection channel, sent the tail of `message` in cycle `tail`.
    void injected(const Message& message, ChannelId channel, EventGraph::Handle sent, Cycle tail);
    /// The tail of `message` arrived in `tail`; `sent` sent it on `channel` in cycle `before`.
    /// Returns the event of the cycle after.
    EventGraph::Handle delivered(MessageId message, ChannelId channel, EventGraph::Handle sent,
                                 Cycle before, Cycle tail);

    /// The last delivery of all, in the cycle after its tail; if several are in one cycle, that of
    /// the message with the lowest number.
    EventGraph::Handle last_delivery() const { return last_; }

private:
    using Handles = FlatMap<MessageId, EventGraph::Handle>;
    struct Injected {
        MessageId message = kNoMessage;
        EventGraph::Handle event;
    };
    struct Begun {
        MessageId message = kNoMessage;  // kNoMessage: it has been taken
        Begin begin;
    };
    /// Messages leave a node about in the order in which they begin.
    struct Queue {
        std::vector<Begun> messages;
        std::size_t first = 0;  // those before it have been taken
    };

    void count_uses(const Program& program);
    EventGraph::Handle announced(Handles& announcements, MessageId message);
    EventGraph::Handle happened(Handles& announcements, const Event& event,
                                EventGraph::Handle because);
    EventGraph::Handle delivery_of(MessageId message);
    EventGraph::Handle injection_of(NodeId node, MessageId message);
    void use(MessageId message);

    bool has_barrier_;
    Cycle recv_overhead_;
    EventGraph& events_;
    KeptTimes times_;
    MessageTimes* message_times_;                  // null: slack is not asked for
    std::vector<std::uint32_t> uses_;              // per message: the events that still await it
    std::vector<EventGraph::Handle> ready_;        // per node
    std::vector<Cycle> ready_in_;                  // announced events have no cycle yet
    std::vector<Queue> begun_;                     // per node: messages whose head is still there
    Handles delivered_;                            // those that have uses
    std::vector<std::vector<Injected>> injected_;  // per node: the last ones, of one cycle
    bool awaits_injections_;                       // operations may, however late
    Handles awaited_injections_;
    // The end of a cycle is reported in the next one, so nodes may have gone on before.
    Handles announced_deliveries_;
    Handles announced_injections_;
    EventGraph::Handle last_;
    // The node waiting at the barrier that is ready last; the first one if there are several.
    EventGraph::Handle slowest_;
    NodeId slowest_node_ = 0;
};

}  // namespace flitscope
