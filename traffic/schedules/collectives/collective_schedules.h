// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcasts, reductions, allgathers and scatters for any network. Those of networks with windows
// are in traffic/schedules/windows.
#pragma once

#include <vector>

#include "traffic/schedules/kinds/schedule_kind.h"

namespace flitscope {

std::vector<ScheduleKind> collective_schedules();

}  // namespace flitscope
