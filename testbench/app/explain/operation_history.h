// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How the operations of nodes came to begin and to complete (hw/TIMING.md, "Operation programs"),
// and what nodes waited for when none was under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/flat_map.h"
#include "models/base/types.h"
#include "testbench/app/explain/event_graph.h"
#include "testbench/app/explain/node_history.h"
#include "testbench/app/explain/operation_times.h"
#include "traffic/program/operation_observer.h"
#include "traffic/program/program.h"

namespace flitscope {

/// An operation begins in the cycle in which it becomes ready, or its stream free. What was met
/// last counts: the dependency that was met last, or the message of a receive that was posted
/// before it came. If both the operation and its stream are ready in one cycle, its own needs come
/// first. A stream that is busy is no wait: the path continues with what it does.
class OperationHistory final : public OperationObserver, public EventGraph::Holder {
public:
    /// All references must outlive the history; `program` has operations. `times` is null if slack
    /// is not asked for.
    OperationHistory(const Program& program, EventGraph& events, NodeHistory& nodes,
                     OperationTimes* times);

    void on_hand_over(MessageId message, Cycle begin) override;
    void on_event(NodeId node, const OperationEvent& event) override;

    void mark_events(EventGraph& graph) const override;

    /// The end of the last operation of all, of several in one cycle of that with the lowest
    /// number; the last delivery if that is later, or if some operation has not completed by cycle
    /// `limit`, from which on a run counts as stopped.
    EventGraph::Handle last_event(Cycle limit) const;

    /// Per node: what it waited for while no operation of it kept a stream, as far as operations
    /// have ended that: the causes along the path to the event which did. Call once the run has
    /// ended.
    std::vector<CauseCycles> take_waits();

private:
    /// An event that something waits for.
    struct Met {
        EventGraph::Handle event;  // none: the start of the run
        Cycle cycle = 0;           // which announced events do not have yet
    };
    /// A node was idle, until an event let it go on.
    struct Wait {
        NodeId node = 0;
        Cycle since = 0;
        Met until;
    };

    void post(const OperationEvent& event);
    void arrive(const OperationEvent& event);
    void begin(NodeId node, const OperationEvent& event);
    void complete(NodeId node, const OperationEvent& event);
    void meet(OperationId on, bool on_begin, const Met& met);
    Met take_met(OperationId id);
    void note_wait(NodeId node, const OperationEvent& event, EventGraph::Handle until);
    bool is_counted(const Wait& wait);
    Met& stream(NodeId node, OperationId id) {
        return streams_[first_stream_[node] + operations_[id].stream];
    }

    const Program& program_;
    const Operations& operations_;
    EventGraph& events_;
    NodeHistory& nodes_;
    OperationTimes* times_;  // null: slack is not asked for
    /// Those that have not begun: the last event so far that they waited for.
    FlatMap<OperationId, Met> met_;
    FlatMap<MessageId, EventGraph::Handle> handed_over_;  // sends not known to have begun
    std::vector<Met> streams_;               // what kept each stream last, and until when
    std::vector<std::size_t> first_stream_;  // per node
    std::size_t completed_ = 0;
    Met last_;
    OperationId last_operation_ = kNoOperation;
    std::vector<CauseCycles> waits_;  // per node
    std::vector<Wait> uncounted_;     // the path to their end is not known yet
};

}  // namespace flitscope
