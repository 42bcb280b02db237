// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/channel_timing.h"

#include <algorithm>

#include "models/base/types.h"
#include "models/config/fabric_config.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

ChannelTimings::ChannelTimings(const FabricConfig& fabric)
    : router_delay(fabric.router_delay),
      buffer_depth(fabric.switches_circuits() ? 0 : fabric.buffer_depth),
      valid_ready(fabric.has_valid_ready_links()) {}

/// With valid and ready: a wire of so many cycles, the last of which ends in the FIFO.
ChannelTiming ChannelTimings::sliced(std::uint32_t cycles) const {
    ChannelTiming timing;
    timing.slices = cycles - 1;
    timing.depth = buffer_depth + timing.slice_places();
    timing.delay = timing.credit_delay = cycles;
    return timing;
}

ChannelTiming ChannelTimings::link(const Link& link) const {
    if (valid_ready) return sliced(router_delay + link.delay - 1);
    // The receiver has a flit when all of its parts have arrived.
    const std::uint32_t delay = router_delay + link.delay + (link.rate_cycles - 1);
    return {buffer_depth, delay, link.delay, link.rate_cycles};
}

ChannelTiming ChannelTimings::injection() const {
    if (valid_ready) return sliced(router_delay);
    return {buffer_depth, router_delay, 1};
}

ChannelTiming ChannelTimings::of(const Graph& graph, ChannelId channel) const {
    const ChannelMap map(graph);
    if (map.is_link(channel)) return link(graph.link(map.link_of(channel)));
    return map.is_injection(channel) ? injection() : ejection();
}

std::uint32_t ChannelTimings::most_depth(const Graph& graph) const {
    std::uint32_t depth = injection().depth;
    for (const Link& some : graph.links()) depth = std::max(depth, link(some).depth);
    return depth;
}

std::uint32_t ChannelTimings::streaming_depth(const Graph& graph) const {
    std::uint32_t depth = injection().streaming_depth();
    for (const Link& some : graph.links()) {
        depth = std::max(depth, link(some).streaming_depth());
    }
    return depth;
}

}  // namespace flitscope
