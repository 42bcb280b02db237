// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives of short blocks: nodes send few messages, each with the blocks for many nodes, and
// hand on those of others.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "traffic/schedules/synthesis/chunk_schedule.h"
#include "traffic/schedules/synthesis/combining_search.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// Members are numbered 0 .. n - 1, starting at the root if there is one, and in every phase one
/// digit of these numbers in a mixed radix determines the partners. If the product of the radices
/// is n, partners differ only in that digit; otherwise they are a fixed distance apart, round all
/// members (Bruck, Ho, Kipnis, Upfal and Weathersby 1997), which takes any n.
///
/// - Exchanges: after a phase every block is at a node that has this digit of its destination (or
///   has gone this digit of its distance).
/// - All-gathers: nodes send everything that they have. Reduce-scatters are these backwards.
/// - All-reduces: nodes send the vector as far as it is combined, if the radices multiply to n; or
///   a reduce-scatter, then an all-gather.
/// - Broadcasts and scatters: nodes that have data send it down a tree, each message with the data
///   of a whole subtree; the largest weight first.
///
/// Radices are chosen for the fastest phases (CombiningSearch): with one radix every block goes to
/// its destination at once and startups count most, with many each block is sent again in every
/// phase. Routes of the fabric are fixed; blocks have one chunk. With fewer than two members
/// nothing is sent.
class Combining {
public:
    /// Phases are rehearsed as long as `rehearsal` has work left and `goes_on`, unless empty,
    /// returns true; those that end by `latest` are then known. `task` must outlive it.
    Combining(const Task& task, const HardwareConfig& config, const Graph& graph,
              const Routing& routing, Rehearsal& rehearsal,
              const std::function<bool()>& goes_on = {}, Cycle latest = kNever);

    const std::vector<CombiningPhase>& phases() const { return found_.phases; }
    /// Cycles that it takes, as rehearsed; else an estimate, more likely too low.
    Cycle cycles() const { return found_.cycles; }
    bool is_rehearsed() const { return found_.is_rehearsed; }
    /// A round for every phase. Moves between the same two nodes are one message.
    ChunkSchedule schedule() const;

private:
    using Rounds = std::vector<std::vector<ChunkMove>>;

    NodeId member(std::uint64_t place) const;
    void add_message(std::uint64_t from, std::uint64_t to, const std::vector<std::uint64_t>& blocks,
                     std::vector<ChunkMove>& round) const;
    Rounds exchange() const;
    Rounds gather() const;
    Rounds reduce() const;
    Rounds tree() const;

    const Task& task_;
    std::uint64_t first_ = 0;  // the member that has place 0
    CombiningPhases found_{CombiningShape::kExchange, {}, 0, false};
};

}  // namespace flitscope::synthesis
