// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/node_loads.h"

#include <algorithm>

#include "models/topology/graph.h"

namespace flitscope {

NodeLoads::NodeLoads(const Graph& graph, std::uint32_t virtual_channels, Cycle from, Cycle until)
    : channels_(graph),
      virtual_channels_(virtual_channels),
      from_(from),
      until_(until),
      begun_(slot(channels_.count(), 0)),
      flits_(graph.node_count()) {}

void NodeLoads::end(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    if (!channels_.is_injection(channel)) return;
    const Cycle from = std::max(begun_[slot(channel, vc)], from_);
    const Cycle until = std::min(cycle, until_);
    if (until > from) flits_[channels_.node(channel)] += until - from;
}

std::optional<NodeLoads::Range> NodeLoads::range(Cycle end) const {
    const Cycle until = std::min(end, until_);
    if (until <= from_) return std::nullopt;
    std::optional<Range> range;
    std::size_t nodes = 0;
    for (NodeId node = 0; node < flits_.size(); ++node) {
        if (flits_[node] == 0) continue;
        const Load load{node,
                        static_cast<double>(flits_[node]) / static_cast<double>(until - from_)};
        if (!range) range = Range{load, load};
        if (load.rate < range->least.rate) range->least = load;
        if (load.rate > range->most.rate) range->most = load;
        ++nodes;
    }
    return nodes < 2 ? std::nullopt : range;
}

}  // namespace flitscope
