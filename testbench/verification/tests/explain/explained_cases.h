// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Random cases, run with a recorder of their critical path.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/explain/critical_path.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/depth.h"

namespace flitscope {

struct Machine;

struct Explained {
    SimulationResult run;
    CriticalPath path;
    std::vector<Event> events;
    std::optional<Slack> slack;      // for a completed run, if requested
    std::vector<CauseCycles> waits;  // per node, of a program with operations
};

inline Explained explain(const Machine& machine, const std::string& engine,
                         hw::ScanOrder order = hw::ScanOrder::kAscending, bool with_slack = false) {
    const FreshKernel kernel;
    CriticalPathRecorder recorder(machine, with_slack);
    SimulationOptions options;
    options.channels = &recorder.channels();
    options.packets = &recorder.packets();
    options.program = &recorder.program();
    options.operations = recorder.operations();
    options.scan_order = order;
    Explained explained;
    explained.run = simulate(machine, engine, options);
    explained.path = recorder.take(explained.run.simulated_cycles);
    explained.events = recorder.events();
    if (options.operations != nullptr) explained.waits = recorder.take_waits();
    if (with_slack && explained.run.verdict == Verdict::kComplete) {
        explained.slack = recorder.slack(explained.path.cycles);
    }
    return explained;
}

/// Seeds in blocks.
class ExplainedCases : public testing::TestWithParam<int> {
public:
    static constexpr int kBlocks = 4;

protected:
    /// The seeds of this block, of so many in a sample and at full depth.
    static std::pair<std::uint64_t, std::uint64_t> seeds(std::uint64_t sampled = 400,
                                                         std::uint64_t all = 2'000) {
        const std::uint64_t each = cases_of(sampled, all) / kBlocks;
        const auto first = static_cast<std::uint64_t>(GetParam()) * each + 1;
        return {first, first + each};
    }
};

}  // namespace flitscope
