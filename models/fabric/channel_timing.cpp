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
      buffer_depth(fabric.switches_circuits() ? 0 : fabric.buffer_depth) {}

ChannelTiming ChannelTimings::link(const Link& link) const {
    // The receiver has a flit when all of its parts have arrived.
    const std::uint32_t delay = router_delay + link.delay + (link.rate_cycles - 1);
    return {buffer_depth, delay, link.delay, link.rate_cycles};
}

ChannelTiming ChannelTimings::of(const Graph& graph, ChannelId channel) const {
    const ChannelMap map(graph);
    if (map.is_link(channel)) return link(graph.link(map.link_of(channel)));
    return map.is_injection(channel) ? injection() : ejection();
}

std::uint32_t ChannelTimings::streaming_depth(const Graph& graph) const {
    std::uint32_t depth = injection().streaming_depth();
    for (const Link& some : graph.links()) {
        depth = std::max(depth, link(some).streaming_depth());
    }
    return depth;
}

}  // namespace flitscope
