// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/steady_load.h"

#include <algorithm>

#include "models/topology/graph.h"

namespace flitscope {

SteadyLoad::SteadyLoad(const Graph& graph, const Routing& routing)
    : graph_(graph),
      knows_links_(routing.path_choice() == PathChoice::kFixed),
      flow_(graph, routing),
      sent_(graph.node_count()),
      received_(graph.node_count()),
      cut_(middle_cut(graph)) {}

void SteadyLoad::count(NodeId source, NodeId destination, double rate) {
    sent_[source] += rate;
    received_[destination] += rate;
    const bool from_upper = cut_.upper[graph_.router_of(source)];
    if (from_upper != cut_.upper[graph_.router_of(destination)])
        over_cut_[from_upper ? 1 : 0] += rate;
}

void SteadyLoad::add(NodeId destination, const std::vector<double>& rates) {
    for (NodeId node = 0; node < rates.size(); ++node) {
        if (node != destination) count(node, destination, rates[node]);
    }
    if (knows_links_) flow_.add(destination, rates);
}

void SteadyLoad::add(NodeId source, NodeId destination, double rate) {
    if (source == destination) return;
    count(source, destination, rate);
    if (knows_links_) flow_.add(source, destination, rate);
}

SteadyLoad::Cut SteadyLoad::cut() const {
    Cut most;
    for (const bool from_upper : {false, true}) {
        const auto links = static_cast<double>(cut_.links_from(from_upper));
        if (links == 0) continue;
        const Cut cut{over_cut_[from_upper ? 1 : 0] / links,
                      cut_.capacity_from(graph_, from_upper) / links};
        if (cut.load / cut.capacity > most.load / most.capacity) most = cut;
    }
    return most;
}

}  // namespace flitscope
