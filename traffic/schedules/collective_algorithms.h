// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// traffic.trace.algorithms: the algorithms that turn the collectives of a trace into messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"

namespace flitscope {

struct ApplicationTraceConfig;
struct WorkloadConfig;

/// Errors in config.traffic.trace.algorithms: unknown algorithms, two for the same collectives, or
/// any if the trace format has no collectives. Empty without a trace.
std::vector<Diagnostic> check_collective_algorithms(const WorkloadConfig& config);

/// The algorithm that `trace` names for a collective of `ranks` ranks that becomes `schedule` with
/// `bytes` as its traffic.message_bytes; empty: none. An entry with a number of bytes holds up to
/// as many of those by which library_algorithm() chooses, too.
std::string collective_algorithm(const ApplicationTraceConfig& trace, const std::string& schedule,
                                 std::uint64_t bytes, NodeId ranks);

/// The algorithm that a message passing library takes for a collective of `ranks` ranks that
/// becomes `schedule` with `bytes` as its traffic.message_bytes: by the table of MPICH (README.md
/// of traffic/traces, "Chakra"), as far as the catalogue has its algorithms. Empty: the schedule
/// has no choice.
std::string library_algorithm(const std::string& schedule, std::uint64_t bytes, NodeId ranks);

}  // namespace flitscope
