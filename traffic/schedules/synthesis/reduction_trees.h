// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Trees for reductions whose result goes to all members: for every chunk one that leads to a root
// and one that leads from it. The choice of root does not matter, so it is near the middle.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/schedules/synthesis/chunk_trees.h"
#include "traffic/schedules/synthesis/neighbours.h"
#include "traffic/schedules/synthesis/task/collective.h"

namespace flitscope::synthesis {

/// Trees of all chunks of `task` (kAllReduce). They are rerouted one after the other over the links
/// that the others use least, at a price exponential in the load of those, while that lowers the
/// load of the fullest link, until no link has more than `enough` chunks. If links have their
/// reverse the optimum is a packing of spanning trees (Nash-Williams 1961, Tutte 1961). `reach` >=
/// 0 is the cost of the way from the middle to the border relative to an average link: the more,
/// the flatter are the trees, and the less even is their load.
std::vector<ChunkTrees> reduction_trees(const Task& task, const Neighbours& network,
                                        const Neighbours& backwards, std::uint64_t enough,
                                        double reach, std::uint64_t seed);

}  // namespace flitscope::synthesis
