// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What several reports say in the same way.
#pragma once

#include <string>
#include <vector>

#include "testbench/explain/cause.h"
#include "testbench/report/report.h"

namespace flitscope {

/// Mean, p50, p95, p99 and max in cycles, each null where there is nothing.
Json latency_json(const LatencyStatistics& latency);
/// "12.3 %".
std::string percent(Cycle part, Cycle all);

}  // namespace flitscope
