// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/reverse_link.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

LinkId one_way_link(const Graph& graph) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ways;
    for (const Link& link : graph.links()) ways.emplace_back(link.from, link.to);
    std::sort(ways.begin(), ways.end());
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& link = graph.link(id);
        if (!std::binary_search(ways.begin(), ways.end(),
                                std::pair(link.to.number(), link.from.number())))
            return id;
    }
    return kNoLink;
}

}  // namespace flitscope
