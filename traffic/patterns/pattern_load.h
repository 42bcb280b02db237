// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a pattern overloads a network, known before the run: the mean load of nodes, of links if
// the routing fixes the paths, and of the middle cut.
#pragma once

#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "traffic/patterns/pattern.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// Offered load of the busiest channel of each kind, flits per cycle, replies included; with
/// several planes, of each of them.
struct PatternLoad {
    double injection = 0;  ///< load of the node that needs most time for it
    NodeId sender = 0;
    double injection_capacity = 1;  ///< maximum rate of `sender`, startups included
    double ejection = 0;
    NodeId receiver = 0;
    bool has_links = false;  ///< whether the next three are known
    double link = 0;
    LinkId busiest = kNoLink;  ///< the link that needs most time for its load
    double link_capacity = 1;  ///< maximum rate of `busiest`
    double taken = 0;          ///< over a link, in the mean over the links that flits take
    double cut = 0;            ///< per link of the middle cut; 0 if `has_links`
    double cut_capacity = 1;   ///< maximum rate of these links, in the mean

    /// One sentence for each kind of channel that cannot keep up, however the run goes.
    std::vector<std::string> overloads(const Graph& graph) const;
};

/// The mean load of `config.traffic`, a pattern, for any arrival process. Links are left out if the
/// routing chooses among paths, and so are drawn destinations in networks of more than 4096 nodes,
/// which would take too long.
PatternLoad pattern_load(const WorkloadConfig& config, const Graph& graph, const Routing& routing,
                         const Pattern& pattern);

}  // namespace flitscope
