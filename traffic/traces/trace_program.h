// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From the trace of an application to a program that every engine plays.
#pragma once

#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/config/application_trace_config.h"
#include "traffic/program/program.h"
#include "traffic/traces/expansion.h"
#include "traffic/traces/trace.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// The trace of a file, checked except for its collectives, which are not expanded; not with format
/// csv, which has no operations. Throws ConfigError with every finding; `named_at` is where the
/// user named the file.
Trace read_trace(const ApplicationTraceConfig& settings, const Location& named_at = {});

/// The files of config.traffic.trace: that of the trace, or with format chakra of each rank, and of
/// the placement.
std::vector<std::string> trace_files(const WorkloadConfig& config);

/// Reads the trace that config.traffic.trace names, as a program for the network, of operations or
/// of messages with times (format csv). Throws ConfigError with every finding.
Program application_program(const WorkloadConfig& config, const Graph& graph,
                            const ScheduleOfCollective& schedule);

/// A trace that check_trace() accepts as a program for `nodes` nodes, placed as
/// config.traffic.trace says: times become cycles of config.clock_ns, each rounded to the nearest.
/// The program is validated, and named after the trace. Throws ConfigError.
Program trace_program(const Trace& trace, const WorkloadConfig& config, NodeId nodes);
/// Makes the program of a trace whose rank r is at node `node_of[r]`.
Program trace_program(const Trace& trace, const WorkloadConfig& config, NodeId nodes,
                      const std::vector<NodeId>& node_of);

}  // namespace flitscope
