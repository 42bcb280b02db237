// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of a program that remains on a network with dead nodes.
#pragma once

#include <string>

#include "models/base/diagnostics.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;
struct HardwareConfig;

/// Returns `program` without the messages from and to dead nodes, which it counts in
/// Program::dropped_dead. A node that would wait for such a message continues as if it had received
/// it; messages keep their numbers (Program::number), and the first copy of one that is left out
/// carries its value. Throws ConfigError at `where` if there are such messages and `faults.traffic`
/// does not have them dropped; if `obstacle`, why none can be left out, is not empty; and if nodes
/// compute with what they receive, stream it on, or play operations, whose ranks must all be alive.
Program on_working_nodes(Program program, const HardwareConfig& config, const Graph& graph,
                         const Location& where, std::string obstacle = "");

}  // namespace flitscope
