// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A module of a user with the pins of our router, to begin with.
#pragma once

#include <string>

namespace flitscope {

struct Machine;

/// SystemVerilog of the module `name` with the parameters and pins that a router of `machine` has
/// (hw/rtl/README.md, "The pin protocol"); our router is inside. Throws ConfigError where no
/// foreign router can be.
std::string router_template(const Machine& machine, const std::string& name);

}  // namespace flitscope
