// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The schedules that are found for the given network, as a family of the catalogue.
#pragma once

#include "traffic/schedules/kinds/schedule_kind.h"

namespace flitscope {

/// `synthesized`, whose algorithms are the collectives.
ScheduleKind synthesized_schedule();

}  // namespace flitscope
