// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy of a run: what happened in its routers and on its links, each times what it takes
// (router_energy.h), and the clock and the leakage of all of them over its time. Engines that agree
// on a run agree on its energy.
#pragma once

#include <optional>
#include <vector>

#include "models/config/config.h"
#include "testbench/build/machine.h"
#include "testbench/energy/router_energy.h"
#include "testbench/run/simulation.h"

namespace flitscope {

/// In joules.
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
    struct PerLink {
        double registers = 0;  ///< flits, idle and leakage
        double wires = 0;
    };

    Routers routers;
    Links links;
    std::optional<double> wires;  ///< nothing where wires have no length in mm
    std::vector<PerLink> per_link;
    double seconds = 0;  ///< that the clock and the leakage are of
    double messages = 0;
    double flit_hops = 0;
    RouterEnergy router;  ///< what it was computed from
    std::string variant;

    double total() const { return routers.sum() + links.sum() + wires.value_or(0); }
    // Nothing where there was none of it.
    std::optional<double> per_message() const { return per(messages); }
    std::optional<double> per_flit_hop() const { return per(flit_hops); }
    /// Power, on average over the run.
    std::optional<double> watts() const { return per(seconds); }

private:
    std::optional<double> per(double count) const {
        return count > 0 ? std::optional(total() / count) : std::nullopt;
    }
};

/// Throws ConfigError where a run of `machine` has no energy: its routers cannot be synthesized, or
/// their energies have not been found yet.
RouterEnergy require_router_energy(const Machine& machine);

/// Of a run with SimulationOptions::count_sendings.
RunEnergy run_energy(const Machine& machine, const SimulationResult& result,
                     const RouterEnergy& router);

}  // namespace flitscope
