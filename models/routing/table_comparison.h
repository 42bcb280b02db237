// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The comparison of tables by which `auto` takes one for a network whose family has no routing.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/routing/route_flow.h"
#include "models/routing/routing.h"
#include "models/routing/routing_factory.h"
#include "models/routing/routing_request.h"

namespace flitscope {

/// A kind of table that is tried with every spread.
struct TableKind {
    const char* name;
    /// nullptr if there is none.
    std::unique_ptr<Routing> (*build)(const RoutingRequest&);
    const char* obstacle;  ///< if there is none
    /// The kind that it equals if that one cannot deadlock with the same spread; null: none.
    const char* same_as = nullptr;
};

/// Tables with every spread, and the best of those that cannot deadlock.
class TableComparison {
public:
    /// Tries `kinds` for the network of `request`, in this order.
    TableComparison(const RoutingRequest& request, const std::vector<TableKind>& kinds);

    std::vector<RoutingCandidate> candidates() && { return std::move(candidates_); }
    /// nullptr if all can deadlock.
    std::unique_ptr<Routing> best() && { return std::move(best_); }

private:
    void add(const TableKind& kind, const RoutingRequest& request);
    bool is_better(const UniformFlow& flow) const;

    std::vector<RoutingCandidate> candidates_;
    std::set<std::string> proved_;
    std::unique_ptr<Routing> best_;
    UniformFlow best_flow_;
};

}  // namespace flitscope
