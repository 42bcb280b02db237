// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "testbench/cli/commands.h"
#include "testbench/cli/interrupts.h"
#include "testbench/cli/progress_line.h"
#include "testbench/configuration/configuration.h"
#include "testbench/explain/explanation.h"
#include "testbench/explain/what_if.h"
#include "testbench/report/report.h"
#include "testbench/run/fresh_kernel.h"
#include "testbench/run/simulation.h"

namespace flitscope::cli {
namespace {

/// The machine of the command line with one more key set.
Machine changed_machine(const Options& options, const std::string& change) {
    Options changed = options;
    changed.overrides.push_back(change);
    return build_machine(load_clocked_config(changed));
}

/// Tries the first changes, as many as are asked for. False when the user has had enough.
bool try_changes(const Options& options, const SimulationOptions& simulation, Cycle makespan,
                 std::vector<WhatIf>& changes) {
    for (std::size_t i = 0; i < std::min<std::size_t>(options.verify, changes.size()); ++i) {
        const Machine machine = changed_machine(options, changes[i].change);
        const FreshKernel kernel;
        const SimulationResult run = simulate(machine, options.engine, simulation);
        if (run.verdict == Verdict::kInterrupted) return false;
        if (run.verdict != Verdict::kComplete) continue;
        changes[i].measured =
            static_cast<std::int64_t>(makespan) - static_cast<std::int64_t>(run.cycles);
    }
    return true;
}

}  // namespace

void require_program(const Machine& machine) {
    require_traffic(machine);
    if (machine.program) return;
    throw ConfigError(machine.config.where("traffic.pattern"),
                      "a pattern has no makespan to be explained",
                      "explain a schedule or a program; flitscope curve tells the latencies of "
                      "patterns");
}

int explain_command(const Options& options) {
    const Machine machine = build_machine(load_clocked_config(options));
    require_program(machine);
    ProgressLine progress(options.progress || isatty(STDERR_FILENO) != 0);
    watch_for_interrupts();
    SimulationOptions simulation;
    simulation.on_progress = show_until_interrupted(progress);
    Explanation explanation;
    {
        const FreshKernel kernel;
        explanation = explain(machine, options.engine, simulation);
    }
    std::vector<WhatIf> changes;
    const bool is_complete = explanation.run.verdict == Verdict::kComplete;
    if (is_complete) {
        changes = what_if(machine, explanation, [&](const std::string& change) {
            return changed_machine(options, change);
        });
    }
    const bool has_tried = try_changes(options, simulation, explanation.run.cycles, changes);
    progress.clear();
    if (options.csv) {
        write_path_csv(std::cout, machine, explanation);
    } else {
        tell(options, explain_json, print_explain, machine, explanation, changes);
    }
    std::cout.flush();
    if (!has_tried) {
        std::cerr << "error: interrupted\n";
        return kExitInterrupted;
    }
    return judge(explanation.run, true);
}

}  // namespace flitscope::cli
