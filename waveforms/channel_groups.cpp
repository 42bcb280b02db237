// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/channel_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "models/topology/graph.h"

namespace flitscope {
namespace {

/// Place of a group of a plane in the file: by dimension, then by span, then + before -.
using Rank = std::array<std::uint32_t, 3>;

/// Hops that pass several routers say how many places they go.
std::pair<Rank, std::string> group_of(const Graph& graph, const ChannelMap& channels,
                                      ChannelId channel) {
    constexpr std::uint32_t kAfterDimensions = UINT32_MAX - 2;
    if (channels.is_injection(channel)) return {{kAfterDimensions + 1}, "injection"};
    if (channels.is_ejection(channel)) return {{kAfterDimensions + 2}, "ejection"};
    const Link& link = graph.link(channels.link_of(channel));
    if (link.dimension == kNoDimension || !graph.wiring()) return {{kAfterDimensions}, "links"};
    if (!graph.wiring()->has_port_per_direction()) {
        const std::uint32_t number = graph.dimension_number(link.dimension);
        return {{number}, fmt::format("dimension {}", number)};
    }
    const bool ring = graph.wiring()->dimensions()[link.dimension].wraps;
    const std::uint32_t from = graph.coordinate(link.from, link.dimension);
    const std::uint32_t to = graph.coordinate(link.to, link.dimension);
    // In a ring the last position is next to the first.
    const bool plus = ring ? (from + 1) % graph.dims()[link.dimension] == to : from < to;
    const std::uint32_t span = ring ? 1 : std::max(from, to) - std::min(from, to);
    const std::string places = span == 1 ? "" : std::to_string(span);
    return {{link.dimension, span, plus ? 0U : 1U},
            fmt::format("dimension {}, {}{}", link.dimension, plus ? "+" : "-", places)};
}

/// Finds the place of a link.
void find_place(const Graph& graph, const ChannelMap& channels, ChannelScopes& scopes) {
    if (!channels.is_link(scopes.whole->channel)) return;
    const Link& link = graph.link(channels.link_of(scopes.whole->channel));
    const bool on_line = graph.wiring() && link.dimension != kNoDimension &&
                         graph.wiring()->has_port_per_direction();
    if (!on_line) return;
    for (std::uint32_t dimension = 0; dimension < graph.dims().size(); ++dimension) {
        const bool along = dimension == link.dimension;
        const std::uint32_t other = along ? 0 : graph.coordinate(link.from, dimension);
        scopes.line = scopes.line * graph.dims()[dimension] + other;
    }
    const std::uint32_t side = graph.dims()[link.dimension];
    const std::uint32_t from = graph.coordinate(link.from, link.dimension);
    const std::uint32_t to = graph.coordinate(link.to, link.dimension);
    const bool ring = graph.wiring()->dimensions()[link.dimension].wraps;
    const bool plus = ring ? (from + 1) % side == to : from < to;
    scopes.place = plus ? from : side - 1 - from;
}

}  // namespace

std::vector<ChannelGroup> channel_groups(const OccupancyFile& file) {
    const ChannelMap channels(file.graph());
    std::map<std::pair<std::uint32_t, Rank>, ChannelGroup> groups;  // of all planes
    for (const TracedScope& scope : file.scopes()) {
        auto [rank, title] = group_of(file.graph(), channels, scope.channel);
        const std::uint32_t plane = channels.plane(scope.channel);
        if (channels.planes() > 1) title = fmt::format("plane {}: {}", plane, title);
        ChannelGroup& group = groups[{plane, rank}];
        if (scope.virtual_channel) {
            group.channels.back().virtual_channels.push_back(&scope);
        } else {
            group.title = std::move(title);
            group.channels.push_back({&scope, {}, 0, 0});
            find_place(file.graph(), channels, group.channels.back());
        }
    }
    std::vector<ChannelGroup> ordered;
    for (auto& entry : groups) {
        std::vector<ChannelScopes>& rows = entry.second.channels;
        std::stable_sort(rows.begin(), rows.end(),
                         [](const ChannelScopes& a, const ChannelScopes& b) {
                             return std::pair(a.line, a.place) < std::pair(b.line, b.place);
                         });
        ordered.push_back(std::move(entry.second));
    }
    return ordered;
}

}  // namespace flitscope
