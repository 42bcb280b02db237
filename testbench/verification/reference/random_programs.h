// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The programs of random machines: many senders with one destination, permutations, steps with
// barriers, and messages that wait for others.
#pragma once

#include "testbench/verification/reference/draw.h"
#include "testbench/verification/reference/random_machine.h"
#include "traffic/program/program.h"

namespace flitscope {

/// For the machine of a case, draws as many messages as a budget of flits allows, which is less if
/// there is little buffering. The program can end: `after` names earlier messages only.
Program random_program(Draw& draw, const RandomCase& random);

}  // namespace flitscope
