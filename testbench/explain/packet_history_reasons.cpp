// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run of flits had waited for when it began: the reasons in the order in which they count.
#include "testbench/explain/packet_history.h"

#include <algorithm>

namespace flitscope {

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
