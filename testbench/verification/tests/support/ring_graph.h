// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The smallest network that can deadlock: routers in a cycle, one direction only.
#pragma once

#include "models/base/types.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

/// Links 0 -> 1 -> ... -> 0, link i leaving router i: shortest paths wait for each other all round.
inline Graph ring(std::uint32_t routers) {
    Graph graph("custom", {routers}, 3);
    for (RouterId router; router < routers; ++router) {
        Link link;
        link.from = router;
        link.from_port = 1;
        link.to = RouterId((router + 1) % routers);
        link.to_port = 2;
        graph.add_link(link);
    }
    return graph;
}

}  // namespace flitscope
