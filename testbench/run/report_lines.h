// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of reports for people: a name, then what there is to say.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "testbench/run/machine.h"

namespace flitscope {

/// "1,234,567".
std::string grouped(std::uint64_t value);
void print_line(std::ostream& out, const std::string& name, const std::string& text);
/// Topology, routers and traffic.
void print_machine(std::ostream& out, const Machine& machine);

}  // namespace flitscope
