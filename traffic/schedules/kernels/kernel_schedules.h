// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of applications: programs whose nodes compute between sends and receives.
#pragma once

#include <string>
#include <vector>

#include "traffic/schedules/kinds/schedule_kind.h"

namespace flitscope {

std::vector<ScheduleKind> kernel_schedules();

/// Whether that is the name of one of them.
bool is_kernel(const std::string& schedule);

}  // namespace flitscope
