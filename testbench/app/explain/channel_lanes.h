// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The virtual channels of a fabric with the buffers that they lead to, updated by the events of
// channels: what went over them lately, and when a place in a buffer became usable again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/config/config.h"
#include "models/fabric/channel_timing.h"
#include "models/topology/graph.h"
#include "testbench/app/explain/channel_history.h"

namespace flitscope {

/// A virtual channel and the buffer that it leads to; observers of a run derive from it to add
/// more.
template <class RunTag>
struct BasicLane {
    using Tag = RunTag;
    using Runs = BasicFlitRuns<Tag>;

    Runs sent;                  ///< over the virtual channel
    Runs popped;                ///< from its buffer
    ChannelTiming timing;       ///< timing of its channel
    ChannelId channel = 0;      ///< its channel
    std::uint32_t popping = 0;  ///< the lane whose buffer its flits come from
    std::uint64_t granted = 0;  ///< flits sent before the packet at hand
    std::uint64_t flits = 0;    ///< flits of the packet at hand, known once it moves
    bool at_head = false;       ///< the packet at hand has not begun to move
};

/// The virtual channels of all channels, each a `Lane` derived from BasicLane.
template <class Lane>
class ChannelLanes {
public:
    using Tag = typename Lane::Tag;
    using Run = typename Lane::Runs::Run;

    ChannelLanes(const FabricConfig& fabric, const Graph& graph)
        : virtual_channels_(fabric.virtual_channels) {
        const ChannelTimings timings(fabric);
        const ChannelId channels = ChannelMap(graph).count();
        lanes_.resize(std::size_t{channels} * virtual_channels_);
        for (ChannelId channel = 0; channel < channels; ++channel) {
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
    Lane& operator[](std::size_t lane) { return lanes_[lane]; }
    const Lane& operator[](std::size_t lane) const { return lanes_[lane]; }
    std::uint32_t virtual_channels() const { return virtual_channels_; }
    std::size_t size() const { return lanes_.size(); }

    /// Flits of `message` begin to leave over lane `own`, out of the buffer of lane `from`. If both
    /// are of the same channel, they come from the node.
    void begin(std::size_t own, std::size_t from, Cycle cycle, const Tag& tag, MessageId message) {
        Lane& lane = lanes_[own];
        Run& run = lane.sent.start(cycle, tag, message);
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
        const std::uint64_t popped = buffer.popped.start(cycle, tag, message).first;
        buffer.sent.forget_before(popped);
    }
    /// Flits stop leaving over lane `own` before `cycle`: they pause, or the last one has left.
    void end(std::size_t own, Cycle cycle) {
        Lane& lane = lanes_[own];
        const Cycle begin = lane.sent.back().begin;
        lane.sent.stop_last(cycle);
        Lane& buffer = lanes_[lane.popping];
        if (buffer.channel != lane.channel) buffer.popped.stop(begin, cycle);
    }

    /// A credit: the flit whose departure gave it, and when.
    struct Credit {
        const Run* run = nullptr;  ///< whose flit made room; null: there always was some, or nobody
                                   ///< knows any more
        Cycle popped = 0;          ///< cycle in which that flit left
        Cycle usable = 0;          ///< first cycle in which the credit can be used
    };
    Credit credit(std::size_t own, std::uint64_t credits, Cycle now) const {
        const Lane& lane = lanes_[own];
        const ChannelTiming& timing = lane.timing;
        const std::uint64_t flit = lane.sent.count(now) + credits - 1;
        if (!timing.has_fifo() || flit < timing.depth) return {};
        const Run* const run = lane.popped.of_flit(flit - timing.depth, now);
        if (run == nullptr) return {};
        const Cycle popped = run->when(flit - timing.depth);
        return {run, popped, popped + timing.credit_delay};
    }

private:
    std::uint32_t virtual_channels_;
    std::vector<Lane> lanes_;
};

}  // namespace flitscope
