// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The generated SystemVerilog of a fabric: its constants, and the module with all of its routers.
// Everything that does not depend on the configuration is in hw/rtl and hw/rtl/fabric.
#pragma once

#include <string>
#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "models/base/types.h"

namespace flitscope {

struct Machine;

/// The package fabric_pkg: parameters of the routers, and their routes.
std::string fabric_package(const Machine& machine, const hw::RtlVariant& variant);

/// The module fabric. If its registers are reset asynchronously it synchronizes the end of resets.
/// The nodes of `talk_to_themselves` may send to themselves, for which routers otherwise have no
/// turn.
std::string fabric_top(const Machine& machine, const hw::RtlVariant& variant,
                       bool has_asynchronous_reset, const std::vector<NodeId>& talk_to_themselves);

/// The clock and the pins, for synthesis and timing analysis. `inputs` are patterns of the input
/// pins other than clock and reset, `io_share` is the share of a period that signals take outside.
std::string fabric_constraints(const Machine& machine, const std::string& inputs, double io_share,
                               bool has_asynchronous_reset);

}  // namespace flitscope
