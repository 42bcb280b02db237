// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Flow decomposition for collectives whose chunks go from one node to one other (kAllToAll,
// kScatter): a path for each, so that no link carries much more than others, then rounds in which
// every chunk goes one link further.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/routing/routing.h"
#include "traffic/schedules/synthesis/chunk_schedule.h"
#include "traffic/schedules/synthesis/neighbours.h"

namespace flitscope {
class Graph;
}  // namespace flitscope

namespace flitscope::synthesis {

/// Indices into Neighbours::links, in order, for every chunk.
using ChunkPaths = std::vector<std::vector<std::uint32_t>>;

/// Paths of all chunks. They begin as in `routing`, which is fixed, and are then rerouted one after
/// the other, each over the links that the others use least, while that lowers the load of the
/// fullest link, until no link has more than `enough` chunks, or `goes_on`, if not empty, returns
/// false.
ChunkPaths balanced_paths(const Task& task, const Neighbours& network, const Graph& graph,
                          const Routing& routing, std::uint64_t enough, std::uint64_t seed,
                          const std::function<bool()>& goes_on = {});

/// Chunks over the most used link: no schedule with these paths has fewer rounds.
std::uint64_t largest_load(const ChunkPaths& paths, const Neighbours& network);

/// Rounds in which every link carries at most one chunk and nodes pass on received chunks in a
/// later round: first those for links that would soon have nothing to carry.
std::vector<std::vector<ChunkMove>> relay_rounds(const ChunkPaths& paths, const Neighbours& network,
                                                 std::uint64_t seed);

}  // namespace flitscope::synthesis
