// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which channels and cycles a waveform shows: the `trace` section of a configuration, resolved
// against the network.
#pragma once

#include <vector>

#include "models/base/types.h"

namespace flitscope {

class Graph;
struct Config;

struct TraceSelection {
    std::vector<LinkId> links;      ///< ascending
    std::vector<NodeId> endpoints;  ///< nodes whose injection and ejection channels are shown
    Cycle from = 0;                 ///< first cycle shown
    Cycle until = kNever;           ///< first cycle no longer shown
    bool details = false;           ///< all signals of a channel, not only those up to `blocked`
};

/// Resolves `config.trace`. Links are the union of those named ("5-7" is every link from router 5
/// to router 7; "link_005_007" is one by its name), those that start or end at the routers of
/// `nodes` or at `routers`, and those of `dimensions`; with none of the four given, all. Endpoints
/// are `nodes`, and all nodes of `routers`; with neither given, the nodes of every router that a
/// shown link touches; with nothing given, all. Where node n is attached to router n, `nodes` may
/// name switches, whose numbers come after those of the nodes. Throws ConfigError with every link,
/// node, router and dimension that does not exist.
TraceSelection select_channels(const Config& config, const Graph& graph);

}  // namespace flitscope
