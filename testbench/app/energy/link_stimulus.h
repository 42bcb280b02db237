// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic over the registers of one link (hw/rtl/fabric/link.sv), in 64 simulations at once.
#pragma once

#include <cstdint>

#include "testbench/app/energy/gate_simulation.h"

namespace flitscope {

struct LinkEvents {
    double cycles = 0;
    double flits = 0;  ///< per simulation
};

/// Packets of eight flits with random payload, begun with probability `load` per cycle if none is
/// under way; one credit comes back per flit. The simulation, which is of `netlist`, keeps the
/// transition counts.
LinkEvents play_link(const GateNetlist& netlist, GateSimulation& simulation, double load,
                     std::uint64_t seed);

}  // namespace flitscope
