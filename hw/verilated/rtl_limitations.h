// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The limitations of routers in SystemVerilog, for all commands that use them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/refusal.h"

namespace flitscope {
class Graph;
class Routing;
struct WorkloadConfig;
}  // namespace flitscope

namespace flitscope::hw {

/// Limitations of the router itself, whether it is simulated or synthesized.
const std::vector<Limitation>& rtl_limitations();

/// Flits per FIFO, at most: Verilator writes out every slot of every FIFO.
inline constexpr std::uint32_t kMaxVerilatedDepth = 1024;

/// Further limitations of its simulation.
const std::vector<Limitation>& verilated_limitations();

/// Why the routers of a machine cannot be simulated as RTL; nothing when they can.
std::optional<Refusal> verilated_refusal(const WorkloadConfig& config, const Graph& graph,
                                         const Routing& routing);

/// Why the routers of a machine cannot be synthesized; nothing when they can.
std::optional<Refusal> synthesis_refusal(const WorkloadConfig& config, const Graph& graph,
                                         const Routing& routing);

/// The remedy that is always there where RTL routers can be done without.
inline constexpr const char* kInsteadOfRtl = "use the SystemC router";

}  // namespace flitscope::hw
