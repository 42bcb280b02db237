// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of a program on several planes (hw/TIMING.md, "Planes").
#pragma once

namespace flitscope {

struct Program;
struct WorkloadConfig;

/// Says which plane each message of `program` crosses, as `traffic.planes` has it, unless its file
/// does. By steps, steps 0 .. P - 1 of P planes become one step, and so on: a node then sends on
/// all planes at once (the alternate assignment of Bokhari and Nicol 1996, Section 8).
/// `are_independent`: no message depends on another one, whatever the steps. Throws ConfigError
/// when the program cannot be put on planes like that.
void put_on_planes(Program& program, const WorkloadConfig& config, bool are_independent);

}  // namespace flitscope
