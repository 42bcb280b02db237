// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The earliest cycle in which each send of a program can begin, from its dependencies: no message
// arrives before its idle latency is over, no channel carries two flits in a cycle.
#pragma once

#include <vector>

#include "models/performance/zero_load_paths.h"
#include "traffic/program/program_flows.h"

namespace flitscope {

struct HardwareConfig;

/// Sets the start of each of `messages`, those of a program that validate() accepts, with
/// their detours, to a cycle before which no engine begins its send. `paths` are those of the
/// machine.
void set_earliest_begins(const Program& program, ProgramFlows& messages,
                         const HardwareConfig& config, ZeroLoadPaths& paths);

}  // namespace flitscope
