// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Text shared by several reports.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/explain/cause.h"
#include "testbench/app/report/json_writer.h"
#include "testbench/app/report/report.h"

namespace flitscope {

class Graph;
class LatencyStatistics;
struct Machine;
struct MeasuredTraffic;
struct SimulationResult;
struct SteadyOutcome;
struct StepReport;
struct StepTime;

/// Mean, p50, p95, p99 and max in cycles, each null if there is nothing.
Json latency_json(const LatencyStatistics& latency);
/// The fields `nodes` and `routers`: how many are alive.
void add_size(Json& json, const Graph& graph);
/// causes_json(), as the field `causes`.
void write_causes(JsonWriter& json, const CauseCycles& cycles);
/// Energies of a run with SimulationOptions::count_sendings. Throw as require_router_energy() does.
Json energy_json(const Machine& machine, const SimulationResult& result);
void print_energy(std::ostream& out, const Machine& machine, const SimulationResult& result);

/// The cycles of a step; kNever for a start or an end that the run has not come to.
StepTime step_time(const SimulationResult& run, const StepReport& step);

// Words for a pattern whose load is too high, or not known to be sustained.
inline constexpr const char* kOverloaded = "OVERLOADED";
inline constexpr const char* kShort = "SHORT";
inline constexpr const char* kUnstable = "UNSTABLE";
inline constexpr const char* kNotSteady = "NOT STEADY";
/// Whether a pattern offered more than was accepted; nothing if that is not known.
std::optional<bool> is_overloaded(const SimulationResult& run);
/// Whether the mean latency of a pattern's window says little: of few messages, or in a window that
/// is a few of them long. Not with `steady`, which says how precise it is.
bool is_short_measurement(const SimulationResult& run);
/// The verdict on a run, for people; for a complete one of a pattern the words above, if one of
/// them holds.
std::string outcome_text(const SimulationResult& run);
/// Prints the load of a pattern while it was measured, and the throughput of the network.
void print_measured(std::ostream& out, const Machine& machine, const MeasuredTraffic& measured);
/// Prints the steady state, if there is one.
void print_steady(std::ostream& out, const Machine& machine, const SteadyOutcome& steady);
/// Prints why the latencies of a run mean less than they seem to; nothing if there is no reason.
void print_load_warnings(std::ostream& out, const Machine& machine, const SimulationResult& run);

/// Energies of a machine that are known without a run.
struct StaticEnergy {
    double idle_pj = 0;  ///< per cycle, all routers and links, whatever happens
    double flit_pj = 0;  ///< a flit of a long packet on a route of the mean length, on top of that
};
/// Nothing if the energies of its routers are not known.
std::optional<StaticEnergy> static_energy(const Machine& machine, double mean_hops);
/// A row per link.
void write_energy_csv(std::ostream& out, const Machine& machine, const SimulationResult& result);
/// "12.3 %".
std::string share_text(Cycle part, Cycle all);

}  // namespace flitscope
