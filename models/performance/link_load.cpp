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
namespace {

std::logic_error not_arriving(NodeId destination) {
    return std::logic_error("LinkLoad: a route does not arrive at node " +
                            std::to_string(destination));
}

}  // namespace

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

inline void LinkLoad::add_to(LinkId link, std::uint64_t weight, Cycle since) {
    if (loads_[link] == 0) touched_.push_back(link);
    const std::uint64_t load = loads_[link] = saturating_add(loads_[link], weight);
    max_ = std::max(max_, load);
    const Cycle busy = pace_ == nullptr
                           ? load
                           : saturating_add(pace_->span(load, loops_[link], rate_cycles_[link]), 1);
    busy_until_ = std::max(busy_until_, saturating_add(since, busy));
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
            throw not_arriving(destination);
        }
        add_to(link, weight, since);
        at = ends_[link];
    }
}

void LinkLoad::add_all(const std::vector<std::uint64_t>& sent, NodeId destination) {
    const RouterId goal = graph_.router_of(destination);
    // Routes to one destination are a tree: a router passes on what it sends and what comes to it
    // once all of that has come.
    std::vector<std::uint64_t> passing = sent;
    std::vector<LinkId> next_of(passing.size(), kNoLink);
    std::vector<std::uint32_t> awaited(passing.size());
    std::size_t waiting = 0;
    for (RouterId start; start < passing.size(); ++start) {
        if (sent[start] == 0) continue;
        for (RouterId at = start; at != goal && next_of[at] == kNoLink; ++waiting) {
            const LinkId link = next_of[at] = next(at, destination);
            if (link == kNoLink) throw not_arriving(destination);
            at = ends_[link];
            ++awaited[at];
        }
    }
    std::vector<RouterId> ready;
    for (RouterId at; at < passing.size(); ++at) {
        if (next_of[at] != kNoLink && awaited[at] == 0) ready.push_back(at);
    }
    for (; !ready.empty(); --waiting) {
        const RouterId at = ready.back();
        ready.pop_back();
        const RouterId to = ends_[next_of[at]];
        add_to(next_of[at], passing[at], 0);
        passing[to] = saturating_add(passing[to], passing[at]);
        if (--awaited[to] == 0 && to != goal) ready.push_back(to);
    }
    if (waiting != 0) throw not_arriving(destination);
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
