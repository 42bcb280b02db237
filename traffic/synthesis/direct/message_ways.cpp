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
    // Where FIFOs are shallow the next message begins in slots that have come back.
    std::uint32_t loop = pace.injection_loop();
    for (const Link& link : graph.links()) loop = std::max(loop, pace.loop(link));
    const Cycle depth = fabric.buffer_depth;
    Cycle busy = depth >= loop ? flits : (flits + depth - 1) / depth * loop;
    // Several packets follow each other as they are assembled, or as they have been stored.
    if (packet != flits) busy = std::max(busy, assembly_cycles(flits, rate)) + store;
    const Cycle at_source =
        config.node.serial_startup
            ? config.node.send_startup + std::max(busy, assembly_cycles(flits, rate))
            : std::max(busy, source_cycles(config, flits));
    // What a channel is kept for at a time, and from when on, counted from the first head.
    std::vector<Cycle> parts{0};
    Cycle last = busy;  // from the first head to the end, in a channel
    if (are_packets_apart(task, config, loop)) {
        busy = packet;
        parts = packet_heads(format, task.chunk_bytes(0), rate);
        last = parts.back() +
               format.flits(task.chunk_bytes(0), static_cast<std::uint32_t>(parts.size() - 1));
    }
    busy_.assign(channels.count(), busy);
    first_.reserve(task.chunk_count() + 1);
    first_.push_back(0);
    for (std::uint64_t chunk = 0; chunk < task.chunk_count(); ++chunk) {
        const NodeId from = task.origin(chunk);
        const NodeId to = task.destination(chunk);
        const ChannelId injection = channels.injection(from);
        busy_[injection] = at_source;
        Cycle cycles = config.node.send_startup + assembly;
        uses_.push_back({injection, cycles});
        cycles += fabric.router_delay;
        bool is_first = true;
        for (const LinkId link : route_links(graph, routing, from, to)) {
            if (!is_first) cycles += store;
            is_first = false;
            for (const Cycle part : parts) uses_.push_back({channels.link(link), cycles + part});
            cycles += fabric.router_delay + graph.link(link).delay;
        }
        for (const Cycle part : parts) uses_.push_back({channels.ejection(to), cycles + part});
        durations_.push_back(cycles + last);
        first_.push_back(uses_.size());
    }
    least_end_ = find_least_end();
}

Cycle MessageWays::find_least_end() const {
    struct Load {
        Cycle cycles = 0;
        Cycle before = kNever;  ///< the least that a message needs to the channel
        Cycle behind = kNever;  ///< and from when it has left the channel
    };
    std::vector<Load> loads(channels());
    Cycle least = 0;
    for (std::size_t m = 0; m < messages(); ++m) {
        least = std::max(least, duration(m));
        for (const Use& use : of(m)) {
            Load& load = loads[use.channel];
            load.cycles += busy_[use.channel];
            load.before = std::min(load.before, use.offset);
            const Cycle left = use.offset + busy_[use.channel];
            load.behind = std::min(load.behind, duration(m) > left ? duration(m) - left : 0);
        }
    }
    for (const Load& load : loads) {
        if (load.cycles != 0) least = std::max(least, load.before + load.cycles + load.behind);
    }
    return least;
}

}  // namespace flitscope::synthesis
