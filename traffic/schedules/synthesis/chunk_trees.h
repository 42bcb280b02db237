// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Chunks that go over trees: those to a root combine a chunk, those from a root spread it. Rounds
// for the trees of all chunks in which a link carries at most one chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/schedules/synthesis/chunk_schedule.h"
#include "traffic/schedules/synthesis/neighbours.h"

namespace flitscope::synthesis {

/// The ways of one chunk, as indices into Neighbours::links. A chunk is spread when it has been
/// combined.
struct ChunkTrees {
    NodeId root = 0;
    /// Links to the root, each after those that lead to its sender; empty if nothing is combined.
    std::vector<std::uint32_t> combining;
    /// Links from the root, each after the one that leads to its sender; empty if nothing is
    /// spread.
    std::vector<std::uint32_t> spreading;
    /// The round in which it would begin if all chunks of its root shared the time evenly.
    double begin = 0;
};

/// Rounds for the trees of chunk 0, 1, ... (list scheduling): every link takes the chunk that is
/// due first among those that it could carry; a chunk is due earlier the earlier it begins, by
/// `stagger`, and the longer its remaining way is (Hu 1961). `is_backwards`: scheduled from the
/// end, which suits trees that spread, as they are trees that combine when played backwards.
std::vector<std::vector<ChunkMove>> tree_rounds(const std::vector<ChunkTrees>& trees,
                                                const Neighbours& network, double stagger,
                                                bool is_backwards, std::uint64_t seed);

/// Chunks over the most used link: no rounds of these trees are fewer.
std::uint64_t largest_load(const std::vector<ChunkTrees>& trees, const Neighbours& network);

}  // namespace flitscope::synthesis
