// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The generated SystemVerilog of a fabric whose nodes have streams: the fabric with a network
// interface per node, and what its test bench needs.
#pragma once

#include <cstdint>
#include <string>

#include "hw/verilated/rtl_variant.h"
#include "testbench/app/export/replay.h"
#include "testbench/app/export/struct_top.h"

namespace flitscope {

struct Machine;

/// Throws ConfigError, at the key, if the stream interface does not support a feature of the
/// machine, which must have passed require_rtl().
void require_streams(const Machine& machine);

/// The module stream_fabric, with the pins of every node by themselves.
std::string stream_fabric(const Machine& machine);

/// The module stream_nodes of the test bench: stream_fabric, with the pins of its nodes side by
/// side.
std::string stream_nodes(const Machine& machine, const StructTop* structs);

/// A request and a response per node, over the pins of stream_fabric.
StructTop stream_structs(const Machine& machine);

/// The beats of all messages, for $readmemh: a line per beat, as beat_t of stream_replay.sv.
std::string beats_text(const Machine& machine, const hw::RtlVariant& variant, const Replay& replay);

/// Number of lines of beats_text().
std::uint64_t beat_count(const Replay& replay);

}  // namespace flitscope
