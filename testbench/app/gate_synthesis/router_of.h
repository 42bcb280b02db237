// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers that a configuration asks for, as something that can be synthesized.
#pragma once

#include <optional>

#include "hw/verilated/built_routers.h"
#include "models/base/diagnostics.h"
#include "testbench/app/gate_synthesis/link_synthesis.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;
struct FabricConfig;

/// The routers of a configuration as they are built, which does not depend on the delays of wires.
/// Throws ConfigError if `run` would refuse the machine with RTL routers, if it can deadlock, and
/// if the router is not ours.
hw::BuiltRouters routers_of(WorkloadConfig config);

/// The clock of routers with this longest path: up to the next picosecond, in which SystemC
/// counts.
double synthesized_clock_ns(double period_ns);

/// The links of a fabric with this graph.
FabricLinks fabric_links(const FabricConfig& fabric, const Graph& graph);
/// The links of the fabric that a configuration asks for. Throws as router_of() does, and as
/// resolve_synthesized() does if their delays follow from the router.
FabricLinks links_of(WorkloadConfig config);

/// Replaces by numbers what the configuration takes from its synthesized routers, of which these
/// are the longest path and the largest area: `clock_ns: synth`, and a pitch of physical wires that
/// is `area`.
void resolve_synthesized(WorkloadConfig& config, double largest_um2, double period_ns);
/// Throws ConfigError, placed at the key, if there is no such cell library, and as
/// read_cell_library() and require_wire_loads() do; a known one need not be there.
void require_technology(const WorkloadConfig& config);
/// Fills in the figures that `flitscope synth` has found; what is missing if a router has not been
/// synthesized whose figures are needed. Throws as require_technology() does, and ConfigError if
/// it cannot be.
std::optional<Diagnostic> try_resolve_synthesized(WorkloadConfig& config);
/// The same; throws ConfigError also where figures are missing.
void resolve_synthesized(WorkloadConfig& config);

}  // namespace flitscope
