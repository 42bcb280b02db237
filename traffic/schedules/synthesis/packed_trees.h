// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Trees for the chunks of collectives whose roots are given, from a packing of arborescences.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/schedules/synthesis/chunk_trees.h"
#include "traffic/schedules/synthesis/neighbours.h"
#include "traffic/schedules/synthesis/task/collective.h"

namespace flitscope::synthesis {

/// Trees of all chunks of `task` (kBroadcast, kAllGather; kReduceScatter, whose trees lead to their
/// root and are packed over `backwards`). No link is in more than `capacity` of them; if that is
/// too few, which it is not by the cut bound of a network without switches, in hardly more than are
/// necessary. Every member reaches every other one. The chunks of a block take its trees in turn.
std::vector<ChunkTrees> packed_trees(const Task& task, const Neighbours& network,
                                     const Neighbours& backwards, std::uint64_t capacity,
                                     std::uint64_t seed);

}  // namespace flitscope::synthesis
