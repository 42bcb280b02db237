// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/channel_counts.h"

#include "models/fabric/fabric.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"

namespace flitscope {

std::vector<ChannelCount> channel_counts(const Fabric& fabric, const Graph& graph) {
    const ChannelMap map(graph);
    std::vector<ChannelCount> counts;
    counts.reserve(map.count());
    for (ChannelId channel = 0; channel < map.count(); ++channel) {
        counts.push_back({channel, map.name(channel), fabric.flits_sent(channel)});
    }
    return counts;
}

}  // namespace flitscope
