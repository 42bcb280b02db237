// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Places ranks so that those that exchange much data are close to each other: ranks and nodes are
// cut in halves together, again and again (dual recursive bipartitioning: Ercal, Ramanujam and
// Sadayappan 1990), the ranks by METIS; then ranks change places as long as that makes ways
// shorter, or until some 10^9 ways have been looked at.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "traffic/traces/trace.h"

namespace flitscope {

class Graph;

/// How much ranks send each other: a sum for every pair that has any. METIS requires a graph
/// without parallel edges, and the work to improve a placement must not depend on how many messages
/// the bytes are cut into.
class RankVolumes {
public:
    /// Bytes of a message between two ranks, whichever of them sends. A rank's messages to itself
    /// do not count.
    void add(RankId a, RankId b, std::uint64_t bytes);
    /// By pairs, the lower rank first.
    const std::map<std::pair<RankId, RankId>, std::uint64_t>& of_pairs() const { return bytes_; }

private:
    std::map<std::pair<RankId, RankId>, std::uint64_t> bytes_;
};

/// The volumes of the sends of a trace between its ranks; collectives, in which all ranks take
/// part, do not count.
RankVolumes volumes_of(const Trace& trace);

/// A live node for each of `ranks` ranks, no more than there are live nodes; `volumes` name ranks
/// below that. The same on every run.
std::vector<NodeId> place_by_volume(RankId ranks, const RankVolumes& volumes, const Graph& graph);

}  // namespace flitscope
