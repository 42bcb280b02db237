// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/table_comparison.h"

#include <utility>

#include "models/config/fabric_config.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/path_spreader.h"
#include "models/routing/route_flow.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

/// Of larger networks `auto` takes the first table that cannot deadlock: a table takes seconds.
constexpr NodeId kMostComparedNodes = 512;

}  // namespace

TableComparison::TableComparison(const RoutingRequest& request,
                                 const std::vector<TableKind>& kinds) {
    const bool compares_all = request.graph.router_count() <= kMostComparedNodes;
    for (const TableKind& kind : kinds) {
        for (const Spread spread : kSpreads) {
            if (compares_all || (best_ == nullptr && spread == Spread::kNone)) {
                add(kind, {request.config, request.graph, spread});
            }
        }
    }
}

void TableComparison::add(const TableKind& kind, const RoutingRequest& request) {
    const bool is_known = request.spread != Spread::kNone && kind.same_as != nullptr &&
                          proved_.count(spread_name(kind.same_as, request.spread)) != 0;
    if (is_known) return;
    RoutingCandidate candidate;
    candidate.name = spread_name(kind.name, request.spread);
    std::unique_ptr<Routing> routing = kind.build(request);
    if (routing == nullptr) {
        candidate.obstacle = kind.obstacle;
    } else if (!find_dependency_cycle(request.graph, *routing).empty()) {
        candidate.obstacle = "can deadlock";
    } else {
        proved_.insert(candidate.name);
        candidate.flow = uniform_flow(request.graph, *routing);
        if (best_ == nullptr || is_better(candidate.flow)) {
            best_ = std::move(routing);
            for (RoutingCandidate& other : candidates_) other.is_taken = false;
            candidate.is_taken = true;
            best_flow_ = candidate.flow;
        }
    }
    candidates_.push_back(std::move(candidate));
}

bool TableComparison::is_better(const UniformFlow& flow) const {
    return std::pair(-flow.bound, flow.mean_hops) <
           std::pair(-best_flow_.bound, best_flow_.mean_hops);
}

}  // namespace flitscope
