// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/direct/message_ways.h"

#include <algorithm>

#include "models/performance/bounds.h"
#include "models/performance/channel_pace.h"
#include "models/performance/idle_latency.h"

namespace flitscope::synthesis {
namespace {

/// Whether others pass between the packets of a message: its node assembles them slower than links
/// carry them, and nothing else keeps them back. Not where there would be too many to count.
bool are_packets_apart(const Task& task, const Config& config, Cycle loop) {
    constexpr std::uint64_t kMostPackets = 3'000'000;
    const Rate rate = config.node.injection_rate;
    const std::uint64_t packets = config.packet_format().packets(task.chunk_bytes(0));
    return packets > 1 && rate.numerator < rate.denominator && config.fabric.buffer_depth >= loop &&
           config.fabric.switching != Switching::kStoreAndForward &&
           packets * task.chunk_count() <= kMostPackets;
}

/// When the head of each packet of a message leaves, counted from that of the first.
std::vector<Cycle> packet_heads(const PacketFormat& format, std::uint64_t bytes, Rate rate) {
    std::vector<Cycle> heads;
    std::uint64_t flits = 0;
    Cycle free = 0;
    for (std::uint32_t packet = 0; packet < format.packets(bytes); ++packet) {
        flits += format.flits(bytes, packet);
        heads.push_back(std::max(free, assembly_cycles(flits, rate)));
        free = heads.back() + format.flits(bytes, packet);
    }
    const Cycle first = heads.front();
    for (Cycle& head : heads) head -= first;
    return heads;
}

}  // namespace

MessageWays::MessageWays(const Task& task, const Config& config, const Graph& graph,
                         const Routing& routing) {
    const PacketFormat format = config.packet_format();
    const FabricConfig& fabric = config.fabric;
    const ChannelMap channels(graph);
    const ChannelPace pace(fabric);
    // Chunks differ by a byte at most, the first one is the longest: all are planned like it.
    const std::uint64_t flits = format.message_flits(task.chunk_bytes(0));
    const std::uint64_t packet = format.flits(task.chunk_bytes(0), 0);
    // A packet is assembled before its head leaves, at full rate on its way.
    const Rate rate = config.node.injection_rate;
    const Cycle assembly =
        rate.numerator < rate.denominator ? assembly_cycles(packet, rate) : Cycle{0};
    // Beside its delay, of every link but the first.
    const Cycle store = IdleMessage(config).storing(flits);
    const Cycle depth = fabric.buffer_depth;
    const Cycle assembled = assembly_cycles(flits, rate);
    least_busy_.assign(channels.count(), kNever);
    first_.reserve(task.chunk_count() + 1);
    first_.push_back(0);
    // What a channel is kept for at a time, and from when on, counted from the first head.
    const std::vector<Cycle> whole{0};
    std::vector<Cycle> heads;
    for (std::uint64_t chunk = 0; chunk < task.chunk_count(); ++chunk) {
        const NodeId from = task.origin(chunk);
        const NodeId to = task.destination(chunk);
        const std::vector<LinkId> route = route_links(graph, routing, from, to);
        // Where a FIFO on its path is shallow, a message goes at the pace of that one.
        Cycle loop = pace.injection_loop();
        for (const LinkId link : route) loop = std::max<Cycle>(loop, pace.loop(graph.link(link)));
        const bool are_apart = are_packets_apart(task, config, loop);
        if (are_apart && heads.empty()) heads = packet_heads(format, task.chunk_bytes(0), rate);
        const std::vector<Cycle>& parts = are_apart ? heads : whole;
        Cycle busy = pace.packet_span(flits, loop) + 1;
        // Several packets follow each other as they are assembled, or as they have been stored.
        if (packet != flits) {
            if (depth < loop) busy = (flits + depth - 1) / depth * loop;
            busy = std::max(busy, assembled) + store;
        }
        // From the first head to the end, in a channel.
        const Cycle last =
            are_apart ? heads.back() + format.flits(task.chunk_bytes(0),
                                                    static_cast<std::uint32_t>(heads.size() - 1))
                      : busy;
        // The next message begins when slots have come back.
        const auto stay = [&](Cycle loop_of_channel) {
            const bool is_counted = packet != flits;  // in what its packets take
            return is_counted || loop_of_channel <= depth ? busy : busy + loop_of_channel - depth;
        };
        const Cycle at_source =
            config.node.serial_startup
                ? config.node.send_startup + std::max(stay(pace.injection_loop()), assembled)
                : std::max(stay(pace.injection_loop()), source_cycles(config, flits));
        Cycle cycles = config.node.send_startup + assembly;
        use(channels.injection(from), cycles, at_source);
        cycles += fabric.router_delay;
        bool is_first = true;
        for (const LinkId link : route) {
            if (!is_first) cycles += store;
            is_first = false;
            const Cycle kept = are_apart ? packet : stay(pace.loop(graph.link(link)));
            for (const Cycle part : parts) use(channels.link(link), cycles + part, kept);
            cycles += fabric.router_delay + graph.link(link).delay;
        }
        for (const Cycle part : parts) {
            use(channels.ejection(to), cycles + part, are_apart ? packet : busy);
        }
        durations_.push_back(cycles + last);
        first_.push_back(uses_.size());
    }
    least_end_ = find_least_end();
}

void MessageWays::use(ChannelId channel, Cycle offset, Cycle busy) {
    const auto known = std::find(lengths_.begin(), lengths_.end(), busy);
    const auto stay = static_cast<std::uint32_t>(known - lengths_.begin());
    if (known == lengths_.end()) lengths_.push_back(busy);
    uses_.push_back({channel, stay, offset});
    least_busy_[channel] = std::min(least_busy_[channel], busy);
}

Cycle MessageWays::find_least_end() const {
    struct Load {
        Cycle cycles = 0;
        Cycle before = kNever;  ///< the least that a message needs to the channel
        /// From its end there to its delivery: less than nothing where it keeps the channel for
        /// slots that have to come back.
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
