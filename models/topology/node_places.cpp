// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/node_places.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace flitscope {

NodePlaces::NodePlaces(std::vector<RouterId> router_of, std::uint32_t routers)
    : router_of_(std::move(router_of)),
      local_port_(router_of_.size()),
      nodes_(router_of_.size()),
      first_(routers + 1) {
    for (NodeId node = 0; node < node_count(); ++node) {
        local_port_[node] = first_[router_of_[node] + 1]++;
        local_ports_ = std::max(local_ports_, local_port_[node] + 1);
        is_one_each_ = is_one_each_ && router_of_[node].number() == node;
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    for (NodeId node = 0; node < node_count(); ++node) {
        nodes_[first_[router_of_[node]] + local_port_[node]] = node;
    }
}

NodePlaces NodePlaces::one_each(NodeId nodes, std::uint32_t routers) {
    std::vector<RouterId> router_of;
    router_of.reserve(nodes);
    for (NodeId node = 0; node < nodes; ++node) router_of.emplace_back(node);
    return NodePlaces(std::move(router_of), routers);
}

}  // namespace flitscope
