// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels as the papers count them: the two links between a pair of ports are one channel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/topology/graph.h"

namespace flitscope {

/// One link of every channel. A link without its opposite is a channel of its own.
inline std::vector<LinkId> channel_links(const Graph& graph) {
    std::vector<LinkId> channels;
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& link = graph.link(id);
        const bool is_paired = graph.opposite(link) != kNoLink;
        if (!is_paired || link.from < link.to) channels.push_back(id);
    }
    return channels;
}

/// The most links that leave one node, or arrive at one.
inline std::uint32_t most_links_per_direction(const Graph& graph) {
    std::vector<std::uint32_t> leaving(graph.node_count());
    std::vector<std::uint32_t> arriving(graph.node_count());
    std::uint32_t most = 0;
    for (const Link& link : graph.links()) {
        most = std::max({most, ++leaving[link.from], ++arriving[link.to]});
    }
    return most;
}

}  // namespace flitscope
