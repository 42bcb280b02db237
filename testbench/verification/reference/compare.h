// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs one machine, random or not, on a fabric and on the golden model, or on the fabrics of both
// engines, and reports where they differ.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/common/clock_domain.h"
#include "testbench/app/compare/run_record.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/random_machine.h"

namespace flitscope {

struct GoldenResult;
struct Machine;

/// The record of a run by the golden model: packets that arrived.
RunRecord golden_run_record(const GoldenResult& golden);

/// Counts of what was compared, so that a passing campaign can show that it did some work.
struct CompareCounts {
    std::uint64_t packets = 0;
    std::uint64_t busy_intervals = 0;
    std::uint64_t flit_hops = 0;
};

/// Options for running a fabric.
struct CompareRun {
    std::string engine = reference_engine().name;
    hw::ScanOrder order = hw::ScanOrder::kAscending;  ///< cycle engine
    /// Use observers, so that busy intervals are compared as well.
    bool observed = true;
    // Cycle engine, as in SimulationOptions.
    bool runs_ahead = true;
    std::uint32_t threads = 1;
    std::vector<std::uint32_t> parts = {};
};

/// Draws 2 to 4 parts of so many routers at random, each with at least one; needs 4 routers.
std::vector<std::uint32_t> random_parts(std::uint32_t routers, std::uint64_t seed);
/// Chooses how the cycle engine runs the case of a seed: with a fifth of all seeds not ahead of the
/// clock; with a third, the fabric of so many routers in random parts, by one to three threads.
void vary(CompareRun& run, std::uint32_t routers, std::uint64_t seed);

/// A run of a fabric.
struct FabricRun {
    SimulationResult result;
    RunRecord record;
};
FabricRun run_fabric(const Machine& machine, const CompareRun& run);

/// The machine of a case.
Machine machine_of(const RandomCase& test);

/// Empty when both runs complete and first_difference() finds none; otherwise that, in words.
std::string compare_with_golden(const RandomCase& test, const CompareRun& run,
                                CompareCounts& counts);

/// Compares a fabric with the golden model on any machine with a program that ends, or with a
/// pattern with replies.
std::string compare_machine_with_golden(const Machine& machine, const CompareRun& run,
                                        CompareCounts& counts);

/// Compares an engine with the reference engine: for cases that would take a slow flit-by-flit
/// model too long. The latter does not run ahead of the clock, and is also compared with itself
/// when it does, with observers and without.
std::string compare_engines(const RandomCase& test, const std::string& engine,
                            CompareCounts& counts);
std::string compare_engines(const Machine& machine, const std::string& engine,
                            CompareCounts& counts);

}  // namespace flitscope
