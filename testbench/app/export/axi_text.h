// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The generated SystemVerilog of a fabric with AXI4 at its nodes: bridges at the streams of those
// that the section `interconnect` names.
#pragma once

#include <string>
#include <vector>

#include "models/base/types.h"
#include "testbench/app/export/struct_top.h"

namespace flitscope {

struct Machine;

/// Throws ConfigError, at the key, if the bridges do not support a feature of the machine, which
/// must have passed require_streams().
void require_axi(const Machine& machine);

/// The nodes that have an initiator and a target, which it may reach like any other.
std::vector<NodeId> managers_with_targets(const Machine& machine);

/// The module axi_fabric: stream_fabric, with an AXI4 port per initiator and target.
std::string axi_fabric(const Machine& machine);

/// A request and a response per port, over the pins of axi_fabric.
StructTop axi_structs(const Machine& machine);

}  // namespace flitscope
