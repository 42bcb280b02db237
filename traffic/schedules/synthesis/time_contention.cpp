// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/time_contention.h"

#include <algorithm>

#include "models/config/hardware_config.h"
#include "models/fabric/channel_timing.h"
#include "models/topology/graph.h"

namespace flitscope::synthesis {

std::uint64_t most_at_a_time(const std::vector<Stay>& stays) {
    std::vector<std::pair<std::uint64_t, int>> changes;
    for (const Stay& stay : stays) {
        changes.emplace_back(stay.first, 1);
        changes.emplace_back(stay.second, -1);
    }
    std::sort(changes.begin(), changes.end());  // at one time those that leave first
    std::uint64_t most = 0;
    std::uint64_t now = 0;
    for (const auto& [time, change] : changes) {
        now += static_cast<std::uint64_t>(static_cast<std::int64_t>(change));
        most = std::max(most, now);
    }
    return most;
}

TimeContention::TimeContention(const HardwareConfig& config, const Graph& graph,
                               const Routing& routing)
    : config_(config),
      graph_(graph),
      paths_(config, graph, routing),
      links_(graph.link_count()),
      sends_(graph.has_per_link_endpoints() ? graph.link_count() : graph.node_count()),
      receives_(sends_.size()) {}

/// In the injection channel, counted from the start of the send.
std::vector<Stay> TimeContention::stays(const ZeroLoadPath& path, std::uint64_t bytes) const {
    const PacketFormat format = config_.packet_format();
    const Rate rate = config_.node.injection_bandwidth;
    const bool is_slow = rate.is_slow();
    const Cycle startup = config_.node.send_overhead;
    const std::uint32_t packets = format.packets(bytes);
    const bool has_gaps = is_slow && packets > 1 && path.rate_cycles == 1 &&
                          config_.fabric.buffer_depth >= path.loop &&
                          config_.fabric.switching != Switching::kStoreAndForward;
    if (!has_gaps) {
        const Cycle first =
            startup + (is_slow ? assembly_cycles(format.flits(bytes, 0), rate) : Cycle{0});
        const ZeroLoadMessage message(config_);
        return {{first,
                 message.passed(format.message_flits(bytes), path.loop, 0, path.rate_cycles) + 1}};
    }
    std::vector<Stay> stays;
    std::uint64_t flits = 0;
    for (std::uint32_t packet = 0; packet < packets; ++packet) {
        const std::uint64_t of_packet = format.flits(bytes, packet);
        flits += of_packet;
        Cycle head = startup + assembly_cycles(flits, rate);
        if (!stays.empty()) head = std::max(head, stays.back().second);
        stays.emplace_back(head, head + of_packet);
    }
    return stays;
}

void TimeContention::add(NodeId from, NodeId to, const std::vector<LinkId>& route,
                         std::uint64_t bytes, Cycle begin) {
    const ZeroLoadMessage idle(config_);
    const std::uint64_t flits = config_.packet_format().message_flits(bytes);
    const bool is_per_link = graph_.has_per_link_endpoints() && !route.empty();
    const LinkId first = is_per_link ? route.front() : kNoLink;
    const std::vector<Stay> message = stays(paths_.path(from, to, first), bytes);
    const auto stay = [&](std::vector<Stay>& channel, std::uint32_t rate_cycles = 1) {
        for (const Stay& s : message) {
            channel.emplace_back(begin + s.first, begin + s.second + rate_cycles - 1);
        }
    };
    stay(sends_[is_per_link ? route.front() : from]);
    const ChannelTimings timings(config_.fabric);
    begin += timings.injection().delay;
    for (const LinkId id : route) {
        const Link& link = graph_.link(id);
        stay(links_[id], link.rate_cycles);
        begin += timings.link(link).delay;
        if (id != route.back()) begin += idle.storing(flits, link.rate_cycles);
    }
    stay(receives_[is_per_link ? route.back() : to]);
}

RoundContention TimeContention::most() const {
    return {most_of(links_), most_of(sends_), most_of(receives_)};
}

std::uint64_t TimeContention::most_of(const std::vector<std::vector<Stay>>& channels) {
    std::uint64_t most = 0;
    for (const std::vector<Stay>& stays : channels) most = std::max(most, most_at_a_time(stays));
    return most;
}

}  // namespace flitscope::synthesis
