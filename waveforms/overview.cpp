// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/overview.h"

#include <algorithm>
#include <map>

#include "models/topology/graph.h"

namespace flitscope {

Overview::Overview(const Graph& graph, const std::vector<LinkId>& links) : graph_(&graph) {
    std::map<std::uint32_t, Group> found;
    for (const LinkId id : links) {
        const std::uint32_t dimension = graph.dimension_number(graph.link(id).dimension);
        Group& group = found[dimension];
        group.dimension = dimension;
        group.links += graph.planes();
    }
    for (const auto& entry : found) groups_.push_back(entry.second);
}

std::uint8_t Overview::group_of(const Link& link) const {
    const std::uint32_t dimension = graph_->dimension_number(link.dimension);
    std::uint8_t group = 0;
    while (groups_[group].dimension != dimension) ++group;
    return group;
}

void Overview::granted(std::uint32_t step) {
    if (step >= held_.size()) held_.resize(step + 1);
    ++held_[step];
    oldest_ = std::min(oldest_, step);
    newest_ = std::max(newest_, step);
}

Overview::Steps Overview::steps() {
    while (oldest_ <= newest_ && held_[oldest_] == 0) ++oldest_;
    while (newest_ >= oldest_ && held_[newest_] == 0) --newest_;
    if (newest_ < oldest_) return {};
    return {oldest_, newest_};
}

}  // namespace flitscope
