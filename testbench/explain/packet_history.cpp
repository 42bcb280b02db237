// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/packet_history.h"

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
    const auto add = [&](Reason& reason) {
        asked = reason.asked;
        reason.event.cycle = cycle;
        reason.event.sends = channel;
        reason.event.message = message;
        event = events_.add(reason.event, reason.because);
    };
    if (popped == channel) {
        Reason reason;
        injected(own, cycle, reason);
        add(reason);
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
            Reason reason;
            reason.event.channel = popped;
            if (came != nullptr) waited(own, from, flit, *came, cycle, reason);
            add(reason);
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

/// Why a run of flits of an interface begins now.
void PacketHistory::injected(std::size_t own, Cycle now, Reason& reason) {
    Lane& lane = lanes_[own];
    const ChannelId channel = lane.channel;
    const Queue& queue = queue_of(channel);
    Event& event = reason.event;
    event.channel = channel;
    if (lane.at_head) {
        const Departure& departure = departures_[channel];
        lane.flits = format_.flits(lane.owner.bytes, departure.packet);
        // Startups and assemblies that come one after the other have begun to wait before.
        reason.asked =
            node_.serial_startup || node_.assembles() ? departure.begin : departure.ready.cycle;
        if (queue.tail && times_ != nullptr) {
            times_->on_next(queue.tail_message, lane.owner.id, queue.tail_in + 1, reason.asked,
                            true);
        }
    }
    if (waited_for_stream(own, now, reason)) return;
    if (lane.at_head) {
        const NodeHistory::Begin& ready = departures_[channel].ready;
        event.since = ready.cycle;
        if (ready.cycle == now) {
            event.before = now;
            reason.because = ready.because;
            return;
        }
        if (queue.tail && queue.tail_in + 1 == now) {
            const bool is_same = queue.tail_message == lane.owner.id;
            event.before = now - 1;
            if (is_same) event.since = now - 1;
            event.holder = is_same ? kNoMessage : queue.tail_message;
            event.cause = is_same ? Cause::kBody : Cause::kOwnMessage;
            reason.because = queue.tail;
            return;
        }
        // Its turn came when the packet before it had gone.
        if (queue.tail) event.since = std::max(event.since, queue.tail_in + 1);
    } else {
        event.since = lane.sent.back().end;
    }
    const std::uint64_t credits = lane.at_head && has_packet_credits_ ? lane.flits : 1;
    if (waited_for_credit(own, credits, now, reason)) return;
    if (waited_for_copies(own, credits, now, reason)) return;
    event.cause = Cause::kChoice;
    event.before = event.since;
    reason.because = lane.at_head ? departures_[channel].ready.because : lane.sent.back().tag;
    if (lane.at_head) event.before = departures_[channel].ready.cycle;
}

/// Why a run of flits out of a buffer begins now.
void PacketHistory::forwarded(std::size_t own, std::size_t from, Cycle now, Reason& reason) {
    const Lane& buffer = lanes_[from];
    const std::uint64_t flit = buffer.popped.count(now);
    const FlitRun* const came = buffer.sent.of_flit(flit, now);
    reason.event.channel = buffer.channel;
    if (came == nullptr) return;  // not a fabric of ours
    waited(own, from, flit, *came, now, reason);
}

/// Why it does, `flit` of the buffer first, which came with a run.
void PacketHistory::waited(std::size_t own, std::size_t from, std::uint64_t flit,
                           const FlitRun& came, Cycle now, Reason& reason) {
    Lane& lane = lanes_[own];
    const Lane& buffer = lanes_[from];
    const ChannelId source = buffer.channel;
    Event& event = reason.event;
    event.channel = source;
    lane.flits = came.packet_flits;
    const Cycle sent = came.when(flit);
    const Cycle arrived = sent + buffer.timing.delay;
    reason.asked = arrived;
    event.before = event.since = sent;
    if (goes_on_at_once(buffer, came, flit, now)) {
        reason.because = came.tag;
        return;
    }
    event.channel = lane.channel;
    event.since = lane.at_head ? arrived : std::max(arrived, lane.sent.back().end);
    const bool is_granted_now = lane.at_head && lane.granted_in == now;
    if (waited_for_tail(own, from, came, now, reason)) return;
    if (waited_for_front(own, from, now, reason)) return;
    if (is_granted_now && waited_for_owner(own, now, reason)) return;
    if (is_granted_now && (is_adaptive_ || !owns_from_departure_)) {
        waited_for_grant(own, from, came, sent, now, reason);
        return;
    }
    // A packet that has its channel waits for one credit, if for any.
    if (waited_for_credit(own, 1, now, reason)) return;
    if (waited_for_switch(own, from, now, reason)) return;
    // Not a fabric of ours: it seems to come too early.
    event.before = event.since = sent;
    event.channel = source;
    reason.because = came.tag;
}

/// Whether a router that stores packets had the last flit of this one only now.
bool PacketHistory::waited_for_tail(std::size_t own, std::size_t from, const FlitRun& came,
                                    Cycle now, Reason& reason) const {
    const Lane& lane = lanes_[own];
    const Lane& buffer = lanes_[from];
    const ChannelId source = buffer.channel;
    const bool is_stored = lane.at_head && stores_ && !channels_.is_injection(source) &&
                           !channels_.is_ejection(lane.channel);
    if (!is_stored) return false;
    const Cycle needed = buffer.timing.delay + combining_delay_;
    const std::uint64_t last = came.packet + came.packet_flits - 1;
    const FlitRun* const tail = buffer.sent.of_flit(last, now);
    if (tail == nullptr || tail->when(last) + needed != now) return false;
    reason.wait_for(*tail, now - needed, Cause::kStore);
    reason.event.since = std::min(reason.event.since, reason.event.before);
    reason.event.holder = kNoMessage;
    return true;
}

/// Whether another packet was in front of its head in the buffer.
bool PacketHistory::waited_for_front(std::size_t own, std::size_t from, Cycle now,
                                     Reason& reason) const {
    const Lane& buffer = lanes_[from];
    if (!lanes_[own].at_head) return false;
    const FlitRun* const in_front = buffer.popped.at(now - 1);
    if (in_front == nullptr) return false;
    reason.wait_for(*in_front, now - 1, Cause::kBufferFront);
    return true;
}

/// Whether another packet held the channel that is granted now.
bool PacketHistory::waited_for_owner(std::size_t own, Cycle now, Reason& reason) const {
    const Lane& lane = lanes_[own];
    if (lane.released_in != now || lane.sent.empty()) return false;
    reason.wait_for(lane.sent.back(), now - 1, Cause::kChannelHeld);
    return true;
}

/// Why it is granted a channel now that nobody held before.
void PacketHistory::waited_for_grant(std::size_t own, std::size_t from, const FlitRun& came,
                                     Cycle sent, Cycle now, Reason& reason) {
    const Lane& lane = lanes_[own];
    Event& event = reason.event;
    const std::uint64_t credits = has_packet_credits_ ? lane.flits : 1;
    const bool is_empty_first = is_adaptive_ && must_be_empty(own, from);
    const std::uint64_t all = lane.timing.depth;
    if (waited_for_credit(own, is_empty_first ? all : credits, now, reason)) return;
    // From its arrival on it could have gone, as far as one can tell from outside.
    Event arrival;
    arrival.cycle = event.before = event.since;
    arrival.before = arrival.since = sent;
    arrival.channel = lanes_[from].channel;
    arrival.message = lane.owner.id;
    event.cause = is_adaptive_ ? Cause::kChoice : Cause::kArbitration;
    reason.because = events_.add(arrival, came.tag);
}

/// Whether it had all that it needs before now, and lost.
bool PacketHistory::waited_for_switch(std::size_t own, std::size_t from, Cycle now,
                                      Reason& reason) {
    const Lane& lane = lanes_[own];
    const Lane& buffer = lanes_[from];
    Cycle ready = reason.event.since;
    if (lane.at_head && !owns_from_departure_) ready = std::max(ready, lane.granted_in);
    if (lane.at_head && owns_from_departure_) {
        if (!lane.sent.empty()) ready = std::max(ready, lane.released_in);
        if (!buffer.popped.empty()) ready = std::max(ready, buffer.popped.back().end);
    }
    ready = std::max(ready, lanes_.credit(own, 1, now).usable);
    for (Cycle lost = now; lost > ready; --lost) {
        if (lost_arbitration(own, from, lost, reason)) return true;
    }
    if (ready >= now) return false;
    lost_to_nobody(own, from, ready, reason);
    return true;
}

/// It was ready, and lost against no packet that can be identified from outside: what it had waited
/// for until then counts.
void PacketHistory::lost_to_nobody(std::size_t own, std::size_t from, Cycle ready, Reason& reason) {
    const Lane& lane = lanes_[own];
    reason = {};
    reason.event.channel = lane.channel;
    reason.event.before = reason.event.since = ready;
    reason.event.cause = Cause::kArbitration;
    if (!lane.at_head && lane.sent.back().end == ready) {
        reason.because = lane.sent.back().tag;
        return;
    }
    Reason earlier;
    forwarded(own, from, ready, earlier);
    earlier.event.cycle = ready;
    earlier.event.message = lane.owner.id;
    reason.because = events_.add(earlier.event, earlier.because);
}

/// Whether an adaptive routing takes this channel only if its buffer is empty.
bool PacketHistory::must_be_empty(std::size_t own, std::size_t from) const {
    const ChannelId channel = lanes_[own].channel;
    const ChannelId source = lanes_[from].channel;
    if (!channels_.is_link(channel)) return false;
    const Link& link = graph_.link(channel);
    RouteQuery query;
    query.at = link.from;
    query.in_port = channels_.is_link(source) ? graph_.link(source).to_port : kLocalPort;
    query.in_vc = static_cast<std::uint32_t>(from % lanes_.virtual_channels());
    query.source = lanes_[own].owner.source;
    query.destination = lanes_[own].owner.destination;
    RouteChoices choices;
    routing_.route(query, choices);
    for (std::size_t i = 0; choices.has_escape() && i < choices.escape(); ++i) {
        if (choices[i].port != link.from_port) continue;
        if ((choices[i].virtual_channels >> own % lanes_.virtual_channels() & 1U) != 0) return true;
    }
    return false;
}

/// Whether the last of so many credits came now.
bool PacketHistory::waited_for_credit(std::size_t own, std::uint64_t credits, Cycle now,
                                      Reason& reason) const {
    const ChannelLanes<Lane>::Credit credit = lanes_.credit(own, credits, now);
    if (credit.run == nullptr || credit.usable != now) return false;
    reason.event.channel = lanes_[own].channel;
    reason.event.before = credit.popped;
    reason.event.since = std::min(reason.event.since, credit.popped);
    reason.event.holder = credit.run->message;
    reason.event.cause = Cause::kCredit;
    reason.because = credit.run->tag;
    return true;
}

/// Whether the flit that this one follows was ejected in the cycle before.
bool PacketHistory::waited_for_stream(std::size_t own, Cycle now, Reason& reason) const {
    const Lane& lane = lanes_[own];
    const Transfer& transfer = program_.transfers[lane.owner.id];
    if (!transfer.streams || now == 0) return false;
    const std::uint64_t flit = lane.at_head ? 0 : lane.sent.count(now) - lane.granted;
    for (ChannelId channel = channels_.first_ejection(); channel < channels_.count(); ++channel) {
        if (channels_.node(channel) != lane.owner.source) continue;
        for (std::uint32_t vc = 0; vc < lanes_.virtual_channels(); ++vc) {
            const Lane& ejection = lanes_[lanes_.number(channel, vc)];
            const FlitRun* const run = ejection.sent.at(now - 1);
            if (run == nullptr || now - 1 - run->begin + run->first - run->packet != flit) continue;
            const auto& after = transfer.after;
            if (std::find(after.begin(), after.end(), run->message) == after.end()) continue;
            reason.event.before = reason.event.since = now - 1;
            reason.event.holder = run->message;
            reason.because = run->tag;
            return true;
        }
    }
    return false;
}

/// Whether the channel of another copy of the same value had no credit before.
bool PacketHistory::waited_for_copies(std::size_t own, std::uint64_t credits, Cycle now,
                                      Reason& reason) const {
    if (siblings_.empty()) return false;
    const Lane& lane = lanes_[own];
    for (const ChannelId channel : siblings_[lane.owner.source]) {
        for (std::uint32_t vc = 0; vc < lanes_.virtual_channels(); ++vc) {
            const std::size_t other = lanes_.number(channel, vc);
            if (other == own || !lanes_[other].is_owned) continue;
            if (waited_for_credit(other, credits, now, reason)) return true;
        }
    }
    return false;
}

/// Whether another packet used the output, or the input, in the cycle before `now`.
bool PacketHistory::lost_arbitration(std::size_t own, std::size_t from, Cycle now,
                                     Reason& reason) const {
    const auto others = [&](std::size_t lane, FlitRuns Lane::*runs) -> const FlitRun* {
        const std::size_t first = lanes_.number(lanes_[lane].channel, 0);
        for (std::size_t other = first; other < first + lanes_.virtual_channels(); ++other) {
            if (other == lane) continue;
            if (const FlitRun* const run = (lanes_[other].*runs).at(now - 1)) return run;
        }
        return nullptr;
    };
    const FlitRun* run = others(own, &Lane::sent);
    if (run == nullptr) run = others(from, &Lane::popped);
    if (run == nullptr) return false;
    reason.event.before = now - 1;
    reason.event.holder = run->message;
    reason.event.cause = Cause::kArbitration;
    reason.because = run->tag;
    return true;
}

}  // namespace flitscope
