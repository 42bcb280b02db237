// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/node_history.h"

#include <algorithm>
#include <utility>

namespace flitscope {

NodeHistory::NodeHistory(const Program& program, Cycle recv_overhead, EventGraph& events,
                         const KeptTimes& times)
    : has_barrier_(program.barrier_cycles.has_value()),
      recv_overhead_(recv_overhead),
      events_(events),
      times_(times),
      message_times_(times.messages()),
      uses_(program.transfers.size(), 0),
      ready_(program.nodes, events.add({}, {})),
      ready_in_(program.nodes, 0),
      begun_(program.nodes),
      injected_(program.nodes),
      awaits_injections_(program.operations != nullptr &&
                         program.operations->completion == SendCompletion::kInjected) {
    events.add_holder(*this);
    count_uses(program);
}

void NodeHistory::count_uses(const Program& program) {
    if (program.operations != nullptr) {
        std::fill(uses_.begin(), uses_.end(), 1);
        return;
    }
    const auto count = [this](const NodePrograms& nodes) {
        for (const MessageId id : nodes.receives) ++uses_[id];
    };
    times_.program != nullptr ? count(times_.program->nodes()) : count(NodePrograms(program));
}

void NodeHistory::on_ready(NodeId node, Cycle ready, const ReadyReason& reason,
                           const MessageId* received, std::uint32_t count) {
    Event event;
    event.cycle = ready;
    event.message = reason.message;
    switch (reason.kind) {
        case ReadyReason::Kind::kBefore:
            if (ready == ready_in_[node]) break;
            event.cause = Cause::kProgramTime;
            ready_[node] = events_.add(event, {});
            break;
        case ReadyReason::Kind::kInjected:
            ready_[node] = injection_of(node, reason.message);
            break;
        case ReadyReason::Kind::kReceived:
            event.before = event.since = ready - recv_overhead_;
            event.cause = Cause::kReceive;
            ready_[node] = events_.add(event, delivery_of(reason.message));
            break;
    }
    ready_in_[node] = ready;
    if (times_.program != nullptr) times_.program->on_ready(node, ready);
    for (std::uint32_t i = 0; i < count; ++i) use(received[i]);
    if (!has_barrier_) return;
    if (slowest_) {
        const Cycle slowest = events_[slowest_].cycle;
        if (slowest > ready || (slowest == ready && node >= slowest_node_)) return;
    }
    Event at_barrier;
    at_barrier.cycle = at_barrier.before = at_barrier.since = ready;
    slowest_ = events_.add(at_barrier, ready_[node]);
    slowest_node_ = node;
}

void NodeHistory::on_barrier(Cycle begin) {
    Event event;
    event.cycle = begin;
    event.before = event.since = events_[slowest_].cycle;
    event.cause = Cause::kBarrier;
    const EventGraph::Handle barrier = events_.add(event, std::exchange(slowest_, {}));
    std::fill(ready_.begin(), ready_.end(), barrier);
    std::fill(ready_in_.begin(), ready_in_.end(), begin);
}

void NodeHistory::on_begin(const Message& message, Cycle begin) {
    if (message_times_ != nullptr) message_times_->on_begin(message.id, begin);
    const EventGraph::Handle ready = ready_[message.source];
    if (events_[ready].cause != Cause::kReceive) {
        begun_[message.source].messages.push_back({message.id, {begin, ready}});
        return;
    }
    Event event;
    event.cycle = event.before = event.since = begin;
    event.message = message.id;
    event.holder = events_[ready].message;
    event.cause = Cause::kDependency;
    begun_[message.source].messages.push_back({message.id, {begin, events_.add(event, ready)}});
}

void NodeHistory::mark_events(EventGraph& graph) const {
    for (const EventGraph::Handle ready : ready_) graph.mark(ready);
    for (const Queue& queue : begun_) {
        for (std::size_t i = queue.first; i < queue.messages.size(); ++i) {
            graph.mark(queue.messages[i].begin.because);
        }
    }
    for (const std::vector<Injected>& last : injected_) {
        for (const Injected& one : last) graph.mark(one.event);
    }
    for (const Handles* handles :
         {&delivered_, &awaited_injections_, &announced_deliveries_, &announced_injections_}) {
        handles->visit([&](MessageId, EventGraph::Handle event) { graph.mark(event); });
    }
    graph.mark(last_);
    graph.mark(slowest_);
}

NodeHistory::Begin NodeHistory::take_begin(const Message& message) {
    if (times_.operations != nullptr) times_.operations->on_departure(message);
    Queue& queue = begun_[message.source];
    std::vector<Begun>& messages = queue.messages;
    Begin begin;
    for (std::size_t i = queue.first; i < messages.size(); ++i) {
        if (messages[i].message != message.id) continue;
        begin = messages[i].begin;
        messages[i].message = kNoMessage;
        break;
    }
    while (queue.first < messages.size() && messages[queue.first].message == kNoMessage) {
        ++queue.first;
    }
    if (queue.first == messages.size()) {
        messages.clear();
        queue.first = 0;
    }
    return begin;
}

void NodeHistory::begin(NodeId node, MessageId message, const Begin& begin) {
    Queue& queue = begun_[node];
    for (std::size_t i = queue.first; i < queue.messages.size(); ++i) {
        if (queue.messages[i].message != message) continue;
        queue.messages[i].begin = begin;
        return;
    }
    queue.messages.push_back({message, begin});
}

EventGraph::Handle NodeHistory::take_delivery(MessageId message) {
    const EventGraph::Handle delivery = delivery_of(message);
    use(message);
    return delivery;
}

EventGraph::Handle NodeHistory::take_injection(MessageId message) {
    const EventGraph::Handle* const found = awaited_injections_.find(message);
    if (found == nullptr) return announced(announced_injections_, message);
    const EventGraph::Handle injection = *found;
    awaited_injections_.erase(message);
    return injection;
}

void NodeHistory::injected(const Message& message, ChannelId channel, EventGraph::Handle sent,
                           Cycle tail) {
    if (message_times_ != nullptr) message_times_->on_injected(message.id, tail);
    Event event;
    event.cycle = tail + 1;
    event.before = event.since = tail;
    event.channel = channel;
    event.message = message.id;
    event.cause = Cause::kSerialization;
    if (awaits_injections_) {
        awaited_injections_[message.id] = happened(announced_injections_, event, sent);
        return;
    }
    std::vector<Injected>& last = injected_[message.source];
    if (!last.empty() && events_[last.front().event].cycle != event.cycle) last.clear();
    last.push_back({message.id, happened(announced_injections_, event, sent)});
}

EventGraph::Handle NodeHistory::delivered(MessageId message, ChannelId channel,
                                          EventGraph::Handle sent, Cycle before, Cycle tail) {
    if (message_times_ != nullptr) message_times_->on_delivered(message, tail);
    Event event;
    event.cycle = tail + 1;
    event.before = event.since = before;
    event.channel = channel;
    event.message = message;
    event.cause = Cause::kTraversal;
    const EventGraph::Handle arrival = happened(announced_deliveries_, event, sent);
    if (uses_[message] != 0) delivered_[message] = arrival;
    if (last_) {
        const Event& last = events_[last_];
        if (last.cycle > event.cycle) return arrival;
        if (last.cycle == event.cycle && message >= last.message) return arrival;
    }
    last_ = arrival;
    return arrival;
}

/// An event that may have been announced.
EventGraph::Handle NodeHistory::happened(Handles& announcements, const Event& event,
                                         EventGraph::Handle because) {
    const EventGraph::Handle* const found = announcements.find(event.message);
    if (found == nullptr) return events_.add(event, because);
    const EventGraph::Handle known = *found;
    events_.complete(known, event, because);
    announcements.erase(event.message);
    return known;
}

EventGraph::Handle NodeHistory::announced(Handles& announcements, MessageId message) {
    EventGraph::Handle& announcement = announcements[message];
    if (!announcement) announcement = events_.announce();
    return announcement;
}

EventGraph::Handle NodeHistory::delivery_of(MessageId message) {
    const EventGraph::Handle* const found = delivered_.find(message);
    return found == nullptr ? announced(announced_deliveries_, message) : *found;
}

EventGraph::Handle NodeHistory::injection_of(NodeId node, MessageId message) {
    for (const Injected& last : injected_[node]) {
        if (last.message == message) return last.event;
    }
    return announced(announced_injections_, message);
}

/// One of the sends that have awaited `message` has it.
void NodeHistory::use(MessageId message) {
    if (--uses_[message] == 0) delivered_.erase(message);
}

}  // namespace flitscope
