// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The complete exchanges that go from source to destination through the network.
#pragma once

#include <vector>

#include "traffic/schedules/kinds/schedule_kind.h"

namespace flitscope {

std::vector<ScheduleKind> exchange_schedules();

}  // namespace flitscope
