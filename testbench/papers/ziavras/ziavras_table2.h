// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Table 2 of Ziavras et al.: what HOW, binary hypercube and generalized hypercube cost, in cycles
// and in nanoseconds.
#pragma once

#include <vector>

#include "testbench/papers/frame/paper.h"
#include "testbench/papers/ziavras/ziavras_conclusions.h"

namespace flitscope::reproduce::how_networks {

/// The experiments for both tables.
std::vector<Experiment> table2_experiments();

Table cost_table(const Outcomes& outcomes, CostRatios& ratios, std::vector<Plot>& plots);
/// The table in nanoseconds, of what is simulated and has a router.
Table physical_table(const Outcomes& outcomes, PhysicalCosts& costs);

}  // namespace flitscope::reproduce::how_networks
