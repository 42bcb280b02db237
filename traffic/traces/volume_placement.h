// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Places ranks so that those that send each other much stand near each other: ranks and nodes are
// cut in halves together, again and again (dual recursive bipartitioning: Ercal, Ramanujam and
// Sadayappan 1990), the ranks by METIS; then ranks change places as long as that makes ways
// shorter, or until some 10^9 ways have been looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "models/topology/graph.h"
#include "traffic/traces/trace.h"

namespace flitscope {

/// Bytes between two ranks, whichever of them sends.
struct RankVolume {
    RankId a = 0;
    RankId b = 0;
    std::uint64_t bytes = 0;
};

/// The volumes of the sends of a trace between its ranks; collectives, in which all ranks take
/// part, do not count.
std::vector<RankVolume> volumes_of(const Trace& trace);

/// A living node for each of `ranks` ranks, at most as many as there are; `volumes` name ranks
/// below that, and those of a pair add up. The same on every run, and for every order of `volumes`.
std::vector<NodeId> place_by_volume(RankId ranks, const std::vector<RankVolume>& volumes,
                                    const Graph& graph);

}  // namespace flitscope
