// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// All engines that can simulate a machine, one after the other, and whether they agree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/compare/run_record.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {

struct Machine;

struct VerifyOptions {
    /// Called every now and then, `fraction` being that of all runs together; the run stops when it
    /// returns false. May be empty.
    std::function<bool(const Progress&)> on_progress;
    /// Memory that the records of the runs may take together, in bytes.
    std::uint64_t most_bytes = std::uint64_t{4} << 30;
};

struct VerifiedEngine {
    /// Name of the engine; "systemc": the reference engine with SystemC routers instead of RTL
    /// ones.
    std::string name;
    std::string left_out;     ///< why it did not run, with the place of the key; empty when it did
    SimulationResult result;  ///< when it ran
};

struct VerifyResult {
    std::vector<VerifiedEngine> engines;  ///< the reference first
    /// Difference of the first engine that differs from the reference; `ours` is the reference.
    std::optional<RunDifference> difference;
    std::string different_engine;
    bool interrupted = false;
    // Numbers compared in each engine that ran, as the reference counts them.
    std::uint64_t packets = 0;
    std::uint64_t busy_intervals = 0;
    std::uint64_t channels = 0;

    const SimulationResult& reference() const { return engines.front().result; }
    bool equal() const { return !difference && !interrupted; }
};

/// Compares packets, busy intervals of all channels, flit counts, makespan, cycles simulated and
/// outcome of every engine with those of the cycle engine without anything ahead of the clock; and
/// of that engine with modules ahead of the clock, with observers and without. Stops at the first
/// difference. Makes its own SystemC kernels. Throws ConfigError when no engine is left to compare
/// the cycle engine with, when the records need too much memory, and as simulate() does.
VerifyResult verify(const Machine& machine, const VerifyOptions& options);

}  // namespace flitscope
