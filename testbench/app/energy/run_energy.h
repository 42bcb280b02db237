// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy of a run: each event in its routers and on its links times its energy
// (router_energy.h), and their clock and leakage over the time of the run. Engines that agree on a
// run agree on its energy.
#pragma once

#include <optional>
#include <vector>

#include "hw/verilated/built_routers.h"
#include "testbench/app/energy/router_energy.h"
#include "testbench/app/run/energy_counts.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {

struct Machine;

/// Energies in joules.
struct RunEnergy {
    struct Routers {
        double write = 0;
        double read = 0;
        double cross = 0;
        double arbitrate = 0;
        double idle = 0;
        double leakage = 0;
        double sum() const { return write + read + cross + arbitrate + idle + leakage; }
    };
    /// The registers of links.
    struct Links {
        double flits = 0;
        double idle = 0;
        double leakage = 0;
        double sum() const { return flits + idle + leakage; }
    };

    Routers routers;
    Links links;
    double wires = 0;
    double transceivers = 0;  ///< of links between dies
    double seconds = 0;       ///< that the clock and the leakage are of

    double total() const { return routers.sum() + links.sum() + wires + transceivers; }
};

/// Energy is monotonic in the counts: lower bounds of counts give a lower bound.
RunEnergy run_energy(const EnergyCounts& counts, const RouterEnergy& router, double clock_ns);

/// The energies of an average router of a network whose routers are built differently: clock and
/// leakage per router, and events weighted by the input ports at which they happen. Without kinds
/// all are 0.
struct EnergyOfKind {
    hw::BuiltRouter kind;
    RouterEnergy energy;
};
RouterEnergy average_energy(const std::vector<EnergyOfKind>& kinds);

/// The average energies, if those of all kinds are in the cache.
std::optional<RouterEnergy> cached_average_energy(const hw::BuiltRouters& routers,
                                                  const TechnologyConfig& technology);

/// The energies of an average router of `machine`. Throws ConfigError where routers cannot be
/// synthesized, or their energies have not been found yet.
RouterEnergy require_router_energy(const Machine& machine);

}  // namespace flitscope
