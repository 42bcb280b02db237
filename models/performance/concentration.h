// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How the nodes of a network are spread over its routers.
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "models/topology/graph.h"

namespace flitscope {

/// Whether all routers that have nodes have equally many; dead nodes count.
inline bool has_equal_concentration(const Graph& graph) {
    for (RouterId router; router < graph.router_count(); ++router) {
        const std::uint32_t nodes = graph.nodes_at(router).size();
        if (nodes != 0 && nodes != graph.local_ports()) return false;
    }
    return true;
}

}  // namespace flitscope
