// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Load per link: follows every route once and remembers which links it touched.
#include "models/performance/link_load.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/performance/saturating.h"
#include "models/topology/graph.h"

namespace flitscope {

LinkLoad::LinkLoad(const Graph& graph, const Routing& routing, const ChannelPace* pace)
    : graph_(graph), routing_(routing), pace_(pace), loads_(graph.link_count()) {
    ends_.reserve(graph.link_count());
    for (const Link& link : graph.links()) ends_.push_back(link.to);
    if (pace == nullptr) return;
    for (const Link& link : graph.links()) {
        loops_.push_back(pace->loop(link));
        rate_cycles_.push_back(link.rate_cycles);
    }
}

LinkLoad::LinkLoad(const ZeroLoadPaths& paths, const ChannelPace* pace)
    : LinkLoad(paths.graph(), paths.routing(), pace) {
    paths_ = &paths;
}

inline LinkId LinkLoad::next(RouterId at, NodeId destination) const {
    if (paths_ != nullptr) return paths_->next(at, destination);
    return graph_.out_link(at, routing_.route(at, destination).port);
}

void LinkLoad::add(NodeId source, NodeId destination, std::uint64_t weight, LinkId first,
                   Cycle since) {
    if (weight == 0) return;  // a touched link must have a load
    std::uint32_t hops = 0;
    const RouterId goal = graph_.router_of(destination);
    for (RouterId at = graph_.router_of(source); at != goal;) {
        const bool detours = hops == 0 && first != kNoLink;
        const LinkId link = detours ? first : next(at, destination);
        if (link == kNoLink || hops++ > graph_.router_count()) {
            throw std::logic_error("LinkLoad: the route from node " + std::to_string(source) +
                                   " does not arrive at node " + std::to_string(destination));
        }
        if (loads_[link] == 0) touched_.push_back(link);
        const std::uint64_t load = loads_[link] = saturating_add(loads_[link], weight);
        max_ = std::max(max_, load);
        const Cycle busy =
            pace_ == nullptr
                ? load
                : saturating_add(pace_->span(load, loops_[link], rate_cycles_[link]), 1);
        busy_until_ = std::max(busy_until_, saturating_add(since, busy));
        at = ends_[link];
    }
}

void LinkLoad::clear() {
    for (const LinkId link : touched_) loads_[link] = 0;
    touched_.clear();
    max_ = 0;
    busy_until_ = 0;
}

LinkId LinkLoad::busiest() const {
    LinkId best = kNoLink;  // the largest id, so that any touched link is lower
    for (const LinkId link : touched_) {
        if (loads_[link] == max_) best = std::min(best, link);
    }
    return best;
}

}  // namespace flitscope
