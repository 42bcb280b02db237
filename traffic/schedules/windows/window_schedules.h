// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collective operations from neighbour to neighbour on networks with windows (Ziavras et al.).
#pragma once

#include <vector>

#include "traffic/schedules/kinds/schedule_kind.h"

namespace flitscope {

/// The complete exchange of that kind.
ScheduleKind relayed_exchange_schedule();

// Variants of the schedules of those names.
std::vector<AlgorithmKind> window_broadcasts();
std::vector<AlgorithmKind> window_allgathers();
std::vector<AlgorithmKind> window_scatters();

}  // namespace flitscope
