// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the nodes of random machines hang: several on a router, none, or in addition to the others.
#pragma once

#include "models/base/types.h"
#include "testbench/verification/reference/draw.h"
#include "testbench/verification/reference/random_machine.h"

namespace flitscope {

/// Number of nodes of the machine.
NodeId node_count(const RandomCase& random);
/// Node n is attached to router n as far as there are nodes; otherwise places have been drawn.
bool has_drawn_places(const RandomCase& random);

/// Draws places for a third of the machines: on a graph none to four nodes per router, in any
/// order; in a family several on each, and some in addition.
void vary_places(Draw& draw, RandomCase& random);

}  // namespace flitscope
