// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How far apart the routers of a layout are.
#pragma once

#include <algorithm>
#include <numeric>

#include "models/base/types.h"
#include "models/topology/graph.h"
#include "models/topology/position.h"

namespace flitscope {

/// The node pitches from a line of routers to the next: a router with several nodes may have the
/// room of all of them. The k-th line of routers is at k times that.
inline Position router_spacing(const Graph& graph) {
    Position spacing{0, 0};
    for (RouterId router; graph.local_ports() > 1 && router < graph.router_count(); ++router) {
        spacing.row = std::gcd(spacing.row, graph.position(router).row);
        spacing.column = std::gcd(spacing.column, graph.position(router).column);
    }
    return {std::max(spacing.row, 1U), std::max(spacing.column, 1U)};
}

}  // namespace flitscope
