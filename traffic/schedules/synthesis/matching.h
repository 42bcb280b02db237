// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Matching on the time-expanded graph (Won et al. 2024, TACOS): in every round links are matched
// with chunks that their sender has and their receiver lacks, rare ones first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "traffic/schedules/synthesis/chunk_schedule.h"
#include "traffic/schedules/synthesis/neighbours.h"

namespace flitscope::synthesis {

/// Rounds after which every member of `task`, which is one that spreads chunks (kAllGather,
/// kBroadcast), has every chunk; each gets it once. Links carry one chunk per round. Random choices
/// follow from `seed`. Nothing if that takes more than `most_rounds`, or a member cannot be
/// reached.
std::optional<std::vector<std::vector<ChunkMove>>> spread_by_matching(const Task& task,
                                                                      const Neighbours& network,
                                                                      std::uint64_t seed,
                                                                      std::size_t most_rounds);

}  // namespace flitscope::synthesis
