// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Random machines whose nodes have a channel for every link, and programs that use them.
#pragma once

#include "testbench/verification/reference/draw.h"
#include "testbench/verification/reference/random_machine.h"

namespace flitscope {

/// Gives the nodes of a machine another port model than `single`, if they have neighbours, and a
/// routing that allows it. The program names ports, or is replaced by one of messages to neighbours
/// with copies and streams. It can end: if messages take detours, no links wait for each other in a
/// cycle.
void vary_ports(Draw& draw, RandomCase& random);

}  // namespace flitscope
