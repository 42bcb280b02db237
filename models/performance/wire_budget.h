// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks at equal cost: `fabric.pin_budget` or `fabric.bisection_budget` sets the width of
// channels.
#pragma once

#include <string>

#include "models/config/config_table.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// Sets `config.fabric.flit_bits` to the width that the configured budget, if any, leaves to each
/// of the links that share it: those of the router with the most of them, or those over the
/// bisection (cut_into_halves), counted in one direction. Down to a multiple of 8, at most 1024; if
/// no link shares the budget the width stays. Throws ConfigError when less than 16 is left.
void apply_wire_budget(WorkloadConfig& config, const Graph& graph);

/// The network of `config`, with the faults present from the start (with_faults). Sets the width to
/// what the budget leaves the fault-free network.
Graph build_budgeted_topology(WorkloadConfig& config);

/// "pin budget of 512 wires / 4 links = 128 bits"; empty without a budget.
std::string wire_budget_text(const WorkloadConfig& config, const Graph& graph);

/// The keys of the budgets; at most one may be set.
ConfigKeys wire_budget_keys();
void check_wire_budgets(RuleContext& context);

}  // namespace flitscope
