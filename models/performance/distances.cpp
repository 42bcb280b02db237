// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/distances.h"

#include <functional>
#include <numeric>
#include <queue>

#include "models/performance/saturating.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

SearchLinks::SearchLinks(const Graph& graph, Way way)
    : first_(graph.router_count() + 1), links_(graph.link_count()), next_(graph.link_count()) {
    const auto here = [way](const Link& link) { return way == Way::kTo ? link.to : link.from; };
    for (const Link& link : graph.links()) ++first_[here(link) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::uint32_t> free(first_.begin(), first_.end() - 1);
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& link = graph.link(id);
        const std::uint32_t place = free[here(link)]++;
        links_[place] = id;
        next_[place] = way == Way::kTo ? link.from : link.to;
    }
}

const std::vector<std::uint32_t>& DistanceSearch::distances(RouterId router) {
    constexpr std::uint32_t kUnreached = UINT32_MAX;
    distance_.assign(links_.routers(), kUnreached);
    distance_[router] = 0;
    open_.assign(1, router);
    for (std::size_t i = 0; i < open_.size(); ++i) {
        const RouterId at = open_[i];
        for (std::uint32_t k = links_.begin(at); k < links_.end(at); ++k) {
            const RouterId next = links_.next(k);
            if (distance_[next] != kUnreached) continue;
            distance_[next] = distance_[at] + 1;
            open_.push_back(next);
        }
    }
    return distance_;
}

const std::vector<Cycle>& DelaySearch::delays(RouterId router) {
    using Reached = std::pair<Cycle, RouterId>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
    delay_.assign(links_.routers(), kNever);
    delay_[router] = 0;
    open.push({0, router});
    while (!open.empty()) {
        const auto [delay, at] = open.top();
        open.pop();
        if (delay > delay_[at]) continue;
        for (std::uint32_t k = links_.begin(at); k < links_.end(at); ++k) {
            const RouterId next = links_.next(k);
            const Cycle through = saturating_add(delay, hops_[links_.link(k)]);
            if (through >= delay_[next]) continue;
            delay_[next] = through;
            open.push({through, next});
        }
    }
    return delay_;
}

}  // namespace flitscope
