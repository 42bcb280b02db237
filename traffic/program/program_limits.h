// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the counters and the clock of a machine are wide enough for a program: one that would
// wrap any of them is refused before the run.
#pragma once

#include <functional>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;
struct HardwareConfig;

/// Messages of more than 2^32 - 2 packets or of more flits than can be counted at
/// node.injection_bandwidth, times beyond kLongTime or beyond the last cycle that SystemC's time
/// has at clock_ns, and more than 10^18 flits in all. At most 20 findings, placed by `locate`.
std::vector<Diagnostic> check_limits(const Program& program, const HardwareConfig& config,
                                     const std::function<Location(MessageId)>& locate);

/// All that keeps a valid program, from a file or made in code, from being played: the findings of
/// check_channels() and check_limits().
std::vector<Diagnostic> check_playable(const Program& program, const HardwareConfig& config,
                                       const Graph& graph,
                                       const std::function<Location(MessageId)>& locate);

}  // namespace flitscope
