// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How often a run did what takes energy (testbench/app/energy has what each takes).
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "models/topology/channel_map.h"
#include "testbench/app/run/channel_sendings.h"

namespace flitscope {

struct Machine;
struct SimulationResult;

/// Numbers of events, and of what is there all the time.
struct EnergyCounts {
    double cycles = 0;
    double routers = 0;  ///< mean over the cycles, as those below: some may die (`faults.at`)
    double links = 0;
    double further_cycles = 0;  ///< cycles of delay of all links, beyond the first of each
    double writes = 0;          ///< flits that came to a router, over links and from nodes
    double sends = 0;           ///< flits that left a router, over links and to nodes
    double packets = 0;         ///< that did so
    double starts = 0;          ///< sendings of a router's output without a pause
    double link_flits = 0;
    double further_flits = 0;  ///< each times the cycles of delay beyond the first
    double wire_flits = 0;     ///< flits on links, each times the capacitance of a wire in pF
    double wire_starts = 0;    ///< sendings without a pause, the same
    double transceivers = 0;   ///< flits between dies, each times the pJ that it takes there
};

/// The counts by their names in outcomes of studies, in order.
inline constexpr std::pair<const char*, double EnergyCounts::*> kEnergyCounts[] = {
    {"energy_cycles", &EnergyCounts::cycles},
    {"energy_routers", &EnergyCounts::routers},
    {"energy_links", &EnergyCounts::links},
    {"energy_further_cycles", &EnergyCounts::further_cycles},
    {"energy_writes", &EnergyCounts::writes},
    {"energy_sends", &EnergyCounts::sends},
    {"energy_packets", &EnergyCounts::packets},
    {"energy_starts", &EnergyCounts::starts},
    {"energy_link_flits", &EnergyCounts::link_flits},
    {"energy_further_flits", &EnergyCounts::further_flits},
    {"energy_wire_flits", &EnergyCounts::wire_flits},
    {"energy_wire_starts", &EnergyCounts::wire_starts},
    {"energy_transceivers", &EnergyCounts::transceivers},
};

/// Cycles in which the fabric spends energy: copies may be under way, and ranks compute, after the
/// last delivery.
Cycle powered_cycles(const SimulationResult& result);

/// The part of these cycles before `faults.at`; all of them if nothing fails during the run.
double part_before_faults(const Machine& machine, Cycle cycles);

/// Capacitance of each wire of a link in pF; 0 if wires have no length in mm.
double wire_pf(const Machine& machine, LinkId link);

/// Counts of a run of `cycles` cycles in which nothing happens.
EnergyCounts idle_counts(const Machine& machine, Cycle cycles);

/// Counts of a run with SimulationOptions::count_sendings.
EnergyCounts energy_counts(const Machine& machine, const SimulationResult& result);

/// Those of a message class in such a run, as if nothing else were there: without what is there all
/// the time. Their sum over the classes is that of energy_counts(). For a run with several classes.
EnergyCounts class_counts(const Machine& machine, const SimulationResult& result,
                          std::size_t message_class);

/// The part of one link in such a run: its registers and its wires, and nothing of routers. `map`
/// is that of the machine's graph.
EnergyCounts link_counts(const Machine& machine, const SimulationResult& result,
                         const ChannelMap& map, LinkId link);

}  // namespace flitscope
