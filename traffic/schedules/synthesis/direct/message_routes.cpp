// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/direct/message_routes.h"

#include <algorithm>

#include "models/config/hardware_config.h"
#include "models/fabric/channel_timing.h"
#include "models/performance/bounds.h"
#include "models/performance/channel_pace.h"
#include "models/performance/zero_load_paths.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"

namespace flitscope::synthesis {
namespace {

/// The message that all are planned like: chunks differ by at most a byte, and the first one is the
/// longest.
class LongestMessage {
public:
    LongestMessage(const Task& task, const HardwareConfig& config)
        : config_(config),
          bytes_(task.chunk_bytes(0)),
          format_(config.packet_format()),
          flits_(format_.message_flits(bytes_)),
          packet_(format_.flits(bytes_, 0)),
          assembled_(assembly_cycles(flits_, config.node.injection_bandwidth)),
          idle_(config),
          pace_(config.fabric) {
        if (may_let_others_pass(task.chunk_count())) heads_ = packet_heads();
    }

    /// Cycles from the start of the send until the first head leaves: a packet is assembled before
    /// that, at full rate on its way.
    Cycle first_head() const {
        const Rate rate = config_.node.injection_bandwidth;
        const Cycle assembly = rate.is_slow() ? assembly_cycles(packet_, rate) : Cycle{0};
        return config_.node.send_overhead + assembly;
    }
    /// Storing time in the router after a link, in addition to its delay.
    Cycle storing(const Link& link) const { return idle_.storing(flits_, link.rate_cycles); }
    std::uint64_t packet_flits() const { return packet_; }

    /// Whether others pass between its packets, and only its node delays them.
    bool are_packets_apart(const ZeroLoadPath& path) const {
        return !heads_.empty() && path.rate_cycles == 1 && config_.fabric.buffer_depth >= path.loop;
    }
    /// When the head of each packet leaves, counted from that of the first, if they are apart.
    const std::vector<Cycle>& heads() const { return heads_; }
    /// Cycles from the first head to the last tail, in a channel, if they are apart.
    Cycle apart() const {
        return heads_.back() + format_.flits(bytes_, static_cast<std::uint32_t>(heads_.size() - 1));
    }

    /// Cycles from the first head to the end, in a channel of such a path: if a FIFO on it is
    /// shallow, or a link slow, a message moves at the pace of that one.
    Cycle passing(const ZeroLoadPath& path) const {
        if (is_one_packet()) return pace_.packet_span(flits_, path.loop, path.rate_cycles) + 1;
        // Several packets follow each other as they are assembled, or as they have been stored.
        const Cycle depth = config_.fabric.buffer_depth;
        const Cycle flowing = depth * path.rate_cycles < path.loop
                                  ? (flits_ + depth - 1) / depth * path.loop
                                  : pace_.packet_span(flits_, path.loop, path.rate_cycles) + 1;
        return std::max(flowing, assembled_) + idle_.storing(flits_, path.rate_cycles);
    }
    /// Cycles until the next message begins on a link.
    Cycle stay(Cycle passing, const Link& link) const {
        return stay(passing, pace_.loop(link)) + (link.rate_cycles - 1);
    }
    /// Cycles until its node begins the next one.
    Cycle stay_at_source(Cycle passing) const {
        const Cycle stays = stay(passing, pace_.injection_loop());
        if (config_.node.serialize_overhead) {
            return config_.node.send_overhead + std::max(stays, assembled_);
        }
        return std::max(stays, source_cycles(config_, flits_));
    }

private:
    bool is_one_packet() const { return packet_ == flits_; }
    /// The next message begins when slots of the channel have come back, which is included in the
    /// time of several packets.
    Cycle stay(Cycle passing, Cycle loop_of_channel) const {
        const Cycle depth = config_.fabric.buffer_depth;
        const bool is_back = !is_one_packet() || loop_of_channel <= depth;
        return is_back ? passing : passing + loop_of_channel - depth;
    }
    /// On a path with deep enough FIFOs. Not if there would be too many to count.
    bool may_let_others_pass(std::uint64_t messages) const {
        constexpr std::uint64_t kMostPackets = 3'000'000;
        return !is_one_packet() && config_.node.injection_bandwidth.is_slow() &&
               config_.fabric.switching != Switching::kStoreAndForward &&
               format_.packets(bytes_) * messages <= kMostPackets;
    }
    std::vector<Cycle> packet_heads() const {
        std::vector<Cycle> heads;
        std::uint64_t flits = 0;
        Cycle free = 0;
        for (std::uint32_t packet = 0; packet < format_.packets(bytes_); ++packet) {
            flits += format_.flits(bytes_, packet);
            heads.push_back(
                std::max(free, assembly_cycles(flits, config_.node.injection_bandwidth)));
            free = heads.back() + format_.flits(bytes_, packet);
        }
        const Cycle first = heads.front();
        for (Cycle& head : heads) head -= first;
        return heads;
    }

    const HardwareConfig& config_;
    std::uint64_t bytes_;
    PacketFormat format_;
    std::uint64_t flits_;
    std::uint64_t packet_;  ///< flits of the first and longest packet
    Cycle assembled_;       ///< all of them by the node
    ZeroLoadMessage idle_;
    ChannelPace pace_;
    std::vector<Cycle> heads_;  ///< empty if no message can pass between packets
};

}  // namespace

MessageRoutes::MessageRoutes(const Task& task, const HardwareConfig& config, const Graph& graph,
                             const Routing& routing) {
    const LongestMessage message(task, config);
    const ChannelMap channels(graph);
    const ChannelTimings timings(config.fabric);
    ZeroLoadPaths paths(config, graph, routing);
    const Cycle router_delay = config.fabric.router_delay;
    const std::vector<Cycle> whole{0};
    least_busy_.assign(channels.count(), kNever);
    first_.reserve(task.chunk_count() + 1);
    first_.push_back(0);
    for (std::uint64_t chunk = 0; chunk < task.chunk_count(); ++chunk) {
        const NodeId from = task.origin(chunk);
        const NodeId to = task.destination(chunk);
        const std::vector<LinkId> route = route_links(graph, routing, from, to);
        const ZeroLoadPath path = paths.path(from, to);
        const bool are_apart = message.are_packets_apart(path);
        const Cycle passing = message.passing(path);
        const auto occupy = [&](ChannelId channel, Cycle at, Cycle stay) {
            for (const Cycle part : are_apart ? message.heads() : whole) {
                use(channel, at + part, are_apart ? message.packet_flits() : stay);
            }
        };
        Cycle cycles = message.first_head();
        use(channels.injection(from), cycles, message.stay_at_source(passing));
        cycles += router_delay;
        for (std::size_t i = 0; i < route.size(); ++i) {
            const Link& link = graph.link(route[i]);
            occupy(channels.link(route[i]), cycles, message.stay(passing, link));
            cycles += timings.link(link).delay;
            if (i + 1 != route.size()) cycles += message.storing(link);
        }
        occupy(channels.ejection(to), cycles, passing);
        durations_.push_back(cycles + (are_apart ? message.apart() : passing));
        first_.push_back(uses_.size());
    }
    least_end_ = find_least_end();
}

void MessageRoutes::use(ChannelId channel, Cycle offset, Cycle busy) {
    const auto known = std::find(lengths_.begin(), lengths_.end(), busy);
    const auto stay = static_cast<std::uint32_t>(known - lengths_.begin());
    if (known == lengths_.end()) lengths_.push_back(busy);
    uses_.push_back({channel, stay, offset});
    least_busy_[channel] = std::min(least_busy_[channel], busy);
}

Cycle MessageRoutes::find_least_end() const {
    struct Load {
        Cycle cycles = 0;
        Cycle before = kNever;  ///< the least that a message needs to the channel
        /// From its end there to its delivery: negative if it keeps the channel for slots that have
        /// to come back.
        std::int64_t behind = INT64_MAX;
    };
    std::vector<Load> loads(channels());
    Cycle least = 0;
    for (std::size_t m = 0; m < messages(); ++m) {
        least = std::max(least, duration(m));
        for (const Use& use : of(m)) {
            Load& load = loads[use.channel];
            load.cycles += busy(use);
            load.before = std::min(load.before, use.offset);
            const Cycle left = use.offset + busy(use);
            load.behind = std::min(load.behind, static_cast<std::int64_t>(duration(m)) -
                                                    static_cast<std::int64_t>(left));
        }
    }
    for (const Load& load : loads) {
        if (load.cycles == 0) continue;
        const auto end = static_cast<std::int64_t>(load.before + load.cycles) + load.behind;
        least = std::max(least, static_cast<Cycle>(std::max<std::int64_t>(end, 0)));
    }
    return least;
}

}  // namespace flitscope::synthesis
