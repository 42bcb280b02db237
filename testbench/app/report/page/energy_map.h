// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the energy of a run is spent: in which routers, on which links.
#pragma once

#include "testbench/app/report/report.h"

namespace flitscope {

struct Machine;
struct SimulationResult;

/// Packed numbers in femtojoules per router and per link, which add up to the energy of the run. Of
/// a run with SimulationOptions::count_sendings; throws as require_router_energy() does.
Json energy_map_json(const Machine& machine, const SimulationResult& result);

}  // namespace flitscope
