// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network after faults during a run (hw/TIMING.md, "Faults while running").
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

struct FaultedNetwork {
    Cycle at = 0;  ///< from the start of this cycle on, at least 1
    Graph graph;   ///< the remaining network; routers, nodes and ports are those of the whole one
    std::unique_ptr<const Routing> routing;  ///< a fixed one
    /// Links that wait for each other cyclically under it; empty if it cannot deadlock.
    std::vector<VirtualLink> dependency_cycle;

    bool are_alive(NodeId source, NodeId destination) const;
    /// Whether a packet to `destination` that has `link`, of the whole network, on virtual channel
    /// `vc` is on a path of this routing.
    bool takes(const Link& link, std::uint32_t vc, NodeId destination) const;
};

}  // namespace flitscope
