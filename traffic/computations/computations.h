// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From the traffic section of a configuration to a computation: the list of them, the network each
// requires, and the algorithm for each layout of express links.
#pragma once

#include <string>

#include "traffic/computations/computation_plan.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// The computation that `config.traffic` names, on values that follow from `config.seed`. Throws
/// ConfigError when it or its algorithm does not fit the network.
Computation build_computation(const WorkloadConfig& config, const Graph& graph);
/// The algorithm of `semigroup` on a network if none is named.
std::string semigroup_default(const Graph& graph);

}  // namespace flitscope
