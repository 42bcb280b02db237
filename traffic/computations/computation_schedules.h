// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The computations that nodes carry out together, as schedules.
#pragma once

#include <vector>

#include "traffic/schedules/kinds/schedule_kind.h"

namespace flitscope {

std::vector<ScheduleKind> computation_schedules();

}  // namespace flitscope
