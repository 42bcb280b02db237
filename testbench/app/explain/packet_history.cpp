// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/packet_history.h"

#include <algorithm>

#include "models/performance/idle_latency.h"

namespace flitscope {

PacketHistory::PacketHistory(const Config& config, const Graph& graph, const Program& program,
                             const Routing& routing, EventGraph& events, NodeHistory& nodes,
                             ProgramTimes* times)
    : graph_(graph),
      program_(program),
      routing_(routing),
      events_(events),
      nodes_(nodes),
      times_(times),
      channels_(graph),
      format_(config.packet_format()),
      node_(config.node),
      is_adaptive_(routing.path_choice() == PathChoice::kAdaptive),
      owns_from_departure_(config.fabric.combines_allocation()),
      has_packet_credits_(config.fabric.has_packet_flow_control()),
      stores_(config.fabric.stores_packets()),
      combining_delay_(config.fabric.combining_delay),
      has_queue_per_channel_(config.node.port_model == PortModel::kIndependent),
      lanes_(config.fabric, graph),
      queues_(has_queue_per_channel_ ? channels_.count() : graph.node_count()),
      departures_(channels_.count()),
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
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        lanes_[lane].sent.visit_tags(mark);
        lanes_[lane].popped.visit_tags(mark);
    }
    for (const Queue& queue : queues_) {
        mark(queue.done_because);
        mark(queue.tail);
    }
    for (ChannelId channel = 0; channel < channels_.count(); ++channel) {
        if (!channels_.is_injection(channel)) continue;
        mark(departures_[channel].started.because);
        mark(departures_[channel].ready.because);
    }
}

void PacketHistory::on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                             Cycle cycle) {
    Lane& lane = lanes_[lanes_.number(channel, vc)];
    if (lane.granted_in != kNever) lane.previous = lane.owner.id;
    lane.owner = message;
    lane.granted = lane.sent.count(cycle);
    lane.granted_in = cycle;
    lane.is_owned = lane.at_head = true;
    if (channels_.is_injection(channel)) take_up(channel, message);
}

/// Whether a flit of a buffer, which came with a run, is there no earlier than `now`, when it
/// leaves.
bool PacketHistory::goes_on_at_once(const Lane& buffer, const FlitRun& came, std::uint64_t flit,
                                    Cycle now) {
    return came.when(flit) + buffer.timing.delay >= now;
}

void PacketHistory::on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                                  std::uint32_t popped_vc, Cycle cycle) {
    events_.prune();
    const std::size_t own = lanes_.number(channel, vc);
    const std::size_t from = lanes_.number(popped, popped_vc);
    Lane& lane = lanes_[own];
    const MessageId message = lane.owner.id;
    Cycle asked = 0;
    EventGraph::Handle event;
    const auto add = [&](Reason reason) {
        asked = reason.asked;
        reason.event.cycle = cycle;
        reason.event.sends = channel;
        reason.event.message = message;
        event = events_.add(reason.event, reason.because);
    };
    if (popped == channel) {
        add(injected(own, cycle));
    } else {
        const Lane& buffer = lanes_[from];
        const std::uint64_t flit = buffer.popped.count(cycle);
        const FlitRun* const came = buffer.sent.of_flit(flit, cycle);
        if (came != nullptr && goes_on_at_once(buffer, *came, flit, cycle)) {  // as most do
            const Cycle sent = came->when(flit);
            lane.flits = came->packet_flits;
            asked = sent + buffer.timing.delay;
            event = events_.add(
                {cycle, sent, sent, popped, channel, message, kNoMessage, Cause::kMoving},
                came->tag);
        } else {
            add(came != nullptr ? waited(own, from, flit, *came, cycle) : unknown(popped));
        }
    }
    if (lane.at_head && times_ != nullptr) note_gaps(own, from, asked, cycle);
    lanes_.begin(own, from, cycle, event, message);
}

void PacketHistory::on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    lanes_.end(lanes_.number(channel, vc), cycle);
}

void PacketHistory::on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    Lane& lane = lanes_[lanes_.number(channel, vc)];
    lane.released_in = cycle;
    lane.is_owned = false;
    if (channels_.is_injection(channel)) finish_packet(channel, lane, cycle - 1);
    if (channels_.is_ejection(channel)) arrive(channel, lane, cycle - 1);
}

void PacketHistory::on_packet(const PacketRecord& packet) { ++unreleased_[packet.message.id]; }

void PacketHistory::finish(Cycle end) {
    for (ChannelId channel = channels_.first_ejection(); channel < channels_.count(); ++channel) {
        for (std::uint32_t vc = 0; vc < lanes_.virtual_channels(); ++vc) {
            const Lane& lane = lanes_[lanes_.number(channel, vc)];
            if (!lane.is_owned || unreleased_[lane.owner.id] == 0) continue;
            on_send_end(channel, vc, end);
            on_release(channel, vc, end);
        }
    }
}

/// The head of a packet of `message` is next: works out when its node was ready for it
/// (hw/TIMING.md, "Startup" and "Assembly").
void PacketHistory::take_up(ChannelId channel, const Message& message) {
    Departure& departure = departures_[channel];
    const Queue& queue = queue_of(channel);
    if (departure.packet == departure.packets) {
        departure.packet = 0;
        departure.packets = format_.packets(message.bytes);
        departure.assembled = 0;
        const NodeHistory::Begin begin = nodes_.take_begin(message);
        departure.begin = begin.cycle;
        departure.started = started(queue, message.id, begin);
    }
    departure.assembled += format_.flits(message.bytes, departure.packet);
    departure.ready = departure.started;
    if (!node_.assembles()) return;
    Event event;
    event.before = event.since = departure.started.cycle;
    event.cycle = event.before + assembly_cycles(departure.assembled, node_.injection_rate);
    event.message = message.id;
    event.cause = Cause::kAssembly;
    departure.ready = {event.cycle, events_.add(event, departure.started.because)};
}

/// The cycle in which the startup of a message is over, and its assembly may begin.
NodeHistory::Begin PacketHistory::started(const Queue& queue, MessageId message,
                                          NodeHistory::Begin begin) {
    Event event;
    event.message = message;
    const auto wait_for_last = [&] {
        if (queue.done <= begin.cycle) return;
        event.cycle = event.before = queue.done;
        event.since = begin.cycle;
        event.holder = queue.tail_message;
        event.cause = Cause::kOwnMessage;
        begin = {queue.done, events_.add(event, queue.done_because)};
    };
    if (node_.serial_startup) wait_for_last();
    if (node_.send_startup != 0) {
        event.cycle = begin.cycle + node_.send_startup;
        event.before = event.since = begin.cycle;
        event.holder = kNoMessage;
        event.cause = Cause::kStartup;
        begin = {event.cycle, events_.add(event, begin.because)};
    }
    if (!node_.serial_startup && node_.assembles()) wait_for_last();
    return begin;
}

void PacketHistory::finish_packet(ChannelId injection, Lane& lane, Cycle tail) {
    Queue& queue = queue_of(injection);
    queue.tail = lane.sent.back().tag;
    queue.tail_in = tail;
    queue.tail_message = lane.owner.id;
    Departure& departure = departures_[injection];
    if (++departure.packet < departure.packets) return;
    nodes_.injected(lane.owner, injection, queue.tail, tail);
    if (node_.assembles()) {
        queue.done = departure.ready.cycle;
        queue.done_because = departure.ready.because;
        return;
    }
    queue.done = tail + 1;
    if (!node_.serial_startup) return;
    Event event;
    event.cycle = tail + 1;
    event.before = event.since = tail;
    event.channel = injection;
    event.message = lane.owner.id;
    event.cause = Cause::kBody;
    queue.done_because = events_.add(event, queue.tail);
}

void PacketHistory::arrive(ChannelId ejection, Lane& lane, Cycle tail) {
    --unreleased_[lane.owner.id];
    const std::uint32_t packets = format_.packets(lane.owner.bytes);
    if (packets > 1) {
        std::uint32_t& arrived = arrived_[lane.owner.id];
        if (++arrived < packets) return;
        arrived_.erase(lane.owner.id);
    }
    nodes_.delivered(lane.owner.id, ejection, lane.sent.back().tag, tail, tail);
}

/// The cycle from which on nothing of the first `flits` flits of a lane is in the way of others:
/// they have left it and its buffer, and their credits are back. kNever: not yet.
Cycle PacketHistory::gone(std::size_t lane, std::uint64_t flits, Cycle now) const {
    const Lane& left = lanes_[lane];
    const ChannelTiming& timing = left.timing;
    if (!timing.has_fifo() || flits == 0) return left.released_in;
    if (left.popped.count(now) < flits) return kNever;
    const FlitRun* const last = left.popped.of_flit(flits - 1, now);
    // What is forgotten was no later than what is not.
    const Cycle popped = last == nullptr ? left.popped.front().begin : last->when(flits - 1);
    return std::max(left.released_in, popped + timing.credit_delay);
}

/// The head of a packet that came in `asked` goes: tells how long those before it had gone.
void PacketHistory::note_gaps(std::size_t own, std::size_t from, Cycle asked, Cycle now) {
    const Lane& lane = lanes_[own];
    if (lane.previous != kNoMessage) {
        times_->on_next(lane.previous, lane.owner.id, gone(own, lane.granted, now), asked,
                        own == from || lane.popping == from);
    }
    if (lanes_.virtual_channels() == 1) return;
    // The others on this channel are in its way from the cycle on in which it lacks nothing but the
    // switch; that it gets its virtual channel, or credits, earlier, does not lie in their hands.
    Cycle ready = std::max(asked, lane.granted_in);
    ready = std::max(ready, lanes_.credit(own, 1, now).usable);
    const auto meet = [&](MessageId other, Cycle until) {
        if (until < ready) {
            times_->on_next(other, lane.owner.id, until, ready, false);
            return;
        }
        times_->on_shared(other);
        times_->on_shared(lane.owner.id);
    };
    const std::size_t first = lanes_.number(lane.channel, 0);
    for (std::size_t id = first; id < first + lanes_.virtual_channels(); ++id) {
        const Lane& other = lanes_[id];
        if (id == own || other.granted_in == kNever) continue;
        // Whether a grant of this very cycle has been told already is the engine's own affair.
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
