// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/distances.h"

#include <algorithm>

namespace flitscope {

DistanceSearch::DistanceSearch(const Graph& graph, Way way)
    : first_(graph.node_count() + 1), next_(graph.link_count()), distance_(graph.node_count()) {
    const auto here = [way](const Link& link) { return way == Way::kTo ? link.to : link.from; };
    for (const Link& link : graph.links()) ++first_[here(link) + 1];
    for (NodeId node = 0; node < graph.node_count(); ++node) first_[node + 1] += first_[node];
    std::vector<std::uint32_t> free(first_.begin(), first_.end() - 1);
    for (const Link& link : graph.links()) {
        next_[free[here(link)]++] = way == Way::kTo ? link.from : link.to;
    }
}

const std::vector<std::uint32_t>& DistanceSearch::distances(NodeId node) {
    constexpr std::uint32_t kUnreached = UINT32_MAX;
    std::fill(distance_.begin(), distance_.end(), kUnreached);
    distance_[node] = 0;
    open_.assign(1, node);
    for (std::size_t i = 0; i < open_.size(); ++i) {
        const NodeId at = open_[i];
        for (std::uint32_t k = first_[at]; k < first_[at + 1]; ++k) {
            if (distance_[next_[k]] != kUnreached) continue;
            distance_[next_[k]] = distance_[at] + 1;
            open_.push_back(next_[k]);
        }
    }
    return distance_;
}

}  // namespace flitscope
