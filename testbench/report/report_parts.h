// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What several reports say in the same way.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "testbench/explain/cause.h"
#include "testbench/report/json_writer.h"
#include "testbench/report/report.h"

namespace flitscope {

/// Mean, p50, p95, p99 and max in cycles, each null where there is nothing.
Json latency_json(const LatencyStatistics& latency);
/// causes_json(), as the field `causes`.
void write_causes(JsonWriter& json, const CauseCycles& cycles);
/// Energies of a run with SimulationOptions::count_sendings. Throw as require_router_energy() does.
Json energy_json(const Machine& machine, const SimulationResult& result);
void print_energy(std::ostream& out, const Machine& machine, const SimulationResult& result);
/// Energies of a machine that are known without a run.
struct StaticEnergy {
    double idle_pj = 0;  ///< per cycle, all routers and links, whatever happens
    double flit_pj = 0;  ///< a flit of a long packet on a route of the mean length, on top of that
};
/// Nothing where the energies of its routers are not known.
std::optional<StaticEnergy> static_energy(const Machine& machine, double mean_hops);
/// A row per link.
void write_energy_csv(std::ostream& out, const Machine& machine, const SimulationResult& result);
/// "12.3 %".
std::string share_text(Cycle part, Cycle all);

}  // namespace flitscope
