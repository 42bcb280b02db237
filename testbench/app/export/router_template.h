// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A module of a user with the pins of a router, to begin with.
#pragma once

#include <string>

namespace flitscope {

struct Machine;

/// SystemVerilog of the module `name` with the parameters and pins that a router of `machine` has,
/// by the protocol of its `fabric.router` (hw/rtl/README.md); a router of flitscope is inside.
/// Throws ConfigError if no foreign router can be.
std::string router_template(const Machine& machine, const std::string& name);

}  // namespace flitscope
