// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packings of spanning arborescences: trees that lead from a root to every member, a given number
// per root, with no link in more of them than its capacity (Edmonds 1973). They are grown link by
// link, several alike at a time (Bérczi and Frank 2010; Zhao et al. 2023, ForestColl).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "traffic/schedules/synthesis/neighbours.h"

namespace flitscope::synthesis {

/// Trees that are alike.
struct Arborescence {
    NodeId root = 0;
    std::uint32_t copies = 1;
    /// Indices into Neighbours::links, each after the one by which its sender is reached.
    std::vector<std::uint32_t> links;
};

/// The number of trees that a root needs.
struct RootDemand {
    NodeId root = 0;
    std::uint32_t trees = 1;
};

/// Trees of all roots that span `members`, ascending, with no link in more than `capacity` of them,
/// a slow one in as many as it carries meanwhile.
/// Such trees exist if for every set of members the links that enter it have room for all trees
/// whose root is outside: with as many trees of a root as a block has chunks these are the rounds
/// of the cut bound. Links near the root are preferred, random ones of those, by `seed`. Nothing if
/// no such trees exist.
std::optional<std::vector<Arborescence>> pack_arborescences(const Neighbours& network,
                                                            const std::vector<NodeId>& members,
                                                            const std::vector<RootDemand>& roots,
                                                            std::uint64_t capacity,
                                                            std::uint64_t seed);

}  // namespace flitscope::synthesis
