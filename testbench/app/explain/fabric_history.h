// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The history of a fabric of packets, as far back as later flits may have to wait for it: the flits
// that passed its virtual channels and left the buffers that they lead to, the holders of these and
// since when, and the activities of the interfaces of nodes. So one place records events and finds
// what is in the way of a flit. PacketHistory interprets that for the critical path of a program,
// DelayRecorder for the latency of packets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/config/hardware_config.h"
#include "models/fabric/channel_timing.h"
#include "models/fabric/message.h"
#include "models/fabric/observers.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"
#include "testbench/app/explain/channel_history.h"
#include "testbench/app/explain/departures.h"

namespace flitscope {

/// `RunTag`: data about flits that leave in consecutive cycles.
template <class RunTag>
class FabricHistory : public ChannelObserver, public PacketObserver {
public:
    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message, Cycle cycle) final {
        Lane& lane = lanes_[number(channel, vc)];
        if (lane.granted_in != kNever) lane.previous = lane.owner.id;
        lane.owner = message;
        lane.granted = lane.sent.count(cycle);
        lane.granted_in = cycle;
        lane.is_owned = lane.at_head = true;
        if (channels_.is_injection(channel)) take_up(channel, message);
    }
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) final {
        const std::size_t own = number(channel, vc);
        const std::size_t from = number(popped, popped_vc);
        Lane& lane = lanes_[own];
        if (popped == channel) {
            if (lane.at_head) lane.flits = departures_.flits(channel, lane.owner);
            begin(own, from, cycle, inject(own, cycle));
            return;
        }
        const Lane& buffer = lanes_[from];
        const std::uint64_t flit = buffer.popped.count(cycle);
        const Run* const came = buffer.sent.of_flit(flit, cycle);
        if (came != nullptr) lane.flits = came->packet_flits;
        begin(own, from, cycle, forward(own, from, flit, came, cycle));
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) final {
        Lane& lane = lanes_[number(channel, vc)];
        const Cycle begin = lane.sent.back().begin;
        lane.sent.stop_last(cycle);
        Lane& buffer = lanes_[lane.popping];
        if (buffer.channel != lane.channel) buffer.popped.stop(begin, cycle);
    }
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) final {
        Lane& lane = lanes_[number(channel, vc)];
        lane.released_in = cycle;
        lane.is_owned = false;
        if (channels_.is_injection(channel)) {
            departures_.leave(channel, lane.owner, cycle);
            left(lane, cycle);
        }
        if (channels_.is_ejection(channel)) arrived(lane, cycle);
    }

    /// Call once the run has ended: packets that were reported as delivered, but whose end their
    /// channels have not reported, ended in the last of `end` cycles.
    void finish(Cycle end) {
        for (ChannelId channel = channels_.first_ejection(); channel < channels_.count();
             ++channel) {
            for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
                const Lane& lane = lanes_[number(channel, vc)];
                if (!lane.is_owned || lane.at_head || !is_told(lane)) continue;
                on_send_end(channel, vc, end);
                on_release(channel, vc, end);
            }
        }
    }

protected:
    using Tag = RunTag;
    using Run = FlitRun<Tag>;
    /// A virtual channel and the buffer that it leads to.
    struct Lane {
        FlitRuns<Tag> sent;         ///< over the virtual channel
        FlitRuns<Tag> popped;       ///< from its buffer
        ChannelTiming timing;       ///< timing of its channel
        ChannelId channel = 0;      ///< its channel
        std::uint32_t popping = 0;  ///< the lane whose buffer its flits come from
        std::uint64_t granted = 0;  ///< flits sent before the packet at hand
        std::uint64_t flits = 0;    ///< flits of the packet at hand, known once it moves
        Cycle granted_in = kNever;  ///< the packet at hand was given it in this cycle,
        Cycle released_in = 0;      ///< and this one does not hold it before the one before it
        bool is_owned = false;
        bool at_head = false;             ///< the packet at hand has not begun to move
        Message owner;                    ///< whose packet is at hand, or was the last one
        MessageId previous = kNoMessage;  ///< whose packet had it before
    };
    /// The obstacle in the way of a flit.
    struct Obstacle {
        const Run* run = nullptr;  ///< whose flit had to leave first; null: none, or no longer
                                   ///< known
        Cycle left = 0;            ///< when that flit did,
        Cycle over = 0;            ///< and the first cycle in which it was no longer in the way
    };

    /// Both must outlive the history.
    FabricHistory(const HardwareConfig& config, const Graph& graph)
        : channels_(graph),
          virtual_channels_(config.fabric.virtual_channels),
          has_packet_credits_(config.fabric.has_packet_flow_control()),
          departures_(config, graph),
          stores_(config.fabric.stores_packets()),
          combining_delay_(config.fabric.combining_delay) {
        const ChannelTimings timings(config.fabric);
        lanes_.resize(std::size_t{channels_.count()} * virtual_channels_);
        for (ChannelId channel = 0; channel < channels_.count(); ++channel) {
            const ChannelTiming timing = timings.of(graph, channel);
            for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
                lanes_[number(channel, vc)].timing = timing;
                lanes_[number(channel, vc)].channel = channel;
            }
        }
    }

    std::size_t number(ChannelId channel, std::uint32_t vc) const {
        return static_cast<std::size_t>(channel) * virtual_channels_ + vc;
    }

    // The possible obstacles of a flit that is to go over lane `own`, one after the other. For a
    // head, which came to lane `from` as flit `flit` with the run `came`:

    /// The rest of its packet, if packets are stored.
    Obstacle stored(std::size_t own, std::size_t from, const Run& came, Cycle now) const {
        const Lane& buffer = lanes_[from];
        const bool is_stored = stores_ && !channels_.is_injection(buffer.channel) &&
                               !channels_.is_ejection(lanes_[own].channel);
        if (!is_stored) return {};
        const std::uint64_t last = came.packet + came.packet_flits - 1;
        return obstacle(buffer.sent, last, now, buffer.timing.delay + combining_delay_);
    }
    /// The packet in front of it in the buffer.
    Obstacle in_front(std::size_t from, std::uint64_t flit, Cycle now) const {
        return flit == 0 ? Obstacle() : obstacle(lanes_[from].popped, flit - 1, now, 1);
    }
    /// The packet that had the virtual channel before.
    Obstacle held(std::size_t own) const {
        const Lane& lane = lanes_[own];
        if (lane.sent.empty()) return {};
        const Cycle over = std::min(lane.released_in, lane.granted_in);
        return {&lane.sent.back(), over - 1, over};
    }
    /// For any flit: a full buffer downstream of the channel, for it and `credits` - 1 more.
    Obstacle credit(std::size_t own, std::uint64_t credits, Cycle now) const {
        if (was_never_full(own, credits, now)) return {};
        const Lane& lane = lanes_[own];
        const std::uint64_t flit = lane.sent.count(now) + credits - 1;
        return obstacle(lane.popped, flit - lane.timing.depth, now, lane.timing.credit_delay);
    }
    /// Whether that buffer had the credits from the start.
    bool was_never_full(std::size_t own, std::uint64_t credits, Cycle now) const {
        const Lane& lane = lanes_[own];
        return !lane.timing.has_fifo() || lane.sent.count(now) + credits <= lane.timing.depth;
    }

    /// The flit, of whatever virtual channel, that a slow link took before.
    Obstacle slow_link(std::size_t own, Cycle now) const {
        const Lane& lane = lanes_[own];
        if (lane.timing.rate_cycles == 1) return {};
        Obstacle last;
        const std::size_t first = number(lane.channel, 0);
        for (std::size_t id = first; id < first + virtual_channels_; ++id) {
            const std::uint64_t sent = lanes_[id].sent.count(now);
            if (sent == 0) continue;
            const Obstacle before =
                obstacle(lanes_[id].sent, sent - 1, now, lane.timing.rate_cycles);
            if (before.over > last.over) last = before;
        }
        return last;
    }

    ChannelMap channels_;
    std::uint32_t virtual_channels_;
    bool has_packet_credits_;  // heads need credits for the whole packet
    std::vector<Lane> lanes_;
    Departures departures_;

private:
    // Interpretation:

    /// A packet of `message` is next: departures_ is to be notified.
    virtual void take_up(ChannelId injection, const Message& message) = 0;
    /// Flits begin to leave a node over lane `own`: returns what is to be known of them.
    virtual Tag inject(std::size_t own, Cycle now) = 0;
    /// The same out of the buffer of lane `from`, `flit` of it first, which came there with the run
    /// `came`; null: unknown how.
    virtual Tag forward(std::size_t own, std::size_t from, std::uint64_t flit, const Run* came,
                        Cycle now) = 0;
    /// The last flit of a packet has left its node before `cycle`,
    virtual void left(const Lane& /*injection*/, Cycle /*cycle*/) {}
    /// or the network.
    virtual void arrived(const Lane& ejection, Cycle cycle) = 0;
    /// Whether on_packet() has reported the end of the packet that is on this lane.
    virtual bool is_told(const Lane& ejection) = 0;

    static Obstacle obstacle(const FlitRuns<Tag>& runs, std::uint64_t flit, Cycle now,
                             Cycle delay) {
        const Run* const run = runs.of_flit(flit, now);
        if (run == nullptr) return {};
        const Cycle left = run->when(flit);
        return {run, left, left + delay};
    }
    void begin(std::size_t own, std::size_t from, Cycle cycle, const Tag& tag) {
        Lane& lane = lanes_[own];
        Run& run = lane.sent.start(cycle, tag, lane.owner.id);
        run.packet = lane.granted;
        run.packet_flits = lane.flits;
        lane.popping = static_cast<std::uint32_t>(from);
        lane.at_head = false;
        const std::uint64_t sent = run.first;
        const std::uint32_t depth = lane.timing.depth;
        if (depth == 0) {
            lane.sent.forget_before(sent);
        } else if (sent > depth) {
            lane.popped.forget_before(sent - depth);
        }
        Lane& buffer = lanes_[from];
        if (buffer.channel == lane.channel) return;
        const std::uint64_t popped = buffer.popped.start(cycle, tag, lane.owner.id).first;
        buffer.sent.forget_before(popped);
    }

    bool stores_;
    Cycle combining_delay_;
};

}  // namespace flitscope
