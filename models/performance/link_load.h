// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many messages, or flits, cross each directed link under a deterministic routing.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/performance/channel_pace.h"
#include "models/performance/zero_load_paths.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;

/// Sums per link along routes; they saturate. Reusable: clear() costs only the links touched.
class LinkLoad {
public:
    /// With `pace`, busy_until() takes into account the pace of flits, and weights are flits.
    LinkLoad(const Graph& graph, const Routing& routing, const ChannelPace* pace = nullptr);
    /// Along `paths`, which must be fixed and outlive it.
    LinkLoad(const ZeroLoadPaths& paths, const ChannelPace* pace);

    /// Adds `weight` to every link of the route. If `first` is a link, it comes first and the route
    /// continues from its end. `since` is the cycle from which on it may cross them.
    void add(NodeId source, NodeId destination, std::uint64_t weight, LinkId first = kNoLink,
             Cycle since = 0);
    /// Adds what every router sends to `destination`: every link is looked at once, though many
    /// routes share it.
    void add_all(const std::vector<std::uint64_t>& sent, NodeId destination);
    void clear();

    std::uint64_t max() const { return max_; }
    /// The cycle until which some link is busy with the added load, at no more than one unit per
    /// cycle; `since` must have been falling. It is the greatest sum of the time of a load and the
    /// `since` that completed it.
    Cycle busy_until() const { return busy_until_; }
    /// The lowest-numbered link with the largest load, or kNoLink when nothing was added.
    LinkId busiest() const;
    const std::vector<std::uint64_t>& loads() const { return loads_; }

private:
    LinkId next(RouterId at, NodeId destination) const;
    void add_to(LinkId link, std::uint64_t weight, Cycle since);

    const Graph& graph_;
    const Routing& routing_;
    const ZeroLoadPaths* paths_ = nullptr;  // null: ask the routing
    const ChannelPace* const pace_;
    std::vector<RouterId> ends_;              // per link
    std::vector<Cycle> loops_;                // per link, with a pace
    std::vector<std::uint32_t> rate_cycles_;  // likewise
    std::vector<std::uint64_t> loads_;
    std::vector<LinkId> touched_;
    std::uint64_t max_ = 0;
    Cycle busy_until_ = 0;
};

}  // namespace flitscope
