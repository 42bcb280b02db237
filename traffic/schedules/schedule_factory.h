// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From the traffic section of a configuration to a program: the list of schedules, the requirements
// of each on the network, and its algorithms (schedule_catalogue.h has their names).
#pragma once

#include "traffic/program/program.h"

namespace flitscope {

class Graph;
struct CollectiveSchedule;
struct WorkloadConfig;

/// The schedule that `config.traffic` names. Throws ConfigError when the schedule, its algorithm
/// or its root does not fit the network.
Program build_schedule(const WorkloadConfig& config, const Graph& graph);

/// The schedule or the program file of `config.traffic`, validated, with its barrier. A barrier in
/// the configuration replaces the one of a program file. Throws ConfigError with every finding.
Program build_program(const WorkloadConfig& config, const Graph& graph);

/// The schedule of a collective of a trace, on the whole of `graph` or on a line, with the
/// algorithm that config.traffic.trace.algorithms names. Throws ConfigError as build_schedule()
/// does.
Program collective_program(const WorkloadConfig& config, const Graph& graph,
                           const CollectiveSchedule& of);

}  // namespace flitscope
