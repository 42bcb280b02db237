// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of applications: programs whose nodes compute between what they send and receive.
#pragma once

#include <vector>

#include "traffic/schedules/kinds/schedule_kind.h"

namespace flitscope {

std::vector<ScheduleKind> kernel_schedules();

}  // namespace flitscope
