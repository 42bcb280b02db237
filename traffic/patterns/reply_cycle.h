// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the requests and replies of a pattern can wait for each other cyclically.
#pragma once

#include <vector>

#include "models/routing/routing.h"

namespace flitscope {

class Graph;
class Pattern;
struct WorkloadConfig;

/// The cycle of links, each of whose packets wait for those of the next, as
/// find_dependency_cycle() gives it; one of injection channels is within a router. Empty without a
/// cycle, or if nodes accept everything that arrives. `pattern` is that of `config`.
std::vector<VirtualLink> find_reply_cycle(const WorkloadConfig& config, const Pattern& pattern,
                                          const Graph& graph, const Routing& routing);

}  // namespace flitscope
