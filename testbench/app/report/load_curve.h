// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The latency of a pattern over its load, as reports have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/unit_values.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/study/loads.h"

namespace flitscope {

/// A pattern at several loads; `machine` represents all of them.
struct LoadCurve {
    std::string name;  ///< of its configuration, which distinguishes it from others
    Machine machine;
    std::vector<study::LoadPoint> points;
    std::optional<LoadUnit> unit = {};  ///< that the loads were given in
};

}  // namespace flitscope
