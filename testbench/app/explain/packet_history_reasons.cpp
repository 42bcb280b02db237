// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why a run of flits waited before it began. injected() and waited() try one cause after the other,
// in the order in which they count, and the first that applies is the reason.
#include "models/topology/graph.h"
#include "testbench/app/explain/packet_history.h"

#include <algorithm>

namespace flitscope {

/// Why a run of flits of an interface begins now.
PacketHistory::Reason PacketHistory::injected(std::size_t own, Cycle now) {
    const Lane& lane = lanes_[own];
    Wait wait{own, own, lane.channel, now};
    if (lane.at_head) wait.asked = head_asks(lane);
    // It had to arrive itself, as a stream.
    if (const auto reason = waited_for_stream(wait)) return *reason;
    // Its node had to start the message, and to assemble the packet.
    if (const auto reason = waited_for_node(wait)) return *reason;
    // A packet of the node was in front of it.
    if (const auto reason = waited_for_queue(wait)) return *reason;
    // From here on it waited for others only.
    wait.since = turn_at_node(lane);
    const std::uint64_t credits = lane.at_head && has_packet_credits_ ? lane.flits : 1;
    // The buffer downstream of the channel was full,
    if (const auto reason = wait.for_last(credit(own, credits, now), Cause::kCreditStall)) {
        return *reason;
    }
    // or that of another copy was.
    if (const auto reason = waited_for_copies(wait, credits)) return *reason;
    // Nothing was in its way: an adaptive routing had not chosen its channel.
    if (!lane.at_head) {
        return wait.reason(lane.sent.back().tag, wait.since, wait.since, Cause::kRouteChoice);
    }
    return wait.reason(departing_[lane.channel].ready, departures_.departure(lane.channel).ready,
                       wait.since, Cause::kRouteChoice);
}

/// A packet of a node begins: when its head came to ask for the channel.
Cycle PacketHistory::head_asks(const Lane& lane) {
    const Departure& departure = departures_.departure(lane.channel);
    const DepartureQueue& queue = departures_.queue(lane.channel);
    // Startups and assemblies that come one after the other have begun to wait before.
    const Cycle asked =
        node_.serialize_overhead || node_.assembles() ? departure.begin : departure.ready;
    if (queue.message != kNoMessage && times_ != nullptr) {
        times_->on_next(queue.message, lane.owner.id, queue.packet_gone, asked, true);
    }
    return asked;
}

/// The cycle from which on no flits of its own node are in front of the next one of a lane.
Cycle PacketHistory::turn_at_node(const Lane& lane) const {
    if (!lane.at_head) return lane.sent.back().end;
    return std::max(departures_.departure(lane.channel).ready,
                    departures_.queue(lane.channel).packet_gone);
}

/// Why a run of flits out of a buffer begins now.
PacketHistory::Reason PacketHistory::forwarded(std::size_t own, std::size_t from, Cycle now) {
    const Lane& buffer = lanes_[from];
    const std::uint64_t flit = buffer.popped.count(now);
    const Run* const came = buffer.sent.of_flit(flit, now);
    return came != nullptr ? waited(own, from, flit, *came, now) : unknown(buffer.channel);
}

/// The reason of flits that were not seen to come over this channel: not one of our fabrics.
PacketHistory::Reason PacketHistory::unknown(ChannelId channel) {
    Reason reason;
    reason.event.channel = channel;
    return reason;
}

/// Why it does, `flit` of the buffer first, which came with a run.
PacketHistory::Reason PacketHistory::waited(std::size_t own, std::size_t from, std::uint64_t flit,
                                            const Run& came, Cycle now) {
    const Lane& lane = lanes_[own];
    const Lane& buffer = lanes_[from];
    const Cycle sent = came.when(flit);
    const Cycle arrived = sent + buffer.timing.delay;
    Wait wait{own, from, lane.channel, now, arrived};
    // It had to arrive itself.
    Reason moved = wait.reason(came.tag, sent, sent, Cause::kTraversal);
    moved.event.channel = buffer.channel;
    if (goes_on_at_once(buffer, came, flit, now)) return moved;
    // From here on it waited for others, or for the rest of its packet.
    wait.since = lane.at_head ? arrived : std::max(arrived, lane.sent.back().end);
    if (lane.at_head) {
        if (const auto reason = waited_as_head(wait, flit, came, moved)) return *reason;
    }
    // The channel's buffer was full. A packet that has its channel needs one credit.
    if (const auto reason = wait.for_last(credit(own, 1, now), Cause::kCreditStall)) return *reason;
    // The link was still taking the flit before.
    if (const auto reason = waited_for_link(wait)) return *reason;
    // Other packets used the switch.
    if (const auto reason = waited_for_switch(wait)) return *reason;
    // Not a fabric of ours: it seems to come too early.
    return moved;
}

/// Whether it waited for what only heads need. `moved`: how it arrived.
std::optional<PacketHistory::Reason> PacketHistory::waited_as_head(const Wait& wait,
                                                                   std::uint64_t flit,
                                                                   const Run& came,
                                                                   const Reason& moved) {
    // Its tail had to arrive, if packets are stored.
    if (auto reason = wait.for_last(stored(wait.own, wait.from, came, wait.now), Cause::kStore)) {
        reason->event.holder = kNoMessage;  // it is its own
        return reason;
    }
    // Another packet was in front of it.
    const Obstacle before = in_front(wait.from, flit, wait.now);
    if (const auto reason = wait.for_last(before, Cause::kHeadOfLine)) return reason;
    if (lanes_[wait.own].granted_in != wait.now) return std::nullopt;
    // Another packet held the channel.
    if (const auto reason = wait.for_last(held(wait.own), Cause::kVcBusy)) return reason;
    // Nobody did, and still it was granted only now.
    return waited_for_grant(wait, moved);
}

/// Why a head is granted a channel now that no packet held before: as soon as it had credits, or an
/// allocation for itself chose it. `moved`: how its head arrived.
std::optional<PacketHistory::Reason> PacketHistory::waited_for_grant(const Wait& wait,
                                                                     const Reason& moved) {
    const Lane& lane = lanes_[wait.own];
    const bool is_allocated = is_adaptive_ || !owns_from_departure_;
    if (!is_allocated) return std::nullopt;
    const std::uint64_t credits = has_packet_credits_ ? lane.flits : 1;
    const bool is_empty_first = is_adaptive_ && must_be_empty(wait.own, wait.from);
    const std::uint64_t all = lane.timing.depth;
    const Obstacle room = credit(wait.own, is_empty_first ? all : credits, wait.now);
    if (const auto reason = wait.for_last(room, Cause::kCreditStall)) return reason;
    if (owns_from_departure_) {
        if (const auto reason = waited_for_link(wait)) return reason;
    }
    // From its arrival on it could have gone, as far as is visible from outside.
    Event arrival = moved.event;
    arrival.cycle = wait.since;
    arrival.message = lane.owner.id;
    return wait.reason(events_.add(arrival, moved.because), wait.since, wait.since,
                       is_adaptive_ ? Cause::kRouteChoice : Cause::kSwitchStall);
}

/// Whether a slow link has taken the flit before it only now. Flits of the same message follow each
/// other over it; another message held the channel until then, or has the output.
std::optional<PacketHistory::Reason> PacketHistory::waited_for_link(const Wait& wait) const {
    const Obstacle last = slow_link(wait.own, wait.now);
    if (last.run == nullptr || last.over != wait.now) return std::nullopt;
    const Lane& lane = lanes_[wait.own];
    if (last.run->message != lane.owner.id) {
        const bool held_it = !lane.sent.empty() && last.run == &lane.sent.back();
        return wait.for_run(*last.run, last.left, held_it ? Cause::kVcBusy : Cause::kSwitchStall);
    }
    return wait.reason(last.run->tag, last.left, last.left, Cause::kSerialization);
}

/// Whether it had all that it needs before now, and lost.
std::optional<PacketHistory::Reason> PacketHistory::waited_for_switch(const Wait& wait) {
    const Lane& lane = lanes_[wait.own];
    const Lane& buffer = lanes_[wait.from];
    Cycle ready = wait.since;
    if (lane.at_head && !owns_from_departure_) ready = std::max(ready, lane.granted_in);
    if (lane.at_head && owns_from_departure_) {
        ready = std::max(ready, lane.released_in);
        if (!buffer.popped.empty()) ready = std::max(ready, buffer.popped.back().end);
    }
    ready = std::max(ready, credit(wait.own, 1, wait.now).over);
    ready = std::max(ready, slow_link(wait.own, wait.now).over);
    for (Cycle lost = wait.now; lost > ready; --lost) {
        if (const Run* const winner = winner_before(wait.own, wait.from, lost)) {
            return wait.for_run(*winner, lost - 1, Cause::kSwitchStall);
        }
    }
    if (ready >= wait.now) return std::nullopt;
    return lost_to_nobody(wait, ready);
}

/// It was ready, and lost to no packet that can be identified from outside: its previous reason
/// counts.
PacketHistory::Reason PacketHistory::lost_to_nobody(const Wait& wait, Cycle ready) {
    const Lane& lane = lanes_[wait.own];
    Reason lost;  // when it came to ask is left open, too
    lost.event.channel = lane.channel;
    lost.event.before = lost.event.since = ready;
    lost.event.cause = Cause::kSwitchStall;
    if (!lane.at_head && lane.sent.back().end == ready) {
        lost.because = lane.sent.back().tag;
        return lost;
    }
    Reason earlier = forwarded(wait.own, wait.from, ready);
    earlier.event.cycle = ready;
    earlier.event.message = lane.owner.id;
    lost.because = events_.add(earlier.event, earlier.because);
    return lost;
}

/// Whether an adaptive routing takes this channel only if its buffer is empty.
bool PacketHistory::must_be_empty(std::size_t own, std::size_t from) const {
    const ChannelId channel = lanes_[own].channel;
    const ChannelId source = lanes_[from].channel;
    if (!channels_.is_link(channel)) return false;
    const Link& link = graph_.link(channel);
    RouteQuery query;
    query.at = link.from;
    query.is_injected = channels_.is_injection(source);
    query.in_port = query.is_injected ? graph_.local_port(lanes_[own].owner.source)
                                      : graph_.link(source).to_port;
    query.in_vc = static_cast<std::uint32_t>(from % virtual_channels_);
    query.source = lanes_[own].owner.source;
    query.destination = lanes_[own].owner.destination;
    RouteChoices choices;
    routing_.route(query, choices);
    for (std::size_t i = 0; choices.has_escape() && i < choices.escape(); ++i) {
        if (choices[i].port != link.from_port) continue;
        if ((choices[i].virtual_channels >> own % virtual_channels_ & 1U) != 0) return true;
    }
    return false;
}

/// Whether the flit that this one follows was ejected in the cycle before.
std::optional<PacketHistory::Reason> PacketHistory::waited_for_stream(const Wait& wait) const {
    const Lane& lane = lanes_[wait.own];
    const Cycle now = wait.now;
    const Transfer& transfer = program_.transfers[lane.owner.id];
    if (!transfer.streams || now == 0) return std::nullopt;
    const std::uint64_t flit = lane.at_head ? 0 : lane.sent.count(now) - lane.granted;
    for (ChannelId channel = channels_.first_ejection(); channel < channels_.count(); ++channel) {
        if (channels_.node(channel) != lane.owner.source) continue;
        for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
            const Lane& ejection = lanes_[number(channel, vc)];
            const Run* const run = ejection.sent.at(now - 1);
            if (run == nullptr || now - 1 - run->begin + run->first - run->packet != flit) continue;
            const auto& after = transfer.after;
            if (std::find(after.begin(), after.end(), run->message) == after.end()) continue;
            Reason reason = wait.reason(run->tag, now - 1, now - 1, Cause::kTraversal);
            reason.event.holder = run->message;
            return reason;
        }
    }
    return std::nullopt;
}

/// Whether the packet that begins was ready at its node only now.
std::optional<PacketHistory::Reason> PacketHistory::waited_for_node(const Wait& wait) const {
    if (!lanes_[wait.own].at_head) return std::nullopt;
    if (departures_.departure(wait.channel).ready != wait.now) return std::nullopt;
    return wait.reason(departing_[wait.channel].ready, wait.now, wait.now, Cause::kTraversal);
}

/// Whether the packet before it left its node in the cycle before.
std::optional<PacketHistory::Reason> PacketHistory::waited_for_queue(const Wait& wait) {
    const Lane& lane = lanes_[wait.own];
    const DepartureQueue& queue = departures_.queue(wait.channel);
    if (!lane.at_head || queue.packet_gone != wait.now) return std::nullopt;
    const EventGraph::Handle tail = departed(wait.channel).tail;
    const Cycle before = wait.now - 1;
    const bool is_same = queue.message == lane.owner.id;
    if (is_same) return wait.reason(tail, before, before, Cause::kSerialization);
    const Cycle ready = departures_.departure(wait.channel).ready;
    Reason reason = wait.reason(tail, before, ready, Cause::kSourceQueue);
    reason.event.holder = queue.message;
    return reason;
}

/// Whether the channel of another copy of the same value had no credit before.
std::optional<PacketHistory::Reason> PacketHistory::waited_for_copies(const Wait& wait,
                                                                      std::uint64_t credits) const {
    if (siblings_.empty()) return std::nullopt;
    for (const ChannelId channel : siblings_[lanes_[wait.own].owner.source]) {
        for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
            const std::size_t other = number(channel, vc);
            if (other == wait.own || !lanes_[other].is_owned) continue;
            auto reason = wait.for_last(credit(other, credits, wait.now), Cause::kCreditStall);
            if (!reason) continue;
            reason->event.channel = channel;
            return reason;
        }
    }
    return std::nullopt;
}

/// The packet that used the output, or the input, in the cycle before `now`; null: none did.
const PacketHistory::Run* PacketHistory::winner_before(std::size_t own, std::size_t from,
                                                       Cycle now) const {
    // Of the `count` virtual channels of a channel that share an end of the switch.
    const auto others = [&](std::size_t lane, std::size_t count,
                            FlitRuns<Tag> Lane::*runs) -> const Run* {
        const std::size_t first = lane - lane % virtual_channels_ % count;
        for (std::size_t other = first; other < first + count; ++other) {
            if (other == lane) continue;
            if (const Run* const run = (lanes_[other].*runs).at(now - 1)) return run;
        }
        return nullptr;
    };
    const Run* run = others(own, virtual_channels_, &Lane::sent);
    if (run == nullptr) run = others(from, channels_per_switch_input_, &Lane::popped);
    return run;
}

}  // namespace flitscope
