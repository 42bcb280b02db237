// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Co-simulation in lock step: the same program on a fabric of SystemC routers and on one with
// verilated routers, in one kernel, compared in every cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/run/simulation.h"

namespace flitscope {

struct Config;
struct Machine;

/// The first difference of two fabrics.
struct Difference {
    Cycle cycle = 0;
    ChannelId channel = 0;
    std::uint32_t vc = 0;
    std::string systemc;              ///< events of the channel in that cycle
    std::string rtl;                  ///< its events there in the RTL fabric
    std::vector<std::string> window;  ///< the cycles before, a line each
};

struct CosimOptions {
    /// Called every now and then; the run stops when it returns false. May be empty.
    std::function<bool(const Progress&)> on_progress;
    hw::ScanOrder scan_order = hw::ScanOrder::kAscending;
};

struct CosimResult {
    std::optional<Difference> difference;
    /// Results of both sides; if they agree, `systemc` has the verdict of the run.
    SimulationResult systemc;
    SimulationResult rtl;
    std::uint32_t rtl_routers = 0;
    Cycle cycles = 0;                 ///< compared
    std::uint64_t router_cycles = 0;  ///< cycles compared times RTL routers
    std::uint64_t flits = 0;          ///< compared: flits sent by links and interfaces
    std::uint64_t credits = 0;        ///< compared: FIFO slots given back
    std::uint64_t packets = 0;        ///< compared: packets delivered
    double wall_seconds = 0;

    bool interrupted() const { return systemc.verdict == Verdict::kInterrupted; }
    bool equal() const { return !difference && !interrupted(); }
};

/// The machine with the routers that are to be compared with SystemC ones: those that the
/// configuration makes RTL, or all if it makes none.
Config cosim_config(Config config);

/// The machine with only SystemC routers; routing and program are shared, not copied.
Machine all_systemc(Machine machine);

/// Throws ConfigError for a machine from cosim_config() that has no RTL routers, or no end.
void require_cosim(const Machine& machine);

/// Compares every channel (flits sent, virtual channel, credits) and every packet, in every cycle,
/// up to the first difference. `machine` is built from cosim_config(). Needs a SystemC kernel in
/// which nothing has been elaborated yet. Throws as simulate() does.
CosimResult cosimulate(const Machine& machine, const CosimOptions& options);

/// Simulates `machine` again on both sides and writes waveforms of the cycles around a difference,
/// with the inner signals of the RTL routers at its channel: "diff.vcd" gives "diff.systemc.vcd"
/// and "diff.rtl.vcd". Returns the names. Needs fresh kernels; findings of the simulations
/// themselves are ignored.
std::vector<std::string> trace_difference(const Machine& machine, const Difference& difference,
                                          const std::string& path);

}  // namespace flitscope
