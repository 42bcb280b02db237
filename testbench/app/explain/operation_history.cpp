// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/operation_history.h"

#include <algorithm>
#include <utility>

namespace flitscope {
namespace {

Cause cause_of(Operation::Kind kind) {
    switch (kind) {
        case Operation::Kind::kSend:
            return Cause::kStartup;
        case Operation::Kind::kReceive:
            return Cause::kReceive;
        case Operation::Kind::kCompute:
            break;
    }
    return Cause::kCompute;
}

}  // namespace

OperationHistory::OperationHistory(const Program& program, EventGraph& events, NodeHistory& nodes,
                                   OperationTimes* times)
    : program_(program),
      operations_(*program.operations),
      events_(events),
      nodes_(nodes),
      times_(times),
      waits_(program.nodes) {
    events.add_holder(*this);
    for (NodeId node = 0; node < program.nodes; ++node) {
        first_stream_.push_back(streams_.size());
        streams_.resize(streams_.size() + operations_.streams(node));
    }
}

void OperationHistory::on_hand_over(MessageId message, Cycle begin) {
    EventGraph::Handle& event = handed_over_[message];
    if (!event) event = events_.announce();
    nodes_.begin(program_.transfers.source(message), message, {begin, event});
}

void OperationHistory::on_event(NodeId node, const OperationEvent& event) {
    if (times_ != nullptr) times_->on_event(node, event);
    switch (event.kind) {
        case OperationEvent::Kind::kPosted:
            post(event);
            break;
        case OperationEvent::Kind::kArrived:
            arrive(event);
            break;
        case OperationEvent::Kind::kBegun:
            begin(node, event);
            break;
        case OperationEvent::Kind::kWhole:  // require_explained_fabric()
            break;
        case OperationEvent::Kind::kCompleted:
            complete(node, event);
            break;
    }
}

void OperationHistory::post(const OperationEvent& event) {
    const Met ready = take_met(event.operation);
    meet(event.operation, true, ready);
    if (event.message != kNoMessage) met_[event.operation] = ready;
}

void OperationHistory::arrive(const OperationEvent& event) {
    const EventGraph::Handle arrival = nodes_.take_delivery(event.message);
    if (event.operation == kNoOperation) return;
    met_[event.operation] = {arrival, event.cycle};
}

void OperationHistory::begin(NodeId node, const OperationEvent& event) {
    const OperationId id = event.operation;
    const Operation& operation = operations_[id];
    const Met ready = take_met(id);
    if (times_ != nullptr) times_->on_ready(id, ready.cycle);
    Met& kept = stream(node, id);
    const EventGraph::Handle because = ready.cycle < event.cycle ? kept.event : ready.event;
    note_wait(node, event, because);
    Event begun;
    begun.cycle = begun.before = begun.since = event.cycle;
    begun.message = event.message;
    if (operation.kind == Operation::Kind::kSend) {
        // None if the run stopped before an interface got it.
        if (const EventGraph::Handle* const handed = handed_over_.find(operation.message)) {
            events_.complete(*handed, begun, because);
            handed_over_.erase(operation.message);
        }
    }
    kept = {because, event.until};
    if (event.until != event.cycle) {
        begun.cycle = event.until;
        begun.operation = id;
        begun.cause = cause_of(operation.kind);
        kept.event = events_.add(begun, because);
    }
    if (operation.kind == Operation::Kind::kReceive) return;  // which began when it was posted
    meet(id, true, {because, event.cycle});
}

void OperationHistory::complete(NodeId node, const OperationEvent& event) {
    const OperationId id = event.operation;
    const Operation& operation = operations_[id];
    const bool awaits_injection = operation.kind == Operation::Kind::kSend &&
                                  operations_.completion == SendCompletion::kInjected;
    const Met end{
        awaits_injection ? nodes_.take_injection(operation.message) : stream(node, id).event,
        event.cycle};
    note_wait(node, event, end.event);
    meet(id, false, end);
    ++completed_;
    const bool is_later =
        end.cycle > last_.cycle || (end.cycle == last_.cycle && id < last_operation_);
    if (!is_later) return;
    last_ = end;
    last_operation_ = id;
}

/// `met` has happened, which operations that depend on `on` had to wait for.
void OperationHistory::meet(OperationId on, bool on_begin, const Met& met) {
    operations_.visit_successors(on, [&](const Successor& successor) {
        if (successor.on_begin == on_begin) met_[successor.operation] = met;
    });
}

OperationHistory::Met OperationHistory::take_met(OperationId id) {
    const Met* const found = met_.find(id);
    if (found == nullptr) return {};
    const Met met = *found;
    met_.erase(id);
    return met;
}

/// Counts the cycles in which a node was idle before an event, which `until` led to.
void OperationHistory::note_wait(NodeId node, const OperationEvent& event,
                                 EventGraph::Handle until) {
    if (event.idle_since == event.cycle) return;
    uncounted_.push_back({node, event.idle_since, {until, event.cycle}});
    // Engines may report the end of a delivery after what it led to.
    const auto counted = std::remove_if(uncounted_.begin(), uncounted_.end(),
                                        [this](const Wait& wait) { return is_counted(wait); });
    uncounted_.erase(counted, uncounted_.end());
}

/// Counts a wait, if all events on the path through it are known.
bool OperationHistory::is_counted(const Wait& wait) {
    CauseCycles cycles{};
    Cycle covered_from = wait.until.cycle;
    const bool is_known =
        events_.follow_back(wait.until.event, [&](const PathSegment& segment, Cycle from) {
            from = std::max(from, wait.since);
            if (from < covered_from) {
                cycles[static_cast<std::size_t>(segment.cause)] += covered_from - from;
                covered_from = from;
            }
            return covered_from > wait.since;
        });
    if (!is_known) return false;
    for (std::size_t i = 0; i < kCauses; ++i) waits_[wait.node][i] += cycles[i];
    return true;
}

std::vector<CauseCycles> OperationHistory::take_waits() {
    for (const Wait& wait : uncounted_) is_counted(wait);
    uncounted_.clear();
    return std::move(waits_);
}

EventGraph::Handle OperationHistory::last_event(Cycle limit) const {
    const EventGraph::Handle delivery = nodes_.last_delivery();
    if (completed_ != operations_.size() || last_.cycle > limit) return delivery;
    return delivery && events_[delivery].cycle > last_.cycle ? delivery : last_.event;
}

void OperationHistory::mark_events(EventGraph& graph) const {
    met_.visit([&](OperationId, const Met& met) { graph.mark(met.event); });
    handed_over_.visit([&](MessageId, EventGraph::Handle event) { graph.mark(event); });
    for (const Met& kept : streams_) graph.mark(kept.event);
    for (const Wait& wait : uncounted_) graph.mark(wait.until.event);
    graph.mark(last_.event);
}

}  // namespace flitscope
