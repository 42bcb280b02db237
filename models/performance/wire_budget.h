// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks at equal cost: `fabric.pin_budget` or `fabric.bisection_budget` sets how wide channels
// are.
#pragma once

#include <string>

#include "models/config/config_table.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// Sets `config.fabric.flit_bits` to what the budget of the configuration, if it has one, leaves to
/// each of the links that share it: those of the node with the most of them, or those over the
/// bisection (cut_into_halves), counted in one direction. Down to a multiple of 8, at most 1024;
/// where no link shares the budget the width stays. Throws ConfigError when less than 16 is left.
void apply_wire_budget(WorkloadConfig& config, const Graph& graph);

/// The network of `config`, which then has the width that its budget leaves the whole network, and
/// what of it is left by faults that are there from the start on (with_faults).
Graph build_budgeted_topology(WorkloadConfig& config);

/// "pin budget of 512 wires / 4 links = 128 bits"; empty without a budget.
std::string wire_budget_text(const WorkloadConfig& config, const Graph& graph);

/// The keys of the budgets, of which at most one is set.
ConfigKeys wire_budget_keys();
void check_wire_budgets(RuleContext& context);

}  // namespace flitscope
