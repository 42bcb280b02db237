// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/packet_history.h"

#include <algorithm>

namespace flitscope {

PacketHistory::PacketHistory(const HardwareConfig& config, const Graph& graph,
                             const Program& program, const Routing& routing, EventGraph& events,
                             NodeHistory& nodes, MessageTimes* times)
    : FabricHistory(config, graph),
      graph_(graph),
      program_(program),
      routing_(routing),
      events_(events),
      nodes_(nodes),
      times_(times),
      format_(config.packet_format()),
      node_(config.node),
      is_adaptive_(routing.path_choice() == PathChoice::kAdaptive),
      channels_per_switch_input_(config.fabric.virtual_channels / config.fabric.input_speedup),
      owns_from_departure_(config.fabric.combines_allocation()),
      departing_(channels_.count()),
      departed_(departures_.queue_count()),
      unreleased_(program.transfers.size(), 0) {
    events.add_holder(*this);
    if (config.node.port_model != PortModel::kSameValue) return;
    siblings_.resize(graph.node_count());
    for (ChannelId channel = 0; channel < channels_.count(); ++channel) {
        if (channels_.is_injection(channel)) siblings_[channels_.node(channel)].push_back(channel);
    }
}

void PacketHistory::mark_events(EventGraph& graph) const {
    const auto mark = [&](EventGraph::Handle event) { graph.mark(event); };
    for (const Lane& lane : lanes_) {
        lane.sent.visit_tags(mark);
        lane.popped.visit_tags(mark);
    }
    for (const Departed& last : departed_) {
        mark(last.done);
        mark(last.tail);
    }
    for (ChannelId channel = 0; channel < channels_.count(); ++channel) {
        if (!channels_.is_injection(channel)) continue;
        mark(departing_[channel].started);
        mark(departing_[channel].ready);
    }
}

/// Whether a flit of a buffer, which came with a run, is there no earlier than `now`, when it
/// leaves.
bool PacketHistory::goes_on_at_once(const Lane& buffer, const Run& came, std::uint64_t flit,
                                    Cycle now) {
    return came.when(flit) + buffer.timing.delay >= now;
}

EventGraph::Handle PacketHistory::inject(std::size_t own, Cycle now) {
    events_.prune();
    return begun(own, own, injected(own, now), now);
}

EventGraph::Handle PacketHistory::forward(std::size_t own, std::size_t from, std::uint64_t flit,
                                          const Run* came, Cycle now) {
    events_.prune();
    const Lane& lane = lanes_[own];
    const Lane& buffer = lanes_[from];
    if (came == nullptr) return begun(own, from, unknown(buffer.channel), now);
    if (!goes_on_at_once(buffer, *came, flit, now)) {
        return begun(own, from, waited(own, from, flit, *came, now), now);
    }
    const Cycle sent = came->when(flit);  // as most do
    const EventGraph::Handle event = events_.add({now, sent, sent, buffer.channel, lane.channel,
                                                  lane.owner.id, kNoMessage, Cause::kTraversal},
                                                 came->tag);
    if (lane.at_head && times_ != nullptr) note_gaps(own, from, sent + buffer.timing.delay, now);
    return event;
}

/// A run of flits begins, for a reason that has been found.
EventGraph::Handle PacketHistory::begun(std::size_t own, std::size_t from, Reason reason,
                                        Cycle now) {
    const Lane& lane = lanes_[own];
    reason.event.cycle = now;
    reason.event.sends = lane.channel;
    reason.event.message = lane.owner.id;
    const EventGraph::Handle event = events_.add(reason.event, reason.because);
    if (lane.at_head && times_ != nullptr) note_gaps(own, from, reason.asked, now);
    return event;
}

void PacketHistory::on_packet(const PacketRecord& packet) { ++unreleased_[packet.message.id]; }

void PacketHistory::take_up(ChannelId injection, const Message& message) {
    Departing& departing = departing_[injection];
    const Departure& departure = departures_.departure(injection);
    if (departure.is_over()) {
        const NodeHistory::Begin begin = nodes_.take_begin(message);
        departures_.begin(injection, message, begin.cycle);
        const auto turn =
            took_turn(injection, message.id, begin.cycle, departure.turn, begin.because);
        const auto started =
            passed(message.id, departure.turn, departure.started, Cause::kStartup, turn);
        departing.started =
            took_turn(injection, message.id, departure.started, departure.assembly, started);
    }
    departures_.take_up(injection, message);
    departing.ready = passed(message.id, departure.assembly, departure.ready, Cause::kAssembly,
                             departing.started);
}

/// A message that is to leave its node needs the cycles `from` .. `to` - 1 for something.
EventGraph::Handle PacketHistory::passed(MessageId message, Cycle from, Cycle to, Cause cause,
                                         EventGraph::Handle because) {
    if (from == to) return because;
    Event event;
    event.cycle = to;
    event.before = event.since = from;
    event.message = message;
    event.cause = cause;
    return events_.add(event, because);
}

/// It waits in these cycles for the message before it.
EventGraph::Handle PacketHistory::took_turn(ChannelId injection, MessageId message, Cycle from,
                                            Cycle to, EventGraph::Handle because) {
    if (from == to) return because;
    Event event;
    event.cycle = event.before = to;
    event.since = from;
    event.message = message;
    event.holder = departures_.queue(injection).message;
    event.cause = Cause::kSourceQueue;
    return events_.add(event, departed(injection).done);
}

void PacketHistory::left(const Lane& injection, Cycle cycle) {
    const ChannelId channel = injection.channel;
    Departed& last = departed(channel);
    last.tail = injection.sent.back().tag;
    if (!departures_.departure(channel).is_over()) return;
    nodes_.injected(injection.owner, channel, last.tail, cycle - 1);
    if (node_.assembles()) {
        last.done = departing_[channel].ready;
        return;
    }
    if (!node_.serialize_overhead) return;
    Event event;
    event.cycle = cycle;
    event.before = event.since = cycle - 1;
    event.channel = channel;
    event.message = injection.owner.id;
    event.cause = Cause::kSerialization;
    last.done = events_.add(event, last.tail);
}

void PacketHistory::arrived(const Lane& ejection, Cycle cycle) {
    const Message& message = ejection.owner;
    --unreleased_[message.id];
    const std::uint32_t packets = format_.packets(message.bytes);
    if (packets > 1) {
        std::uint32_t& arrived = arrived_[message.id];
        if (++arrived < packets) return;
        arrived_.erase(message.id);
    }
    const Cycle tail = cycle - 1;
    nodes_.delivered(message.id, ejection.channel, ejection.sent.back().tag, tail, tail);
}

/// The cycle from which on nothing of the first `flits` flits of a lane is in the way of others:
/// they have left it and its buffer, and their credits are back. kNever: not yet.
Cycle PacketHistory::gone(std::size_t lane, std::uint64_t flits, Cycle now) const {
    const Lane& left = lanes_[lane];
    const ChannelTiming& timing = left.timing;
    if (!timing.has_fifo() || flits == 0) return left.released_in;
    if (left.popped.count(now) < flits) return kNever;
    const Run* const last = left.popped.of_flit(flits - 1, now);
    // Forgotten entries were no later than kept ones.
    const Cycle popped = last == nullptr ? left.popped.front().begin : last->when(flits - 1);
    return std::max(left.released_in, popped + timing.credit_delay);
}

/// The head of a packet that came in `asked` goes: records how long those before it had been gone.
void PacketHistory::note_gaps(std::size_t own, std::size_t from, Cycle asked, Cycle now) {
    const Lane& lane = lanes_[own];
    if (lane.previous != kNoMessage) {
        times_->on_next(lane.previous, lane.owner.id, gone(own, lane.granted, now), asked,
                        own == from || lane.popping == from);
    }
    if (virtual_channels_ == 1) return;
    // The others on this channel are in its way from the cycle on in which it lacks only the
    // switch; they cannot make it get its virtual channel, or credits, earlier.
    Cycle ready = std::max(asked, lane.granted_in);
    ready = std::max(ready, credit(own, 1, now).over);
    const auto meet = [&](MessageId other, Cycle until) {
        if (until < ready) {
            times_->on_next(other, lane.owner.id, until, ready, false);
            return;
        }
        times_->on_shared(other);
        times_->on_shared(lane.owner.id);
    };
    const std::size_t first = number(lane.channel, 0);
    for (std::size_t id = first; id < first + virtual_channels_; ++id) {
        const Lane& other = lanes_[id];
        if (id == own || other.granted_in == kNever) continue;
        // Engines differ in whether they have reported a grant of this cycle yet.
        const bool is_new = other.is_owned && other.at_head && other.granted_in == now;
        if (!is_new) {
            meet(other.owner.id, other.is_owned ? kNever : gone(id, other.sent.count(now), now));
        }
        if (other.previous == kNoMessage) continue;
        const Cycle until = gone(id, other.granted, now);
        meet(other.previous, until);
        if (until >= ready) times_->on_unseen();  // those before it may have met it, too
    }
}

}  // namespace flitscope
