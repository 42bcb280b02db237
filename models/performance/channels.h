// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels as the papers count them: the two links between a pair of ports are one channel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

/// One link of every channel, the longer one. A link without its opposite is a separate channel.
inline std::vector<LinkId> channel_links(const Graph& graph) {
    std::vector<LinkId> channels;
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& link = graph.link(id);
        const LinkId opposite = graph.opposite(link);
        if (opposite != kNoLink) {
            const std::uint32_t back = graph.link(opposite).length;
            const bool is_first = link.from < link.to;
            if (is_first ? link.length < back : link.length <= back) continue;
        }
        channels.push_back(id);
    }
    return channels;
}

/// The most links that leave one router, or arrive at one.
inline std::uint32_t most_links_per_direction(const Graph& graph) {
    std::vector<std::uint32_t> leaving(graph.router_count());
    std::vector<std::uint32_t> arriving(graph.router_count());
    std::uint32_t most = 0;
    for (const Link& link : graph.links()) {
        most = std::max({most, ++leaving[link.from], ++arriving[link.to]});
    }
    return most;
}

}  // namespace flitscope
