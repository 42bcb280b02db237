// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/rehearsal/rehearsed_channels.h"

#include <algorithm>

#include "models/config/hardware_config.h"
#include "models/topology/graph.h"

namespace flitscope::synthesis {

RehearsedChannels::RehearsedChannels(const HardwareConfig& config, const Graph& graph,
                                     const Routing& routing, RehearsedNodes& nodes,
                                     EventQueue& events)
    : config_(config),
      graph_(graph),
      routing_(routing),
      nodes_(nodes),
      events_(events),
      map_(graph),
      pace_(config.fabric),
      lane_count_(config.fabric.virtual_channels),
      depth_(config.fabric.buffer_depth) {
    channels_.resize(map_.count());
    lanes_.resize(map_.count() * lane_count_);
    for (Lane& lane : lanes_) lane.room = depth_;
    const ChannelTimings timings(config.fabric);
    for (LinkId l = 0; l < graph.link_count(); ++l) {
        const Link& link = graph.link(l);
        Channel& channel = channels_[map_.link(l)];
        channel.delay = timings.link(link).delay;
        channel.loop = pace_.loop(link);
        channel.rate_cycles = link.rate_cycles;
        channel.to = link.to;
        channel.to_port = link.to_port;
    }
    const bool per_link = graph.has_per_link_endpoints();
    const std::uint32_t ends = per_link ? graph.link_count() : graph.node_count();
    for (std::uint32_t i = 0; i < ends; ++i) {
        Channel& in = channels_[per_link ? map_.injection_of(i) : map_.injection(i)];
        in.delay = timings.injection().delay;
        in.loop = pace_.injection_loop();
        in.to = per_link ? graph.link(i).from : graph.router_of(i);
        in.to_port = per_link ? graph.endpoint_port(graph.link(i).from_port) : graph.local_port(i);
        Channel& out = channels_[per_link ? map_.ejection_of(i) : map_.ejection(i)];
        out.is_ejection = true;
    }
}

void RehearsedChannels::touch(ChannelId channel) {
    if (channels_[channel].is_touched) return;
    channels_[channel].is_touched = true;
    touched_.push_back(channel);
}

std::uint32_t RehearsedChannels::new_worm() {
    if (free_worms_.empty()) {
        worms_.emplace_back();
        return static_cast<std::uint32_t>(worms_.size() - 1);
    }
    const std::uint32_t worm = free_worms_.back();
    free_worms_.pop_back();
    worms_[worm] = Worm();
    return worm;
}

void RehearsedChannels::add(const RehearsedPacket& packet, ChannelId injection) {
    const std::uint32_t worm = new_worm();
    worms_[worm].packet = packet;
    worms_[worm].next.channel = injection;
    channels_[injection].waiting.push_back(worm);
    touch(injection);
}

void RehearsedChannels::arrive(std::uint32_t worm) {
    worms_[worm].has_arrived = true;
    if (lane(worms_[worm].in).fifo.front() == worm) ask(worm);
}

void RehearsedChannels::release(ChannelId channel, std::uint32_t number) {
    Lane& left = lane({channel, number});
    const std::uint32_t worm = left.owner;
    left.owner = kNobody;
    touch(channel);
    const RehearsedPacket packet = worms_[worm].packet;
    const Cycle tail = events_.now() - 1;
    if (left.from.channel != kNoChannel) {
        std::vector<std::uint32_t>& fifo = lane(left.from).fifo;
        fifo.erase(fifo.begin());
        if (!fifo.empty() && worms_[fifo.front()].has_arrived) ask(fifo.front());
    } else {
        nodes_.leave(channel, tail, packet.is_last);
    }
    if (!channels_[channel].is_ejection) return;
    free_worms_.push_back(worm);
    nodes_.arrive(packet.message, tail);
}

/// Its head is in front of a FIFO: it requests the next channel.
void RehearsedChannels::ask(std::uint32_t number) {
    Worm& worm = worms_[number];
    const Channel& from = channels_[worm.in.channel];
    const RouterId at = from.to;
    const NodeId destination = worm.packet.destination;
    worm.input = from.to_port * lane_count_ + worm.in.lane;
    worm.lanes = kAllVirtualChannels;
    if (at == graph_.router_of(destination)) {
        worm.next.channel = graph_.has_per_link_endpoints() ? map_.ejection_of(worm.in.channel)
                                                            : map_.ejection(destination);
    } else {
        const RouteChoice choice = routing_.route(at, destination);
        worm.next.channel = map_.link(graph_.out_link(at, choice.port));
        worm.lanes = choice.virtual_channels;
    }
    channels_[worm.next.channel].waiting.push_back(number);
    touch(worm.next.channel);
}

std::uint64_t RehearsedChannels::settle() {
    std::uint64_t begun = 0;
    // A packet that begins frees room in the channel before it.
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        const ChannelId channel = touched_[i];
        channels_[channel].is_touched = false;
        grant(channel);
        if (begin_granted(channel)) ++begun;
    }
    touched_.clear();
    return begun;
}

/// Virtual channels that are free, each to the first requester from its pointer on.
void RehearsedChannels::grant(ChannelId at) {
    Channel& channel = channels_[at];
    for (std::uint32_t v = 0; v < lane_count_ && !channel.waiting.empty(); ++v) {
        Lane& free = lane({at, v});
        if (free.owner != kNobody) continue;
        std::size_t best = channel.waiting.size();
        std::uint32_t least = 0;
        for (std::size_t i = 0; i < channel.waiting.size(); ++i) {
            const Worm& worm = worms_[channel.waiting[i]];
            if ((worm.lanes >> v & 1) == 0) continue;
            // Inputs before the pointer come after all others.
            const std::uint32_t rank = worm.input >= free.pointer
                                           ? worm.input - free.pointer
                                           : worm.input - free.pointer + (1U << 31);
            if (best != channel.waiting.size() && rank >= least) continue;
            best = i;
            least = rank;
        }
        if (best == channel.waiting.size()) continue;
        const std::uint32_t number = channel.waiting[best];
        channel.waiting.erase(channel.waiting.begin() + static_cast<std::ptrdiff_t>(best));
        free.owner = number;
        free.pointer = worms_[number].input + 1;
        worms_[number].next.lane = v;
        channel.granted.push_back(number);
    }
}

/// One of those that have a virtual channel, if the wire is free and its FIFO has room.
bool RehearsedChannels::begin_granted(ChannelId at) {
    Channel& channel = channels_[at];
    if (channel.wire_free > events_.now()) return false;
    for (std::size_t i = 0; i < channel.granted.size(); ++i) {
        const std::uint32_t number = channel.granted[i];
        const Worm& worm = worms_[number];
        if (!channel.is_ejection && lane(worm.next).room < taken(worm.packet.flits)) continue;
        channel.granted.erase(channel.granted.begin() + static_cast<std::ptrdiff_t>(i));
        begin(number);
        return true;
    }
    return false;
}

/// Slots that a packet has of a FIFO.
std::uint64_t RehearsedChannels::taken(std::uint64_t flits) const {
    return std::min(flits, depth_);
}

/// The head of a worm is sent over the channel that it has.
void RehearsedChannels::begin(std::uint32_t number) {
    const Cycle now = events_.now();
    Worm& worm = worms_[number];
    const std::uint64_t flits = worm.packet.flits;
    const LaneId at = worm.next;
    Channel& channel = channels_[at.channel];
    // If FIFOs are shallow, or the link before is slow, it follows the tail there.
    Cycle after = 1;
    if (worm.in.channel != kNoChannel && channels_[worm.in.channel].rate_cycles > 1) {
        after = channels_[worm.in.channel].delay;
    }
    const Cycle tail = std::max(now + pace_.packet_span(flits, channel.loop, channel.rate_cycles),
                                worm.tail + after);
    worm.tail = tail;
    if (lane_count_ > 1 || channel.rate_cycles > 1) {
        channel.wire_free = now + wire_cycles(flits, channel, tail);
        events_.push(channel.wire_free, Event::Kind::kWire, at.channel);
    }
    lane(at).from = worm.in;
    if (worm.in.channel != kNoChannel) {
        lane(worm.in).room += taken(flits);
        touch(worm.in.channel);
    }
    hold(worm, at, tail);
    if (channel.is_ejection) return;
    lane(at).room -= taken(flits);
    lane(at).fifo.push_back(number);
    worm.in = at;
    worm.has_arrived = false;
    const bool is_stored = config_.fabric.stores_packets() && at.channel < graph_.link_count();
    const Cycle stored = is_stored ? tail - now + config_.fabric.combining_delay : Cycle{0};
    events_.push(now + channel.delay + stored, Event::Kind::kArrival, number);
}

/// For how long no other virtual channel begins.
Cycle RehearsedChannels::wire_cycles(std::uint64_t flits, const Channel& channel,
                                     Cycle tail) const {
    const Cycle of_flit = channel.rate_cycles;
    if (lane_count_ == 1 || depth_ * of_flit >= channel.loop) {
        return tail + of_flit - events_.now();
    }
    // All of them together leave the wire idle, or one packet its share.
    return of_flit * (depth_ * lane_count_ * of_flit <= channel.loop ? taken(flits) : flits);
}

/// The channel, and those before it as long as the rest of the worm has no room in the FIFOs
/// between them and its head.
void RehearsedChannels::hold(Worm& worm, LaneId at, Cycle tail) {
    const Cycle now = events_.now();
    std::vector<Hold>& holds = worm.holds;
    holds.push_back({at, 0});
    for (std::size_t i = 0; i < holds.size(); ++i) {
        // Flits in the FIFOs after it leave the last one at its pace.
        const std::uint64_t slots = (holds.size() - 1 - i) * depth_;
        const Cycle before = slots * channels_[at.channel].rate_cycles;
        holds[i].leaves = std::max({holds[i].leaves, now, tail > before ? tail - before : 0});
    }
    std::size_t known = 0;
    while (known < holds.size() && (channels_[at.channel].is_ejection ||
                                    (holds.size() - known) * depth_ >= worm.packet.flits)) {
        const Hold& done = holds[known++];
        events_.push(done.leaves + 1, Event::Kind::kRelease, done.of.channel, done.of.lane);
    }
    holds.erase(holds.begin(), holds.begin() + static_cast<std::ptrdiff_t>(known));
}

}  // namespace flitscope::synthesis
